"""Kinds of values. Each refusal says what the value may be; requests take nothing unknown and nothing unprintable."""

import re
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import marshmallow as ma
from marshmallow import ValidationError, fields

from arena.services.names import NAME_PATTERN
from arena.store.paging import DEFAULT_LIMIT, MAX_LIMIT

NAME_RULE = "a name has 2 to 40 characters of a-z, 0-9, - and _, and starts with a letter"
MAX_TEXT = 200
MISSING, NULL = "this field is missing", "null is no value of this field"


def describe(field: fields.Field[Any], **schema: Any) -> None:
    """Say in the API document what the field accepts."""
    field.metadata = {**field.metadata, **schema}


def checked_name(text: str) -> str:
    """The name, if it is one; raises `ValidationError`."""
    if not re.fullmatch(NAME_PATTERN, text):
        raise ValidationError(f"{text!r} is no name: {NAME_RULE}")
    return text


def names_of(schema: ma.Schema) -> list[str]:
    """What the fields of a request are called in it."""
    return [field.data_key or name for name, field in schema.load_fields.items()]


class Request(ma.Schema):
    """A request's body or query; unknown fields are refused with the list of those there are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.error_messages["unknown"] = f"there is no such field; those there are: {', '.join(names_of(self))}"
        self.error_messages["type"] = "send a JSON object"

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Where a kind of field has no words of its own, ours instead of marshmallow's."""
        for key, words in {"required": MISSING, "null": NULL}.items():
            if field_obj.error_messages[key] == fields.Field.default_error_messages[key]:
                field_obj.error_messages[key] = words


class Answer(ma.Schema):
    """A response's body; every field is always there."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """The API document says so."""
        field_obj.required = True


class Text(fields.String):
    """Text that every database and terminal can hold: no control characters, no half surrogates."""

    def __init__(self, *, min_length: int = 0, max_length: int = MAX_TEXT, **options: Any) -> None:
        super().__init__(**options)
        self.min_length, self.max_length = min_length, max_length
        describe(self, minLength=min_length, maxLength=max_length)
        self.error_messages |= {"invalid": "send text", "null": "send text, not null"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> str:
        text = super()._deserialize(value, attr, data, **options)
        if not self.min_length <= len(text) <= self.max_length:
            raise ValidationError(f"send {self.min_length} to {self.max_length} characters, not {len(text)}")
        hidden = next((sign for sign in text if not sign.isprintable()), None)
        if hidden is not None:
            raise ValidationError(f"leave out {hidden!a}, which cannot be printed")
        return text


class Name(Text):
    """The name of a user, a bot or a tournament."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=2, max_length=40, **options)
        describe(self, pattern=f"^{NAME_PATTERN}$")

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> str:
        text = super()._deserialize(value, attr, data, **options)
        return checked_name(text)


class Whole(fields.Integer):
    """A whole number between two others."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.least, self.most = least, most
        describe(self, minimum=least, maximum=most)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> int:
        number = self.read(value)
        if number is None or not self.least <= number <= self.most:
            raise ValidationError(f"{ascii(value)[:40]} is not a whole number from {self.least} to {self.most}")
        return number

    def read(self, value: Any) -> int | None:
        """A number of JSON, in which 1.0 is 1; None for anything else."""
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


class WholeText(Whole):
    """The same in a query: plain digits."""

    def read(self, value: Any) -> int | None:
        """What the digits say; None for anything else."""
        is_number = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18
        return int(value) if is_number else None


class Flag(fields.Boolean):
    """True or false, and nothing that only looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> bool:
        if not isinstance(value, bool):
            raise ValidationError("send true or false")
        return value


class Moment(fields.Field[datetime]):
    """A time in UTC to the millisecond: 2026-11-29T08:15:00.000Z."""

    def _serialize(self, value: datetime | None, attr: str | None, obj: Any, **options: Any) -> str | None:
        if value is None:
            return None
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Points(fields.Field[Fraction]):
    """Exact points: "2", "1/2", "7/2"."""

    def _serialize(self, value: Fraction | int | None, attr: str | None, obj: Any, **options: Any) -> str | None:
        return None if value is None else str(value)


class HalfPoints(Points):
    """Half-points counted in whole numbers, shown as points: 3 is "3/2"."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **options: Any) -> str | None:
        if value is None:
            return None
        whole, half = divmod(value, 2)
        return f"{value}/2" if half else str(whole)


class PageQuery(Request):
    """Where in a list to go on, and how far."""

    limit = WholeText(1, MAX_LIMIT, load_default=DEFAULT_LIMIT)
    cursor = Text(load_default=None, max_length=400, metadata={"description": "`next` of the page before."})


class PageAnswer(Answer):
    """One page of a list; subclasses add `items`."""

    next = fields.String(allow_none=True, metadata={"description": "Cursor of the next page; null on the last."})
