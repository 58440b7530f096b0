"""Forms: what was filled in, and what was wrong with it, beside each field.

A form is checked by the schema of the API's call and by the service behind both; nothing is decided here.
"""

from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any

import marshmallow as ma
from flask import request
from werkzeug.datastructures import MultiDict

from arena.errors import ArenaError
from web.errors import status_of


class Form:
    """`fields` are those that a fault can stand beside; any other stands above the form, under "".

    `status` is what the page answers with.
    """

    def __init__(self, *fields: str, values: Mapping[str, str] | None = None) -> None:
        self.fields = fields
        self.values: MultiDict[str, str] = MultiDict(values or {})
        self.faults: dict[str, str] = {}
        self.status = HTTPStatus.OK

    @classmethod
    def sent(cls, *fields: str) -> "Form":
        """The form as it has come."""
        form = cls(*fields)
        form.values = request.form
        return form

    def text(self, name: str) -> str:
        """What is, or was, in a field."""
        return self.values.get(name, "")

    def given(self, *names: str) -> dict[str, str]:
        """These fields, as the API would get them."""
        return {name: self.text(name) for name in names}

    def whole(self, name: str) -> int | str:
        """A number, where the field holds one; else its text, at which the schema will say so."""
        text = self.text(name).strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text

    def noting_faults(self) -> "Noting":
        """Within it, what the schema or the service refuses is kept, and ends it; failures of ours go on."""
        return Noting(self)

    def note(self, error: BaseException) -> bool:
        """Keep a refusal; False for any other error."""
        if isinstance(error, ma.ValidationError):
            found: Mapping[Any, Any] = error.normalized_messages()      # type: ignore[no-untyped-call]
            for field, messages in found.items():
                self.refuse(str(field), _first(messages), HTTPStatus.UNPROCESSABLE_ENTITY)
            return True
        if isinstance(error, ArenaError) and status_of(type(error)) < HTTPStatus.INTERNAL_SERVER_ERROR:
            self.refuse(error.field or "", str(error), status_of(type(error)))
            return True
        return False

    def refuse(self, field: str, message: str, status: HTTPStatus) -> None:
        """Note a fault; the first one of a field stands."""
        place = field if field in self.fields else ""
        self.faults.setdefault(place, message[:1].upper() + message[1:])
        self.status = status


class Noting:
    """What `Form.noting_faults` is: a class, so that it is known to swallow errors."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        return error is not None and self._form.note(error)


def _first(messages: Any) -> str:
    """The first message of those that marshmallow nests by field."""
    while isinstance(messages, Mapping | list):
        messages = next(iter(messages.values() if isinstance(messages, Mapping) else messages))
    return str(messages)
