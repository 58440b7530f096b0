"""The bounded window: which matches get a place in the queue next, and in which messages they travel.

Only about twice as many messages wait as the workers can take at once, so no round robin is ever queued, or even
stored, as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from operator import attrgetter

from sqlalchemy import Connection

from arena.match.openings import match_seed
from arena.match.record_types import ENGINE_VERSION
from arena.services.leaving import WITHDRAWN
from arena.services.ratings import advance_rating_cursor
from arena.store import leases, windows
from arena.store.session import Store
from arena.store.windows import WORKER_GONE, Lane, NewMatch
from arena.tournament.round_robin import pairing_at

Batch = tuple[int, ...]

MESSAGES_PER_SLOT = 2           # one being worked on, one that waits
MOST_IN_A_BATCH = 100
SHARED_MS = 300                 # work in a message while several owners' tournaments run, so that all take turns
ROWS_AT_ONCE = 500              # a step stays short, also when an early withdrawal voids many matches


@dataclass(frozen=True, slots=True)
class Filled:
    """Matches that have just been queued, message by message, and rulesets whose boards have changed.

    A board changes here where matches were void from the start, and what waited behind them could be rated.
    """

    batches: tuple[Batch, ...] = ()
    changed: tuple[str, ...] = ()


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
    return Filled(batches, filled.changed)


def share_out(lanes: Sequence[Lane], sizes: dict[int, int], messages: int) -> list[int]:
    """Whose message comes next, and next: of the owner with the least work out, the tournament with the least.

    `messages` may be out in all, those that are out already included, and one of every tournament in any case.
    Returns: tournament ids, one per message.
    """
    owner = {lane.tournament_id: lane.owner for lane in lanes}
    owned = dict.fromkeys(owner.values(), 0.0)
    out = {lane.tournament_id: (lane.queued + lane.leased) / sizes[lane.tournament_id] for lane in lanes}
    waiting = {lane.tournament_id: lane.waiting for lane in lanes}
    for number, messages_out in out.items():
        owned[owner[number]] += messages_out
    order = []
    while open_lanes := [number for number in waiting if waiting[number] > 0]:
        if sum(out.values()) >= messages:
            open_lanes = [number for number in open_lanes if out[number] == 0]
            if not open_lanes:
                break
        chosen = min(open_lanes, key=lambda number: (owned[owner[number]], out[number], number))
        order.append(chosen)
        more = min(waiting[chosen], sizes[chosen]) / sizes[chosen]
        out[chosen] += more
        owned[owner[chosen]] += more
        waiting[chosen] -= sizes[chosen]
    return order


def batch_size(expected_ms: int | None, waiting: int, messages: int, work_ms: int) -> int:
    """How many matches go into one message: `work_ms` of work, one at a time until a match was measured.

    Towards the end they get smaller, so that no worker sits on what others could play.
    """
    return max(1, min(_full_size(expected_ms, work_ms), -(-waiting // messages)))


def _full_size(expected_ms: int | None, work_ms: int) -> int:
    return 1 if expected_ms is None else max(1, min(MOST_IN_A_BATCH, work_ms // expected_ms))


def _next_qualifications(tx: Connection, messages: int, now: datetime) -> list[Batch]:
    room = messages - windows.count_outstanding_qualifications(tx)
    return [(match_id,) for match_id in windows.due_qualifications(tx, now, max(0, room))]


def _next_of_tournaments(tx: Connection, messages: int, batch_seconds: int, now: datetime) -> Filled:
    lanes = windows.lanes(tx, ENGINE_VERSION, now)
    expected_ms = {lane.tournament_id: windows.expected_ms(tx, lane) for lane in lanes}
    owners = {lane.owner for lane in lanes if lane.waiting or lane.queued}
    work_ms = batch_seconds * 1000
    if len(owners) > 1:
        work_ms = SHARED_MS
        share = {number: messages // len(owners) * _full_size(each, work_ms) for number, each in expected_ms.items()}
        if _take_back_too_much(tx, lanes, share):
            lanes = windows.lanes(tx, ENGINE_VERSION, now)
    sizes = {
        lane.tournament_id: batch_size(expected_ms[lane.tournament_id], lane.waiting, messages, work_ms)
        for lane in lanes
    }
    order = share_out(lanes, sizes, messages)
    ready: dict[int, Iterator[int]] = {}
    with_void = []
    for lane in lanes:
        wanted = order.count(lane.tournament_id) * sizes[lane.tournament_id]
        new = _new_matches(lane, wanted - len(lane.due)) if wanted else []
        created = windows.create_matches(tx, lane, new, now)
        ready[lane.tournament_id] = iter([*lane.due[:wanted], *created])
        if len(created) < len(new):
            with_void.append(lane)
    in_order = sorted(with_void, key=attrgetter("ruleset", "tournament_id"))        # in which rulesets are locked
    changed = [advance_rating_cursor(tx, lane.tournament_id, now) for lane in in_order]
    batches = [tuple(islice(ready[number], sizes[number])) for number in order]
    return Filled(tuple(filter(None, batches)), tuple(filter(None, changed)))


def _take_back_too_much(tx: Connection, lanes: Sequence[Lane], share: Mapping[int, int]) -> bool:
    """Take back what was queued while there was nobody to share with; the messages that carry it become empty.

    Returns: whether anything was.
    """
    found = [lane.tournament_id for lane in lanes if lane.queued > 2 * max(1, share[lane.tournament_id])]
    for tournament_id in found:
        leases.take_back(tx, tournament_id)
    return bool(found)


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
