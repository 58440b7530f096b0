"""An arena in which every step is checked against what it must answer, given how things stood before it.

Messages are kept and may be delivered again; attempts are kept and may report late, twice, or what is not true.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import func, select

from arena.errors import LeaseLost, SandboxLost
from arena.match.record import MatchPlayed
from arena.services import dispatch, results
from arena.services.assignments import Assignment
from arena.store.leases import MAX_FAILURES
from arena.store.schema import entrants, matches, tournaments, workers
from arena.store.schema import results as result_rows
from arena.store.session import Store
from arena.store.states import UNPLAYED
from arena.store.windows import WORKER_GONE
from tests.support import reports
from tests.support.field import Moment, Post, state_of

LONG_MS = 20_000                # a match that travels alone in its message


@dataclass
class Run:
    """A store with all that was ever sent, claimed and reported; `broken` is the bot that always forfeits."""

    store: Store
    broken: str
    moment: Moment = field(default_factory=Moment)
    post: Post = field(default_factory=Post)
    held: list[Assignment] = field(default_factory=list)
    reported: list[tuple[Assignment, MatchPlayed]] = field(default_factory=list)
    has_short_matches: bool = False

    def tick(self) -> None:
        """A step of dispatch queues no more than the window takes, and gives rows to no more than it queues."""
        before, sent = _unplayed(self.store), len(self.post.batches)
        dispatch.tick(self.store, self.post, self.moment)
        batches = self.post.batches[sent:]
        queued = [match_id for batch in batches for match_id in batch]
        assert len(set(queued)) == len(queued)
        messages = 2 * max(1, self._slots())
        for purpose, running in (("qualification", 0), ("tournament", _count_running(self.store))):
            own = [batch for batch in batches if state_of(self.store, batch[0]).purpose == purpose]
            assert len(own) <= messages + running
            if not self.has_short_matches:
                assert all(len(batch) == 1 for batch in own)
        assert _unplayed(self.store) <= before + len(queued)

    def claim(self, match_ids: Iterable[int], worker: str) -> list[Assignment]:
        """Exactly what is queued and wanted can be claimed."""
        claimed = []
        for match_id in match_ids:
            is_wanted = self._is_wanted(match_id)
            found = list(dispatch.claim_each(self.store, worker, [match_id], self.moment))
            assert len(found) == is_wanted, f"match {match_id}"
            claimed += found
        self.held += claimed
        return claimed

    def report(self, assignment: Assignment, kind: str, duration_ms: int) -> None:
        """Report a match of this kind; who is broken is so in every match."""
        for seat, forfeit in enumerate((reports.FIRST_FAILS, reports.SECOND_FAILS)):
            if assignment.setup.bots[seat].name == self.broken and assignment.purpose == "tournament":
                kind = forfeit
        self.hand_in(assignment, reports.report(assignment.setup, kind), duration_ms)

    def hand_in(self, assignment: Assignment, played: MatchPlayed, duration_ms: int) -> None:
        """Accepted exactly from who holds the match; repeated exactly where it is the result already."""
        before = state_of(self.store, assignment.match_id)
        status = results.ingest(self.store, assignment, played, duration_ms, self.moment).status
        if assignment.purpose == "qualification" and _house_failed(played):
            assert status == results.REFUSED
            self._check_failure(assignment, before)
        elif _holds(assignment, before):
            assert status == results.ACCEPTED
            self.has_short_matches |= duration_ms < LONG_MS
        else:
            is_same = (assignment, played) in self.reported and self._attempt_that_counts(assignment)
            assert status == (results.REPEATED if is_same else results.REFUSED)
        if status == results.ACCEPTED:
            self.reported.append((assignment, played))

    def hand_in_what_is_not_true(self, assignment: Assignment, kind: str) -> None:
        """It counts as a failure of ours, where it counts at all."""
        played = reports.report(assignment.setup, kind)
        other = (1, 1) if played.record.score != (1, 1) else (2, 0)
        before = state_of(self.store, assignment.match_id)
        false = replace(played, record=replace(played.record, score=other))
        assert results.ingest(self.store, assignment, false, LONG_MS, self.moment).status == results.REFUSED
        self._check_failure(assignment, before)

    def fail(self, assignment: Assignment) -> None:
        """An attempt ends through a fault of ours."""
        before = state_of(self.store, assignment.match_id)
        results.report_fault(self.store, assignment, SandboxLost("it is gone"), self.moment)
        self._check_failure(assignment, before)

    def renew(self, assignment: Assignment) -> None:
        """Only who holds the match may play on."""
        is_held = _holds(assignment, state_of(self.store, assignment.match_id))
        try:
            dispatch.renew(self.store, assignment, 7, self.moment)
        except LeaseLost:
            assert not is_held
        else:
            assert is_held

    def hand_back(self, assignment: Assignment) -> None:
        """No failure; the match waits again, or is void because one of its bots has left."""
        before = state_of(self.store, assignment.match_id)
        dispatch.hand_back(self.store, assignment, self.moment)
        after = state_of(self.store, assignment.match_id)
        assert after.failures == before.failures
        if _holds(assignment, before):
            assert after.state == ("void" if self._has_left(before) else "due")
        else:
            assert after == before

    def _check_failure(self, assignment: Assignment, before: Any) -> None:
        after = state_of(self.store, assignment.match_id)
        if not _holds(assignment, before):
            assert after == before
            return
        assert after.failures == before.failures + 1
        is_over = before.purpose == "tournament" and (after.failures >= MAX_FAILURES or self._has_left(before))
        assert after.state == ("void" if is_over else "due")

    def _is_wanted(self, match_id: int) -> bool:
        with self.store.read() as tx:
            row = tx.execute(select(matches).where(matches.c.id == match_id)).one_or_none()
            if row is None or row.state != "queued":
                return False
            state = tx.scalar(select(tournaments.c.state).where(tournaments.c.id == row.tournament_id))
        return row.tournament_id is None or state == "running"

    def _has_left(self, match: Any) -> bool:
        with self.store.read() as tx:
            left = select(entrants.c.version_id).where(
                entrants.c.tournament_id == match.tournament_id, entrants.c.withdrawn_at.is_not(None)
            )
            return bool({match.first_version_id, match.second_version_id} & set(tx.scalars(left)))

    def _attempt_that_counts(self, assignment: Assignment) -> bool:
        with self.store.read() as tx:
            attempt = tx.scalar(select(result_rows.c.attempt).where(result_rows.c.match_id == assignment.match_id))
        return attempt == assignment.attempt

    def _slots(self) -> int:
        seen = workers.c.seen_at >= self.moment.at - WORKER_GONE
        with self.store.read() as tx:
            return int(tx.scalar(select(func.coalesce(func.sum(workers.c.slots), 0)).where(seen)) or 0)


def _holds(assignment: Assignment, match: Any) -> bool:
    return bool(match.state == "leased" and match.attempt == assignment.attempt)


def _house_failed(played: MatchPlayed) -> bool:
    return any(game.verdict is not None and game.verdict.seat == 1 for game in played.record.games)


def _unplayed(store: Store) -> int:
    """Matches with rows that are not over; those being played, too, since a lease may expire in the step."""
    with store.read() as tx:
        unplayed = matches.c.state.in_(UNPLAYED) & (matches.c.purpose == "tournament")
        return tx.scalar(select(func.count()).select_from(matches).where(unplayed)) or 0


def _count_running(store: Store) -> int:
    with store.read() as tx:
        return tx.scalar(select(func.count()).select_from(tournaments).where(tournaments.c.state == "running")) or 0
