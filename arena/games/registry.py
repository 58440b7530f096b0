"""The games there are, and how a ruleset's name is read.  A new game is one line here."""

from arena.errors import UnknownGame, UnknownOption
from arena.games.anywoli import Anywoli
from arena.games.nsolo import Nsolo
from arena.games.omweso import Omweso
from arena.games.options import OptionValue, listed, shown
from arena.games.oware import Oware
from arena.games.rules import Rules
from arena.games.urim import Urim

GAMES: tuple[type[Rules], ...] = (
    Oware,
    Urim,
    Anywoli,
    Omweso,
    Nsolo,
)


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(game.name for game in GAMES)


def load(text: str) -> Rules:
    """The rules that `oware` or `urim:pits=7,seeds=4` names.

    Order, spaces, capitals and options spelled out at their defaults make no difference.
    Raises: UnknownGame, UnknownOption; both list the valid ones.
    """
    if not isinstance(text, str):
        raise UnknownGame(f"a ruleset is a text such as 'oware', not {shown(text)}")
    name, colon, options = text.lower().partition(":")
    game = _game(name.strip())
    return game(_given(game, options) if colon else {})


def describe() -> list[dict[str, object]]:
    """Every game with its options: name, kind, default, meaning, and choices or minimum and maximum."""
    return [
        {"name": game.name, "title": game.title, "options": [option.describe() for option in game.declared]}
        for game in GAMES
    ]


def _game(name: str) -> type[Rules]:
    for game in GAMES:
        if game.name == name:
            return game
    raise UnknownGame(f"no game is called {shown(name)}; the games are {', '.join(names())}")


def _given(game: type[Rules], text: str) -> dict[str, OptionValue]:
    """The options as written after the colon, each name at most once."""
    declared = {option.name: option for option in game.declared}
    given: dict[str, OptionValue] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in declared:
            wrong, valid = shown(part.strip()), listed(game.declared)
            raise UnknownOption(f"{game.name} has no option {wrong}; its options are {valid}")
        if name in given:
            raise UnknownOption(f"option {name} of {game.name} is given twice; give it once")
        given[name] = declared[name].read(value)
    return given
