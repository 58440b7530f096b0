"""Folders that other users than the one who runs the tests may enter, unlike those that pytest makes."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder_of_all(prefix: str, mode: int) -> Iterator[Path]:
    """A new folder, removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(mode)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
