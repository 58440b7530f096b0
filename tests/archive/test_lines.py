"""The chain of an archive: one changed byte anywhere is found, and its line is named."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.archive.lines import LONGEST_LINE, NO_CHAIN, next_chain, read_lines
from arena.errors import ArchiveRefused
from tests.support.archive import chained, history, lines_of, proof_of

TWO = [{"kind": "a", "text": "½ \n", "number": 0.1}, {"kind": "b", "list": [None, True]}]


def test_what_was_written_is_read_line_by_line() -> None:
    lines = list(read_lines(io.BytesIO(chained(TWO))))
    assert [line.fields for line in lines] == TWO
    assert [line.number for line in lines] == [1, 2]
    assert lines[0].chain == next_chain(NO_CHAIN, lines[0].content)
    assert lines[1].chain == next_chain(lines[0].chain, lines[1].content)


@given(place=st.integers(0), flip=st.integers(1, 255))
@settings(max_examples=200)
def test_one_flipped_byte_anywhere_is_refused_at_its_line(place: int, flip: int) -> None:
    whole = history().cup
    place %= len(whole)
    damaged = bytearray(whole)
    damaged[place] ^= flip
    with pytest.raises(ArchiveRefused) as refused:
        proof_of(bytes(damaged))
    assert refused.value.line == whole.count(b"\n", 0, place) + 1
    assert refused.value.check in ("chain", "form")


def test_a_file_cut_off_anywhere_is_refused() -> None:
    whole = history().cup
    ends = [place for place, byte in enumerate(whole[:-1], 1) if byte == ord("\n")]
    for place in (*ends[::3], ends[-1], ends[4] + 7, len(whole) - 1, 0):
        with pytest.raises(ArchiveRefused) as refused:
            proof_of(whole[:place])
        assert refused.value.check == "form"
        assert refused.value.line == whole.count(b"\n", 0, place) + 1


def test_a_line_taken_out_breaks_the_chain_where_it_was() -> None:
    lines = history().cup.splitlines(keepends=True)
    with pytest.raises(ArchiveRefused, match="or one before it is gone") as refused:
        proof_of(b"".join(lines[:3] + lines[4:]))
    assert (refused.value.line, refused.value.check) == (4, "chain")


def respelled(content: str) -> bytes:
    """One line of this content, rightly chained."""
    return f'{content[:-1]},"chain":"{next_chain(NO_CHAIN, content)}"}}\n'.encode()


@pytest.mark.parametrize(
    "content",
    [
        '{"kind":"a","index":0}',
        '{"index":0, "kind":"a"}',
        '{"index":0,"index":0,"kind":"a"}',
        '{"index":1e0,"kind":"a"}',
        '{"index":NaN,"kind":"a"}',
        '{"index":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"index":' + "9" * 5_000 + "}",
        '{"name":"\\u0061"}',
        '{"name":}',
    ],
    ids=range(9),
)
def test_there_is_one_spelling_only(content: str) -> None:
    with pytest.raises(ArchiveRefused) as refused:
        list(read_lines(io.BytesIO(respelled(content))))
    assert (refused.value.line, refused.value.check) == (1, "form")


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    class Endless:
        asked = 0

        def readline(self, limit: int) -> bytes:
            self.asked += limit
            return b"x" * min(limit, 1_000)

    endless = Endless()
    with pytest.raises(ArchiveRefused):
        list(read_lines(endless))
    assert endless.asked == LONGEST_LINE


def test_the_chain_of_an_archive_is_only_in_its_lines() -> None:
    whole = history().oware
    assert chained(lines_of(whole)) == whole
