"""`arena bots failures`: why and where one's own bot failed."""

from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.console import quoted, show, show_json
from arena.cli.paths import segment

LOG_LINES = 10


def show_failures(
    name: Annotated[str, typer.Argument(help="Name of your bot on the server.", show_default=False)],
    server: options.Server = None,
    as_json: options.Json = False,
) -> None:
    """Why your bot lost games by a fault: where it stood, the time it had, the last lines it printed.

    \b
    Examples:
      arena bots failures kofi-bot
    """
    answer: Any = options.client(server, needs_login=True).get(f"/bots/{segment(name)}/failures")
    if as_json:
        show_json(answer)
        return
    if not answer["items"]:
        show(f"No game of the last matches of {name} ({answer['matches']}) was lost by a fault.")
    for failure in answer["items"]:
        _tell(failure)


def _tell(failure: Any) -> None:
    show(f"Match {failure['match_id']}, game {failure['game']}, against {failure['opponent']}: {failure['kind']}: "
         f"{failure['message']}")
    if failure["is_loading"]:
        show("  while it was loaded")
    else:
        used = "" if failure["used_us"] is None else f", and used {_ms(failure['used_us'])}"
        show(f"  in turn {failure['ply'] + 1}; it had {_ms(failure['turn_us'])} for the turn and "
             f"{_ms(failure['bank_us'])} in reserve{used}")
        show(f"  asked about {failure['position']}")
    if failure["last_lines"]:
        show(quoted("\n".join(failure["last_lines"]), LOG_LINES))


def _ms(us: int) -> str:
    return f"{us / 1000:.1f} ms"
