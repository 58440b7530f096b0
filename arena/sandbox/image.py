"""The image: one read-only folder with an interpreter, the standard library and the engine, all that a bot can see.

It is built once for each fingerprint of what goes into it, beside the place where it will stand, and moved there in
one step; so two processes may build at once, and a half-built image is never used.
"""

import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import SandboxUnavailable
from arena.sandbox.image_contents import Contents, gather
from arena.sandbox.image_contents import compile_sources as _compile

ROOT_IMAGE_DIR = Path("/var/cache/arena/sandbox")       # for a root worker whose own folder other users cannot enter
PYTHON = "/usr/bin/python3"
CHILD = "/arena/child.pyc"
LIBRARIES = "/lib"
_LAYOUT = "1"                   # changes when the same contents are laid out in another way


@dataclass(frozen=True, slots=True)
class Image:
    """A finished image and how to start its interpreter once it is the root."""

    root: Path
    loader: str

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
        if not root.is_dir():
            _build(contents, root)
    except OSError as error:
        raise SandboxUnavailable(
            f"the sandbox image cannot be built in {folder}: {error}; make room, or name another folder "
            "in ARENA_SANDBOX_DIR"
        ) from error
    _refuse_writable(root)
    return Image(root, loader)


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
    return digest.hexdigest()[:24]


def _identity(source: Path, target: str) -> str:
    if target.startswith("arena/"):
        return hashlib.sha256(source.read_bytes()).hexdigest()
    facts = source.stat()
    return f"{facts.st_size} {facts.st_mtime_ns}"


def _build(contents: Contents, root: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=".building-", dir=root.parent))
    try:
        for target, source in contents.files.items():
            place = draft / target
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)
            place.chmod(0o755 if target.startswith(("usr/bin/", "lib/")) else 0o644)
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
