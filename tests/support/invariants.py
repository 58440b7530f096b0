"""What must hold in every arena at any moment, whatever was done to it in whatever order; read from the tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Table, select

from arena.services import ratings, tournaments
from arena.store.events import RATING, RESULT
from arena.store.schema import attempts, entrants, events, matches, rating_changes, results, tallies
from arena.store.schema import ratings as rating_rows
from arena.store.schema import tournaments as tournament_rows
from arena.store.session import Store
from arena.tournament.round_robin import pairing_at
from tests.support.sql_boards import sql_board

UNPLAYED = ("due", "queued", "leased")
ENDED = ("finished", "cancelled")
ENDS = ("finished", "returned", "fault", "expired", "cancelled")


@dataclass(frozen=True)
class _Snapshot:
    matches: dict[int, Any] = field(default_factory=dict)
    attempts: dict[int, list[Any]] = field(default_factory=dict)
    results: dict[int, Any] = field(default_factory=dict)
    tournaments: dict[int, Any] = field(default_factory=dict)
    entrants: dict[int, list[Any]] = field(default_factory=dict)
    tallies: dict[int, list[Any]] = field(default_factory=dict)
    events: dict[int, list[Any]] = field(default_factory=dict)
    ledger: list[Any] = field(default_factory=list)
    ratings: list[Any] = field(default_factory=list)

    def of(self, tournament_id: int) -> list[Any]:
        """The matches of a tournament, in the order of its schedule."""
        own = (match for match in self.matches.values() if match.tournament_id == tournament_id)
        return sorted(own, key=lambda match: match.schedule_index)

    def about(self, number: int) -> tuple[Any, ...]:
        """Everything that belongs to a tournament."""
        parts = (self.tournaments, self.entrants, self.tallies, self.events)
        return (self.of(number), *(part.get(number) for part in parts))


@dataclass
class Seen:
    """What an earlier look has shown, for what may only grow; `voided` are matches that were void at some time."""

    last: _Snapshot = field(default_factory=_Snapshot)
    voided: set[int] = field(default_factory=set)


def check(store: Store, seen: Seen) -> None:
    """Raise `AssertionError` at the first thing that does not hold; what has not changed is not looked at again."""
    snapshot = _look(store)
    if snapshot == seen.last:
        return
    for match in snapshot.matches.values():
        _check_match(match, snapshot, seen)
    for number, tournament in snapshot.tournaments.items():
        if snapshot.about(number) != seen.last.about(number):
            _check_tournament(tournament, snapshot)
            _check_events(tournament, snapshot)
            _check_table(store, tournament, snapshot)
            _check_progress(store, tournament, snapshot)
    _check_ledger(snapshot, seen)
    seen.last = snapshot
    rebuilt = ratings.rebuild(store, dry_run=True)
    assert rebuilt.is_exact, rebuilt.differences


def check_boards(store: Store, rulesets: Iterable[str]) -> None:
    """Redis shows of every ledger what the database does."""
    for ruleset in rulesets:
        board = sql_board(store, ruleset)
        shown = store.boards.page(ruleset, 200, None)
        assert shown is not None, f"there is no board of {ruleset} in Redis"
        assert (shown.entries, shown.size, shown.sequence) == (board.entries, board.size, board.sequence)


def _look(store: Store) -> _Snapshot:
    def rows(table: Table) -> Sequence[Any]:
        return tx.execute(select(table).order_by(*table.primary_key)).all()

    with store.read() as tx:
        return _Snapshot(
            {row.id: row for row in rows(matches)},
            _grouped(rows(attempts), "match_id"),
            {row.match_id: row for row in rows(results)},
            {row.id: row for row in rows(tournament_rows)},
            _grouped(rows(entrants), "tournament_id"),
            _grouped(rows(tallies), "tournament_id"),
            _grouped(rows(events), "tournament_id"),
            list(rows(rating_changes)),
            list(rows(rating_rows)),
        )


def _grouped(rows: Iterable[Any], column: str) -> dict[int, list[Any]]:
    groups = defaultdict(list)
    for row in rows:
        groups[row._mapping[column]].append(row)
    return groups


def _check_match(match: Any, snapshot: _Snapshot, seen: Seen) -> None:
    """One legal state; attempts only grow and end once; a result once, and then for ever."""
    tried, result = snapshot.attempts.get(match.id, []), snapshot.results.get(match.id)
    assert match.state in (*UNPLAYED, "finished", "void")
    assert (match.ended_at is not None) == (match.state in ("finished", "void")), match
    assert (match.void_reason is not None) == (match.state == "void"), match
    assert match.state not in ("queued", "leased") or match.until is not None, match
    assert match.id not in seen.last.matches or match.attempt >= seen.last.matches[match.id].attempt, match
    assert [attempt.number for attempt in tried] == list(range(1, match.attempt + 1))
    assert {attempt.end for attempt in tried} <= {None, *ENDS}
    running = [attempt.number for attempt in tried if attempt.end is None]
    assert running == ([match.attempt] if match.state == "leased" else []), (match, tried)
    finishing = [attempt.number for attempt in tried if attempt.end == "finished"]
    assert (result is not None) == (match.state == "finished"), match
    assert finishing == ([] if result is None else [result.attempt]), (match, tried)
    failed = sum(attempt.end in ("fault", "expired") for attempt in tried)
    assert match.failures <= failed
    assert match.purpose == "qualification" or match.failures < 3 or match.state == "void", match
    assert seen.last.results.get(match.id) in (None, result), match
    if match.state == "void":
        seen.voided.add(match.id)


def _check_tournament(tournament: Any, snapshot: _Snapshot) -> None:
    """Rows without a gap up to `next_index`, and the cursor where the first match is that is not over."""
    own = snapshot.of(tournament.id)
    assert [match.schedule_index for match in own] == list(range(tournament.next_index)), tournament
    assert tournament.next_index <= tournament.match_count
    first_open = next((match.schedule_index for match in own if match.state in UNPLAYED), len(own))
    assert tournament.rating_cursor == first_open, tournament
    is_over = tournament.rating_cursor == tournament.match_count
    assert tournament.state in ENDED or not is_over, tournament
    assert tournament.state != "finished" or is_over, tournament
    assert tournament.state != "cancelled" or not any(match.state in UNPLAYED for match in own), tournament
    assert tournament.state != "created" or not own, tournament
    assert (tournament.ended_at is not None) == (tournament.state in ENDED), tournament
    pinned = [entrant.version_id for entrant in snapshot.entrants[tournament.id]]
    gone = {entrant.version_id for entrant in snapshot.entrants[tournament.id] if entrant.withdrawn_at is not None}
    for match in own:
        pairing = pairing_at(len(pinned), tournament.cycles, match.schedule_index)
        seats = (match.first_version_id, match.second_version_id)
        assert seats == (pinned[pairing.first], pinned[pairing.second]), match
        assert match.state not in ("due", "queued") or not gone & set(seats), match


def _check_events(tournament: Any, snapshot: _Snapshot) -> None:
    """Each result and each rating is told once, and the numbers have no gap."""
    told = snapshot.events.get(tournament.id, [])
    assert [event.number for event in told] == list(range(1, len(told) + 1))
    own = {match.id for match in snapshot.of(tournament.id)}
    finished = Counter(number for number in own if number in snapshot.results)
    assert Counter(event.match_id for event in told if event.kind == RESULT) == finished
    rated = Counter(own & {change.match_id for change in snapshot.ledger})
    assert Counter(event.match_id for event in told if event.kind == RATING) == rated


def _check_table(store: Store, tournament: Any, snapshot: _Snapshot) -> None:
    """Every line by a count of its own; of who left all matches count, or none, as docs/tournaments.md says."""
    entered = snapshot.entrants[tournament.id]
    played = []
    for match in snapshot.of(tournament.id):
        if match.id in snapshot.results:
            pairing = pairing_at(len(entered), tournament.cycles, match.schedule_index)
            result = snapshot.results[match.id]
            played.append(((pairing.first, pairing.second), (result.first_score, result.second_score)))
    had = tournament.cycles * (len(entered) - 1)
    number_of = Counter(number for pair, _ in played for number in pair)
    struck = {one.number for one in entered if one.withdrawn_at is not None and 2 * number_of[one.number] < had}
    lines: dict[int, list[int]] = {one.number: [] for one in entered}
    for pair, score in played:
        if not struck & set(pair):
            for number, points in zip(pair, score, strict=True):
                lines[number].append(points)
    shown = tournaments.standings(store, tournament.id)
    assert {line.number for line in shown if line.is_withdrawn} == {
        one.number for one in entered if one.withdrawn_at is not None
    }
    for line in shown:
        scores = lines[line.number]
        expected = (len(scores), scores.count(2), scores.count(1), scores.count(0), sum(scores))
        assert (line.matches, line.wins, line.draws, line.losses, line.score) == expected, line


def _check_progress(store: Store, tournament: Any, snapshot: _Snapshot) -> None:
    shown, own = tournaments.show(store, tournament.id), snapshot.of(tournament.id)
    states = Counter(match.state for match in own)
    assert shown.finished == states["finished"]
    unplayed = tournament.match_count - states["finished"]
    assert shown.void == (unplayed if tournament.state == "cancelled" else states["void"])
    assert (shown.seed is None) == (tournament.state not in ENDED)


def _check_ledger(snapshot: _Snapshot, seen: Seen) -> None:
    """It only grows, has finished matches alone, and goes by the schedule but for what had once been void."""
    assert snapshot.ledger[: len(seen.last.ledger)] == seen.last.ledger, "the ledger lost or changed rows"
    reached: dict[int, int] = {}
    for change in snapshot.ledger:
        match = snapshot.matches[change.match_id]
        assert match.state == "finished", match
        if match.id in seen.voided:
            continue
        assert match.schedule_index >= reached.get(match.tournament_id, 0), "rated out of order"
        reached[match.tournament_id] = match.schedule_index
        was_rewound = any(other.id in seen.voided for other in snapshot.of(match.tournament_id))
        cursor = snapshot.tournaments[match.tournament_id].rating_cursor
        assert was_rewound or match.schedule_index < cursor, match
