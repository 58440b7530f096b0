"""What users, bots and tournaments may be called; and whose fault a refused field is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import Invalid, NameTaken, RuleError
from arena.ratings.eligibility import SYSTEM_OWNER

SHIPPED = frozenset({"random", "greedy", "minimax"})            # the command line means our own bots by these
RESERVED = frozenset({SYSTEM_OWNER, "admin", "all", "api", "house", "me", "new", "none", "null", "root", "system"})

NAME_PATTERN = "[a-z][a-z0-9_-]{1,39}"


def is_name(text: str) -> bool:
    """Whether anything can be called so; whatever else was sent, no database need be asked for it."""
    return re.fullmatch(NAME_PATTERN, text) is not None


def check_name(name: str) -> str:
    """The name itself, if anybody may have it; raises `Invalid`, and `NameTaken` for the reserved ones."""
    if not is_name(name):
        raise Invalid(
            f"{name[:60]!r} is no name; use 2 to 40 of a-z, 0-9, - and _, starting with a letter.", field="name"
        )
    if name in RESERVED:
        raise NameTaken(f"The name {name!r} is reserved; choose another one.", field="name")
    return name


def check_bot_name(name: str, owner: str) -> str:
    """The same for a bot; the names of the shipped bots, and all that begin with arena-, are for those alone."""
    if (name in SHIPPED or name.startswith(f"{SYSTEM_OWNER}-")) and owner != SYSTEM_OWNER:
        raise NameTaken(f"The name {name!r} is one of our own bots'; choose another one.", field="name")
    return check_name(name)


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Name the field of the request that held what the rules refuse."""
    try:
        yield
    except RuleError as error:
        error.field = field
        raise
