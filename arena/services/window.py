"""The bounded window: which matches get a place in the queue next, and in which messages they travel.

Only about twice as many messages wait as the workers can take at once, so no round robin is ever queued, or even
stored, as a whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import Connection

from arena.match.openings import match_seed
from arena.match.record_types import ENGINE_VERSION
from arena.services.leaving import WITHDRAWN
from arena.store import leases, windows
from arena.store.session import Store
from arena.store.windows import Lane, NewMatch
from arena.tournament.round_robin import pairing_at

Batch = tuple[int, ...]

MESSAGES_PER_SLOT = 2           # one being worked on, one that waits
MOST_IN_A_BATCH = 100
ROWS_AT_ONCE = 500              # a step stays short, also when an early withdrawal voids many matches
WORKER_GONE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Filled:
    """Matches that have just been queued, message by message, and tournaments that got matches void from the start."""

    batches: tuple[Batch, ...] = ()
    voided: tuple[int, ...] = ()


def fill(store: Store, now: datetime) -> Filled:
    """Queue what there is room for: qualifications first, then fairly from the running tournaments."""
    with store.write() as tx:
        if not windows.keep_others_out(tx):
            return Filled()
        slots = max(1, windows.slots(tx, ENGINE_VERSION, now - WORKER_GONE))
        qualifications = _next_qualifications(tx, slots * MESSAGES_PER_SLOT, now)
        filled = _next_of_tournaments(tx, slots * MESSAGES_PER_SLOT, store.settings.batch_seconds, now)
        batches = (*qualifications, *filled.batches)
        until = now + timedelta(seconds=store.settings.queue_seconds)
        leases.queue(tx, [match_id for batch in batches for match_id in batch], until)
    return Filled(batches, filled.voided)


def share_out(lanes: Sequence[Lane], sizes: dict[int, int], messages: int) -> list[int]:
    """Whose message comes next, and next: always that of the tournament with the least work out.

    `messages` may be out in all, those that are out already included, and one of every tournament in any case.
    Returns: tournament ids, one per message.
    """
    out = {lane.tournament_id: (lane.queued + lane.leased) / sizes[lane.tournament_id] for lane in lanes}
    waiting = {lane.tournament_id: lane.waiting for lane in lanes}
    order = []
    while open_lanes := [number for number in waiting if waiting[number] > 0]:
        chosen = min(open_lanes, key=lambda number: (out[number], number))
        if sum(out.values()) >= messages and out[chosen] > 0:
            break
        order.append(chosen)
        out[chosen] += min(waiting[chosen], sizes[chosen]) / sizes[chosen]
        waiting[chosen] -= sizes[chosen]
    return order


def batch_size(expected_ms: int | None, waiting: int, messages: int, batch_seconds: int) -> int:
    """How many matches go into one message: `batch_seconds` of work, one at a time until a match was measured.

    Towards the end they get smaller, so that no worker sits on what others could play.
    """
    if expected_ms is None:
        return 1
    return max(1, min(MOST_IN_A_BATCH, batch_seconds * 1000 // expected_ms, -(-waiting // messages)))


def _next_qualifications(tx: Connection, messages: int, now: datetime) -> list[Batch]:
    room = messages - windows.count_outstanding_qualifications(tx)
    return [(match_id,) for match_id in windows.due_qualifications(tx, now, max(0, room))]


def _next_of_tournaments(tx: Connection, messages: int, batch_seconds: int, now: datetime) -> Filled:
    lanes = windows.lanes(tx, ENGINE_VERSION, now)
    sizes = {
        lane.tournament_id: batch_size(windows.expected_ms(tx, lane), lane.waiting, messages, batch_seconds)
        for lane in lanes
    }
    order = share_out(lanes, sizes, messages)
    ready: dict[int, Iterator[int]] = {}
    voided = []
    for lane in lanes:
        wanted = order.count(lane.tournament_id) * sizes[lane.tournament_id]
        new = _new_matches(lane, wanted - len(lane.due)) if wanted else []
        created = windows.create_matches(tx, lane, new, now)
        ready[lane.tournament_id] = iter([*lane.due[:wanted], *created])
        if len(created) < len(new):
            voided.append(lane.tournament_id)
    batches = [tuple(islice(ready[number], sizes[number])) for number in order]
    return Filled(tuple(batch for batch in batches if batch), tuple(voided))


def _new_matches(lane: Lane, playable: int) -> list[NewMatch]:
    """The next matches of the schedule, until so many of them can be played."""
    new: list[NewMatch] = []
    index = lane.next_index
    while playable > 0 and index < lane.match_count and len(new) < ROWS_AT_ONCE:
        match = _new_match(lane, index)
        playable -= match.void_reason is None
        new.append(match)
        index += 1
    return new


def _new_match(lane: Lane, index: int) -> NewMatch:
    pairing = pairing_at(lane.entrants, lane.cycles, index)
    is_off = pairing.first in lane.withdrawn or pairing.second in lane.withdrawn
    return NewMatch(
        index, pairing.first, pairing.second, match_seed(lane.seed, index), WITHDRAWN if is_off else None
    )
