"""Tables on the terminal: as wide as it is, in whole words; what finds no room is named, never cut off in silence."""

import textwrap
from collections.abc import Collection, Iterable, Sequence

from arena.cli.console import note

BETWEEN, AROUND = 3, 2              # blanks between two columns, and at both ends together

Row = Sequence[str]


def show_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, may_go: Sequence[str] = ()
) -> None:
    """A table; a column whose name starts with `#` holds numbers, and is set to the right.

    Args: may_go: columns to leave out where the screen is too narrow for all, the first one first.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    width = screen_width()
    kept = fitting(columns, cells, may_go, width)
    widths = widths_of([columns[place] for place in kept], [[row[place] for place in kept] for row in cells], width)
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE, pad_edge=False)
    for place, room in zip(kept, widths, strict=True):
        justify = "right" if columns[place].startswith("#") else "left"
        table.add_column(Text(_broken(_name(columns[place]), room)), justify=justify, width=room)  # type: ignore[arg-type]
    for row in cells:
        table.add_row(*(Text(_broken(row[place], room)) for place, room in zip(kept, widths, strict=True)))
    console = Console() if width is not None else Console(width=sum(widths) + _blanks(len(widths)), no_color=True)
    console.print(table)
    if left_out := [_name(column) for place, column in enumerate(columns) if place not in kept]:
        note(f"Left out, as the screen is narrow: {', '.join(left_out)}. A wider one, a pipe or --json has all.")


def screen_width() -> int | None:
    """Signs in a line of the screen; None where nothing is cut, as in a pipe."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal else None


def fits(columns: Sequence[str], rows: Sequence[Row], width: int | None) -> bool:
    """Whether a table can stand there with its words whole."""
    return width is None or sum(_least(columns, rows)) + _blanks(len(columns)) <= width


def fitting(columns: Sequence[str], rows: Sequence[Row], may_go: Sequence[str], width: int | None) -> list[int]:
    """Places of the columns that are kept.

    >>> fitting(["bot", "#rating", "owner"], [["kofi-first", "1500", "kofi"]], ["owner"], 25)
    [0, 1]
    """
    gone: set[str] = set()
    for column in may_go:
        kept = _without(columns, gone)
        if fits([columns[place] for place in kept], [[row[place] for place in kept] for row in rows], width):
            break
        gone.add(column)
    return _without(columns, gone)


def widths_of(columns: Sequence[str], rows: Sequence[Row], width: int | None) -> list[int]:
    """How wide each column is to be: what is missing is taken from those that can be broken between words, and only
    when that is not enough from the widest.

    >>> widths_of(["#number", "why"], [["1", "no bot may play"]], 20)
    [6, 9]
    """
    wanted = [max(_length(text) for text in texts) for texts in _by_column(columns, rows)]
    if width is None or sum(wanted) + _blanks(len(wanted)) <= width:
        return wanted
    given = _least(columns, rows)
    room = width - _blanks(len(columns))
    while sum(given) < room:
        narrowest = min((place for place in range(len(given)) if given[place] < wanted[place]), key=given.__getitem__)
        given[narrowest] += 1
    while sum(given) > room and max(given) > 1:
        given[given.index(max(given))] -= 1
    return given


def _least(columns: Sequence[str], rows: Sequence[Row]) -> list[int]:
    """The longest word of each column."""
    by_column = _by_column(columns, rows)
    return [max((_length(word) for text in texts for word in text.split()), default=1) for texts in by_column]


def _by_column(columns: Sequence[str], rows: Sequence[Row]) -> list[list[str]]:
    return [[_name(column), *(row[place] for row in rows)] for place, column in enumerate(columns)]


def _without(columns: Sequence[str], gone: Collection[str]) -> list[int]:
    return [place for place, column in enumerate(columns) if _name(column) not in gone]


def _blanks(columns: int) -> int:
    return BETWEEN * (columns - 1) + AROUND


def _broken(text: str, room: int) -> str:
    """In lines that are no longer, broken between words, else behind a hyphen, else where it must be."""
    return text if _length(text) <= room else "\n".join(textwrap.wrap(text, room))


def _length(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _name(column: str) -> str:
    return column.removeprefix("#") or column
