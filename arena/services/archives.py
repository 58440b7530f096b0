"""Write a tournament, or everything that was played under a ruleset, as one file that anybody can check.

All of it is one snapshot, and only a few matches are in memory at a time.  The form of the lines: docs/verify.md.
Ended tournaments do not change, so exporting one twice gives the same file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import Connection

from arena import __version__ as engine_version
from arena import games
from arena.archive import entries
from arena.archive.derive import rated_of, rating_of, standings_of
from arena.archive.entries import FORMAT, VERSION, Elsewhere, End, Header, Match
from arena.archive.forms import to_fields
from arena.archive.lines import LineWriter
from arena.errors import Conflict, NotFound
from arena.ratings.ledger import INHERIT, LedgerRow, RatedVersion, Rating
from arena.services.standings import table_of
from arena.store import archives, ledger, tournaments
from arena.store.ledger import Entry
from arena.store.session import Store
from arena.store.tournaments import ENDED, Tournament

Write = Callable[[bytes], object]
OnProgress = Callable[[int, int], None]         # matches written, matches in all


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written; `fingerprint` is that of the file. `running` tournaments have kept their seed secret."""

    ruleset: str
    tournaments: int
    matches: int
    lines: int
    fingerprint: str
    running: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Scope:
    """What goes into a file; `tournament` is None when it is all of the ruleset."""

    ruleset: str
    tournament: str | None
    tournaments: tuple[Tournament, ...]


def export_tournament(store: Store, name: str, write: Write, on_progress: OnProgress) -> Exported:
    """One tournament, by name or number, with its part of the ledger."""
    with store.read() as tx:
        number = archives.find_tournament(tx, name)
        found = None if number is None else tournaments.find(tx, number)
        if found is None:
            raise NotFound(f"There is no tournament {name[:60]!r}; look for it in the list of tournaments.")
        if not archives.reached(tx, found.id):
            raise Conflict(f"{found.name} is {found.state} and no match of it has begun; there is nothing to export.")
        return _Export(tx, _Scope(found.ruleset, found.name, (found,)), write, on_progress).run()


def export_ruleset(store: Store, ruleset: str, write: Write, on_progress: OnProgress) -> Exported:
    """All tournaments of a ruleset that have begun, with its whole ledger."""
    name = games.load(ruleset).ruleset
    with store.read() as tx:
        numbers = archives.begun(tx, name)
        found = tuple(each for number in numbers if (each := tournaments.find(tx, number)) is not None)
        if not found:
            raise NotFound(f"No tournament of {name} has begun; look for its name in the list of tournaments.")
        return _Export(tx, _Scope(name, None, found), write, on_progress).run()


class _Export:
    """One file being written, line by line."""

    def __init__(self, tx: Connection, scope: _Scope, write: Write, on_progress: OnProgress) -> None:
        self._tx = tx
        self._scope = scope
        self._numbers = [each.id for each in scope.tournaments]
        self._lines = LineWriter(write)
        self._on_progress = on_progress
        self._names: dict[int, str] = {}                        # of bots, by their ids
        self._introduced: set[RatedVersion] = set()
        self._truth: dict[RatedVersion, Rating] = {}            # by the whole ledger
        self._told: dict[RatedVersion, Rating] = {}             # as a reader of the file knows it
        self._matches = self._games = self._ratings = 0
        self._total = archives.count_final(tx, self._numbers)

    def run(self) -> Exported:
        scope = self._scope
        options = dict(games.load(scope.ruleset).options)
        self._add(Header(FORMAT, VERSION, engine_version, scope.ruleset, options, scope.tournament, self._total))
        for tournament in scope.tournaments:
            self._add_tournament(tournament)
        self._add_ledger()
        if scope.tournament is None:
            self._add_standing()
        self._add(End(self._lines.count + 1, self._matches, self._games, self._ratings))
        return Exported(
            ruleset=scope.ruleset,
            tournaments=len(scope.tournaments),
            matches=self._matches,
            lines=self._lines.count,
            fingerprint=self._lines.chain,
            running=tuple(each.name for each in scope.tournaments if each.state not in ENDED),
        )

    def _add(self, entry: entries.Entry) -> None:
        self._lines.add(to_fields(entry))

    def _introduce(self, version: RatedVersion) -> None:
        """Its line, before the first one that names it."""
        if version not in self._introduced:
            entry = archives.version(self._tx, version.bot, version.number)
            self._introduced.add(version)
            self._names[version.bot] = entry.bot
            self._add(entry)

    def _add_tournament(self, tournament: Tournament) -> None:
        entrants = tournaments.entrants_of(self._tx, tournament.id)
        for entrant in entrants:
            self._introduce(RatedVersion(entrant.bot_id, entrant.version))
        terms = archives.terms_of(self._tx, tournament, entrants)
        self._add(terms)
        for match in archives.matches_of(self._tx, tournament.id):
            self._add_match(match)
        table = table_of(self._tx, tournament, entrants)
        self._add(standings_of(tournament.id, terms.entrants, table))

    def _add_match(self, match: Match) -> None:
        self._add(match)
        self._matches += 1
        self._games += 0 if match.result is None else match.result.games
        self._on_progress(self._matches, self._total)

    def _add_ledger(self) -> None:
        """The changes by matches in the file, in the order of the ledger, and what a reader must know besides."""
        inside, left = set(self._numbers), archives.count_changes(self._tx, self._numbers)
        whole = ledger.entries(self._tx, self._scope.ruleset)
        for (tournament_id, index), group in groupby(whole, lambda each: (each.tournament_id, each.schedule_index)):
            rows = [each.row for each in sorted(group, key=_place)]
            if tournament_id in inside:
                self._tell_before(rows)
                self._add(rating_of(tournament_id, index, rows, self._names))
                self._ratings += 1
                left -= len(rows)
            for row in rows:
                self._follow(row, is_told=tournament_id in inside)
            if not left:
                break

    def _tell_before(self, rows: Sequence[LedgerRow]) -> None:
        """Where versions stand after matches outside the file, as far as it matters for these rows."""
        inherited = {row.version for row in rows if row.kind == INHERIT}
        for row in rows:
            needed = _predecessor(self._truth, row.version) if row.version in inherited else row.version
            true = self._truth.get(needed) if needed else None
            if needed is not None and true is not None and self._told.get(needed) != true:
                self._introduce(needed)
                self._add(Elsewhere(self._names[needed.bot], needed.number, true.rating, true.matches))
                self._told[needed] = true

    def _follow(self, row: LedgerRow, *, is_told: bool) -> None:
        before = self._truth.get(row.version, Rating())
        self._truth[row.version] = Rating(row.after, before.matches + (row.kind != INHERIT))
        if is_told:
            self._told[row.version] = self._truth[row.version]

    def _add_standing(self) -> None:
        """Where every version stands, by the name of its bot and its number."""
        standing = ledger.standing_of_all(self._tx, self._scope.ruleset)
        names = ledger.bot_names(self._tx, {version.bot for version in standing})
        for version in sorted(standing, key=lambda version: (names[version.bot], version.number)):
            self._add(rated_of(version, standing[version], names))


def _place(entry: Entry) -> tuple[bool, bool]:
    """Among the rows of one match: as the fold gives them, what is taken over first, then first bot before second."""
    return entry.row.kind != INHERIT, entry.result is not None and entry.row.version != entry.result.first


def _predecessor(state: dict[RatedVersion, Rating], version: RatedVersion) -> RatedVersion | None:
    """The version whose rating this one takes over."""
    earlier = [other for other in state if other.bot == version.bot and other.number < version.number]
    return max(earlier, default=None)
