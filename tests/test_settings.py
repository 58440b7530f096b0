"""What an operator can set, and where it is written down."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from arena.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "operating.md"


def test_every_setting_is_documented_and_nothing_else() -> None:
    documented = re.findall(r"^\| `(ARENA_\w+)`", PAGE.read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(f"ARENA_{field.name.upper()}" for field in fields(Settings))


def test_settings_are_read_by_the_type_of_their_default() -> None:
    read = Settings.from_environment(
        {"ARENA_LEASE_SECONDS": "7", "ARENA_RATE_LIMITS": "false", "ARENA_DATA_DIR": "/srv/arena", "PATH": "/bin"}
    )
    assert (read.lease_seconds, read.rate_limits, read.data_dir) == (7, False, Path("/srv/arena"))


@pytest.mark.parametrize(("variable", "text"), [("ARENA_LEASE_SECONDS", "soon"), ("ARENA_RATE_LIMITS", "maybe")])
def test_what_cannot_be_read_is_named(variable: str, text: str) -> None:
    with pytest.raises(ValueError, match=rf"{variable} is .*{text}"):
        Settings.from_environment({variable: text})


def test_a_key_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(ValueError, match="ARENA_SECRET_KEY has 6 characters; take 32 or more"):
        Settings.from_environment({"ARENA_SECRET_KEY": "secret"})
    assert Settings.from_environment({"ARENA_SECRET_KEY": "k" * 32}).secret_key == "k" * 32
    assert Settings().secret_key == ""
