"""The sandboxes of one worker process: found, proved and ready before the first bot arrives."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from arena.errors import ArenaFault, SandboxUnavailable
from arena.match.player import MatchInfo, Player
from arena.sandbox import image
from arena.sandbox.channel import WhileWaiting
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.launch import BwrapLauncher, ChrootLauncher, Launcher, UnsafeLauncher
from arena.sandbox.limits import Limits
from arena.sandbox.pool import Pool
from arena.sandbox.sandboxed_player import SandboxedPlayer
from arena.sandbox.tools import find_bwrap, find_chroot, find_setpriv, require_linux
from arena.sandbox.verify import verify

_TIERS = ("A", "B")
_UNSAFE_LIMITS = Limits()


class Sandbox:
    """Opens bots behind every layer, or not at all.

    One belongs to the process and the thread that made it: make it after a fork, in the thread that plays.
    Raises: SandboxUnavailable, which says what is missing and what to do.
    """

    def __init__(
        self, image_dir: Path, memory_mb: int = 384, min_tier: str = "A", *, ready: int = 2,
        while_waiting: WhileWaiting = lambda: None,
    ) -> None:
        if min_tier not in _TIERS:
            raise SandboxUnavailable(f"the lowest tier allowed is A or B, not {min_tier!r}; set ARENA_SANDBOX_MIN_TIER")
        self._limits = Limits(memory_mb=memory_mb)
        self._is_closed = False
        require_linux()
        if min_tier == "A":
            find_bwrap()                # what is missing is said before the work of building an image
        self._image = image.prepare(image_dir)
        try:
            self._choose_tier(min_tier, ready, while_waiting)
        except BaseException:
            self._image.release()
            raise

    def _choose_tier(self, min_tier: str, ready: int, while_waiting: WhileWaiting) -> None:
        try:
            self._use(BwrapLauncher(self._image, self._limits, find_bwrap(), find_setpriv()), ready, while_waiting)
        except SandboxUnavailable:
            if min_tier != "B":
                raise
            self._use(ChrootLauncher(self._image, self._limits, find_chroot()), ready, while_waiting)

    def _use(self, launcher: Launcher, ready: int, while_waiting: WhileWaiting) -> None:
        """Start the first sandboxes in this way; when they do not hold, nothing of them is left."""
        self.tier = launcher.tier
        self._pool = Pool(launcher, lambda child: verify(child, self._limits, launcher.tier), ready)
        try:
            self.prepare(while_waiting)
        except BaseException:
            self._pool.close()
            raise

    def prepare(self, while_waiting: WhileWaiting) -> None:
        """Have the idle sandboxes ready, so that no bot waits for its own.  Raises: SandboxUnavailable."""
        self._pool.refill()
        self._pool.prepare(while_waiting)

    def open_player(
        self, package: bytes, seat: int, info: MatchInfo, seed: bytes, while_waiting: WhileWaiting
    ) -> Player:
        """The bot of this package, loaded.  Raises: BotFault when it cannot be, ArenaFault when we cannot."""
        child = self._pool.claim(while_waiting)
        return _loaded(child, self._limits, (package, info, seed), while_waiting, self._refill)

    def _refill(self) -> None:
        """Replace what was used; when that fails, a match that is over need not know: the next claim will say it."""
        with suppress(ArenaFault):
            if not self._is_closed:
                self._pool.refill()

    def close(self) -> None:
        """End the sandboxes that wait; players are closed by who opened them.  A second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._pool.close()
            self._image.release()


def open_unsafe_player(
    package: bytes, seat: int, info: MatchInfo, seed: bytes, while_waiting: WhileWaiting
) -> Player:
    """The same child and protocol without any layer: only for bots one would run anyway (`arena play --unsafe`)."""
    child = ChildProcess(UnsafeLauncher().start())
    try:
        child.settle(while_waiting)
    except BaseException:
        child.end()
        raise
    return _loaded(child, _UNSAFE_LIMITS, (package, info, seed), while_waiting, lambda: None)


def _loaded(
    child: ChildProcess, limits: Limits, bot: tuple[bytes, MatchInfo, bytes], while_waiting: WhileWaiting,
    on_close: Callable[[], None],
) -> SandboxedPlayer:
    player = SandboxedPlayer(child, limits, while_waiting, on_close)
    try:
        player.load(*bot)
    except BaseException:
        player.close()
        raise
    return player


def pin_to_one_core(worker: int) -> None:
    """Keep this process, and the sandboxes it will start, on one core: only one of them runs at a time.

    Args: worker: the number of this worker process; workers take the allowed cores in turn.
    """
    cores: Sequence[int] = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[worker % len(cores)]})
