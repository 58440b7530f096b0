"""Which server, and as whom."""

import stat
from pathlib import Path

import pytest

from arena.cli import profile
from arena.cli.profile import DEFAULT_SERVER, Profile
from arena.errors import ArenaFault, Invalid


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def test_without_anything_it_is_this_machine_and_nobody(environment: dict[str, str]) -> None:
    assert profile.current(None, environment) == Profile(DEFAULT_SERVER)


def test_a_saved_profile_is_readable_by_its_owner_alone(environment: dict[str, str]) -> None:
    path = profile.save(Profile("http://one", "kofi", "secret"), environment)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert profile.current(None, environment) == Profile("http://one", "kofi", "secret")


def test_every_server_keeps_its_own_login(environment: dict[str, str]) -> None:
    profile.save(Profile("http://one", "kofi", "first"), environment)
    profile.save(Profile("http://two", "ama", "second"), environment)

    assert profile.current(None, environment).name == "ama"
    assert profile.current("one/", environment) == Profile("http://one", "kofi", "first")


def test_the_environment_goes_before_the_profile_and_an_option_before_both(environment: dict[str, str]) -> None:
    profile.save(Profile("http://one", "kofi", "saved"), environment)
    environment |= {"ARENA_SERVER": "http://two", "ARENA_TOKEN": "given"}

    assert profile.current(None, environment) == Profile("http://two", "", "given")
    assert profile.current("http://one", environment) == Profile("http://one", "kofi", "given")


@pytest.mark.parametrize("text", ["http://one/", "one/api/v1", "http://one/api/v1/"])
def test_a_server_has_one_spelling(environment: dict[str, str], text: str) -> None:
    assert profile.current(text, environment).server == "http://one"


@pytest.mark.parametrize("text", ["not a url", "http://", "http://one:port", "http://one?x=1", "ftp://one", "http://[1"])
def test_what_is_no_address_is_refused(environment: dict[str, str], text: str) -> None:
    with pytest.raises(Invalid, match="address is like"):
        profile.current(text, environment)


def test_a_folder_that_takes_no_profile_says_what_to_do() -> None:
    with pytest.raises(ArenaFault, match=r"was not saved.*ARENA_TOKEN"):
        profile.save(Profile("http://one", "kofi", "secret"), {"XDG_CONFIG_HOME": "/proc/nowhere"})


def test_a_damaged_profile_says_what_to_do(environment: dict[str, str]) -> None:
    path = profile.path_of_profiles(environment)
    path.parent.mkdir(parents=True)
    path.write_text("{")

    with pytest.raises(Invalid, match="run `arena login` again"):
        profile.current(None, environment)
