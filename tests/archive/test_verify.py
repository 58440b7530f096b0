"""An archive that holds: what is proven of it, and what is said not to be."""

import subprocess
import sys
from pathlib import Path

from arena.archive.lines import read_lines
from tests.support.archive import Lines, forged, history, lines_of, of_kind, proof_of

ROOT = Path(__file__).parents[2]
ONLY_THESE = """
import sys
for name in ("sqlalchemy", "redis", "celery", "flask", "requests", "typer", "rich", "structlog"):
    sys.modules[name] = None
from arena.archive.verify import verify
print(verify(sys.stdin.buffer).matches)
print(sorted({".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("arena.")}))
"""


def test_a_tournament_is_proven_from_its_first_match_to_its_ratings() -> None:
    proof = proof_of(history().cup)
    assert (proof.ruleset, proof.tournament) == ("oware", "cup")
    assert (proof.matches, proof.void, proof.games) == (6, 0, 12)
    assert (proof.rated_matches, proof.rating_changes, proof.ratings_taken) == (6, 12, 0)
    (seen,) = proof.tournaments
    assert (seen.name, seen.state, seen.is_seed_shown) == ("cup", "finished", True)
    (sentence,) = proof.unproven
    assert "games were forfeited (exception 3, timeout 2)" in sentence


def test_the_archive_of_a_ruleset_takes_nothing_from_elsewhere() -> None:
    proof = proof_of(history().oware)
    assert (proof.tournament, [seen.name for seen in proof.tournaments]) == (None, ["cup", "league"])
    assert (proof.matches, proof.void, proof.ratings_taken) == (18, 5, 0)
    inherited = [
        change
        for rating in of_kind(lines_of(history().oware), "rating")
        for change in rating["changes"]
        if change["kind"] == "inherit"
    ]
    assert [(change["bot"], change["version"]) for change in inherited] == [("abel", 2)]
    assert proof.rating_changes == 2 * proof.rated_matches + 1


def test_a_later_tournament_says_which_ratings_it_took_from_elsewhere() -> None:
    proof = proof_of(history().league)
    assert proof.ratings_taken == 4
    assert any(sentence.startswith("4 ratings were taken from the file") for sentence in proof.unproven)
    assert any(sentence.startswith("5 matches are void") for sentence in proof.unproven)
    taken = {(line["bot"], line["version"]) for line in of_kind(lines_of(history().league), "elsewhere")}
    assert taken == {("abel", 1), ("beth", 1), ("cora", 1), ("dora", 1)}


def test_an_archive_without_its_seed_holds_only_while_it_runs_and_says_so() -> None:
    def hide_the_seed(lines: Lines) -> None:
        (tournament,) = of_kind(lines, "tournament")
        tournament["state"], tournament["seed"], tournament["ended_at"] = "running", None, None

    proof = proof_of(forged(history().cup, hide_the_seed))
    assert not proof.tournaments[0].is_seed_shown
    assert proof.unproven[0].startswith("cup is running: its seed is secret until the end")


def test_matches_of_another_version_of_the_arena_are_said_to_be() -> None:
    def age(lines: Lines) -> None:
        of_kind(lines, "tournament")[0]["engine_version"] = "0.0.9"
        for match in of_kind(lines, "match"):
            match["record"]["engine_version"] = "0.0.9"

    assert proof_of(forged(history().cup, age)).unproven[-1].startswith("Played under version 0.0.9 of the arena")


def test_the_fingerprint_is_the_chain_value_of_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "cup.jsonl"
    path.write_bytes(history().cup)
    with path.open("rb") as file:
        assert proof_of(history().cup).fingerprint == list(read_lines(file))[-1].chain


def test_it_needs_the_rules_and_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ONLY_THESE], cwd=ROOT, input=history().cup, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    matches, rooms = done.stdout.decode().splitlines()
    assert matches == "6"
    needed = ("archive", "compiling", "errors", "games", "match", "ratings", "tournament")
    assert rooms == str([f"arena.{room}" for room in needed])
