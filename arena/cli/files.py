"""Files that are there whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.errors import ArenaFault, Invalid


@contextmanager
def written_whole(path: Path, *, may_replace: bool = False) -> Iterator[BinaryIO]:
    """A file to write; it gets its name when all is written, and after any failure there is none.

    Raises: Invalid when it cannot be begun, ArenaFault when it cannot be ended.
    """
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):     # such as /dev/null: it would be gone
        raise Invalid(f"{path} is no regular file, and is not replaced; give the name of a file")
    if path.exists() and not may_replace:
        raise Invalid(f"{path} exists already; give another name, or --force to replace it")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        file = part.open("xb")
    except OSError as error:
        raise Invalid(f"{path} cannot be written ({error.strerror}); give a name in a folder of yours") from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise ArenaFault(f"{path} was not written: {error.strerror or error}; make room and try again") from error
    finally:
        part.unlink(missing_ok=True)
