"""A submitted program is shown as text that obeys nobody."""

import io
import zipfile

from arena.services.packages import check_package
from arena.services.sources import MOST_SIGNS, readable, visible


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"my-bot/{name}.py", text)
    check_package("bot.zip", packed.getvalue())
    return packed.getvalue()


def test_lines_are_those_of_the_file() -> None:
    source = readable(b"\xef\xbb\xbfa = 1\r\n\r\n\tb = 2\r\n")
    assert source.lines == ("a = 1", "", "\tb = 2")
    assert (source.is_cut, source.files) == (False, ())


def test_signs_that_cannot_be_seen_are_written_out() -> None:
    assert visible("x = 'a\u202eb\u2066'\x1b[31m\0\u200b") == "x = 'a⟨U+202E⟩b⟨U+2066⟩'⟨U+001B⟩[31m⟨U+0000⟩⟨U+200B⟩"
    assert visible("Ørsted: ½ · 漢字 🙂\n\tend\r") == "Ørsted: ½ · 漢字 🙂\n\tend⟨U+000D⟩"


def test_a_long_program_is_cut_and_says_so() -> None:
    source = readable(b"x = 1\n" * MOST_SIGNS)
    assert source.is_cut
    assert sum(map(len, source.lines)) < MOST_SIGNS


def test_of_a_zip_the_entry_is_shown_with_the_list_of_all() -> None:
    source = readable(zipped(bot="import book", book="MOVES = {}"))
    assert source.lines == ("import book",)
    assert source.files == (("bot.py", 11), ("book.py", 10))
