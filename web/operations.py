"""For operators: is the process up, is the arena ready. Numbers: metrics.py."""

from http import HTTPStatus
from typing import Any

from flask import Blueprint

from arena.services import health
from web.context import store

blueprint = Blueprint("operations", __name__)


@blueprint.get("/healthz")
def is_up() -> dict[str, str]:
    """This process answers; it asks nobody else."""
    return {"status": "up"}


@blueprint.get("/readyz")
def is_ready() -> tuple[dict[str, Any], HTTPStatus]:
    """Every check; 503 only when nothing can be answered, `degraded` while something is away that can wait."""
    checks = health.readiness(store())
    is_usable = all(check.is_ok for check in checks if check.is_required)
    status = "ready" if all(check.is_ok for check in checks) else "degraded"
    body = {
        "status": status if is_usable else "unavailable",
        "checks": {check.name: {"ok": check.is_ok, "detail": check.detail} for check in checks},
    }
    return body, HTTPStatus.OK if is_usable else HTTPStatus.SERVICE_UNAVAILABLE
