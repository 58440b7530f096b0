"""The image: one read-only folder with an interpreter, the standard library and the engine, all that a bot can see.

It is built once for each fingerprint of what goes into it, beside the place where it will stand, and moved there in
one step; so two processes may build at once, and a half-built image is never used.  Who uses an image holds a shared
lock on its folder; the oldest that nobody holds are removed when a new one is built.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox.image_contents import Contents, gather
from arena.sandbox.image_contents import compile_sources as _compile

ROOT_IMAGE_DIR = Path("/var/cache/arena/sandbox")       # for a root worker whose own folder other users cannot enter
PYTHON = "/usr/bin/python3"
CHILD = "/arena/child.pyc"
LIBRARIES = "/lib"
_NAME_LENGTH = 24
_KEPT_IMAGES = 3
_DRAFT = ".building-"
_LAYOUT = "1"                   # changes when the same contents are laid out in another way


@dataclass(frozen=True, slots=True)
class Image:
    """A finished image and how to start its interpreter once it is the root."""

    root: Path
    loader: str
    lock: int                   # a descriptor; given back by `release`

    def release(self) -> None:
        """This process starts no more sandboxes from the image."""
        os.close(self.lock)

    def command(self, config: str) -> list[str]:
        """The child with its configuration; -I would ignore the hash seed, and the environment is ours anyway."""
        python = [PYTHON, "-S", "-s", "-P", "-B", "-X", "utf8", CHILD, config]
        return [self.loader, "--library-path", LIBRARIES, *python]


def prepare(image_dir: Path) -> Image:
    """The image in this folder; built when it is not there yet.  Raises: SandboxUnavailable."""
    contents = gather()
    folder = _usable(image_dir.absolute())
    root = folder / _fingerprint(contents)
    loader = f"{LIBRARIES}/{contents.loader.name}"
    try:
        while (lock := _locked(root)) is None:
            _build(contents, root)
            _remove_old(folder)
    except OSError as error:
        raise SandboxUnavailable(
            f"the sandbox image cannot be built in {folder}: {error}; make room, or name another folder "
            "in ARENA_SANDBOX_DIR"
        ) from error
    try:
        _refuse_writable(root)
    except SandboxUnavailable:
        os.close(lock)
        raise
    return Image(root, loader, lock)


def reachable_by_all(path: Path) -> bool:
    """Whether every user may enter this folder."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents) if folder.exists())


def _usable(image_dir: Path) -> Path:
    """This folder, or another where it would not do: a root worker's bots run as users who own nothing."""
    folder = image_dir
    if os.geteuid() == 0 and not reachable_by_all(image_dir):
        folder = ROOT_IMAGE_DIR
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxUnavailable(
            f"the folder of the sandbox image, {folder}, cannot be made: {error}; name another in ARENA_SANDBOX_DIR"
        ) from error
    if os.statvfs(folder).f_flag & os.ST_NOEXEC:
        raise SandboxUnavailable(
            f"{folder} is mounted noexec, so nothing in the sandbox image could run; name a folder on another file "
            "system in ARENA_SANDBOX_DIR"
        )
    return folder


def _refuse_writable(root: Path) -> None:
    """Nobody but us or root may be able to change the image."""
    for folder in (root, root / "arena", root / "usr/bin"):
        facts = folder.lstat()
        if not stat.S_ISDIR(facts.st_mode) or facts.st_uid not in (0, os.geteuid()) or facts.st_mode & 0o022:
            raise SandboxUnavailable(
                f"{folder} belongs to user {facts.st_uid} with mode {stat.S_IMODE(facts.st_mode):o}, so others could "
                "change what bots run in; remove it, and it is built again"
            )


def _fingerprint(contents: Contents) -> str:
    """The engine counts by content, the interpreter's own files by size and time."""
    digest = hashlib.sha256(f"{_LAYOUT} {sys.version} {platform.machine()} {contents.loader.name}\n".encode())
    for target, source in sorted(contents.files.items()):
        digest.update(f"{target} {_identity(source, target)}\n".encode())
    return digest.hexdigest()[:_NAME_LENGTH]


def _identity(source: Path, target: str) -> str:
    if target.startswith("arena/"):
        return hashlib.sha256(source.read_bytes()).hexdigest()
    facts = source.stat()
    return f"{facts.st_size} {facts.st_mtime_ns}"


def _locked(root: Path) -> int | None:
    """A shared lock on the image, which is marked as just used; None when there is no such image."""
    try:
        lock = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    fcntl.flock(lock, fcntl.LOCK_SH)
    if not root.exists() or not os.path.samestat(root.stat(), os.fstat(lock)):
        os.close(lock)          # it was removed while we waited
        return None
    with suppress(OSError):     # a read-only file system keeps no such marks, and is never cleaned
        os.utime(root)
    return lock


def _remove_old(folder: Path) -> None:
    """Remove all but the images used last, except those in use."""
    images = sorted((path for path in folder.iterdir() if _is_image(path)), key=lambda path: path.stat().st_mtime)
    for image in images[:-_KEPT_IMAGES]:
        lock = os.open(image, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            doomed = image.rename(folder / f"{_DRAFT}{image.name}")
            shutil.rmtree(doomed, ignore_errors=True)
        except OSError:
            continue            # in use, or being removed by somebody else
        finally:
            os.close(lock)


def _is_image(path: Path) -> bool:
    return len(path.name) == _NAME_LENGTH and path.is_dir() and not path.is_symlink()


def _build(contents: Contents, root: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=root.parent))
    try:
        for target, source in contents.files.items():
            place = draft / target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)
            place.chmod(0o755 if target.startswith(("usr/bin/", "lib")) else 0o644)
        _compile(draft)
        for folder in _folders(draft):
            folder.chmod(0o755)
        _move(draft, root)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _folders(draft: Path) -> Iterator[Path]:
    for folder, _, _ in os.walk(draft):
        yield Path(folder)


def _move(draft: Path, root: Path) -> None:
    try:
        draft.rename(root)
    except OSError:
        if not root.is_dir():       # else another process was first, with the same contents
            raise
