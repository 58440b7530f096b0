"""What the owner of a bot that ended badly finds in its log, and who else is told what."""

import pytest

from arena.errors import BotCrash, BotFault, BotLoad, BotTimeout
from arena.games import Game, load
from arena.sandbox.player import Sandbox, open_unsafe_player
from tests.sandbox.bots import Open, choose, opened

LIMIT_US = 300_000


def last_words(open_player: Open, source: str, fault: type[BotFault]) -> tuple[str, str]:
    """The message that everybody sees, and the log."""
    player = opened(open_player, source)
    try:
        player.new_game(0)
        with pytest.raises(fault) as caught:
            choose(player, Game(load("oware")), LIMIT_US)
    finally:
        player.close()
    assert type(caught.value) is fault
    return str(caught.value), player.log()


@pytest.mark.services
@pytest.mark.parametrize(
    "stuck",
    ["while True: pass", "import time; time.sleep(3600)", "import re; re.match('(a*)*b', 'a' * 64)"],
    ids=["loops", "sleeps", "in C"],
)
def test_a_bot_out_of_time_leaves_where_it_was(sandbox: Sandbox, stuck: str) -> None:
    source = f"def search(secret):\n {stuck}\ndef choose_move(position):\n print('thinking')\n search(1)"
    for open_player in (sandbox.open_player, open_unsafe_player):
        message, log = last_words(open_player, source, BotTimeout)
        assert message == "there was no answer within 300 ms"
        assert log.startswith("thinking\n")
        assert '"/bot/bot.py", line 2 in search' in log
        assert '"/bot/bot.py", line 5 in choose_move' in log


@pytest.mark.services
def test_a_bot_that_crashes_leaves_where_it_was(sandbox: Sandbox) -> None:
    source = "import ctypes\ndef choose_move(position):\n return ctypes.string_at(0)"
    message, log = last_words(sandbox.open_player, source, BotCrash)
    assert message == "the bot's process was ended by SIGSEGV"
    assert "Segmentation fault" in log
    assert '"/bot/bot.py", line 3 in choose_move' in log


@pytest.mark.services
def test_a_bot_that_will_not_say_where_it_is_is_ended_all_the_same(sandbox: Sandbox) -> None:
    source = """
import os, signal, time
signal.signal(signal.SIGUSR1, lambda *_: [os.write(1, b'.' * 1000) for _ in range(100_000)])
def choose_move(position):
    while True:
        time.sleep(0.001)
"""
    message, log = last_words(sandbox.open_player, source, BotTimeout)
    assert message == "there was no answer within 300 ms"
    assert len(log) <= 64 * 1024


def test_a_bot_that_never_finishes_loading_leaves_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.sandboxed_player.LOAD_SECONDS", 0.5)
    with pytest.raises(BotTimeout, match=r"^loading the bot took longer than the 0.5 s it may$") as caught:
        opened(open_unsafe_player, "x = 1\nwhile True: pass")
    assert '"/bot/bot.py", line 2 in <module>' in caught.value.log


def test_an_exit_code_is_told_with_what_was_printed(sandbox: Sandbox) -> None:
    source = "import os\ndef choose_move(position):\n print('giving up')\n os._exit(7)"
    message, log = last_words(sandbox.open_player, source, BotCrash)
    assert message == "the bot's process ended with exit code 7"
    assert log == "giving up\n"


def test_everybody_is_told_the_kind_of_an_error_and_only_its_owner_what_it_says() -> None:
    with pytest.raises(BotLoad) as caught:
        opened(open_unsafe_player, "raise ValueError('my secret table')")
    assert "secret" not in str(caught.value)
    assert "my secret table" in caught.value.log
