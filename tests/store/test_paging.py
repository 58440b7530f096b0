"""Cursors: opaque, checked, and bound to their list."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Invalid
from arena.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of

STORABLE = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(st.integers(-(2**63) + 1, 2**63 - 1), STORABLE, st.floats(allow_nan=False, allow_infinity=False))
def test_a_cursor_gives_its_key_back(number: int, text: str, rating: float) -> None:
    cursor = encode_cursor("bots", number, text, rating)
    assert decode_cursor(cursor, "bots", int, str, float) == (number, text, rating)


@pytest.mark.parametrize("key", [2**63, -(10**30), "a\0b", "\ud800", float("inf"), float("nan")])
def test_a_key_that_no_database_holds_is_refused(key: str | float) -> None:
    with pytest.raises(Invalid, match="not one of this list"):
        decode_cursor(encode_cursor("bots", key), "bots", type(key))


def test_no_cursor_is_the_first_page() -> None:
    assert decode_cursor(None, "bots", int) is None


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "!!!",
        "ä",
        "AAAA",
        encode_cursor("matches", 5),
        encode_cursor("bots", "5"),
        encode_cursor("bots", True),
        encode_cursor("bots", 5, 6),
        base64.urlsafe_b64encode(b'{"a": 1}').decode(),
        base64.urlsafe_b64encode(b"[" * 20000).decode(),
    ],
)
def test_a_cursor_of_another_list_or_of_nobody_is_refused(cursor: str) -> None:
    with pytest.raises(Invalid, match="leave it out") as caught:
        decode_cursor(cursor, "bots", int)
    assert caught.value.field == "cursor"


@given(st.text(max_size=30))
def test_any_text_is_a_cursor_or_invalid(text: str) -> None:
    try:
        key = decode_cursor(text, "bots", int)
    except Invalid:
        return
    assert key is not None
    assert isinstance(key[0], int)


@pytest.mark.parametrize("limit", [0, -1, 201, True])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(Invalid, match="1 to 200") as caught:
        check_limit(limit)
    assert caught.value.field == "limit"


def test_the_row_too_many_makes_a_next_page() -> None:
    full = page_of([1, 2, 3], 2, "numbers", lambda number: (number,))
    assert full == Page((1, 2), encode_cursor("numbers", 2))
    assert page_of([1, 2], 2, "numbers", lambda number: (number,)) == Page((1, 2), None)
    assert page_of([], 2, "numbers", lambda number: (number,)) == Page((), None)
