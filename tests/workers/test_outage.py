"""What the control process writes while Redis is away: that it is, once, and that it is back."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.store.session import Store
from tests.support.processes import eventually
from tests.support.redis_server import running_redis

pytestmark = [pytest.mark.services, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
COMMAND = "-m celery -A workers.celery_app worker --without-mingle --without-gossip -B -Q control -P solo -c 1"
PARTS = 2                       # the process that takes ticks, and the one that sends them
AWAY_SECONDS = 6                # it is tried several times meanwhile


def test_an_outage_of_redis_is_told_once(store: Store, tmp_path: Path) -> None:
    said = tmp_path / "control.log"

    def count(words: str) -> int:
        return said.read_text().count(words)

    with running_redis() as redis, said.open("wb") as file:
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "ARENA_REDIS_URL": redis.url, "ARENA_DATA_DIR": str(tmp_path),
            "ARENA_DATABASE_URL": store.settings.database_url,
        }
        command = [sys.executable, "-P", *COMMAND.split()]
        control = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
        try:
            eventually(lambda: count("ready.") == 1, 120, "it is up")
            redis.stop()
            eventually(lambda: count("does not answer") == PARTS, 60, "both have noticed")
            size = said.stat().st_size
            time.sleep(AWAY_SECONDS)
            assert said.stat().st_size == size, said.read_text()[size:]
            redis.start()
            eventually(lambda: count("queue_answers_again") == PARTS, 90, "both go on")
        finally:
            control.kill()
            control.wait()
    assert count("does not answer") == PARTS
    assert [line for line in said.read_text().splitlines() if "Traceback" in line] == []
    assert redis.password not in said.read_text()
