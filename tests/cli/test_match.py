"""What `arena match` says of a match that was not played."""

import pytest

from arena.cli.match import _tell

VOID = {
    "id": 7, "first": {"name": "ama"}, "second": {"name": "kofi"}, "ruleset": "oware", "format": "games-2",
    "time_control": "quick", "state": "void",
}  # fmt: skip


def test_a_cancelled_match_is_called_so_and_blames_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    _tell({**VOID, "void_reason": "The tournament was cancelled."})

    assert capsys.readouterr().out.splitlines()[-1] == "void: The tournament was cancelled. It counts for nobody."
