"""One tournament of an archive: every match at its place, between the right two, from its seed, played by the rules.

A match is forgotten once it was checked; what stays is a byte of outcome, and until the table is done its points.
"""

import hashlib
from array import array
from collections.abc import Iterator

from arena.archive.derive import result_of, standings_of
from arena.archive.entries import (
    ENDED,
    FINISHED,
    PAUSED,
    RUNNING,
    Entrant,
    Match,
    Standings,
    Tournament,
)
from arena.archive.forms import expect
from arena.archive.roster import Roster
from arena.errors import ArchiveRefused, ArenaError
from arena.games import Rules
from arena.match.clock import parse_time_control
from arena.match.format import parse_format
from arena.match.openings import check_opening_plies, is_seed, match_seed
from arena.match.record import BotRef, MatchRecord, from_json, replay
from arena.ratings.eligibility import is_in_rated_cycle, may_be_rated
from arena.tournament import standings as tables
from arena.tournament.round_robin import Pairing, match_count, pairing_at

STATES = (RUNNING, PAUSED, *ENDED)
MOST_CYCLES = 100
ATTEMPTS_TO_VOID = 3            # a match that counted at a later one may have been void before, and rated late


# What is remembered of a place in the schedule, in a byte: nothing, void, or the first bot's score plus PLAYED …
VOID, PLAYED, OUTCOME = 1, 2, 0b111
MAY_BE_LATE, IS_RATED = 0b1000, 0b10000                  # … and these


