"""Files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.errors import Invalid


@contextmanager
def written_whole(path: Path, *, may_replace: bool = False) -> Iterator[BinaryIO]:
    """A file to write; it gets its name when all is written, and after any failure there is none.  Raises: Invalid."""
    if path.exists() and not may_replace:
        raise Invalid(f"{path} exists already; give another name, or --force to replace it")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise Invalid(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
