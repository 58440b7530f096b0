"""What a bot's callables take: which of (position, clock, game), and whether its class wants to know the match."""

from types import CodeType, FunctionType, MethodType
from typing import Any

_TAKES_ANY = 0x04               # a flag of code objects: it has *arguments


class NotABot(Exception):
    """The source runs, and defines nothing that could play."""


def arguments_taken(choose_move: Any) -> int:
    """How many of (position, clock, game): what it requires, and what it calls by these names."""
    names, required = parameters_of(choose_move)
    if not names:
        raise NotABot("choose_move takes no argument; write choose_move(position)")
    if required > 3:
        raise NotABot(f"choose_move requires {required} arguments; it gets at most (position, clock, game)")
    wanted = [place for place, name in enumerate(("position", "clock", "game"), 1) if name in names[place - 1 : place]]
    return max([1, required, *wanted])


def wants_match(bot_class: Any) -> bool:
    if bot_class.__init__ is object.__init__:
        return False
    names, required = parameters_of(bot_class.__init__)
    return required > 1 or names[1:2] == ["match"]


def parameters_of(function: Any) -> tuple[list[str], int]:
    """The positional parameters, without a bound `self`, and how many of them have no default."""
    if type(function) not in (FunctionType, MethodType):
        return _parameters_by_inspection(function)
    bound = int(type(function) is MethodType)
    code: CodeType = function.__code__
    names = list(code.co_varnames[bound : code.co_argcount])
    if not names and code.co_flags & _TAKES_ANY:
        return ["position"], 1
    return names, code.co_argcount - bound - len(function.__defaults__ or ())


def _parameters_by_inspection(function: Any) -> tuple[list[str], int]:
    import inspect  # slow to import; only for callables that are no plain functions

    positional = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return [parameter.name for parameter in positional], sum(p.default is p.empty for p in positional)
