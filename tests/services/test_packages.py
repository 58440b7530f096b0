"""Packages: every refusal names the rule and the file; what a zip claims of itself is not believed."""

import io
import stat
import struct
import time
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InvalidPackage, RequestError, TooLarge
from arena.sandbox.bundle import files_of, lifted
from arena.services.packages import (
    MAX_MEMBERS,
    MAX_SOURCE,
    MAX_UNPACKED,
    MAX_ZIP,
    check_package,
    is_zip,
    members,
)

BOT = b"def choose_move(position):\n    return position.legal_moves()[0]\n"
Files = dict[str, bytes]


def packed(files: Files, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def with_entry(name: str, data: bytes = b"x", *, mode: int | None = None, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A good zip with one entry more."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", BOT)
        entry = zipfile.ZipInfo(name)
        entry.compress_type = method
        if mode is not None:
            entry.external_attr = mode << 16
        archive.writestr(entry, data)
    return content.getvalue()


def patched(content: bytes, change: Callable[[bytearray, int, int], None]) -> bytes:
    """The zip with its last entry's headers changed: `change(bytes, local header, central header)`."""
    raw = bytearray(content)
    change(raw, raw.rindex(b"PK\x03\x04"), raw.rindex(b"PK\x01\x02"))
    return bytes(raw)


@pytest.mark.parametrize(
    "content",
    [
        BOT,
        b"\xef\xbb\xbf" + BOT,
        "# naïve ½\n".encode() + BOT,
        BOT.replace(b"\n", b"\r\n"),
        b"def choose_move(position:\n",
        b"#" * MAX_SOURCE,
        packed({"bot.py": BOT}),
        packed({"bot.py": BOT}, zipfile.ZIP_STORED),
        packed({"bot.py": BOT, "brain/__init__.py": b"", "brain/table.bin": b"\x00\xff"}),
        packed({"mybot/bot.py": BOT, "mybot/brain.py": BOT}),
        packed({"mybot/": b"", "mybot/bot.py": BOT}),
        packed({"mybot/bot.py": BOT, "__MACOSX/mybot/._bot.py": b"\x00", "mybot/.DS_Store": b"\x00", "Thumbs.db": b""}),
        packed({"bot.py": BOT, "__pycache__/bot.cpython-311.pyc": b"\x00"}),
        packed({"bot.py": BOT, "weights.bin": bytes(5_000_000)}),
    ],
)
@pytest.mark.parametrize("name", ["bot.py", "bot.zip", "", "whatever\n"])
def test_a_good_package_is_accepted_whatever_it_is_called(content: bytes, name: str) -> None:
    check_package(name, content)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "my.py is empty"),
        (b" \n\t\n", "my.py is empty"),
        (b"\xff\xfe" + BOT, "my.py is not UTF-8 at byte 0"),
        (BOT + b"\0", "my.py holds a NUL byte"),
        (b"\x1f\x8b\x08 a gzip", "not UTF-8"),
        (b"PK\x03\x04 no zip at all", "zip cannot be read"),
        (packed({"bot.py": BOT})[:-30], "zip cannot be read"),
        (packed({"mine/": b""}), "no bot.py at the root of the zip; it has no files"),
        (packed({"main.py": BOT, "README": b""}), "no bot.py at the root of the zip; it has README, main.py"),
        (packed({"a/b/bot.py": BOT}), "no bot.py at the root of the zip; it has b/bot.py"),
        (packed({"a/bot.py": BOT, "b/bot.py": BOT}), "no bot.py at the root"),
        (packed({"a/bot.py": BOT, "README": b""}), "no bot.py at the root"),
        (packed({"Bot.py": BOT}), "no bot.py at the root"),
        (packed({"__MACOSX/bot.py": BOT}), "no bot.py at the root"),
        (packed({"bot.py": b""}), "bot.py is empty"),
        (packed({"bot.py": b"\xff"}), "bot.py is not UTF-8"),
        (packed({"bot.py": BOT + b"\0"}), "bot.py holds a NUL byte"),
        (with_entry("/etc/passwd"), "/etc/passwd: an absolute path"),
        (with_entry("C:/x.py"), "C:/x.py: an absolute path"),
        (with_entry("a\\b.py"), "absolute path, or one with"),
        (with_entry("../x.py"), r"\.\./x.py: a path with an empty part"),
        (with_entry("a/../../x.py"), "empty part, . or .."),
        (with_entry("a//x.py"), "empty part, . or .."),
        (with_entry("./bot.py"), "empty part, . or .."),
        (with_entry("a/" + "x" * 300), "over 200 characters"),
        (with_entry("evil\x1b[2J.py"), r"evil\?\[2J.py: .* cannot be printed"),
        (with_entry("link", b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "link: a link"),
        (with_entry("pipe", mode=stat.S_IFIFO | 0o644), "pipe: no plain file"),
        (with_entry("device", mode=stat.S_IFCHR | 0o644), "device: no plain file"),
        (with_entry("BOT.py"), "BOT.py: twice in the zip"),
        (packed({"bot.py": BOT, "straße.py": b"", "STRASSE.py": b""}), "twice in the zip, or only spelled"),
        (packed({"bot.py": BOT, "caf\u00e9.py": b"", "cafe\u0301.py": b""}), "twice in the zip, or only spelled"),
        (packed({"bot.py": BOT, "a": b"", "a/x.py": b""}), "a: a file and a folder of one name"),
        (packed({"bot.py": BOT, "A": b"", "a/x.py": b""}), "a file and a folder of one name"),
        (with_entry("x.py", method=zipfile.ZIP_BZIP2), "x.py: compression method 12"),
        (with_entry("x.py", method=zipfile.ZIP_LZMA), "x.py: compression method 14"),
    ],
)
def test_a_refusal_names_the_rule_and_the_file(content: bytes, complaint: str) -> None:
    with pytest.raises(InvalidPackage, match=complaint) as caught:
        check_package("my.py", content)
    assert caught.value.field == "file"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_path_that_is_there_twice_is_refused() -> None:
    with pytest.raises(InvalidPackage, match=r"bot\.py: twice in the zip"):
        check_package("bot.zip", with_entry("bot.py"))


