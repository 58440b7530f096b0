"""Workers in virtual time: the real services and real records, but a match takes as long as a test says."""

import heapq
from collections import deque
from collections.abc import Callable, Iterator

from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.services.turns import Turn
from arena.store.session import Store
from tests.support import field
from tests.support.field import Moment

TICK_SECONDS = 1.0
IDLE_SECONDS = 0.05             # how soon somebody without work looks into the queue again


class VirtualArena:
    """A queue, a beat, and workers that do with a message what `workers.tasks.play` does with it."""

    def __init__(self, store: Store, workers: int, seconds: Callable[[Assignment], float]) -> None:
        self.store = store
        self.moment = Moment()
        self.messages: deque[dispatch.Batch] = deque()
        self.played: list[Assignment] = []
        self.passed = 0.0
        self._seconds = seconds
        self._slots = workers
        processes = [self._beat(), *(self._worker(f"w{number}") for number in range(workers))]
        self._agenda = [(0.0, number, process) for number, process in enumerate(processes)]

    def run(self, until: Callable[[], bool], at_most: float = 600.0) -> float:
        """Let time pass until something is true; how many seconds that took."""
        began = self.passed
        while not until():
            assert self.passed - began <= at_most, "it takes too long"
            at, number, process = heapq.heappop(self._agenda)
            self.moment.pass_seconds(at - self.passed)
            self.passed = at
            heapq.heappush(self._agenda, (at + next(process), number, process))
        return self.passed - began

    def run_for(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.passed + seconds
        self.run(lambda: self.passed >= end)

    def _beat(self) -> Iterator[float]:
        while True:
            dispatch.register_worker(self.store, "all", self._slots, "A", self.moment)
            dispatch.tick(self.store, self.messages.append, self.moment)
            yield TICK_SECONDS

    def _worker(self, name: str) -> Iterator[float]:
        while True:
            if not self.messages:
                yield IDLE_SECONDS
                continue
            yield from self._message(name, self.messages.popleft())

    def _message(self, name: str, match_ids: dispatch.Batch) -> Iterator[float]:
        turn = Turn(self.store, self.moment)
        for match_id in dispatch.still_queued(self.store, match_ids):
            if turn.is_over(match_id):
                dispatch.give_up_places(self.store, match_ids)
                break
            for assignment in dispatch.claim_each(self.store, name, [match_id], self.moment):
                seconds = self._seconds(assignment)
                yield seconds
                results.ingest(self.store, assignment, field.play(assignment.setup), round(1000 * seconds), self.moment)
                self.played.append(assignment)
        dispatch.go_on(self.store, self.messages.append, self.moment)
