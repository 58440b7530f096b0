"""The rules, case by case; each is named by the number of its rule in the rules text.

A case of `cases/<game>.toml` gives a `board` as notation writes positions, without the ruleset (`ruleset`, else the
game's default), and the `turns` played from it.  What then must hold, where given: `legal` moves (`legal_before`:
before the turns), `after` (the whole position), `pits` (of a game that is over), `illegal` (turns refused), and of the
outcome `ending`, `winner` (South, North, nobody), `seeds` and `points`; without `ending` the game goes on.
"""

from fractions import Fraction
from typing import Any

import pytest

from arena import games
from arena.errors import RuleError
from arena.games import notation
from tests.games.material import cases_of

WINNERS = {"South": games.SOUTH, "North": games.NORTH, "nobody": None}
KEYS = {"id", "says", "ruleset", "board", "turns", "legal_before", "legal", "after", "pits", "illegal",
        "ending", "winner", "seeds", "points"}

CASES = [
    pytest.param(game, case, id=f"{game}-{case['id']}") for game in games.names() for case in cases_of(game)["case"]
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_case_holds(name: str, case: dict[str, Any]) -> None:
    assert case.keys() <= KEYS, "a key this test would not look at"
    ruleset = case.get("ruleset", name)
    position = notation.parse_position(f"{ruleset} {case['board']}")
    game = games.Game(position.rules, position)
    assert list(game.legal_moves()) == case.get("legal_before", list(game.legal_moves()))
    for turn in case.get("turns", []):
        for move in notation.parse_turn(game.position, turn):
            game.push(move)
    for turn in case.get("illegal", []):
        with pytest.raises(RuleError):
            notation.parse_turn(game.position, turn)
    if "after" in case:
        assert notation.position_text(game.position) == f"{position.rules.ruleset} {case['after']}"
    assert list(game.position.pits) == case.get("pits", list(game.position.pits))
    assert list(game.legal_moves()) == case.get("legal", list(game.legal_moves()))
    check_outcome(game.outcome(), case)


def check_outcome(outcome: games.Outcome | None, case: dict[str, Any]) -> None:
    if "ending" not in case:
        assert outcome is None
        return
    assert outcome is not None
    assert outcome.ending == case["ending"]
    assert outcome.winner == WINNERS[case["winner"]]
    assert outcome.seeds == tuple(case["seeds"])
    assert outcome.points == tuple(Fraction(points) for points in case["points"])
