"""A game is registered only with everything that belongs to it."""

import importlib.util
from pathlib import Path

import pytest

from arena import games
from tests.games.material import HERE, cases_of, golden_of, rulesets

ROOT = HERE.parent.parent


def belongings(game: str) -> list[Path]:
    return [
        ROOT / "arena" / "games" / f"{game}.py",
        ROOT / "docs" / "rules" / f"{game}.md",
        HERE / "cases" / f"{game}.toml",
        HERE / "golden" / f"{game}.toml",
        HERE / "oracles" / f"{game}.py",
    ]


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_all_its_files(game: str) -> None:
    assert [path for path in belongings(game) if not path.is_file()] == []


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_cases_perft_and_a_sample_of_rulesets(game: str) -> None:
    cases = cases_of(game)
    assert len(cases["case"]) >= 10
    assert cases["perft"]
    assert cases["rulesets"][0] == game
    ids = [case["id"] for case in cases["case"]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("game", games.names())
def test_the_sample_moves_every_option_off_its_default(game: str) -> None:
    moved: set[str] = set()
    for ruleset in cases_of(game)["rulesets"]:
        rules = games.load(ruleset)
        moved |= {part.partition("=")[0] for part in rules.ruleset.partition(":")[2].split(",") if part}
    assert moved == set(games.load(game).options)


def test_every_ruleset_of_the_sample_has_a_golden_game() -> None:
    recorded = {record["ruleset"] for game in games.names() for record in golden_of(game)}
    assert set(rulesets()) <= recorded


@pytest.mark.parametrize("game", games.names())
def test_the_oracle_owes_nothing_to_the_engine(game: str) -> None:
    spec = importlib.util.find_spec(f"tests.games.oracles.{game}")
    assert spec is not None
    assert spec.origin is not None
    assert "arena.games" not in Path(spec.origin).read_text()
