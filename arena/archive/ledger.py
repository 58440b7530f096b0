"""The ratings of an archive, folded again: every change follows from a result and from what stood before it."""

from collections.abc import Iterator, Mapping

from arena.archive.derive import rated_of, rating_of
from arena.archive.entries import Elsewhere, Rated, Rating
from arena.archive.forms import expect
from arena.archive.roster import Roster
from arena.archive.schedule import Schedule
from arena.errors import ArchiveRefused
from arena.ratings import ledger
from arena.ratings.ledger import RatedResult, RatedVersion, Step, fold


class LedgerReplay:
    """Takes the lines of the ledger in order.  Every method raises ArchiveRefused where something does not hold.

    `is_whole`: the file holds everything that was rated under the ruleset, so nothing comes from elsewhere.
    """

    def __init__(self, roster: Roster, schedules: Mapping[int, Schedule], *, is_whole: bool) -> None:
        self._roster = roster
        self._schedules = schedules
        self._is_whole = is_whole
        self._state: dict[RatedVersion, ledger.Rating] = {}
        self._taken: dict[RatedVersion, ledger.Rating] = {}     # given for the next result
        self._last_rated: dict[int, int] = {}                   # places, by tournament
        self.results = self.changes = self.taken = 0

    def take_over(self, entry: Elsewhere) -> None:
        """Believe where a version stood after matches that are not in the file."""
        version = self._roster.rated(entry.bot, entry.version)
        known = self._state.get(version)
        if self._is_whole:
            _refuse("the archive of a ruleset has all that was rated, and takes nothing over")
        if version in self._taken or entry.matches <= (known.matches if known else 0):
            _refuse(f"{entry.bot} version {entry.version} has not played more elsewhere since it was last rated here")
        self._taken[version] = ledger.Rating(entry.rating, entry.matches)
        self.taken += 1

    def take(self, entry: Rating) -> None:
        """Rate the next match, and compare."""
        schedule = self._schedules.get(entry.tournament)
        if schedule is None:
            raise ArchiveRefused(f"there is no tournament {entry.tournament} above", check="ratings")
        score = schedule.outcomes.score(entry.index)
        if score is None or not schedule.is_to_be_rated(entry.index):
            raise ArchiveRefused(f"match {entry.index} of {schedule.terms.name} is not to be rated", check="ratings")
        self._check_order(entry, schedule)
        step = self._step(entry, schedule, score)
        expect(entry, rating_of(entry.tournament, entry.index, step.rows, self._roster.names), "ratings")
        self._state.update(step.ratings)
        schedule.outcomes.set_rated(entry.index)
        self.results += 1
        self.changes += len(step.rows)

    def _check_order(self, entry: Rating, schedule: Schedule) -> None:
        """In the order of the schedule, but for a match that was void first."""
        if schedule.outcomes.is_rated(entry.index):
            _refuse(f"match {entry.index} of {schedule.terms.name} is rated twice", "order")
        last = self._last_rated.get(entry.tournament, -1)
        if entry.index < last and not schedule.outcomes.may_be_late(entry.index):
            _refuse(f"match {entry.index} of {schedule.terms.name} is rated after its match {last}", "order")
        self._last_rated[entry.tournament] = max(last, entry.index)

    def _step(self, entry: Rating, schedule: Schedule, score: tuple[int, int]) -> Step:
        first, second = (self._roster.rated(bot.bot, bot.version) for bot in schedule.pairing(entry.index))
        for version in self._taken:
            if version.bot not in (first.bot, second.bot):
                _refuse(f"{self._roster.names[version.bot]} does not play in the match that is rated next")
        self._state.update(self._taken)
        self._taken.clear()
        return fold(self._state, RatedResult(entry.index, first, second, score))

    def close(self) -> None:
        """Check that every result is rated that must be by now."""
        if self._taken:
            _refuse("what stood before a match is given, and no match follows")
        for schedule in self._schedules.values():
            outcomes = schedule.outcomes
            for due, index in enumerate(outcomes.places):
                if index > due and not schedule.terms.is_ended:
                    break                       # results behind a match that is still played wait for it
                if outcomes.score(index) and schedule.is_to_be_rated(index) and not outcomes.is_rated(index):
                    _refuse(f"match {index} of {schedule.terms.name} is to be rated, and is not")

    def standing(self) -> Iterator[Rated]:
        """Where every version stands, by name and number."""
        names = self._roster.names
        for version in sorted(self._state, key=lambda version: (names[version.bot], version.number)):
            yield rated_of(version, self._state[version], names)


def _refuse(reason: str, check: str = "ratings") -> None:
    raise ArchiveRefused(reason, check=check)