def test_an_encrypted_entry_is_refused() -> None:
    def encrypt(raw: bytearray, local: int, central: int) -> None:
        raw[local + 6] |= 1
        raw[central + 8] |= 1

    with pytest.raises(InvalidPackage, match=r"x\.py: encrypted; pack without a password"):
        check_package("bot.zip", patched(with_entry("x.py"), encrypt))


def test_a_nul_byte_in_a_path_is_refused() -> None:
    def hide(raw: bytearray, local: int, central: int) -> None:
        raw[local + 31] = raw[central + 47] = 0

    with pytest.raises(InvalidPackage, match="a NUL byte in a path"):
        check_package("bot.zip", patched(with_entry("x.py"), hide))


def test_two_headers_that_disagree_about_a_name_are_refused() -> None:
    def rename(raw: bytearray, local: int, central: int) -> None:
        raw[local + 30] = ord("y")

    with pytest.raises(InvalidPackage, match=r"x\.py: cannot be unpacked"):
        check_package("bot.zip", patched(with_entry("x.py"), rename))


def test_a_wrong_checksum_is_refused() -> None:
    def spoil(raw: bytearray, local: int, central: int) -> None:
        raw[central + 16] ^= 0xFF

    with pytest.raises(InvalidPackage, match=r"x\.py: cannot be unpacked \(Bad CRC"):
        check_package("bot.zip", patched(with_entry("x.py"), spoil))


def test_a_bomb_is_stopped_at_the_limit_and_soon() -> None:
    bomb = packed({"bot.py": BOT, "zeros": bytes(1_000_000_000)})
    assert len(bomb) < MAX_ZIP
    started = time.monotonic()
    with pytest.raises(TooLarge, match="more than 20000000 bytes unpacked, at zeros") as caught:
        check_package("bot.zip", bomb)
    assert time.monotonic() - started < 2
    assert caught.value.field == "file"


def test_a_bomb_that_lies_about_its_size_is_stopped_too() -> None:
    def lie(raw: bytearray, local: int, central: int) -> None:
        struct.pack_into("<L", raw, central + 24, 10)

    with pytest.raises(RequestError) as caught:
        check_package("bot.zip", patched(packed({"bot.py": BOT, "zeros": bytes(100_000_000)}), lie))
    assert isinstance(caught.value, (InvalidPackage, TooLarge))


