"""What a message does. Arguments are ids; any task may come twice, late, or never."""

from kombu.exceptions import OperationalError

from arena.errors import QueueUnavailable
from arena.services import dispatch
from arena.services.window import Batch
from workers import playing, process
from workers.celery_app import app


@app.task(ignore_result=True)
def play(match_ids: list[int]) -> None:
    """Play each match that can still be claimed, and report it; put the rest back where others go first."""
    playing.play_each(process.store(), match_ids)
    if not process.is_stopping():
        dispatch.go_on(process.store(), publish)


@app.task(ignore_result=True)
def tick() -> None:
    """One step of dispatch."""
    dispatch.tick(process.store(), publish)


def publish(batch: Batch) -> None:
    """Send one message; raises `QueueUnavailable` at once where the queue does not take it."""
    try:
        play.apply_async((list(batch),), retry=False)
    except OperationalError as error:
        raise QueueUnavailable("Redis takes no message; matches wait in the database.") from error
