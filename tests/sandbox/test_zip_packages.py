"""A bot that is a zip: its modules, its folders, its data files."""

import pytest

from arena.errors import BotLoad
from arena.games import Game, load
from arena.sandbox.attacks import zipped
from arena.sandbox.player import Sandbox, open_unsafe_player
from tests.sandbox.bots import FIRST_LEGAL, SEED, choose, first_move, info, opened, patience


def test_a_zip_brings_modules_and_files() -> None:
    bot = b"""
import pkgutil
import search.deep
from search import WIDTH
TABLE = pkgutil.get_data("search", "table.txt")
assert pkgutil.get_data("bot", "search/table.txt") == pkgutil.get_data("bot", "notes.txt") == TABLE
def choose_move(position):
    return len(TABLE) + WIDTH + search.deep.DEPTH
"""
    package = zipped({
        "folder/bot.py": bot,
        "folder/search/__init__.py": b"WIDTH = 1",
        "folder/search/deep.py": b"from . import WIDTH\nDEPTH = WIDTH",
        "folder/search/table.txt": b"x",
        "folder/notes.txt": b"x",
        "__MACOSX/folder/._bot.py": b"\x00",
    })
    player = open_unsafe_player(package, 0, info(), SEED, patience)
    try:
        player.new_game(0)
        assert choose(player, Game(load("oware"))).moves == (3,)
    finally:
        player.close()


def test_an_error_in_a_module_of_a_zip_names_it() -> None:
    package = zipped({"bot.py": b"import helper", "helper.py": b"x = 1\nx.y"})
    with pytest.raises(BotLoad, match=r"^AttributeError \(helper.py, line 2\)$"):
        opened(open_unsafe_player, package)


def test_a_zip_without_a_bot_says_so() -> None:
    with pytest.raises(BotLoad, match=r"^the zip has no bot.py at its root$"):
        opened(open_unsafe_player, zipped({"player.py": FIRST_LEGAL}))


def test_a_module_that_is_not_in_the_zip_is_not_found() -> None:
    package = zipped({"bot.py": b"import search.deep", "search/__init__.py": b""})
    with pytest.raises(BotLoad, match="ModuleNotFoundError"):
        opened(open_unsafe_player, package)


RESOURCES = b"""
from importlib import resources
import search

TABLE = resources.files("search").joinpath("data", "table.txt")
assert TABLE.read_text() == "3" and TABLE.read_bytes() == b"3" and TABLE.name == "table.txt"
assert TABLE.is_file() and not TABLE.is_dir()
assert (resources.files(search) / "data").is_dir() and not (resources.files(search) / "nothing").is_file()
assert sorted(entry.name for entry in resources.files(search).iterdir()) == ["__init__.py", "data", "deep"]
assert resources.files("search.data").joinpath("table.txt").open("rb").read() == b"3"
with resources.open_text("search.data", "table.txt") as file:
    assert file.readlines() == ["3"]
assert resources.read_binary("search.data", "table.txt") == b"3"
try:
    resources.files("search").joinpath("nothing").read_text()
except FileNotFoundError as error:
    print(error)

def choose_move(position):
    return int(resources.files("search.data").joinpath("table.txt").read_text())
"""


def test_data_files_are_read_as_resources_of_their_package() -> None:
    files = {"search/__init__.py": b"", "search/data/table.txt": b"3", "search/deep/__init__.py": b""}
    reply, log = first_move(open_unsafe_player, zipped({"bot.py": RESOURCES, **files}))
    assert reply.moves == (3,)
    assert log == "the bundle has no file search/nothing\n"


def test_a_folder_without_an_init_is_a_package_too() -> None:
    bot = b"import tools.moves as t\nfrom tools.deep import best\ndef choose_move(position): return t.ONE + best.TWO"
    package = zipped({"bot.py": bot, "tools/moves.py": b"ONE = 1", "tools/deep/best.py": b"TWO = 2"})
    assert first_move(open_unsafe_player, package)[0].moves == (3,)


def test_a_mere_folder_hides_no_module_of_the_standard_library() -> None:
    bot = b"import random\ndef choose_move(position): return random.choice([3])"
    package = zipped({"bot.py": bot, "random/seeds.txt": b"1 2 3"})
    assert first_move(open_unsafe_player, package)[0].moves == (3,)


@pytest.mark.services
def test_resources_are_there_in_the_sandbox(sandbox: Sandbox) -> None:
    files = {"search/__init__.py": b"", "search/data/table.txt": b"3", "search/deep/__init__.py": b""}
    assert first_move(sandbox.open_player, zipped({"bot.py": RESOURCES, **files}))[0].moves == (3,)
