"""What a visitor looks for in a list, by the field `find` of its page."""

from flask import request

from arena.errors import Invalid


def name_wanted() -> str:
    """A bot's name or its beginning, if a database can compare it with names.  Raises: Invalid."""
    text = request.args.get("find", "").strip()[:60]
    if not text.isprintable():
        raise Invalid(f"No bot's name has signs such as {text!a}; look for another one.", field="find")
    return text
