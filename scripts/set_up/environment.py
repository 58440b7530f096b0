"""The virtual environment `.venv` of the checkout, with exactly what the lock says."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import debian
from shell import SetUpFailed, run, say, succeeds

# Never the Python of an environment: it may be the very one that is to be made anew.
_PYTHON = getattr(sys, "_base_executable", sys.executable)
_UV_LOCK = Path(__file__).with_name("uv.lock.txt")


def make(venv: Path) -> None:
    """Make the environment, or keep the one there is if it works and belongs to this place."""
    if venv.exists() and not (venv / "pyvenv.cfg").is_file() and not _is_half_made(venv):
        raise SetUpFailed(f"{venv} exists and is not a virtual environment. Move it away, then try again.")
    if not _works(venv):
        shutil.rmtree(venv, ignore_errors=True)
        say(f"making the virtual environment {venv}")
        if not _make_with_pip(venv):
            run([_PYTHON, "-m", "venv", "--without-pip", venv])
    if not succeeds([venv / "bin" / "uv", "--version"]):
        say("installing the installer (uv)")
        run([*_pip_for(venv), "install", "--quiet", "--require-hashes", "-r", _UV_LOCK])


def install(venv: Path, lock: Path) -> None:
    """Install what is locked, then the project itself as it lies in the checkout."""
    say(f"installing what {lock.name} lists")
    python = venv / "bin" / "python"
    uv: list[str | Path] = [venv / "bin" / "uv", "pip", "install", "--quiet", "--python", python]
    try:
        run([*uv, "--require-hashes", "-r", lock])
    except SetUpFailed as failure:  # uv reads no pip.conf: where only pip knows the way, pip does it
        say(f"uv could not, trying pip: {failure}")
        run([*_pip_for(venv), "install", "--quiet", "--require-hashes", "-r", lock])
    run([*uv, "--offline", "--no-deps", "--no-build-isolation", "--editable", lock.parent])


def compile_modules(venv: Path, checkout: Path) -> None:
    """Compile games and matches where that can be done; elsewhere they run interpreted, and the script says why."""
    script = checkout / "scripts" / "compile_modules.py"
    subprocess.run([venv / "bin" / "python", "-B", script], stdin=subprocess.DEVNULL, check=False)


def _is_half_made(venv: Path) -> bool:
    """Whether there is nothing but the first folders that making an environment makes."""
    return {entry.name for entry in venv.iterdir()} <= {"bin", "include", "lib", "lib64", "programs"}


def _works(venv: Path) -> bool:
    """Whether its Python runs and its scripts name this place (those of a moved or copied environment do not)."""
    activate = venv / "bin" / "activate"
    return activate.is_file() and str(venv) in activate.read_text() and succeeds([venv / "bin" / "python", "-c", ""])


def _make_with_pip(venv: Path) -> bool:
    """The usual way; Debian keeps the half of it in a package of its own, python3-venv."""
    if importlib.util.find_spec("ensurepip") is None and not debian.install(_venv_packages()):
        return False
    return succeeds([_PYTHON, "-m", "venv", venv])


def _venv_packages() -> list[str]:
    return ["python3-venv", f"python3.{sys.version_info.minor}-venv"]


def _pip_for(venv: Path) -> list[str | Path]:
    """A command that is pip for this environment: its own, this Python's, or the wheel of a Debian package."""
    python = venv / "bin" / "python"
    if succeeds([python, "-m", "pip", "--version"]):
        return [python, "-m", "pip"]
    if succeeds([_PYTHON, "-m", "pip", "--version"]):
        return [_PYTHON, "-m", "pip", "--python", python]
    wheels = venv / "programs" / "pip"
    if debian.unpack("python3-pip-whl", wheels):
        for wheel in wheels.glob("**/pip-*.whl"):
            return [python, wheel / "pip"]
    raise SetUpFailed(
        f"this Python ({_PYTHON}) cannot make virtual environments, and there was no way to mend it "
        "without your help. Run `sudo apt-get install python3-venv`, then try again."
    )
