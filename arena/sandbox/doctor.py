"""Proves the sandbox on this machine: layers seen from outside, leaks that must be noticed, canaries, attacks."""

import os
import platform
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from arena.errors import ArenaFault, BotFault, SandboxUnavailable
from arena.games import Game, load
from arena.match.player import MatchInfo, Player
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView
from arena.sandbox import canaries, controls, image, seccomp
from arena.sandbox.attacks import GAINED, Attack, all_attacks, attempt, programs
from arena.sandbox.limits import Limits
from arena.sandbox.player import Sandbox, open_unsafe_player
from arena.sandbox.report import Check, Report
from arena.sandbox.tools import find_bwrap, find_setpriv, require_linux
from arena.sandbox.traces import GROWTH_MB, Traces, left_over

__all__ = ["Check", "Report", "examine"]

_LIMIT_US = 3_000_000
_HANGING_LIMIT_US = 100_000     # for those that can only end this way
_INFO = MatchInfo("oware", "games-2", TimeControl(_LIMIT_US // 1000, 0), 0)
_SEED = bytes(32)
_HOSTILE_CALLS = (              # one of each kind; `arena doctor --attacks` tries them all
    "bpf", "by_handle", "clock", "io_uring", "keyring", "module", "mount", "old_gate", "ptrace", "setns",
    "unshare", "x32",
)
_JUDGED = (                     # one for each kind of verdict
    "crashes/exit_137", "crashes/null_pointer", "honest/search", "memory/at_once", "memory/grows", "processes/fork",
    "processes/threads", "protocol/floods_output", "protocol/many_lines", "time/loops", "time/sleeps",
)
_TIER_GAINS: dict[str, set[str]] = {"A": set(), "B": {"host name"}}     # what a tier is known not to hide
_DANGER = "let no bots of others run here, and report this with the output of `arena doctor --json`"


class _Failed(Exception):
    """A check that did not hold: what was seen, and what to do."""

    def __init__(self, seen: str, hint: str = _DANGER) -> None:
        super().__init__(seen)
        self.hint = hint


def examine(
    image_dir: Path, memory_mb: int = 384, min_tier: str = "A", *, with_attacks: bool = False
) -> Report:
    """Try every layer.  It takes a few seconds and leaves nothing behind; where one fails, no tier is granted.

    Args: with_attacks: every attack there is, in whole matches, which takes minutes, besides one of each kind.
    """
    examination = _Examination(image_dir, memory_mb, min_tier)
    try:
        checks = tuple(examination.checks(with_attacks=with_attacks))
    finally:
        examination.close()
    tier = examination.tier if all(check.ok for check in checks) else None
    return Report(tier, checks)


class _Examination:
    def __init__(self, image_dir: Path, memory_mb: int, min_tier: str) -> None:
        self._image_dir = image_dir
        self._limits = Limits(memory_mb=memory_mb)
        self._min_tier = min_tier
        self._sandbox: Sandbox | None = None
        self._attacks = {attack.name: attack for attack in programs()}
        self._before = Traces.now()
        self.tier: str | None = None

    def checks(self, *, with_attacks: bool) -> Iterator[Check]:
        """One after the other; without a sandbox there is no more to try."""
        yield _checked("machine", self._machine)
        sandbox = _checked("sandbox", self._start)
        yield sandbox
        if not sandbox.ok:
            return
        if self.tier == "A":
            yield _checked("controls", self._controls)
        yield _checked("canaries", self._canaries)
        yield _checked("system calls", self._system_calls)
        yield _checked("verdicts", self._verdicts)
        if with_attacks:
            yield _checked("attacks", self._all_attacks)
        self.close()
        yield _checked("leftovers", self._leftovers)

    def close(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def _machine(self) -> str:
        require_linux()
        seccomp.compiled()
        user = "root, who runs bots as other users" if os.geteuid() == 0 else f"user {os.geteuid()}"
        return f"{platform.machine()}, Linux {platform.release()}, {self._bwrap()}, {user}"

    def _bwrap(self) -> str:
        try:
            version = subprocess.run([find_bwrap(), "--version"], capture_output=True, text=True, check=False)
        except SandboxUnavailable:
            if self._min_tier == "A":
                raise
            return "no bubblewrap"
        return version.stdout.strip()

    def _start(self) -> str:
        self._sandbox = Sandbox(self._image_dir, self._limits.memory_mb, self._min_tier, ready=2)
        self.tier = self._sandbox.tier
        return f"tier {self.tier}: starts, and every layer is seen from outside"

    def _controls(self) -> str:
        built = image.prepare(self._image_dir)
        try:
            tried = len(controls.possible_leaks(built)) + 1
            unnoticed = list(controls.unnoticed(built, self._limits, find_bwrap(), find_setpriv()))
        finally:
            built.release()
        if unnoticed:
            raise _Failed(f"a sandbox with {', '.join(unnoticed)} was taken for a good one")
        return f"{tried} sandboxes with a leak each were noticed"

    def _canaries(self) -> str:
        with canaries.put_out() as source:
            outside = canaries.reached(_log_of(open_unsafe_player(source, 0, _INFO, _SEED, _patience)))
            inside = canaries.reached(_log_of(self._open(source)))
        if missed := set(canaries.NAMES) - outside:
            raise _Failed(f"not even an ordinary program reaches {', '.join(sorted(missed))}, so nothing is proved",
                          "run the doctor where sockets, files and processes can be used")
        if gained := inside - _TIER_GAINS[self.tier or "A"]:
            raise _Failed(f"a bot reached {', '.join(sorted(gained))}")
        return f"{', '.join(canaries.NAMES)}: in reach of an ordinary program, out of reach of a bot"

    def _system_calls(self) -> str:
        self._try([self._attacks[f"kernel/{name}"] for name in _HOSTILE_CALLS])
        return f"{len(_HOSTILE_CALLS)} bots with a forbidden system call each were ended for it"

    def _verdicts(self) -> str:
        self._try([self._attacks[name] for name in _JUDGED])
        return f"{len(_JUDGED)} bots got the verdict they deserve"

    def _all_attacks(self) -> str:
        if self._sandbox is None:
            raise SandboxUnavailable("there is no sandbox to attack")
        attacks = all_attacks()
        had = Traces.now()
        for attack, seat in product(attacks, (0, 1)):
            if problem := attempt(self._sandbox, attack, seat).problem:
                raise _Failed(f"{attack.name}: {problem}")
        grown = max(0.0, Traces.now().memory_mb - had.memory_mb)
        if grown > GROWTH_MB:
            raise _Failed(f"the worker grew by {grown:.1f} MB, over the {GROWTH_MB} that are allowed")
        return (
            f"{len(attacks)} bots, most of them hostile, got what they deserve in both seats, and nothing more; the "
            f"worker grew by {grown:.1f} MB"
        )

    def _leftovers(self) -> str:
        """No process may outlive its match, not even as a zombie."""
        if left := list(left_over(self._before, Traces.now())):
            raise _Failed(f"there are left over: {'; '.join(left)}", "end what is left, and report this")
        return "no process, no open file, no mount is left"

    def _try(self, attacks: list[Attack]) -> None:
        for attack in attacks:
            kind, log = self._fate_of(attack)
            if GAINED in log:
                raise _Failed(f"{attack.name} gained something: {log[:200]}")
            if kind not in attack.expected:
                raise _Failed(f"{attack.name} ended as {kind} instead of {' or '.join(sorted(attack.expected))}")

    def _fate_of(self, attack: Attack) -> tuple[str, str]:
        """What became of a bot that was asked for one move: the kind of its fault or `plays`, and its log."""
        limit_us = _HANGING_LIMIT_US if attack.expected == {"timeout"} else _LIMIT_US
        try:
            player = self._open(attack.package)
        except BotFault as fault:
            return fault.kind, fault.log
        try:
            player.new_game(0)
            player.choose(Game(load(_INFO.ruleset)), ClockView(limit_us / 1000, 0, 0), limit_us)
        except BotFault as fault:
            return fault.kind, player.log()
        finally:
            player.close()
        return "plays", player.log()

    def _open(self, package: bytes) -> Player:
        if self._sandbox is None:
            raise SandboxUnavailable("there is no sandbox to open a bot in")
        return self._sandbox.open_player(package, 0, _INFO, _SEED, _patience)


def _checked(name: str, step: Callable[[], str]) -> Check:
    try:
        return Check(name, True, step())
    except _Failed as failure:
        return Check(name, False, str(failure), failure.hint)
    except ArenaFault as fault:
        problem, _, hint = str(fault).partition("; ")
        return Check(name, False, problem, hint)


def _log_of(player: Player) -> str:
    player.close()
    return player.log()


def _patience() -> None:
    """Nothing is to be done while the doctor waits."""
