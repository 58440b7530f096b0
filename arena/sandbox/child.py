"""The program inside the sandbox: it loads one bot, then answers the host's requests, one JSON line each.

It has no security duty: the layers around it hold whatever the bot does to it, and the host judges every reply.
It gives an honest bot its game, its clock, and a true report of what went wrong.  What it needs after the bot was
loaded is bound before, so that a bot which replaces modules finds its game going on.  docs/protocol.md has the lines.
"""

import json
import os
import resource
import sys

CONFIG = json.loads(sys.argv[1])    # {"r", "w", "filter": descriptors, "rlimits": …, "path": folders, "parent": pid}
for _name, _value in CONFIG["rlimits"].items():
    resource.setrlimit(getattr(resource, "RLIMIT_" + _name), (_value, _value))
sys.path.extend(CONFIG["path"])
if CONFIG["filter"] is not None:        # where no launcher could put it in force before
    from arena.sandbox.confine import confine

    confine(CONFIG["filter"])
if CONFIG["parent"] is not None:        # where nothing around it ends with the host
    from arena.sandbox.confine import die_with

    die_with(CONFIG["parent"])

import faulthandler  # noqa: E402
import random  # noqa: E402
import signal  # noqa: E402
from contextlib import suppress  # noqa: E402
from types import ModuleType, TracebackType  # noqa: E402
from typing import Any  # noqa: E402

from arena.games import Game, load, notation  # noqa: E402
from arena.sandbox.signatures import NotABot, arguments_taken, check_hook, wants_match  # noqa: E402

BOT_FOLDER = "/bot/"
BOT_FILE = BOT_FOLDER + "bot.py"
NO_MEMORY = 96                  # the exit code that says so when there is not even enough left to say it in words
SPARE_BYTES = 4 << 20
PIECE_BYTES = 4096              # that are read at once; a turn is a hundred
ZIP_START = b"PK\x03\x04"
sys.argv = [BOT_FILE]
faulthandler.enable(2, all_threads=False)       # a bot that crashes, or runs out of time, tells its owner where it was
faulthandler.register(signal.SIGUSR1, 2, all_threads=False)
sys.stdout.reconfigure(line_buffering=True)     # type: ignore[union-attr]  # a killed bot's last lines count


def lowered(descriptor: int) -> int:
    """The same pipe under the lowest free number, whatever number the host had for it."""
    lowest = os.dup(descriptor)
    os.close(max(lowest, descriptor))
    return min(lowest, descriptor)


RFD, WFD = lowered(CONFIG["r"]), lowered(CONFIG["w"])
_read, _write = os.read, os.write
_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder().raw_decode
_parse_position = notation.parse_position
_print_traceback, _stderr = sys.__excepthook__, sys.stderr
_received = bytearray()
_spare = [bytearray(SPARE_BYTES)]       # given up when the bot has used all memory, so that the rest of a turn has some


class Match:
    """What a bot may know of its match."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.ruleset: str = facts["ruleset"]
        self.format: str = facts["format"]
        self.time_control: str = facts["time_control"]
        self.seat: int = facts["seat"]


class Clock:
    """The bot's time, in milliseconds: left of this turn, left in the bank, charged for the last answer."""

    __slots__ = ("bank_ms", "last_charged_ms", "turn_ms")

    def __init__(self, turn_ms: float, bank_ms: float, last_charged_ms: float) -> None:
        self.turn_ms = turn_ms
        self.bank_ms = bank_ms
        self.last_charged_ms = last_charged_ms


def readline() -> bytes:
    """The host's next line; empty when the host has gone."""
    piece = b"" if _received else _read(RFD, PIECE_BYTES)
    if piece.find(b"\n") + 1 == len(piece) and not _received:       # a line and nothing else, as nearly always
        return piece
    _received.extend(piece)
    while (end := _received.find(b"\n")) < 0:
        if not (piece := _read(RFD, PIECE_BYTES)):
            return b""
        _received.extend(piece)
    line = bytes(_received[: end + 1])
    del _received[: end + 1]
    return line


