"""One tournament of an archive: every match at its place, between the right two, from its seed, played by the rules.

A match is forgotten once it was checked, but for its outcome.
"""

import hashlib
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
from arena.archive.outcomes import Outcomes
from arena.archive.roster import Roster
from arena.errors import ArchiveRefused, ArenaError
from arena.games import Rules
from arena.match.format import parse_format
from arena.match.openings import check_opening_plies, is_seed, match_seed
from arena.match.record import BotRef, MatchRecord, from_json, replay
from arena.match.time_control import parse_time_control
from arena.ratings.eligibility import is_in_rated_cycle, may_be_rated
from arena.tournament import standings as tables
from arena.tournament.round_robin import Pairing, match_count, pairing_at

STATES = (RUNNING, PAUSED, *ENDED)
ATTEMPTS_TO_VOID = 3            # a match that counted at a later one may have been void before, and rated late


class Schedule:
    """Takes the matches of a tournament in order.  Every method raises ArchiveRefused where something does not hold."""

    def __init__(self, terms: Tournament, rules: Rules, roster: Roster) -> None:
        self.terms = terms
        self.entrants = terms.entrants
        self._rules = rules
        self._roster = roster
        self.outcomes = Outcomes()
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
        if terms.cycles < 1:
            _refuse("tournament", f"a tournament has at least one cycle, not {terms.cycles}")

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
            self.outcomes.add_void(match.index)
            return None
        record = from_json(match.record)
        self._check_assignment(match.index, record)
        replay(record)
        result = result_of(record)
        expect(match.result, result, "result")
        may_be_late = match.attempt > ATTEMPTS_TO_VOID
        self.outcomes.add_result(match.index, result.score[0], result.points, may_be_late=may_be_late)
        return record

    def _check_place(self, match: Match) -> None:
        due, place = self._after_last(), match.index
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

    def _after_last(self) -> int:
        """The place behind the last match that has a line."""
        return self.outcomes.places[-1] + 1 if self.outcomes.places else 0

    def close(self) -> Standings:
        """Check that no match is missing at the end; the table that follows from the results."""
        if self.terms.is_ended and self._after_last() != self.terms.reached:
            _refuse("schedule", f"match {self._after_last()} of {self.terms.name} is missing")
        withdrawn = {number for number, entrant in enumerate(self.entrants) if entrant.withdrawn_at is not None}
        numbers, cycles = range(len(self.entrants)), self.terms.cycles
        table = tables.standings(numbers, self._results(), withdrawn, cycles=cycles)
        return standings_of(self.terms.id, self.entrants, table)

    def _results(self) -> Iterator[tables.Result]:
        for place, score, points in self.outcomes.results():
            pairing = self._pairing(place)
            yield tables.Result(pairing.first, pairing.second, score, points)

    def pairing(self, index: int) -> tuple[Entrant, Entrant]:
        """Who meets at this place."""
        pairing = self._pairing(index)
        return self.entrants[pairing.first], self.entrants[pairing.second]

    def _pairing(self, index: int) -> Pairing:
        return pairing_at(len(self.entrants), self.terms.cycles, index)

    def is_to_be_rated(self, index: int) -> bool:
        """Whether the result at this place, if there is one, belongs into the ledger."""
        terms = self.terms
        first, second = self.pairing(index)
        owners = self._roster.owner(first.bot), self._roster.owner(second.bot)
        return (
            terms.is_rated and is_in_rated_cycle(index, terms.cycles, terms.match_count) and may_be_rated(owners)
        )


def _told(bots: tuple[BotRef, ...]) -> str:
    return " and ".join(f"{bot.name} version {bot.version} ({bot.content_hash[:8]}…)" for bot in bots)


def _refuse(check: str, reason: str) -> None:
    raise ArchiveRefused(reason, check=check)
