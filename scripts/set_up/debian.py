"""Debian packages: installed by root, or unpacked into a folder by anybody."""

import shutil
import tempfile
from pathlib import Path

from shell import SetUpFailed, privilege, run, say

_INSTALL = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y", "--no-install-recommends"]


def install(packages: list[str]) -> bool:
    """Install as root (or by sudo without a password); False where that is not to be had here."""
    if not shutil.which("apt-get") or (root := privilege()) is None:
        return False
    say(f"installing {' '.join(packages)} with apt-get")
    try:
        try:
            run([*root, *_INSTALL, *packages])
        except SetUpFailed:  # most often the package lists are missing or old
            run([*root, "apt-get", "update", "-q"])
            run([*root, *_INSTALL, *packages])
    except SetUpFailed as failure:
        say(f"apt-get could not: {failure}")
        return False
    return True


def stop_service(name: str) -> None:
    """Stop and disable a service its package started: the arena runs its own, and the machine did not ask for one."""
    if Path("/run/systemd/system").is_dir() and (root := privilege()) is not None:
        try:
            run([*root, "systemctl", "disable", "--now", name])
        except SetUpFailed as failure:
            say(f"the service {name} that came with the package may be running: {failure}")


def unpack(package: str, target: Path) -> bool:
    """Unpack a package, and those it needs that are not installed, below `target`, without any right."""
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        target.mkdir(parents=True, exist_ok=True)
        try:
            run(["apt-get", "download", "-q", *_missing_for(package)], cwd=Path(folder))
            for archive in sorted(Path(folder).glob("*.deb")):
                run(["dpkg", "-x", archive, target])
        except SetUpFailed:
            return False
    return True


def _missing_for(package: str) -> list[str]:
    plan = run(["apt-get", "install", "--simulate", "--no-install-recommends", package]).splitlines()
    return [line.split()[1] for line in plan if line.startswith("Inst ")] or [package]
