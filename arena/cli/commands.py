"""Which commands there are, in the order of `arena --help`; each is imported when somebody calls it.

What stands here of a command is how its own help begins; a test holds the two together.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter


class Listed(NamedTuple):
    """A command in the overview; the module of this folder that has it says so in its `add_to`."""

    module: str
    panel: str
    help: str


_HERE, _CLIENT, _OWN = "On this machine", "A server's client", "A server of your own"
COMMANDS: Mapping[str, Listed] = {
    "play": Listed(
        "play", _HERE, "Play a match between two bots, here and now, by the arena's rules and in its sandbox."
    ),
    "games": Listed(
        "games", _HERE, "The games there are, with their options, and the formats and time controls of matches."
    ),
    "perft": Listed(
        "perft",
        _HERE,
        "Count the ways to play so many turns from the start of a game: a check of the rules, and of their speed.",
    ),
    "verify": Listed(
        "verify",
        _HERE,
        "Replay every game of an exported tournament, and work out pairings, seeds, openings, results, standings and "
        "ratings anew.",
    ),
    "doctor": Listed(
        "doctor",
        _HERE,
        "Prove that the sandbox holds here, layer by layer, and that the program the queue needs is there.",
    ),
    "tournament": Listed(
        "tournament",
        "On this machine, and on a server",
        "Round robins: here (`run`), or on a server (`create`, `start`, `watch` ...).",
    ),
    "login": Listed("account", _CLIENT, "Sign in to a server, or register, and remember it."),
    "whoami": Listed("account", _CLIENT, "Say which server is in use, and who you are there."),
    "tokens": Listed("account", _CLIENT, "Your tokens on a server: list, create, revoke."),
    "submit": Listed(
        "bots", _CLIENT, "Submit a bot, or a new version of your bot, and wait for its qualification."
    ),
    "bots": Listed("bots", _CLIENT, "Bots on a server: list, show, log, failures, ratings, open, close, retire."),
    "leaderboard": Listed("leaderboard", _CLIENT, "The Elo leaderboard of a ruleset."),
    "match": Listed(
        "match",
        _CLIENT,
        "One match: who played, how it ended; with --record every move, with --timing every bot's time.",
    ),
    "up": Listed(
        "server", _OWN, "Run an arena on this machine, for this machine: site, queue, workers and database."
    ),
    "demo": Listed(
        "demo",
        _OWN,
        "Run an arena here, let the shipped bots play round robins of all five games, and show the tables.",
    ),
    "admin": Listed(
        "admin", _OWN, "For operators, on the server's machine: migrate, rebuild, export, create-admin, ban."
    ),
}


class OnDemand(MutableMapping[str, "Command"]):
    """The commands by name; looking one up imports its module, listing the names imports none."""

    def __getitem__(self, name: str) -> "Command":
        noun = typer.Typer(rich_markup_mode=None)
        import_module(f"arena.cli.{COMMANDS[name].module}").add_to(noun)
        noun.callback()(lambda: None)       # so that even a single command comes in a group
        return get_group(noun).commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)

    def __setitem__(self, name: str, command: "Command") -> None:
        raise TypeError("commands are added to the table")

    def __delitem__(self, name: str) -> None:
        raise TypeError("commands are taken from the table")


class Overview(TyperGroup):
    """The `arena` command itself: its help is drawn from the table."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = OnDemand()

    def list_commands(self, ctx: "Context") -> list[str]:
        """Their names, and nothing imported for it."""
        return list(COMMANDS)

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """A list for each kind of command."""
        width = max(map(len, COMMANDS))
        for panel in dict.fromkeys(listed.panel for listed in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl(
                    [(f"{name:{width}}", listed.help) for name, listed in COMMANDS.items() if listed.panel == panel]
                )
