"""What an archive that holds has shown, and what no file can show."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from arena import __version__ as engine_version
from arena.archive.entries import Header, Tournament
from arena.archive.ledger import LedgerReplay
from arena.archive.lines import Line


@dataclass(slots=True)
class Counts:
    """What was met in the file; `void` of the `matches` were never played to an end, `forfeits` are games by kind."""

    matches: int = 0
    void: int = 0
    games: int = 0
    moves: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class TournamentSeen:
    """A tournament in the file; `seed_hash` is to be compared with the one published at its start."""

    id: int
    name: str
    state: str
    matches: int
    seed_hash: str
    is_seed_shown: bool
    engine_version: str

    @classmethod
    def of(cls, terms: Tournament) -> "TournamentSeen":
        return cls(
            terms.id,
            terms.name,
            terms.state,
            terms.match_count,
            terms.seed_hash,
            terms.seed is not None,
            terms.engine_version,
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """A file that holds.  `tournament` is None for all of a ruleset; `unproven` says in sentences what was not shown.

    `fingerprint` is the chain value of the last line: two files with the same one are the same file.
    """

    ruleset: str
    tournament: str | None
    tournaments: tuple[TournamentSeen, ...]
    lines: int
    matches: int
    void: int
    games: int
    moves: int
    rated_matches: int
    rating_changes: int
    ratings_taken: int
    unproven: tuple[str, ...]
    fingerprint: str


def proof_of(
    header: Header, tournaments: tuple[TournamentSeen, ...], counts: Counts, ledger: LedgerReplay, last: Line
) -> Proof:
    """The proof of a file that was read to its end."""
    return Proof(
        ruleset=header.ruleset,
        tournament=header.tournament,
        tournaments=tournaments,
        lines=last.number,
        matches=counts.matches,
        void=counts.void,
        games=counts.games,
        moves=counts.moves,
        rated_matches=ledger.results,
        rating_changes=ledger.changes,
        ratings_taken=ledger.taken,
        unproven=tuple(_unproven(tournaments, counts, ledger)),
        fingerprint=last.chain,
    )


def _unproven(tournaments: tuple[TournamentSeen, ...], counts: Counts, ledger: LedgerReplay) -> Iterator[str]:
    """Sentences on what this file leaves open; what every file leaves open is in docs/verify.md."""
    for seen in tournaments:
        if not seen.is_seed_shown:
            yield (
                f"{seen.name} is {seen.state}: its seed is secret until the end, so the seeds of its matches were "
                f"taken from the file (the openings follow from them)."
            )
    if ledger.taken:
        yield (
            f"{ledger.taken} ratings were taken from the file: those versions had been rated in matches that are not "
            f"in it. Everything after that was worked out; export the whole ruleset to prove the start, too."
        )
    if counts.forfeits:
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.forfeits.items()))
        games = counts.forfeits.total()
        yield f"{games} games were forfeited ({kinds}): that a bot really failed cannot be seen from its moves."
    if counts.void:
        yield f"{counts.void} matches are void: why cannot be seen from here."
    others = sorted({seen.engine_version for seen in tournaments} - {engine_version})
    if others:
        yield f"Played under version {', '.join(others)} of the arena, and replayed under {engine_version}."