def test_many_small_files_add_up_to_the_limit() -> None:
    files = {"bot.py": BOT} | {f"zeros{n}": bytes(MAX_UNPACKED // 10) for n in range(10)}
    with pytest.raises(TooLarge, match="unpacked"):
        check_package("bot.zip", packed(files))


def test_junk_is_not_unpacked() -> None:
    check_package("bot.zip", packed({"bot.py": BOT, "__MACOSX/zeros": bytes(MAX_UNPACKED + 1)}))


def test_a_zip_of_too_many_entries_is_refused() -> None:
    with pytest.raises(InvalidPackage, match="2001 entries"):
        check_package("bot.zip", packed({"bot.py": BOT} | {f"f{n}": b"" for n in range(MAX_MEMBERS)}))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"#" * (MAX_SOURCE + 1), "my.py has 1000001 bytes; a source file may have 1000000"),
        (b"PK\x03\x04" + bytes(MAX_ZIP), "zip has 5000004 bytes; it may have 5000000"),
        (packed({"bot.py": b"#" * (MAX_SOURCE + 1)}), "bot.py has more than 1000000 bytes"),
    ],
)
def test_too_large_names_the_limit(content: bytes, complaint: str) -> None:
    with pytest.raises(TooLarge, match=complaint):
        check_package("my.py", content)


def test_a_message_never_obeys_a_file_name() -> None:
    with pytest.raises(InvalidPackage) as caught:
        check_package("\x1b[31m" + "x" * 500, b"")
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 200


@given(st.binary(max_size=300))
def test_any_bytes_are_accepted_or_refused_as_a_package(content: bytes) -> None:
    for start in (b"", b"PK\x03\x04", packed({"bot.py": BOT})):
        try:
            check_package("bot", start + content)
        except (InvalidPackage, TooLarge):
            continue


@given(st.integers(0, 400), st.integers(1, 255))
def test_a_zip_with_one_byte_changed_is_accepted_or_refused(place: int, change: int) -> None:
    raw = bytearray(packed({"bot.py": BOT, "a/b.py": BOT}))
    raw[place % len(raw)] ^= change
    try:
        check_package("bot.zip", bytes(raw))
    except (InvalidPackage, TooLarge):
        return


def test_the_content_decides_what_it_is() -> None:
    assert is_zip(packed({"bot.py": BOT}))
    assert not is_zip(BOT)


@pytest.mark.parametrize(
    "files",
    [
        {"bot.py": BOT},
        {"bot.py": BOT, "bot/other.py": b"1"},
        {"mine/": b"", "mine/bot.py": BOT, "mine/brain/__init__.py": b"", "mine/brain/table.bin": b"\x00"},
        {"mine/bot.py": BOT, "__MACOSX/mine/._bot.py": b"\x00", ".DS_Store": b"", "mine/._x": b""},
        {"bot.py": BOT, "only/": b"", "a/__pycache__/bot.pyc": b"\x00", "a/Thumbs.db": b"", "a/b.py": b"2"},
        {"mine/bot.py/bot.py": BOT, "mine/bot.py/x.py": b"", "mine/bot.py/__MACOSX/x": b"", "mine/y.py": b""},
        {"a/bot.py": BOT, "b/x.py": b""},
        {"a/b/bot.py": BOT},
        {"__MACOSX/bot.py": BOT},
    ],
)
def test_the_sandbox_finds_the_files_that_were_checked(files: Files) -> None:
    content = packed(files)
    found = lifted(files_of(content))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        try:
            checked = {member.path: archive.read(member.entry) for member in members(archive)}
        except InvalidPackage:
            assert "bot.py" not in found
        else:
            assert checked == found
            assert found["bot.py"] == BOT


def test_a_zip_that_begins_with_no_file_is_none_as_in_the_sandbox() -> None:
    split, empty = b"PK\x07\x08" + packed({"bot.py": BOT}), packed({})
    for content in (split, empty):
        assert not is_zip(content)
        with pytest.raises(InvalidPackage, match="empty or in several parts"):
            check_package("bot.zip", content)
