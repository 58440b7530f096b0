"""The games: what they are, and the rules of each as docs/rules has them, beside a board to play on."""

from collections.abc import MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from flask import render_template
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from arena import games
from arena.errors import NotFound
from arena.match.format import default_format
from arena.services import examples, practice, samples
from web.pages import film
from web.pages.wording import format_words

# In an installed copy the pages lie in this package; where one works on them, in docs.
FOLDERS = (Path(__file__).parents[1] / "rules", Path(__file__).parents[2] / "docs" / "rules")

EXAMPLE = "mancala"             # what blocks with worked examples are marked by
# What is wide scrolls by itself, by keyboard too, and columns say that they are.
TABLE = '<div class="wide" tabindex="0" role="region" aria-label="Table {number}"><table>'
FRAMES = {
    "</table>": "</table></div>",
    "<th>": '<th scope="col">',
    "<pre>": '<pre tabindex="0">',
}


def list_games() -> str:
    """The five games in a sentence each."""
    told = [{**game, "format": format_words(default_format(str(game["name"])))} for game in games.describe()]
    return render_template("games.html", games=told, leads={name: lead(name) for name in games.names()})


def show(game: str) -> str:
    """The rules of a game; its rulesets are options of it and have no pages of their own."""
    if game not in games.names():
        raise NotFound(f"There is no game {game[:60]!r}; there are {', '.join(games.names())}.", field="game")
    described = next(one for one in games.describe() if one["name"] == game)
    board = practice.practise(game, None, ())
    return render_template(
        "rules.html",
        game=described,
        rules=rendered(game),
        format=format_words(default_format(game)),
        practice=board,
        bots=samples.names(),
    )


@cache
def rendered(game: str) -> str:
    """The page as HTML, without its heading; HTML within it stays text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("fence", _fence)
    body = _source(game).partition("\n")[2]
    html: str = markdown.render(body.replace(".md)", ")"))        # pages name each other as files
    for plain, framed in FRAMES.items():
        html = html.replace(plain, framed)
    first, *rest = html.split("<table>")
    return first + "".join(TABLE.format(number=number) + part for number, part in enumerate(rest, 1))


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """A worked example as a board; any other block as it is."""
    if tokens[index].info != EXAMPLE:
        return renderer.fence(tokens, index, options, env)
    example, number = examples.read(tokens[index].content), env.get(EXAMPLE, 0) + 1
    env[EXAMPLE] = number
    return render_template("_example.html", example=example, number=number, film=film.of_example(example))


@cache
def lead(game: str) -> str:
    """What the page says first: board and seeds, in a line."""
    first = _source(game).split("\n\n")[1].partition("·")[2]
    return first.partition(". ")[0].strip()


def _source(game: str) -> str:
    folder = next(folder for folder in FOLDERS if folder.is_dir())
    return (folder / f"{game}.md").read_text(encoding="utf-8")
