"""Groups of commands, as their help lists them."""

from typing import TYPE_CHECKING

from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

WHOLE = 1_000       # signs of a sentence; typer would cut it at the end of the line


class Group(TyperGroup):
    """Shows the whole first sentence of every command, in as many lines as it takes."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(WHOLE)) for name, each in self.commands.items()])