class Schedule:
    """Takes the matches of a tournament in order.  Every method raises ArchiveRefused where something does not hold."""

    def __init__(self, terms: Tournament, rules: Rules, roster: Roster) -> None:
        self.terms = terms
        self.entrants = terms.entrants
        self._rules = rules
        self._roster = roster
        self._outcomes = bytearray()                            # a byte for each place up to the last match
        self._points = array("q"), array("q")                   # of the first bots and the second
        self._check_terms()
        self._check_entrants()
        self._check_seed()

    def _check_terms(self) -> None:
        terms = self.terms
        try:
            form = parse_format(terms.match_format, game=self._rules.name).name
            control = str(parse_time_control(terms.time_control))
            check_opening_plies(terms.opening_plies)
        except ArenaError as error:
            raise ArchiveRefused(str(error), check="tournament") from error
        if (form, control) != (terms.match_format, terms.time_control):
            _refuse("tournament", f"format and time control are spelled {form} and {control}")
        if terms.state not in STATES:
            _refuse("tournament", f"the state is one of {', '.join(STATES)}, not {terms.state[:40]!r}")
        if not 1 <= terms.cycles <= MOST_CYCLES:
            _refuse("tournament", f"a tournament has 1 to {MOST_CYCLES} cycles, not {terms.cycles}")

    def _check_entrants(self) -> None:
        terms = self.terms
        for entrant in self.entrants:
            self._roster.ref(entrant.bot, entrant.version)
        if len({entrant.bot for entrant in self.entrants}) != len(self.entrants) or len(self.entrants) < 2:
            _refuse("tournament", "a tournament is between at least two bots, each entered once")
        count = match_count(len(self.entrants), terms.cycles)
        if terms.match_count != count:
            _refuse("schedule", f"match_count is {terms.match_count}; {len(self.entrants)} bots make {count}")
        if terms.reached > count or (terms.state == FINISHED and terms.reached != count):
            _refuse("schedule", f"a {terms.state} tournament of {count} matches cannot have reached {terms.reached}")

    def _check_seed(self) -> None:
        seed = self.terms.seed
        if seed is None:
            if self.terms.is_ended:
                _refuse("seed", f"the tournament is {self.terms.state}, so its seed is public and must be here")
            return
        if not is_seed(seed):
            _refuse("seed", f"a seed is 64 hex digits, not {seed[:80]!r}")
        if hashlib.sha256(seed.encode()).hexdigest() != self.terms.seed_hash:
            _refuse("seed", "its SHA-256 is not seed_hash, which was published at the start")

    def take(self, match: Match) -> MatchRecord | None:
        """Check the next match; its record, or None when it is void."""
        self._check_place(match)
        is_void = match.record is None
        if is_void != (match.result is None) or is_void != (match.void_reason is not None):
            _refuse("schedule", "a match has a result and a record, or else a reason why it is void")
        if match.record is None:
            self._keep(match.index, VOID, (0, 0))
            return None
        record = from_json(match.record)
        self._check_assignment(match.index, record)
        replay(record)
        result = result_of(record)
        expect(match.result, result, "result")
        late = MAY_BE_LATE if match.attempt > ATTEMPTS_TO_VOID else 0
        self._keep(match.index, PLAYED + result.score[0] | late, result.points)
        return record

    def _check_place(self, match: Match) -> None:
        due, place = len(self._outcomes), match.index
        if match.tournament != self.terms.id:
            _refuse("schedule", f"it is of tournament {match.tournament}, among those of {self.terms.id}")
        if place < due:
            _refuse("schedule", f"match {place} of the schedule comes after match {due - 1}: twice, or out of order")
        if place >= self.terms.reached:
            _refuse("schedule", f"there is no match {place}; the tournament has reached {self.terms.reached}")
        if place > due and self.terms.is_ended:
            _refuse("schedule", f"match {due} of the schedule is missing; this is match {place}")

    def _check_assignment(self, index: int, record: MatchRecord) -> None:
        """A record is of the two that met here, on the tournament's terms, from its own seed."""
        pairing = self.pairing(index)
        bots = tuple(self._roster.ref(entrant.bot, entrant.version) for entrant in pairing)
        if record.bots != bots:
            _refuse("pairing", f"match {index} is between {_told(bots)}, the record is of {_told(record.bots)}")
        terms = self.terms
        for name, claimed, due in (
            ("ruleset", record.ruleset, self._rules.ruleset),
            ("format", record.match_format, terms.match_format),
            ("time control", record.time_control, terms.time_control),
            ("opening plies", record.opening_plies, terms.opening_plies),
            ("engine version", record.engine_version, terms.engine_version),
        ):
            if claimed != due:
                _refuse("terms", f"{name}: the record has {claimed!r}, the tournament {due!r}")
        if terms.seed is not None and record.seed != match_seed(terms.seed, index):
            _refuse("seed", f"the seed of match {index} does not follow from the tournament's")

    def _keep(self, index: int, outcome: int, points: tuple[int, ...]) -> None:
        skipped = index - len(self._outcomes)
        self._outcomes.extend(bytes(skipped))
        self._outcomes.append(outcome)
        for column, value in zip(self._points, points, strict=True):
            column.extend([0] * skipped)
            column.append(value)

    def close(self) -> Standings:
        """Check that no match is missing at the end; the table that follows from the results."""
        if self.terms.is_ended and len(self._outcomes) != self.terms.reached:
            _refuse("schedule", f"match {len(self._outcomes)} of {self.terms.name} is missing")
        withdrawn = {number for number, entrant in enumerate(self.entrants) if entrant.withdrawn_at is not None}
        numbers, cycles = range(len(self.entrants)), self.terms.cycles
        table = tables.standings(numbers, self._results(), withdrawn, cycles=cycles)
        self._points = array("q"), array("q")
        return standings_of(self.terms.id, self.entrants, table)

    def _results(self) -> Iterator[tables.Result]:
        for index, points in enumerate(zip(*self._points, strict=True)):
            score = self.score(index)
            if score is not None:
                pairing = self._pairing(index)
                yield tables.Result(pairing.first, pairing.second, score, points)

    # --- what the ledger asks

    def pairing(self, index: int) -> tuple[Entrant, Entrant]:
        """Who meets at this place."""
        pairing = self._pairing(index)
        return self.entrants[pairing.first], self.entrants[pairing.second]

    def _pairing(self, index: int) -> Pairing:
        return pairing_at(len(self.entrants), self.terms.cycles, index)

    def score(self, index: int) -> tuple[int, int] | None:
        """In half-points; None when there is no result at this place."""
        first = (self._outcomes[index] & OUTCOME) - PLAYED if index < len(self._outcomes) else -1
        return (first, 2 - first) if first >= 0 else None

    def is_final(self, index: int) -> bool:
        """Whether the match at this place was played, or is void."""
        return bool(self._outcomes[index] & OUTCOME)

    def may_be_late(self, index: int) -> bool:
        """Whether the match may have been void once, and played after others that follow it."""
        return bool(self._outcomes[index] & MAY_BE_LATE)

    def is_rated(self, index: int) -> bool:
        return bool(self._outcomes[index] & IS_RATED)

    def is_to_be_rated(self, index: int) -> bool:
        """Whether the result at this place, if there is one, belongs into the ledger."""
        terms = self.terms
        first, second = self.pairing(index)
        owners = self._roster.owner(first.bot), self._roster.owner(second.bot)
        return (
            terms.is_rated and is_in_rated_cycle(index, terms.cycles, terms.match_count) and may_be_rated(owners)
        )

    def set_rated(self, index: int) -> None:
        self._outcomes[index] |= IS_RATED

    def places(self) -> range:
        """All up to the last match that has a line."""
        return range(len(self._outcomes))


def _told(bots: tuple[BotRef, ...]) -> str:
    return " and ".join(f"{bot.name} version {bot.version} ({bot.content_hash[:8]}…)" for bot in bots)


def _refuse(check: str, reason: str) -> None:
    raise ArchiveRefused(reason, check=check)