def readbytes(count: int) -> bytes:
    """Exactly so many bytes, as they follow the line that announced them."""
    while len(_received) < count:
        if not (piece := _read(RFD, 1 << 20)):
            raise SystemExit("the host has gone")
        _received.extend(piece)
    content = bytes(_received[:count])
    del _received[:count]
    return content


def send(line: bytes) -> None:
    while line:
        line = line[_write(WFD, line) :]


class Runner:
    """One bot and the game it is in."""

    def __init__(self) -> None:
        self.bot: Any = None                    # what has the optional hooks: the Bot, or nothing
        self.choose_move: Any = None
        self.arguments = 1                      # how many of (position, clock, game) it takes

    def load(self, seq: int, order: dict[str, Any]) -> bytes:
        """Run the bot's source, and make its `Bot`."""
        content = readbytes(order["bytes"])
        self.rules = load(order["match"]["ruleset"])
        self.game = Game(self.rules)
        failure = ""
        try:
            self._take(run_source(content, bytes.fromhex(order["seed"])), Match(order["match"]))
            return b'{"s":%d,"loaded":true}\n' % seq
        except MemoryError as error:
            failure = shortage(error)           # the bot's objects are freed when the block is left
        except BaseException as error:
            return report(seq, "load", error)
        return memory_report(seq, failure)

    def _take(self, module: ModuleType, match: Match) -> None:
        choose_move = getattr(module, "choose_move", None)
        if choose_move is None:
            bot_class = getattr(module, "Bot", None)
            if bot_class is None:
                raise NotABot("bot.py defines neither a function choose_move(position) nor a class Bot")
            if not callable(getattr(bot_class, "choose_move", None)):
                raise NotABot("the class Bot has no method choose_move(self, position)")
            self.bot = bot_class(match) if wants_match(bot_class) else bot_class()
            choose_move = self.bot.choose_move
            for name, argument in (("new_game", "side"), ("game_over", "outcome")):
                if hasattr(self.bot, name):
                    check_hook(name, getattr(self.bot, name), argument)
        self.choose_move = choose_move
        self.arguments = arguments_taken(choose_move)

    def turn(self, seq: int, new: list[Any] | None, news: bytes) -> bytes:
        """Bring the game up to date and let the bot choose."""
        failure = ""
        try:
            moves, _, times = news.partition(b"]")
            game = self._follow(new, moves)
            choose_move = self.choose_move
            if self.arguments == 1:
                move = choose_move(game.position)
            elif self.arguments == 2:
                move = choose_move(game.position, clock_in(times))
            else:
                move = choose_move(game.position, clock_in(times), game.copy())
            if type(move) is int:
                return b'{"s":%d,"m":%d}\n' % (seq, move)
            return b'{"s":%d,"m":%b}\n' % (seq, _encode(move).encode())
        except MemoryError as error:
            failure = shortage(error)
        except BaseException as error:
            return report(seq, "exception", error)
        return memory_report(seq, failure)

    def over(self, seq: int, ending: str, news: bytes) -> bytes:
        """Tell the bot how the game ended; by a forfeit when the host says so."""
        failure = ""
        try:
            game = self._follow(None, news.partition(b"]")[0])
            hook = getattr(self.bot, "game_over", None)
            if hook is not None:
                hook(game.outcome() if ending == "rules" else None)
            return b'{"s":%d}\n' % seq
        except MemoryError as error:
            failure = shortage(error)
        except BaseException as error:
            return report(seq, "exception", error)
        return memory_report(seq, failure)

    def _follow(self, new: list[Any] | None, moves: bytes) -> Game:
        """Begin the game the host is in, if it is a new one, and make the moves made since."""
        if new is not None:
            side, start = new
            self.game = Game(self.rules, _parse_position(start) if start else None)
            hook = getattr(self.bot, "new_game", None)
            if hook is not None:
                hook(side)
        game = self.game
        if moves:
            for move in moves.split(b","):
                game.push(int(move))
        return game


