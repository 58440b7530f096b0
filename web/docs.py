"""The browsable API document, with Swagger UI from our own static files."""

from flask import Blueprint, render_template

blueprint = Blueprint("docs", __name__, url_prefix="/api")


@blueprint.get("/docs")
def browse() -> str:
    """Swagger UI on /api/openapi.json."""
    return render_template("docs.html")
