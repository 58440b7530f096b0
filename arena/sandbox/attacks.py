"""The hostile bots and what must become of each: `arena doctor --attacks` and the tests run them all.

Each program in hostile-bots/ says in its first line which verdicts are right for it: `plays`, or kinds of faults.  It
plays both seats against an honest bot.  A probe that gains something prints PWNED.
"""

import io
import json
import platform
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.match.player import MatchInfo, Player
from arena.match.record_types import BotRef, MatchPlayed, MatchSetup
from arena.match.referee import play_match
from arena.sandbox.player import Sandbox
from arena.sandbox.seccomp import MACHINES
from arena.sandbox.syscalls import NUMBERS

FOLDER = Path(__file__).with_name("hostile-bots")
GAINED = "PWNED"
HONEST = b"def choose_move(position):\n    return position.legal_moves()[0]\n"
SLOW = b"""import time
def choose_move(position, clock, game):
    time.sleep(0.02 if len(game.moves) < 24 else 0)
    return position.legal_moves()[0]
"""
# Who steals time needs somebody who takes some.
_NEED_SLOW_OPPONENT = ("time/ponders", "time/ponders_by_profile", "time/ponders_by_turns")
_HEADER = "# expect: "
_SEED = "5a" * 32
_SHORT, _AMPLE = "150+150", "500+2000"      # whoever is bound to run out of time should do so soon
_PROBE = "probe"

