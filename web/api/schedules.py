"""Schedules: tournaments that begin by themselves, again and again."""

from typing import Any

from flask import Response, url_for

from arena.errors import Forbidden, NotFound, QuotaExceeded
from arena.services import recurring
from arena.store.accounts import User
from arena.store.paging import Page
from arena.store.recurring import Schedule
from web.api.blueprint import LOCATION, Noun
from web.api.schemas.schedules import NewSchedule, ScheduleAnswer, ScheduleList, ScheduleQuery
from web.context import store

blueprint = Noun("schedules", "Tournaments that begin by themselves.")


@blueprint.post("/schedules")
@blueprint.login
@blueprint.arguments(NewSchedule)
@blueprint.response(201, ScheduleAnswer, headers=LOCATION)
@blueprint.fails(QuotaExceeded, Forbidden, NotFound)
def create(user: User, body: dict[str, Any]) -> tuple[Schedule, dict[str, str]]:
    """Let a tournament begin every day or week, or on some days, at a time of day."""
    created = recurring.create(store(), user, **body)
    return created, {"Location": url_for("schedules.show", schedule_id=created.id)}


@blueprint.get("/schedules")
@blueprint.arguments(ScheduleQuery, location="query")
@blueprint.response(200, ScheduleList)
@blueprint.fails(NotFound)
def list_schedules(query: dict[str, Any]) -> Page[Schedule]:
    """Schedules that have not ended, the oldest first."""
    return recurring.list_schedules(store(), **query)


@blueprint.get("/schedules/<id:schedule_id>")
@blueprint.response(200, ScheduleAnswer)
@blueprint.fails(NotFound)
def show(schedule_id: int) -> Schedule:
    """One schedule, when it begins next, and what kept it from that the last time."""
    return recurring.show(store(), schedule_id)


@blueprint.delete("/schedules/<id:schedule_id>")
@blueprint.login
@blueprint.response(204)
@blueprint.fails(NotFound, Forbidden)
def end(user: User, schedule_id: int) -> Response:
    """End it: nothing more begins, and what has begun goes on. Nothing happens when it has ended."""
    recurring.end(store(), user, schedule_id)
    return Response(status=204)
