"""Paths of the API that carry what somebody typed."""

from urllib.parse import quote

from arena.errors import Invalid


def segment(name: str) -> str:
    """A name that somebody typed, as one step of a path: it can neither leave its place nor grow a query.

    Raises: Invalid for what no server would take as a step.
    """
    if name in ("", ".", "..") or "/" in name:
        raise Invalid(f"{name!r} is no name; `arena bots list` and `arena games` show those there are", field="name")
    return quote(name, safe=":,=")
