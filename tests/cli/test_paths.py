"""What somebody typed stays one step of a path."""

import pytest

from arena.cli.paths import segment
from arena.errors import Invalid


@pytest.mark.parametrize(
    ("typed", "sent"),
    [("zipped?x=1", "zipped%3Fx=1"), ("oware#x", "oware%23x"), ("a b", "a%20b"), ("%2e%2e", "%252e%252e"),
     ("kofi-bot", "kofi-bot"), ("urim:pits=7,seeds=4", "urim:pits=7,seeds=4")],
)
def test_a_name_grows_no_query_and_no_fragment(typed: str, sent: str) -> None:
    assert segment(typed) == sent


@pytest.mark.parametrize("typed", ["", ".", "..", "../tokens/999", "a/b"])
def test_what_would_leave_its_place_is_refused(typed: str) -> None:
    with pytest.raises(Invalid, match="is no name"):
        segment(typed)
