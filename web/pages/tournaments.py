"""Tournaments: all of them, and one with its table, who met whom, what is running now, and its schedule."""

from itertools import pairwise

from flask import render_template, request

from arena.errors import Invalid
from arena.services import live, meetings, standings, tournaments
from arena.services.rights import may_run, may_withdraw
from arena.services.standings import StandingLine
from arena.store.tournaments import ENDED
from arena.tournament.round_robin import rounds
from arena.tournament.standings import TIE_BREAKS, TieBreak
from web import sessions
from web.context import store
from web.pages.wording import points

LINES = 50                      # of the table on one page
LEADERS = 12                    # columns of the crosstable: as many as fit a screen
LATEST = 10
PLACES = 50
PART = "live"                   # `?part=live` answers only what changes while a tournament is played


def list_tournaments() -> str:
    """All tournaments, the newest first; `?state=` are those in one state."""
    state = request.args.get("state") or None
    page = tournaments.list_tournaments(store(), state=state, cursor=request.args.get("cursor"))
    return render_template("tournaments.html", page=page, state=state)


def show(tournament_id: int) -> str:
    """How far a tournament is, its standings from `?from=` on, and how the leaders did among themselves."""
    moment = live.moment(store(), tournament_id)
    lines = standings.standings(store(), tournament_id)
    start = _number("from", 1)
    leaders = lines[:LEADERS]
    shown = lines[start - 1 : start - 1 + LINES]
    return render_template(
        "_live.html" if request.args.get("part") == PART else "tournament.html",
        moment=moment,
        tournament=moment.tournament,
        has_ended=moment.tournament.state in ENDED,
        may_run=may_run(sessions.visitor(), moment.tournament),
        lines=shown,
        start=start,
        size=len(lines),
        leaders=leaders,
        met=meetings.between(store(), tournament_id, [line.number for line in leaders]),
        latest=meetings.latest(store(), tournament_id, LATEST),
        ties=_ties(shown) if moment.tournament.state in ENDED else (),
        rounds=rounds(len(lines), moment.tournament.cycles) if len(lines) > 1 else 0,
    )


def schedule(tournament_id: int) -> str:
    """Who meets whom, round by round, from `?from=` on; what is played leads to its match."""
    start = _number("from", 1)
    return render_template(
        "schedule.html",
        schedule=meetings.schedule(store(), tournament_id, start - 1, PLACES),
        start=start,
        step=PLACES,
    )


def entrant(tournament_id: int, bot: str) -> str:
    """One line of the table, explained: what each opponent added to every criterion."""
    start = _number("from", 1)
    found = meetings.entrant(store(), tournament_id, bot, start - 1, LINES)
    return render_template(
        "entrant.html",
        entrant=found,
        may_withdraw=may_withdraw(sessions.visitor(), found.tournament, found.line.owner),
        names=TIE_BREAKS,
        start=start,
        step=LINES,
    )


def _ties(lines: tuple[StandingLine, ...]) -> tuple[tuple[str, str, str], ...]:
    """(above, below, why) of neighbours with equal match points: the first criterion in which they differ."""
    told = []
    for above, below in pairwise(lines):
        if above.score != below.score:
            continue
        pairs = zip(above.tie_breaks, below.tie_breaks, strict=True)
        criterion = next((f"{one.name} {_exact(one)} to {_exact(other)}" for one, other in pairs if one != other), "")
        told.append((above.bot, below.bot, criterion))
    return tuple(told)


def _exact(tie_break: TieBreak) -> str:
    return points(tie_break.value)


def _number(parameter: str, default: int) -> int:
    """A place in a list, from 1.  Raises: Invalid."""
    text = request.args.get(parameter, str(default))
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) > 0):
        raise Invalid(f"{parameter} is a place in the list, from 1 up, not {text[:40]!r}.", field=parameter)
    return int(text)
