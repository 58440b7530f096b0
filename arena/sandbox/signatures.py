"""What a bot's callables take: which of (position, clock, game), and whether its class wants to know the match.

What counts is what the outermost callable takes.  One that takes anything and says what it wraps, as decorators do,
takes what that takes.
"""

from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

ARGUMENTS = ("position", "clock", "game")
_HAS_ARGS = 0x04                # flags of code objects, <cpython/code.h>
_GENERATES = 0x20
_IS_ASYNC = 0x80 | 0x200


class NotABot(Exception):
    """The source runs, and defines nothing that could play."""


class Parameters(NamedTuple):
    """Those filled by position and how many of them have no default; `keywords` are required and only have a name."""

    names: tuple[str, ...]
    required: int
    takes_any: bool = False     # it has *arguments
    keywords: tuple[str, ...] = ()

    def without(self, count: int) -> "Parameters":
        """After that many were filled, such as `self`."""
        return self._replace(names=self.names[count:], required=max(0, self.required - count))


def arguments_taken(choose_move: Any) -> int:
    """How many of (position, clock, game): what it requires, and what it calls by these names.  Raises: NotABot."""
    if isinstance(choose_move, type):
        raise NotABot("choose_move is a class; make it a function choose_move(position), or call the class Bot")
    if not callable(choose_move):
        raise NotABot(f"choose_move is no function, but of type {type(choose_move).__name__}")
    _refuse_no_answer(choose_move)
    names, required, takes_any, _ = _filled("choose_move", choose_move, ARGUMENTS)
    if not names and takes_any:
        return 1
    wanted = [place for place, name in enumerate(ARGUMENTS, 1) if name in names[place - 1 : place]]
    return max([1, required, *wanted])


def check_hook(name: str, hook: Any, argument: str) -> None:
    """Raises: NotABot for an optional method that cannot take its one argument."""
    if not callable(hook):
        raise NotABot(f"{name} is no method, but of type {type(hook).__name__}")
    _filled(name, hook, (argument,))


def wants_match(bot_class: Any) -> bool:
    """Raises: NotABot when it wants more."""
    if not isinstance(bot_class, type):
        raise NotABot(f"Bot is no class, but of type {type(bot_class).__name__}")
    start: Any = bot_class.__init__             # type: ignore[misc]  # of the class, not of an instance
    if start is object.__init__:
        return False
    found = parameters_of(start)
    if found is None:
        return False
    if found.required > 2 or found.keywords:
        raise NotABot("Bot requires more arguments than it gets; write __init__(self) or __init__(self, match)")
    return found.required > 1 or found.names[1:2] == ("match",)


def parameters_of(function: Any) -> Parameters | None:
    """Without a bound `self`; None where nobody can tell."""
    if type(function) is MethodType:
        found = parameters_of(function.__func__)
        return found and found.without(1)
    own = _own_parameters(function)
    wrapped = getattr(function, "__wrapped__", None)
    if own is not None and own.takes_any and callable(wrapped):
        inner = parameters_of(wrapped)
        if inner is not None and "position" in inner.names and "self" not in inner.names:
            return inner.without(inner.names.index("position"))     # what stands before it, the wrapper puts there
        return inner or own
    return own


def _own_parameters(function: Any) -> Parameters | None:
    if type(function) is FunctionType:
        code: CodeType = function.__code__
        names = code.co_varnames[: code.co_argcount]
        keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        return Parameters(
            names,
            code.co_argcount - len(function.__defaults__ or ()),
            bool(code.co_flags & _HAS_ARGS),
            tuple(name for name in keywords if name not in (function.__kwdefaults__ or {})),
        )
    call = _call_of(function)
    return _parameters_by_inspection(function) if call is None else parameters_of(MethodType(call, function))


def _call_of(thing: Any) -> FunctionType | None:
    """The method that makes an object callable, if it is written in Python."""
    found = next((vars(base)["__call__"] for base in type(thing).__mro__ if "__call__" in vars(base)), None)
    return found if type(found) is FunctionType else None


def _parameters_by_inspection(function: Any) -> Parameters | None:
    """Of callables made in C: `functools.partial`, a cache around a function, what is built in."""
    import inspect  # slow to import; only for callables that are no plain functions

    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    filled = [one for one in found if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return Parameters(
        tuple(one.name for one in filled),
        sum(one.default is one.empty for one in filled),
        any(one.kind is one.VAR_POSITIONAL for one in found),
        tuple(one.name for one in found if one.kind is one.KEYWORD_ONLY and one.default is one.empty),
    )


def _filled(name: str, function: Any, given: tuple[str, ...]) -> Parameters:
    """The parameters of what is called with at least one of the arguments given.  Raises: NotABot."""
    found = parameters_of(function)
    if found is None:
        raise NotABot(f"nobody can see what {name} takes, as it is built in; write a function around it")
    if found.keywords:
        raise NotABot(f"{name} requires {found.keywords[0]} by name; it gets ({', '.join(given)}) by their places only")
    if not found.names and not found.takes_any:
        raise NotABot(f"{name} takes no argument; write {name}({given[0]})")
    if found.required > len(given):
        most = "at most " if len(given) > 1 else ""
        raise NotABot(f"{name} requires {found.required} arguments; it gets {most}({', '.join(given)})")
    return found


def _refuse_no_answer(choose_move: Any) -> None:
    """Calling these gives something that would have to be run first."""
    code = getattr(_call_of(choose_move) or choose_move, "__code__", None)
    flags = code.co_flags if isinstance(code, CodeType) else 0
    if flags & _IS_ASYNC:
        raise NotABot("choose_move is asynchronous, and nothing would await it; write def instead of async def")
    if flags & _GENERATES:
        raise NotABot("choose_move is a generator, for it contains yield; it must return its move")
