"""Pages for people."""

from flask import Blueprint

blueprint = Blueprint("pages", __name__)
