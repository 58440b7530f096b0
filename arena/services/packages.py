"""What may be submitted as a bot: one Python file, or a zip with bot.py at its root. Pure; it need not run.

The content decides which of the two it is; a file's name is only for messages. Nothing is ever unpacked to disk: the
sandbox reads an accepted zip in memory, with the same junk left out and the same folder lifted.
"""

import io
import lzma
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass

from arena.errors import InvalidPackage, TooLarge

MEGABYTE = 1_000_000
MAX_SOURCE = MEGABYTE
MAX_ZIP = 5 * MEGABYTE
MAX_UNPACKED = 20 * MEGABYTE
MAX_MEMBERS = 2_000
LONGEST_PATH = 200
ENTRY = "bot.py"
ENDINGS = (".py", ".zip")
ZIP_SIGN = b"PK\x03\x04"          # the same by which the sandbox knows a zip
NO_BOT_SIGNS = (b"PK\x05\x06", b"PK\x07\x08")        # of a zip without a file, and of one in several parts
CHUNK = 64 * 1024
ENCRYPTED, LINK, KIND = 0x1, 0o120000, 0o170000
JUNK_FOLDERS = frozenset({"__MACOSX", "__pycache__"})
JUNK_FILES = frozenset({".DS_Store", "Thumbs.db"})


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a zip: its path as the bot sees it, and the entry it is read from."""

    path: str
    entry: zipfile.ZipInfo


def check_package(file_name: str, content: bytes) -> None:
    """Raises `InvalidPackage`, naming the rule and the file, or `TooLarge`, naming the limit."""
    if is_zip(content):
        _check_zip(content)
    elif content.startswith(NO_BOT_SIGNS):
        raise _refused(f"The zip is empty or in several parts; pack {ENTRY} into a single plain zip.")
    else:
        _check_source(file_name, content)


def check_file_name(file_name: str) -> None:
    """For who has a file before it is read.  Raises: InvalidPackage."""
    if not file_name.lower().endswith(ENDINGS):
        raise _refused(
            f"{_shown(file_name) or 'The file'} is neither a .py nor a .zip file; a bot is one Python file, or a zip "
            f"with {ENTRY} at its root."
        )


def check_kind(file_name: str, content: bytes) -> None:
    """Whether a file of such a name is what its name says.  Raises: InvalidPackage."""
    if file_name.lower().endswith(".zip") != (is_zip(content) or content.startswith(NO_BOT_SIGNS)):
        raise _refused(
            f"{_shown(file_name)} is not what its name says; a .py file is Python source, a .zip file is a zip."
        )


def is_zip(content: bytes) -> bool:
    """Whether a package is a zip."""
    return content.startswith(ZIP_SIGN)


def _check_source(file_name: str, content: bytes) -> None:
    name = _shown(file_name) or "the file"
    if len(content) > MAX_SOURCE:
        raise TooLarge(f"{name} has {len(content)} bytes; a source file may have {MAX_SOURCE}.", field="file")
    if not content.strip():
        raise _refused(f"{name} is empty; send a Python file with a function choose_move, or a zip with {ENTRY}.")
    _check_text(name, content)


def _check_text(name: str, source: bytes) -> None:
    if b"\0" in source:
        raise _refused(f"{name} holds a NUL byte, so it is neither Python source nor a zip; send one of these.")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(
            f"{name} is not UTF-8 at byte {error.start}, so it is neither Python source nor a zip; save it as UTF-8."
        ) from error


def _check_zip(content: bytes) -> None:
    if len(content) > MAX_ZIP:
        raise TooLarge(f"The zip has {len(content)} bytes; it may have {MAX_ZIP}.", field="file")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, ValueError, OSError, NotImplementedError) as error:
        raise _refused(f"The zip cannot be read ({error}); pack it anew.") from error
    with archive:
        found = members(archive)
        _check_unpacked(archive, found)


def members(archive: zipfile.ZipFile) -> tuple[Member, ...]:
    """The files of a zip by the paths a bot sees: junk left out, a single wrapping folder lifted.

    Raises `InvalidPackage` for whatever could not be unpacked safely, or in the same way everywhere.
    """
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise _refused(f"The zip has {len(entries)} entries; it may have {MAX_MEMBERS}.")
    for entry in entries:
        _check_entry(entry)
    _check_distinct(entries)
    files = [entry for entry in entries if not entry.is_dir() and not _is_junk(entry.filename)]
    lifted = _wrapping(files)
    found = tuple(Member(entry.filename[len(lifted) :], entry) for entry in files)
    if ENTRY not in {member.path for member in found}:
        raise _refused(f"There is no {ENTRY} at the root of the zip; it has {_listed(found)}.")
    return found


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name, parts = _shown(entry.filename), entry.filename.removesuffix("/").split("/")
    if entry.filename != entry.orig_filename:
        raise _refused(f"{name}: a NUL byte in a path; rename the file.")
    if entry.filename.startswith("/") or "\\" in entry.filename or ":" in parts[0]:
        raise _refused(f"{name}: an absolute path, or one with \\ or a drive; pack with relative paths and /.")
    if any(part in ("", ".", "..") for part in parts):
        raise _refused(f"{name}: a path with an empty part, . or ..; pack with plain relative paths.")
    if len(entry.filename) > LONGEST_PATH or not entry.filename.isprintable():
        raise _refused(f"{name}: a path over {LONGEST_PATH} characters, or one that cannot be printed; rename it.")
    mode = entry.external_attr >> 16
    if mode & KIND not in (0, 0o100000, 0o040000):
        what = "a link" if mode & KIND == LINK else "no plain file"
        raise _refused(f"{name}: {what}; pack files and folders only.")
    if entry.flag_bits & ENCRYPTED:
        raise _refused(f"{name}: encrypted; pack without a password.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(f"{name}: compression method {entry.compress_type}; pack with deflate, or without compression.")


def _check_distinct(entries: list[zipfile.ZipInfo]) -> None:
    """No two paths that are one on some machine, and no file where another path needs a folder."""
    seen: dict[str, str] = {}
    folders: set[str] = set()
    for entry in entries:
        key = _canonical(entry.filename.removesuffix("/"))
        if key in seen:
            raise _refused(f"{_shown(entry.filename)}: twice in the zip, or only spelled otherwise; keep one of them.")
        seen[key] = entry.filename
        folders.update(key[:end] for end, sign in enumerate(key) if sign == "/")
    for folder in folders:
        if not seen.get(folder, "/").endswith("/"):
            raise _refused(f"{_shown(seen[folder])}: a file and a folder of one name; rename one of them.")


def _canonical(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def _check_unpacked(archive: zipfile.ZipFile, found: tuple[Member, ...]) -> None:
    """Unpack everything and count: what a zip says of its sizes proves nothing."""
    left = MAX_UNPACKED
    for member in found:
        is_entry = member.path == ENTRY
        source = io.BytesIO()
        limit = min(left, MAX_SOURCE) if is_entry else left
        size = _unpack(archive, member, limit, source if is_entry else None)
        left -= size
        if is_entry:
            if not source.getvalue().strip():
                raise _refused(f"{ENTRY} is empty; it needs a function choose_move.")
            _check_text(ENTRY, source.getvalue())


def _unpack(archive: zipfile.ZipFile, member: Member, limit: int, into: io.BytesIO | None) -> int:
    size = 0
    try:
        with archive.open(member.entry) as stream:
            while chunk := stream.read(CHUNK):
                size += len(chunk)
                if size > limit:
                    raise _too_large(member)
                if into is not None:
                    into.write(chunk)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, OSError, RuntimeError) as error:
        raise _refused(f"{_shown(member.path)}: cannot be unpacked ({error}); pack the zip anew.") from error
    return size


def _too_large(member: Member) -> TooLarge:
    if member.path == ENTRY:
        return TooLarge(f"{ENTRY} has more than {MAX_SOURCE} bytes, or the zip {MAX_UNPACKED} unpacked.", field="file")
    return TooLarge(
        f"The zip has more than {MAX_UNPACKED} bytes unpacked, at {_shown(member.path)}; send less.", field="file"
    )


def _is_junk(path: str) -> bool:
    parts = path.split("/")
    return parts[-1] in JUNK_FILES or not JUNK_FOLDERS.isdisjoint(parts[:-1]) or parts[-1].startswith("._")


def _wrapping(files: list[zipfile.ZipInfo]) -> str:
    """The folder that holds everything, with its slash; nothing when there is a bot.py at the root already."""
    roots = {entry.filename.partition("/")[:2] for entry in files}
    if len(roots) != 1:
        return ""
    folder, slash = next(iter(roots))
    return folder + slash if slash else ""


def _listed(found: tuple[Member, ...]) -> str:
    names = sorted(_shown(member.path) for member in found)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "") if names else "no files"


def _shown(path: str) -> str:
    """A path for a message: short, and nothing a terminal would obey."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in path)
    return printable if len(printable) <= 80 else printable[:77] + "…"


def _refused(message: str) -> InvalidPackage:
    return InvalidPackage(message, field="file")
