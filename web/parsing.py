"""Reading requests strictly: the right content type, well-formed JSON, each form field once, nothing unknown."""

from typing import Any

import marshmallow as ma
from flask import Request
from webargs import core
from webargs.flaskparser import FlaskParser, abort, is_json_request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge

from web.api.schemas.fields import names_of


class StrictParser(FlaskParser):
    """webargs' parser, refusing what it would pass over in silence; `multipart` is the form with its file."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {      # noqa: RUF012  # as the base class has it
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
        "multipart": ma.RAISE,
    }
    __location_map__ = {**FlaskParser.__location_map__, "multipart": "load_multipart"}      # noqa: RUF012

    def load_multipart(self, req: Request, schema: ma.Schema) -> Any:
        """The fields and the file of a form, each of which may come once."""
        if req.mimetype != "multipart/form-data":
            names = ", ".join(names_of(schema))
            abort(415, messages=[f"Send multipart/form-data with the fields {names}, not {_sent(req)}."])
        parts: MultiDict[str, Any] = MultiDict([*req.form.items(multi=True), *req.files.items(multi=True)])
        repeated = {name: ["Send this field once."] for name, values in parts.lists() if len(values) > 1}
        if repeated:
            raise ma.ValidationError(repeated)
        return parts.to_dict()

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        """The query, each parameter of which may come once."""
        repeated = {name: ["Send this parameter once."] for name, values in req.args.lists() if len(values) > 1}
        if repeated:
            raise ma.ValidationError(repeated)
        return req.args.to_dict()

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if req.content_length is None and len(body) == req.max_content_length:
            raise RequestEntityTooLarge         # sent in chunks, of which werkzeug drops what is too much
        if not body:
            return core.missing
        if not is_json_request(req):
            abort(415, messages=[f"Send application/json, not {_sent(req)}."])
        try:
            return core.parse_json(body)
        except (ValueError, RecursionError) as error:    # ValueError is also a number of thousands of digits
            abort(400, exc=error, messages=[f"The body is not JSON that can be read: {_reason(error)}."])


def _sent(req: Request) -> str:
    return req.mimetype or "a body without a content type"


def _reason(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error).removesuffix(".")
