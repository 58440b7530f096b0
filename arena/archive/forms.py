"""Between the classes of entries.py and the objects of JSON: writing is plain, reading is strict."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from arena.archive.entries import KINDS, Entry
from arena.archive.lines import canonical
from arena.errors import ArchiveRefused

LARGEST = 2**63 - 1
_SHOWN = 120


def to_fields(entry: Entry) -> dict[str, Any]:
    """The object of a line."""
    return {"kind": entry.kind, **_plain(entry)}


def from_fields(found: Mapping[str, Any]) -> Entry:
    """The entry that an object describes.  Raises: ArchiveRefused, naming the key that is wrong."""
    kind = found.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ArchiveRefused(f"there are no lines of kind {_shown(kind)}; valid are {', '.join(KINDS)}", check="form")
    entry: Entry = _build(KINDS[kind], {key: value for key, value in found.items() if key != "kind"}, kind)
    return entry


def expect(claimed: object, due: object, check: str) -> None:
    """Raises: ArchiveRefused when an entry, or a part of one, is not to the last sign what was worked out."""
    if canonical(_plain(claimed)) != canonical(_plain(due)):
        raise ArchiveRefused(_difference("", _plain(claimed), _plain(due)), check=check)


def _difference(place: str, claimed: Any, due: Any) -> str:
    """Where two values that are not the same differ first."""
    if isinstance(claimed, dict) and isinstance(due, dict) and claimed.keys() == due.keys():
        key = next(key for key in due if canonical(claimed[key]) != canonical(due[key]))
        return _difference(f"{place}.{key}" if place else key, claimed[key], due[key])
    if isinstance(claimed, list) and isinstance(due, list) and len(claimed) == len(due):
        number = next(number for number, each in enumerate(due) if canonical(each) != canonical(claimed[number]))
        return _difference(f"{place}[{number}]", claimed[number], due[number])
    return f"{place}: {_shown(claimed)} is claimed, it is {_shown(due)}".removeprefix(": ")


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


@cache
def _types(of: type) -> Mapping[str, Any]:
    hints = get_type_hints(of)
    return MappingProxyType({field.name: hints[field.name] for field in fields(of)})


def _build(of: type, found: object, place: str) -> Any:
    types = _types(of)
    if not isinstance(found, dict) or found.keys() != types.keys():
        raise ArchiveRefused(f"{place}: must be an object of exactly {', '.join(types)}", check="form")
    return of(**{name: _read(wanted, found[name], f"{place}.{name}") for name, wanted in types.items()})


def _read(wanted: Any, value: object, place: str) -> Any:
    """The value as what an annotation of entries.py wants."""
    if isinstance(wanted, UnionType):
        (inner,) = (each for each in get_args(wanted) if each is not NoneType)
        return None if value is None else _read(inner, value, place)
    if get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise ArchiveRefused(f"{place}: must be a list, not {_shown(value)}", check="form")
        return tuple(_read(get_args(wanted)[0], each, f"{place}[{number}]") for number, each in enumerate(value))
    if is_dataclass(wanted):
        assert isinstance(wanted, type)
        return _build(wanted, value, place)
    words, is_right = _PLAIN[get_origin(wanted) or wanted]
    if not is_right(value):
        raise ArchiveRefused(f"{place}: must be {words}, not {_shown(value)}", check="form")
    return value


_PLAIN: Mapping[type, tuple[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        int: ("a whole number from 0 up", lambda value: type(value) is int and 0 <= value <= LARGEST),
        float: ("a number with a decimal point", lambda value: type(value) is float),
        bool: ("true or false", lambda value: type(value) is bool),
        str: ("a text", lambda value: type(value) is str),
        dict: ("an object", lambda value: type(value) is dict),
    }
)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
