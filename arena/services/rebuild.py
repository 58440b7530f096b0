"""Fold the rating ledger again from the results, and compare: what is stored must agree to the last digit."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection

from arena.ratings.eligibility import RATED_CYCLES, SYSTEM_OWNER
from arena.ratings.ledger import LedgerRow, RatedVersion, Rating, fold
from arena.services.board_copies import refill_boards
from arena.services.recount import recount
from arena.store import ledger, ratings
from arena.store.ledger import Entry
from arena.store.session import Store, utc_now

NAMED = 20                      # differences a comparison spells out


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the results give, against what is stored; `differences` are sentences, the first few of `different`."""

    rulesets: int
    matches: int
    tournaments: int
    different: int
    differences: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        return self.different == 0


@dataclass(slots=True)
class _Audit:
    """One ruleset: where the fold stands, and everything in which the stored ledger differs from it.

    `missing` rows are not stored, `wrong` ones are stored differently, no result stands behind the `extra` ones;
    `standing` has what is stored and what is right, for every version where the two differ.
    """

    ruleset: str
    state: dict[RatedVersion, Rating] = field(default_factory=dict)
    matches: int = 0
    missing: list[LedgerRow] = field(default_factory=list)
    wrong: list[tuple[Entry, LedgerRow]] = field(default_factory=list)
    extra: list[Entry] = field(default_factory=list)
    standing: list[tuple[RatedVersion, Rating | None, Rating | None]] = field(default_factory=list)

    @property
    def different(self) -> int:
        return len(self.missing) + len(self.wrong) + len(self.extra) + len(self.standing)


def rebuild(store: Store, *, dry_run: bool) -> Comparison:
    """Compare ledgers and tables with the results; unless it is a dry run, put right what differs and fill Redis anew.

    Matches may arrive meanwhile: a ruleset is locked while it is put right, a dry run sees one snapshot.
    """
    with store.read() as tx:
        names = ledger.rated_rulesets(tx)
    comparisons = []
    for ruleset in names:
        with store.read() if dry_run else store.write() as tx:
            comparisons.append(_rebuild_ruleset(tx, ruleset, dry_run))
    if not dry_run:
        refill_boards(store, names)
    tables = recount(store, dry_run=dry_run)
    told = [sentence for comparison in comparisons for sentence in comparison.differences]
    told += tables.differences
    return Comparison(
        rulesets=len(names),
        matches=sum(comparison.matches for comparison in comparisons),
        tournaments=tables.tournaments,
        different=sum(comparison.different for comparison in comparisons) + len(tables.differences),
        differences=tuple(told[:NAMED]),
    )


def _rebuild_ruleset(tx: Connection, ruleset: str, dry_run: bool) -> Comparison:
    sequence = 0 if dry_run else ratings.lock_ruleset(tx, ruleset)
    audit = _audit(tx, ruleset)
    told = _sentences(tx, audit)
    if not dry_run:
        _put_right(tx, audit, sequence + 1, utc_now())
    return Comparison(1, audit.matches, 0, audit.different, tuple(told))


def _audit(tx: Connection, ruleset: str) -> _Audit:
    audit = _Audit(ruleset)
    for _, group in groupby(ledger.entries(tx, ruleset), key=lambda entry: entry.row.match):
        _fold_entries(audit, list(group))
    for result in ledger.left_out(tx, ruleset, SYSTEM_OWNER, RATED_CYCLES):
        step = fold(audit.state, result)
        audit.missing += step.rows
        audit.state.update(step.ratings)
        audit.matches += 1
    stored = ledger.standing_of_all(tx, ruleset)
    for version in sorted(stored.keys() | audit.state.keys()):
        if stored.get(version) != audit.state.get(version):
            audit.standing.append((version, stored.get(version), audit.state.get(version)))
    return audit


def _fold_entries(audit: _Audit, entries: list[Entry]) -> None:
    """The stored rows of one match against those that its result gives."""
    rows: Iterable[LedgerRow] = ()
    if entries[0].result is not None:
        step = fold(audit.state, entries[0].result)
        audit.state.update(step.ratings)
        audit.matches += 1
        rows = step.rows
    stored = {(entry.row.kind, entry.row.version): entry for entry in entries}
    for row in rows:
        entry = stored.pop((row.kind, row.version), None)
        if entry is None:
            audit.missing.append(row)
        elif entry.row != row:
            audit.wrong.append((entry, row))
    audit.extra += stored.values()


def _put_right(tx: Connection, audit: _Audit, sequence: int, now: datetime) -> None:
    for row in audit.missing:
        ledger.add(tx, audit.ruleset, row, now)
    for entry, row in audit.wrong:
        ledger.correct(tx, entry.id, row)
    for entry in audit.extra:
        ledger.remove(tx, entry.id)
    right = {version: (rebuilt, sequence) for version, _, rebuilt in audit.standing if rebuilt is not None}
    for version, _, rebuilt in audit.standing:
        if rebuilt is None:
            ledger.drop_standing(tx, audit.ruleset, version)
    if right:
        ratings.put_standing(tx, audit.ruleset, right, now)
        ratings.set_sequence(tx, audit.ruleset, sequence)


def _sentences(tx: Connection, audit: _Audit) -> list[str]:
    """The first few differences of each kind, in words."""
    missing, wrong, extra = audit.missing[:NAMED], audit.wrong[:NAMED], audit.extra[:NAMED]
    standing = audit.standing[:NAMED]
    bots = {row.version.bot for row in missing} | {row.version.bot for _, row in wrong}
    bots |= {entry.row.version.bot for entry in extra} | {version.bot for version, _, _ in standing}
    name = ledger.bot_names(tx, bots)
    told = [f"{_row(name, row)} is missing in the ledger" for row in missing]
    told += [f"{_row(name, entry.row)} in the ledger; {row.before} to {row.after} by result" for entry, row in wrong]
    told += [f"{_row(name, entry.row)} in the ledger, with no result behind it" for entry in extra]
    told += [
        f"{name[version.bot]} version {version.number} has {_told(stored)}; by its results {_told(rebuilt)}"
        for version, stored, rebuilt in standing
    ]
    return [f"{audit.ruleset}: {sentence}" for sentence in told]


def _row(names: dict[int, str], row: LedgerRow) -> str:
    return f"match {row.match}, {names[row.version.bot]} version {row.version.number}: {row.before} to {row.after}"


def _told(rating: Rating | None) -> str:
    return "no rating" if rating is None else f"{rating.rating} after {rating.matches} matches"
