"""Reports that cost nothing: one real match of every kind of result, played once and lent to any match with its terms.

Without an opening the seed decides no move, so the same games are true of every match; ingest replays them as ever.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count

from arena.match.record import BotRef, MatchPlayed, MatchSetup
from tests.support import failing, field

FIRST, SECOND, TIED = "first", "second", "tied"
FIRST_FAILS, SECOND_FAILS = "first-fails", "second-fails"
KINDS = (FIRST, SECOND, TIED, FIRST_FAILS, SECOND_FAILS)
RULESET, FORMAT, TIME_CONTROL = "oware", "games-2", "quick"

_WINNER = {FIRST: 0, SECOND: 1, TIED: None}


def report(setup: MatchSetup, kind: str) -> MatchPlayed:
    """What a worker would hand in for this match, had it ended so; its time control may be any."""
    assert (setup.ruleset, setup.match_format, setup.opening_plies) == (RULESET, FORMAT, 0)
    played = _played(kind)
    record = replace(played.record, seed=setup.seed, bots=setup.bots, time_control=setup.time_control)
    return replace(played, record=record)


@cache
def _played(kind: str) -> MatchPlayed:
    if kind in (FIRST_FAILS, SECOND_FAILS):
        setup = next(_setups())
        return failing.play(setup, {setup.bots[kind == SECOND_FAILS].name: "exception"})
    matches = (field.play(setup) for setup in _setups())
    return next(played for played in matches if played.record.winner == _WINNER[kind])


def _setups() -> Iterator[MatchSetup]:
    """Matches between dice, each pair with luck of its own."""
    for number in count():
        bots = (BotRef(f"ada-{number}", 1, "0" * 64), BotRef(f"ben-{number}", 1, "0" * 64))
        yield MatchSetup(RULESET, FORMAT, TIME_CONTROL, field.SEED, 0, bots)
