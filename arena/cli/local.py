"""Matches on this machine, without a server: which bots, where they run, one match."""

import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import Invalid, TooLarge
from arena.match.openings import parse_seed
from arena.match.player import MatchInfo, Player
from arena.match.record_types import BotRef, MatchPlayed, MatchSetup
from arena.match.referee import OnProgress, play_match

if TYPE_CHECKING:
    from arena.settings import Settings

OpenPackage = Callable[[bytes, int, MatchInfo, bytes], Player]  # (package, seat, match, seed)
SAMPLES = "bots.samples"


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A bot read from a file; `file_name` ends in .py or .zip."""

    name: str
    file_name: str
    package: bytes

    @property
    def ref(self) -> BotRef:
        return BotRef(self.name, 1, hashlib.sha256(self.package).hexdigest())


@dataclass(frozen=True, slots=True)
class Venue:
    """Where bots run: how to open one, and how well it is kept apart (for the record)."""

    open_package: OpenPackage
    isolation: str


def shipped_bots() -> dict[str, Path]:
    """The sample bots by name."""
    folder = Path(str(files(SAMPLES)))
    return {path.stem: path for path in sorted(folder.glob("*.py")) if not path.stem.startswith("_")}


def read_bot(text: str) -> LocalBot:
    """The bot that a word of the command line means: a file, or a shipped bot.

    Raises: Invalid, InvalidPackage, TooLarge.
    """
    from arena.services.packages import check_package

    path = Path(text)
    if not path.is_file():
        shipped = shipped_bots()
        if text in shipped:
            path = shipped[text]
        elif not path.exists():
            raise Invalid(
                f"there is no file {text!r} and no shipped bot of that name; give the path of a .py or .zip file, "
                f"or one of {', '.join(shipped)}"
            )
    package = read_package(path)
    check_package(path.name, package)
    return LocalBot(path.stem, path.name, package)


def read_package(path: Path) -> bytes:
    """What is in a bot's file.  Raises: Invalid, InvalidPackage when it is no such file, TooLarge."""
    from arena.services.packages import MAX_ZIP, check_file_name, check_kind

    if path.is_dir():
        raise Invalid(f"{path} is a folder; zip what is in it, with bot.py at the root, or give its .py file")
    if path.exists() and not path.is_file():
        raise Invalid(f"{path} is no regular file; give the path of your bot, a .py or .zip file")
    if not path.exists():
        raise Invalid(f"there is no file {str(path)!r}; give the path of your bot, a .py or .zip file")
    check_file_name(path.name)
    try:
        if (size := path.stat().st_size) > MAX_ZIP:
            raise TooLarge(f"{path} has {size} bytes; a zip may have {MAX_ZIP}, a .py file less")
        package = path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}") from error
    check_kind(path.name, package)
    return package


def seed_from(text: str | None) -> str:
    """A match's seed: drawn at random, or made of any text; 64 hex digits are taken as they are."""
    if text == "":
        raise Invalid("--seed is empty; give any text, or leave it out to have one drawn")
    return secrets.token_hex(32) if text is None else parse_seed(text)


def play(setup: MatchSetup, bots: tuple[LocalBot, LocalBot], venue: Venue, on_progress: OnProgress) -> MatchPlayed:
    """One match between two bots at this venue."""

    def open_player(seat: int, info: MatchInfo, seed: bytes) -> Player:
        return venue.open_package(bots[seat].package, seat, info, seed)

    return play_match(setup, open_player, on_progress, isolation=venue.isolation)


@contextmanager
def venue(*, is_unsafe: bool = False, while_waiting: Callable[[], None] = lambda: None) -> Iterator[Venue]:
    """Where bots run here: the sandbox, verified before it is used, or plain processes.

    Args: while_waiting: called again and again while a bot is waited for; what it raises ends the match.
    Raises: SandboxUnavailable.
    """
    from arena.sandbox.player import Sandbox, open_unsafe_player

    if is_unsafe:
        yield Venue(partial(open_unsafe_player, while_waiting=while_waiting), "none")
        return
    settings = sandbox_settings()
    sandbox = Sandbox(
        settings.image_dir, settings.sandbox_memory_mb, settings.sandbox_min_tier, while_waiting=while_waiting
    )
    try:
        yield Venue(partial(sandbox.open_player, while_waiting=while_waiting), sandbox.tier)
    finally:
        sandbox.close()


def sandbox_settings() -> "Settings":
    """What the environment says of the sandbox.  Raises: Invalid."""
    from arena.settings import Settings

    try:
        return Settings.from_environment({"ARENA_SANDBOX_DIR": str(sandbox_dir()), **os.environ})
    except ValueError as error:
        raise Invalid(str(error)) from error


def sandbox_dir() -> Path:
    """Where the sandbox's image is kept between calls, wherever they are made from."""
    from arena.sandbox.image import ROOT_IMAGE_DIR

    if os.geteuid() == 0:  # root's own folders are closed to the users that bots run as
        return ROOT_IMAGE_DIR
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "arena" / "sandbox"
