"""One match: its score game by game under its format, verdicts, the time of every turn, and the way to each replay."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from flask import Response, render_template, request

from arena import games
from arena.errors import Forbidden
from arena.games import Rules
from arena.match import scoring
from arena.match.format import GameResult, Goal, MatchFormat, counted, defaults_of, parse_format, points_of, wins_of
from arena.match.record import to_text
from arena.match.record_types import GameRecord, MatchRecord
from arena.match.time_control import parse_time_control
from arena.match.turn import TurnRecord
from arena.services import endings, matches, sources
from arena.store.matches import Match
from web import sessions
from web.context import store
from web.pages import plots

SLOWEST = 5
FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Line:
    """One game and the score after it; `gain` are the points it brought, by seat; `plies` were played."""

    number: int
    south: int
    gain: tuple[Fraction, Fraction]
    after: tuple[Fraction, Fraction]
    words: str
    winner: int | None
    plies: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the time of one game went; `totals` are microseconds by seat: charged, and waited for a processor."""

    number: int
    bars: plots.Bars | None
    slowest: tuple[TurnRecord, ...]
    totals: tuple[tuple[int, int], tuple[int, int]]


def show(match_id: int) -> str:
    """The page of a match; `?timing=` is the game whose time is drawn."""
    found = matches.match(store(), match_id)
    if found.state != FINISHED:
        return render_template("match.html", match=found, lines=(), timing=None)
    record = matches.record(store(), match_id)
    lines = lines_of(record)
    return render_template(
        "match.html",
        match=found,
        rules=games.load(record.ruleset),
        lines=lines,
        counts=_counts(parse_format(record.match_format)),
        timing=timing_of(record, _chosen(record)),
        summary=_summary(found, lines),
        logs=_own_logs(found),
    )


def record(match_id: int) -> Response:
    """The whole record, to be read."""
    return Response(to_text(matches.record(store(), match_id)), mimetype="text/plain")


def lines_of(record: MatchRecord) -> tuple[Line, ...]:
    """The games, each with the score as the format counts it."""
    rules, form = games.load(record.ruleset), parse_format(record.match_format)
    defaults = defaults_of(rules.name)
    results = [scoring.result_of(game, defaults) for game in record.games]
    names = (record.bots[0].name, record.bots[1].name)
    return tuple(
        Line(
            number=number,
            south=game.south,
            gain=game.points,
            after=_score(form, counted(results[:number])),
            words=_words(rules, game, names),
            winner=game.winner,
            plies=max((turn.ply for turn in game.turns), default=-1) + 1,
        )
        for number, game in enumerate(record.games, 1)
    )


def timing_of(record: MatchRecord, number: int) -> Timing:
    """The time of every turn of one game."""
    game = record.games[number - 1]
    slowest = sorted(game.turns, key=lambda turn: turn.timing.charged_us, reverse=True)[:SLOWEST]
    first, second = (
        (
            sum(turn.timing.charged_us for turn in game.turns if turn.seat == seat),
            sum(turn.timing.waited_us for turn in game.turns if turn.seat == seat),
        )
        for seat in (0, 1)
    )
    turn_ms = parse_time_control(record.time_control).turn_ms
    return Timing(number, plots.bars(game, turn_ms), tuple(slowest), (first, second))


def _own_logs(found: Match) -> list[tuple[str, str]]:
    """What the visitor's own bots printed, each with the bot's name."""
    user, logs = sessions.visitor(), []
    for seat, bot in enumerate((found.first, found.second)):
        if user is not None:
            with suppress(Forbidden):
                logs.append((bot.name, sources.visible(matches.log(store(), user, found.id, seat))))
    return logs


def _score(form: MatchFormat, results: Sequence[GameResult]) -> tuple[Fraction, Fraction]:
    if form.goal in (Goal.POINTS, Goal.GAMES):
        return points_of(results)
    first, second = wins_of(results)
    return Fraction(first), Fraction(second)


def _counts(form: MatchFormat) -> str:
    """What the score of a match under this format counts."""
    return "points" if form.goal in (Goal.POINTS, Goal.GAMES) else "wins"


def _words(rules: Rules, game: GameRecord, names: tuple[str, str]) -> str:
    """How a game ended, without its last position."""
    if game.verdict is not None:
        return endings.forfeit_words(game.verdict.kind, names[game.verdict.seat], names[1 - game.verdict.seat])
    why = endings.WHY[game.ending]
    if game.winner is not None:
        return f"{names[game.winner]} wins: {why}."
    return f"{'Annulled' if defaults_of(rules.name).annuls else 'Drawn'}: {why}."


def _summary(found: Match, lines: Sequence[Line]) -> str:
    """Who won the match, in a sentence."""
    names = (found.first.name, found.second.name)
    games_played = "1 game" if len(lines) == 1 else f"{len(lines)} games"
    if found.winner is None:
        return f"The match is tied after {games_played}."
    return f"{names[found.winner]} wins the match after {games_played}."


def _chosen(record: MatchRecord) -> int:
    """The game asked for; by default the first."""
    text = request.args.get("timing", "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    return wanted if 1 <= wanted <= len(record.games) else 1
