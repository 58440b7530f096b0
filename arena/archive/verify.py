"""The proof of an archive: read once from the first line to the last, believing nothing that can be worked out.

Needs the rules, formats, schedules and ratings, and nothing else; what no file can show is said in the proof.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NoReturn

from arena import games
from arena.archive.entries import (
    FORMAT,
    VERSION,
    Elsewhere,
    End,
    Entry,
    Header,
    Match,
    Rated,
    Rating,
    Standings,
    Tournament,
    Version,
)
from arena.archive.forms import expect, from_fields
from arena.archive.ledger import LedgerReplay
from arena.archive.lines import Line, Readable, read_lines
from arena.archive.proof import Counts, Proof, TournamentSeen, proof_of
from arena.archive.roster import Roster
from arena.archive.schedule import Schedule
from arena.errors import ArchiveRefused, ArenaError, RecordRefused
from arena.games import Rules

OnProgress = Callable[[int, int], None]         # matches checked, matches in the file

_FOLLOW: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "": ("header",),
        "header": ("version",),
        "version": ("version", "tournament", "elsewhere", "rating"),
        "tournament": ("match", "standings"),
        "match": ("match", "standings"),
        "standings": ("version", "tournament", "elsewhere", "rating", "rated", "end"),
        "elsewhere": ("version", "elsewhere", "rating"),
        "rating": ("version", "elsewhere", "rating", "rated", "end"),
        "rated": ("rated", "end"),
        "end": (),
    }
)


def verify(file: Readable, on_progress: OnProgress = lambda done, total: None) -> Proof:
    """What the file proves.  Raises: ArchiveRefused at the first line that does not hold, with line and check."""
    reading = _Reading(on_progress)
    last: Line | None = None
    for line in read_lines(file):
        try:
            reading.take(from_fields(line.fields), line.number)
        except ArchiveRefused as refused:
            refused.line = line.number
            raise
        except RecordRefused as refused:
            raise ArchiveRefused(str(refused), check="record", line=line.number) from refused
        last = line
    if last is None or reading.last != End.kind:
        missing = last.number + 1 if last else 1
        raise ArchiveRefused("the file breaks off: its line of kind `end` is missing", check="form", line=missing)
    return reading.proof(last)


class _Reading:
    """The archive as far as it was read."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self.last = ""
        self._roster = Roster()
        self._schedules: dict[int, Schedule] = {}
        self._counts = Counts()
        self._standing: Iterator[Rated] | None = None

    def take(self, entry: Entry, number: int) -> None:
        if entry.kind not in _FOLLOW[self.last]:
            after = f"after one of kind {self.last!r}" if self.last else "at the start"
            _refuse("form", f"no line of kind {entry.kind!r} can stand {after}")
        self._take(entry, number)
        self.last = entry.kind

    def _take(self, entry: Entry, number: int) -> None:
        match entry:
            case Header():
                self._take_header(entry)
            case Version():
                self._roster.add(entry)
            case Tournament():
                self._take_tournament(entry)
            case Match():
                self._take_match(entry)
            case Standings():
                expect(entry, self._schedule.close(), "standings")
            case Elsewhere():
                self._ledger.take_over(entry)
            case Rating():
                self._ledger.take(entry)
            case Rated():
                self._take_rated(entry)
            case End():
                self._take_end(entry, number)

    def _take_header(self, header: Header) -> None:
        if (header.format, header.version) != (FORMAT, VERSION):
            _refuse("header", f"this reads {FORMAT} in version {VERSION}, not {header.format[:40]!r} {header.version}")
        self._header = header
        self._rules = _rules(header)
        self._ledger = LedgerReplay(self._roster, self._schedules, is_whole=header.tournament is None)

    def _take_tournament(self, tournament: Tournament) -> None:
        if self._ledger.results or tournament.id in self._schedules:
            _refuse("tournament", f"tournament {tournament.id} comes twice, or after the ratings")
        if self._header.tournament is not None and (self._schedules or tournament.name != self._header.tournament):
            _refuse("tournament", f"this is the archive of {self._header.tournament}, not of {tournament.name[:60]!r}")
        self._schedule = Schedule(tournament, self._rules, self._roster)
        self._schedules[tournament.id] = self._schedule

    def _take_match(self, match: Match) -> None:
        record = self._schedule.take(match)
        counts = self._counts
        counts.matches += 1
        if record is None:
            counts.void += 1
        else:
            counts.games += len(record.games)
            counts.moves += sum(len(game.moves) for game in record.games)
            counts.forfeits.update(game.verdict.kind for game in record.games if game.verdict is not None)
        self._on_progress(counts.matches, self._header.matches)

    def _take_rated(self, entry: Rated) -> None:
        if self._header.tournament is not None:
            _refuse("ratings", "where a version stands at the end is only in the archive of a ruleset")
        due = self._next_standing()
        if due is None:
            _refuse("ratings", f"{entry.bot} version {entry.version} was never rated")
        expect(entry, due, "ratings")

    def _next_standing(self) -> Rated | None:
        if self._standing is None:
            self._standing = self._ledger.standing()
        return next(self._standing, None)

    def _take_end(self, end: End, number: int) -> None:
        self._ledger.close()
        if self._header.tournament is None and (missing := self._next_standing()) is not None:
            _refuse("ratings", f"where {missing.bot} version {missing.version} stands is missing")
        counts = self._counts
        expect(end, End(number, counts.matches, counts.games, self._ledger.results), "totals")
        if self._header.matches != counts.matches:
            _refuse("totals", f"the header says {self._header.matches} matches, there are {counts.matches}")

    def proof(self, last: Line) -> Proof:
        """What was shown, once the last line was taken."""
        tournaments = tuple(TournamentSeen.of(schedule.terms) for schedule in self._schedules.values())
        return proof_of(self._header, tournaments, self._counts, self._ledger, last)


def _rules(header: Header) -> Rules:
    try:
        rules = games.load(header.ruleset)
    except ArenaError as error:
        raise ArchiveRefused(str(error), check="header") from error
    if rules.ruleset != header.ruleset:
        _refuse("header", f"the ruleset {header.ruleset!r} is spelled {rules.ruleset!r}")
    expect(header.options, dict(rules.options), "header")
    return rules


def _refuse(check: str, reason: str) -> NoReturn:
    raise ArchiveRefused(reason, check=check)
