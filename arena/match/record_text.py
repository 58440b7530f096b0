"""A match record as text for people, in the manner of chess's PGN: tags, then one line for each turn.

    [Ruleset "oware"]
    [First "alice", 3, "<hash>"]
    …
    [Game 1]
    [South "first"]
    [Ending "majority"]
    …
    1. S 2
    5. S 3 {0.123 ms, wall 0.130, cpu 0.120, waited 0.007}

A turn is written in the game's own notation; a bot's turn is followed by its time, as charged and as measured.  The
moves of a turn that was never finished stand as numbers after a `+`.
"""

import json
from collections.abc import Iterator

from arena import games
from arena.games import Game, Position, notation
from arena.match.points import points_text
from arena.match.record_types import GameRecord, MatchRecord
from arena.match.turn import TurnRecord

SEATS = {0: "first", 1: "second", None: "nobody"}
SIDES = "SN"


def to_text(record: MatchRecord) -> str:
    """The whole record; `record_reader.from_text` gives it back."""
    lines = [
        _tag("Ruleset", record.ruleset),
        _tag("Format", record.match_format),
        _tag("TimeControl", record.time_control),
        *(
            _tag(SEATS[seat].capitalize(), bot.name, bot.version, bot.content_hash)
            for seat, bot in enumerate(record.bots)
        ),
        _tag("Winner", SEATS[record.winner]),
        _tag("Score", *record.score),
        _tag("Points", *map(points_text, record.points)),
        _tag("Seed", record.seed),
        _tag("OpeningPlies", record.opening_plies),
        _tag("Engine", record.engine_version),
        _tag("Isolation", record.isolation),
    ]
    for number, game in enumerate(record.games, start=1):
        lines += ["", *_game_lines(record, game, number)]
    return "\n".join(lines) + "\n"


def _game_lines(record: MatchRecord, game: GameRecord, number: int) -> Iterator[str]:
    yield _tag("Game", number)
    yield _tag("South", SEATS[game.south])
    yield _tag("Winner", SEATS[game.winner])
    yield _tag("Ending", game.ending)
    yield _tag("Points", *map(points_text, game.points))
    if game.verdict:
        when = "loading" if game.verdict.is_loading else "playing"
        yield _tag("Verdict", SEATS[game.verdict.seat], game.verdict.kind, when)
    yield _tag("Opening", *game.opening)
    yield from _turn_lines(record, game)


def _turn_lines(record: MatchRecord, game: GameRecord) -> Iterator[str]:
    playing = Game(games.load(record.ruleset))
    times = {turn.ply: turn for turn in game.turns}
    begun = done = 0
    while done < len(game.moves):
        start, ply = playing.position, playing.turns
        while playing.turns == ply and done < len(game.moves):
            playing.push(game.moves[done])
            done += 1
        text = _turn_text(start, game.moves[begun:done], is_done=playing.turns != ply)
        begun = done
        yield f"{ply + 1}. {SIDES[start.to_move]} {text}{_time_text(times.pop(ply, None))}"
    for ply, turn in times.items():     # of a bot that was asked and made no move
        yield f"{ply + 1}. {SIDES[turn.seat != game.south]}{_time_text(turn)}"


def _turn_text(start: Position, moves: tuple[int, ...], *, is_done: bool) -> str:
    """In the game's notation where that gives the same moves back, which it need not for part of a turn."""
    if is_done:
        text = notation.turn_text(start, moves)
        if len(moves) == 1 or notation.parse_turn(start, text) == moves:
            return text
    return "+" + ",".join(map(str, moves))


def _time_text(turn: TurnRecord | None) -> str:
    if turn is None:
        return ""
    timing = turn.timing
    charged, wall, cpu, waited = (
        f"{us // 1000}.{us % 1000:03}" for us in (timing.charged_us, timing.wall_us, timing.cpu_us, timing.waited_us)
    )
    return f" {{{charged} ms, wall {wall}, cpu {cpu}, waited {waited}}}"


def _tag(name: str, *values: str | int) -> str:
    return f"[{name} {', '.join(json.dumps(value, ensure_ascii=False) for value in values)}]"

