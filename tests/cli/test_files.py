"""Files that are there whole or not at all."""

import os
from pathlib import Path

import pytest

from arena.cli.files import written_whole
from arena.errors import ArenaFault, Invalid


def interrupted_after(written: int) -> None:
    raise KeyboardInterrupt


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with written_whole(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_half_way_leaves_nothing_and_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), written_whole(path, may_replace=True) as file:
        interrupted_after(file.write(b"new"))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with pytest.raises(ArenaFault, match="was not written: No space left on device"), written_whole(tmp_path / "out"):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(Invalid, match="exists already"), written_whole(path):
        pytest.fail("it must not come so far")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "link to nothing"])
def test_what_is_no_file_is_never_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "out"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "link":
            (tmp_path / "aim").write_bytes(b"old")
            path.symlink_to(tmp_path / "aim")
        case _:
            path.symlink_to(tmp_path / "nothing")
    before = path.lstat()
    with pytest.raises(Invalid, match="is no regular file"), written_whole(path, may_replace=True):
        pytest.fail("it must not come so far")
    assert path.lstat() == before