# Calls that only hostile bots name, in the form of syscalls.NUMBERS.
_MORE_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "cachestat": (451, 451),
    "capget": (125, 90),
    "clone": (56, 220),
    "dup2": (33, None),
    "dup3": (292, 24),
    "epoll_create1": (291, 20),
    "eventfd2": (290, 19),
    "fanotify_init": (300, 262),
    "fork": (57, None),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "ioprio_set": (251, 30),
    "landlock_create_ruleset": (444, 444),
    "mbind": (237, 235),
    "membarrier": (324, 283),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mincore": (27, 232),
    "mknod": (133, None),
    "mlockall": (151, 230),
    "move_pages": (279, 239),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "personality": (135, 92),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "pkey_alloc": (330, 289),
    "prctl": (157, 167),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "readahead": (187, 213),
    "sched_setattr": (314, 274),
    "sched_yield": (24, 124),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "set_mempolicy": (238, 237),
    "signalfd4": (289, 74),
    "socketpair": (53, 199),
    "sync": (162, 81),
    "sysinfo": (99, 179),
    "timer_create": (222, 107),
    "timerfd_create": (283, 85),
    "vfork": (58, None),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile bot; `expected` are the verdicts that are right for it."""

    name: str
    aim: str
    expected: frozenset[str]
    package: bytes


@dataclass(frozen=True, slots=True)
class Trial:
    """One match of a hostile bot; `problem` is empty when all went as it must."""

    attack: Attack
    seat: int
    verdicts: tuple[str, ...]
    log: str
    problem: str


def all_attacks() -> list[Attack]:
    """Every program of the folder, and those that no editor would keep as they are."""
    return sorted([*programs(), *_made()], key=lambda attack: attack.name)


def programs() -> list[Attack]:
    """Every program of the folder."""
    return [_program(path) for path in sorted(FOLDER.glob("*/*.py"))]


def attempt(sandbox: Sandbox, attack: Attack, seat: int) -> Trial:
    """Let the hostile bot play a match in this seat.  Raises: ArenaFault, which no bot should be able to cause."""
    opponent = SLOW if attack.name in _NEED_SLOW_OPPONENT else HONEST
    packages = (attack.package, opponent) if seat == 0 else (opponent, attack.package)

    def open_player(opened: int, info: MatchInfo, seed: bytes) -> Player:
        return sandbox.open_player(packages[opened], opened, info, seed, lambda: None)

    bots = (BotRef("first", 1, "0" * 64), BotRef("second", 1, "0" * 64))
    control = _SHORT if "timeout" in attack.expected else _AMPLE
    setup = MatchSetup("oware", "games-2", control, _SEED, 0, bots)
    played = play_match(setup, open_player, lambda game, ply: None)
    verdicts = tuple(game.verdict.kind if game.verdict else "plays" for game in played.record.games)
    return Trial(attack, seat, verdicts, played.logs[seat], _problem(attack, seat, played))


def _problem(attack: Attack, seat: int, played: MatchPlayed) -> str:
    verdicts = [game.verdict for game in played.record.games]
    if any(verdict and verdict.seat != seat for verdict in verdicts):
        return f"the honest opponent was blamed: {verdicts}"
    if GAINED in played.logs[seat]:
        return f"it gained something: {played.logs[seat]}"
    kinds = {verdict.kind if verdict else "plays" for verdict in verdicts}
    if kinds <= attack.expected:
        return ""
    messages = "; ".join(verdict.message for verdict in verdicts if verdict)
    return f"it ended as {', '.join(sorted(kinds))} instead of {' or '.join(sorted(attack.expected))}. {messages}"


def _program(path: Path) -> Attack:
    source = path.read_bytes()
    header = source.partition(b"\n")[0].decode().removeprefix(_HEADER)
    expected, _, aim = header.partition("; ")
    name = f"{path.parent.name}/{path.stem}"
    package = _with_probe(source) if f"from {_PROBE} import".encode() in source else source
    return Attack(name, aim, frozenset(expected.split(", ")), package)


def _with_probe(source: bytes) -> bytes:
    numbers = {name: number for name, number in _numbers().items() if number is not None}
    files = {
        "bot.py": source,
        f"{_PROBE}.py": (FOLDER / f"{_PROBE}.py").read_bytes(),
        "numbers.json": json.dumps(numbers).encode(),
    }
    return zipped(files)


def zipped(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def _numbers() -> dict[str, int | None]:
    if platform.machine() not in MACHINES:
        raise SandboxUnavailable(f"no system call numbers are known for {platform.machine()}")
    column = MACHINES[platform.machine()].column
    return {name: numbers[column] for name, numbers in (NUMBERS | _MORE_NUMBERS).items()}


def _made() -> Iterator[Attack]:
    """Packages that are no Python, or too strange for a file."""
    bot = HONEST.decode()
    made = {
        "loading/syntax": ("load", "does not even parse", b"def choose_move(position)\n    return 1\n"),
        "loading/indentation": ("load", "tabs and blanks mixed", b"if True:\n        x = 1\n\ty = 2\n"),
        "loading/nul": ("load", "a NUL byte in the source", b"x = 1 \x00\n" + HONEST),
        "loading/not_utf8": ("load", "bytes that are no text", b"x = '\xff\xfe'\n" + HONEST),
        "loading/unknown_coding": ("load", "claims a coding nobody knows", b"# coding: klingon\n" + HONEST),
        "loading/empty": ("load", "nothing at all", b""),
        "loading/nested": ("load, crash, memory", "more brackets than a compiler can hold",
                           b"x = " + b"(" * 9000 + b")" * 9000),
        "loading/deep_sum": ("load, crash, memory, timeout, plays", "a sum that is one deep tree",
                             b"x = 1" + b" + 1" * 200_000 + b"\n" + HONEST),
        "loading/large": ("plays, load, memory, timeout", "a megabyte of source", b"x = 1\n" * 150_000 + HONEST),
        "loading/broken_zip": ("load", "half a zip", zipped({"bot.py": HONEST})[:-30]),
        "loading/zip_bomb": ("memory, load, timeout", "unpacks to more than there is",
                             zipped({"bot.py": HONEST, "x.bin": bytes(400 << 20)})),
        "loading/zip_link": ("load", "a link in the place of the bot", _linked_zip()),
        "loading/zip_many_files": ("plays", "more files than anybody needs",
                                   zipped({"bot.py": HONEST, **{f"{number}/x.txt": b"" for number in range(9_000)}})),
        "loading/zip_above": ("plays", "names that climb out of a folder, where there is none",
                              zipped({"bot.py": HONEST, "../../arena/child.py": b"", "/usr/bin/python3": b""})),
        "loading/zip_without_bot": ("load", "a zip without bot.py", zipped({"player.py": HONEST})),
        "honest/windows": ("plays", "lines that end the Windows way, a byte order mark",
                           b"\xef\xbb\xbf" + HONEST.replace(b"\n", b"\r\n")),
        "honest/latin": ("plays", "a declared coding", b"# coding: latin-1\nNAME = '\xe9'\n" + HONEST),
        "honest/wrapped_zip": ("plays", "a folder around the bot, a module and a file beside it",
                               zipped(_wrapped_bot(bot))),
    }
    for name, (expected, aim, package) in made.items():
        yield Attack(name, aim, frozenset(expected.split(", ")), package)


def _linked_zip() -> bytes:
    content = io.BytesIO()
    link = zipfile.ZipInfo("bot.py")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(link, "/usr/lib/python3.11/this.py")
    return content.getvalue()


def _wrapped_bot(bot: str) -> dict[str, bytes]:
    checks = "import pkgutil\nimport strategy.book\nfrom strategy import depth\n"
    checks += "assert pkgutil.get_data('strategy', 'weights.txt') == b'12'\n"
    checks += "assert strategy.book.SIZE == depth.DEPTH == 3\n"
    return {
        "mybot/bot.py": (checks + bot).encode(),
        "mybot/strategy/__init__.py": b"",
        "mybot/strategy/book.py": b"from .depth import DEPTH as SIZE\n",
        "mybot/strategy/depth.py": b"DEPTH = 3\n",
        "mybot/strategy/weights.txt": b"12",
        "__MACOSX/mybot/._bot.py": b"\0",
        "mybot/.DS_Store": b"\0",
    }
