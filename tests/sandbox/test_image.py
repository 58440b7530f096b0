"""The image is built once, whole or not at all, and nobody else can change it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import SandboxUnavailable
from arena.sandbox import image
from arena.sandbox.image_contents import ARENA, gather

ROOT = Path(__file__).parents[2]


def test_two_processes_that_build_at_once_get_one_image(image_dir: Path) -> None:
    folder = image_dir / "at once"
    program = "import sys; from pathlib import Path; from arena.sandbox import image\n"
    program += "print(image.prepare(Path(sys.argv[1])).root)"
    builders = [
        subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(3)
    ]
    roots = {builder.communicate()[0].strip() for builder in builders}
    assert len(roots) == 1
    assert [str(path) for path in folder.iterdir()] == list(roots)


def test_an_image_is_used_again(image_dir: Path) -> None:
    first = image.prepare(image_dir)
    child = (first.root / "arena/child.pyc").stat()
    again = image.prepare(image_dir)
    assert again.root == first.root
    first.release()
    again.release()
    assert (again.root / "arena/child.pyc").stat() == child


def test_the_image_holds_the_engine_and_nothing_else_of_the_arena(image_dir: Path) -> None:
    root = image.prepare(image_dir).root
    arena = root / "arena/lib/arena"
    assert {path.relative_to(arena).parts[0] for path in arena.rglob("*.py")} == {
        "__init__.py", "compiling.py", "errors.py", "games", "sandbox",
    }
    assert {path.name for path in (arena / "sandbox").glob("*.py")} == {
        "__init__.py", "bundle.py", "bundle_resources.py", "confine.py", "signatures.py",
    }
    assert not [path for path in root.rglob("*") if path.is_symlink()]


def test_nobody_may_write_into_the_image(image_dir: Path) -> None:
    root = image.prepare(image_dir).root
    assert not [path for path in (root, *root.rglob("*")) if path.stat().st_mode & 0o022]
    assert not [path for path in root.rglob("*") if path.is_file() and path.stat().st_mode & 0o6000]


def test_a_changed_engine_is_another_image(image_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    contents = gather()
    before = image._fingerprint(contents)
    changed = tmp_path / "child.py"
    changed.write_bytes((ARENA / "sandbox" / "child.py").read_bytes() + b"\n")
    contents.files["arena/child.py"] = changed
    assert image._fingerprint(contents) != before


def test_an_image_that_others_could_change_is_refused(image_dir: Path) -> None:
    folder = image_dir / "writable"
    root = image.prepare(folder).root
    root.chmod(0o777)
    with pytest.raises(SandboxUnavailable, match="others could change"):
        image.prepare(folder)


def test_a_folder_that_cannot_be_made_is_named(image_dir: Path) -> None:
    file = image_dir / "file"
    file.touch()
    file.chmod(0o755)
    with pytest.raises(SandboxUnavailable, match="ARENA_SANDBOX_DIR"):
        image._usable(file / "below")


@pytest.mark.skipif(os.geteuid() != 0, reason="only a root worker runs bots as somebody else")
def test_a_folder_closed_to_others_is_not_used_by_root(image_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = image_dir / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setattr(image, "ROOT_IMAGE_DIR", image_dir / "open")
    assert image._usable(closed / "below") == image_dir / "open"


def test_old_images_that_nobody_uses_are_removed(image_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = image_dir / "old ones"
    layouts = iter("abcdef")
    used = []
    for _ in range(6):
        monkeypatch.setattr(image, "_LAYOUT", next(layouts))
        monkeypatch.setattr(image, "_build", lambda contents, root: root.mkdir(mode=0o755))
        monkeypatch.setattr(image, "_refuse_writable", lambda root: None)
        built = image.prepare(folder)
        used.append(built.root)
        if len(used) != 1:
            built.release()
    assert {path for path in used if path.exists()} == {used[0], *used[-3:]}