def clock_in(times: bytes) -> Clock:
    """The clock at the end of a turn's line, which is in microseconds: `,"clock":[100000,2000000,412]}`."""
    turn_us, bank_us, last_charged_us = times[times.index(b"[") + 1 : times.index(b"]")].split(b",")
    return Clock(int(turn_us) / 1000, int(bank_us) / 1000, int(last_charged_us) / 1000)


def run_source(content: bytes, seed: bytes) -> ModuleType:
    """Run the package's bot.py as the module `bot`; other modules of a zip can be imported from it."""
    source, module = content, ModuleType("bot")
    module.__file__ = BOT_FILE
    if content.startswith(ZIP_START):
        from arena.sandbox.bundle import unpacked

        source, module.__spec__ = unpacked(content, BOT_FOLDER)
    sys.modules["bot"] = module
    random.seed(seed)
    exec(compile(source, BOT_FILE, "exec", dont_inherit=True), module.__dict__)
    return module


def report(seq: int, kind: str, error: BaseException) -> bytes:
    """Print the traceback into the bot's log, and tell the host only what may be public."""
    try:
        traceback = error.__traceback__
        while traceback is not None and not is_bots(traceback):
            traceback = traceback.tb_next
        error = error.with_traceback(traceback)
        sys.stderr = _stderr
        _print_traceback(type(error), error, traceback)
        text = f"{type(error).__name__[:60]}{place(error)}" if type(error) is not NotABot else str(error)
    except BaseException:
        text = "an error that cannot be shown"
    return b'{"s":%d,"fault":"%b","text":%b}\n' % (seq, kind.encode(), _encode(text[:300]).encode())


def shortage(error: MemoryError) -> str:
    """Where memory ran out, now that there is a little again."""
    _spare.clear()
    return place(error)


def memory_report(seq: int, where: str) -> bytes:
    text = f"MemoryError{where}"
    with suppress(OSError):             # the bot may have closed its log
        _write(2, text.encode("utf-8", "backslashreplace") + b"\n")
    answer = b'{"s":%d,"fault":"memory","text":%b}\n' % (seq, _encode(text[:300]).encode())
    with suppress(MemoryError):         # the bot may keep what it has; then the next time is the last
        _spare.append(bytearray(SPARE_BYTES))
    return answer


def place(error: BaseException) -> str:
    """Where in the bot's source, such as " (bot.py, line 3)"; nothing when it was elsewhere."""
    if isinstance(error, SyntaxError) and str(error.filename).startswith(BOT_FOLDER):
        return f" ({str(error.filename)[len(BOT_FOLDER):]}, line {error.lineno})"
    found, traceback = "", error.__traceback__
    while traceback is not None:
        if is_bots(traceback):
            name = traceback.tb_frame.f_code.co_filename[len(BOT_FOLDER) :]
            found = f" ({name}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return found


def is_bots(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(BOT_FOLDER)


def serve() -> None:
    """Answer until the host goes."""
    runner, receive, reply = Runner(), readline, send
    reply(b'{"s":0,"hello":1}\n')
    while line := receive():
        head, _, news = line.partition(b',"moves":[')
        number = head[len('{"s":') :]
        if number.isdigit():                # a turn in a game that goes on
            reply(runner.turn(int(number), None, news))
            continue
        request, _ = _decode(head.decode() + "}")
        seq = request["s"]
        if "load" in request:
            reply(runner.load(seq, request["load"]))
        elif "over" in request:
            reply(runner.over(seq, request["over"], news))
        else:
            reply(runner.turn(seq, request["new"], news))


if __name__ == "__main__":
    try:
        serve()
    except MemoryError:
        os._exit(NO_MEMORY)
