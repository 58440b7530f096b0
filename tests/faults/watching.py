"""Somebody who follows a tournament live, through a web server that goes away in the middle of its answer."""

import time
from contextlib import closing
from dataclasses import dataclass, field

import requests
from sqlalchemy import func, select

from arena.store.schema import events
from tests.faults.rig import Rig

GIVES_UP_SECONDS = 120
AGAIN_SECONDS = 0.3
ANSWERS_SECONDS = 60                    # a server that has just been started again takes its time


@dataclass(slots=True)
class Watcher:
    """Takes up again after the last event seen, as browsers do."""

    rig: Rig
    tournament_id: int
    seen: list[int] = field(default_factory=list)

    def begin(self) -> requests.Response:
        """An answer that has begun, and goes on."""
        answer = self._ask()
        next(answer.iter_content(1))
        return answer

    def follow_to_the_end(self, answer: requests.Response) -> None:
        """Read on, and ask again whenever it breaks. Raises AssertionError unless every event came once, in order."""
        give_up = time.monotonic() + GIVES_UP_SECONDS
        while not self._has_heard_the_end(answer):
            assert time.monotonic() < give_up, "no web server told the end"
            time.sleep(AGAIN_SECONDS)
            try:
                answer = self._ask()
            except requests.RequestException:
                continue
        with self.rig.store.read() as tx:
            count = tx.scalar(select(func.count()).where(events.c.tournament_id == self.tournament_id))
        assert self.seen == list(range(1, (count or 0) + 1))

    def _ask(self) -> requests.Response:
        url = f"{self.rig.stack.url}/api/v1/tournaments/{self.tournament_id}/events"
        last = {"Last-Event-ID": str(self.seen[-1] if self.seen else 0)}
        return requests.get(url, headers=last, stream=True, timeout=ANSWERS_SECONDS)

    def _has_heard_the_end(self, answer: requests.Response) -> bool:
        number = None
        try:
            with closing(answer):
                for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
                    name, _, value = line.partition(": ")
                    if name == "id":
                        number = int(value)
                    elif line in ("event: result", "event: rating") and number is not None:
                        self.seen.append(number)
                    elif line == "event: end":
                        return True
        except requests.RequestException:
            pass
        return False
