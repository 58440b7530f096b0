"""Keep what every entrant made, so that a table need not be added up from all results; counts those there are."""

from array import array
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TOTALS = ("matches", "wins", "draws", "losses", "score", "points")
PAIRS = {"pairs_met": "H", "pairs_scores": "H", "pairs_drawn": "H", "pairs_points": "I", "pairs_conceded": "I"}
AT_ONCE = 5000


def upgrade() -> None:
    table = op.create_table(
        "tallies",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in TOTALS),
        *(sa.Column(name, sa.LargeBinary(), nullable=False) for name in PAIRS),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_tallies_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tallies")),
    )
    connection = op.get_bind()
    for tournament_id in connection.scalars(sa.text("SELECT id FROM tournaments ORDER BY id")).all():
        rows = _counted(connection, tournament_id)
        if rows:
            connection.execute(sa.insert(table), rows)


def downgrade() -> None:
    op.drop_table("tallies")


def _counted(connection: sa.Connection, tournament_id: int) -> list[dict[str, Any]]:
    """The tallies of all entrants that have played."""
    entrants = "SELECT version_id, number FROM entrants WHERE tournament_id = :id"
    number_of = {row.version_id: row.number for row in connection.execute(sa.text(entrants), {"id": tournament_id})}
    counted: dict[int, dict[str, Any]] = {}
    for result in _results(connection, tournament_id):
        first, second = number_of[result.first_version_id], number_of[result.second_version_id]
        for number, opponent, score, points, conceded in (
            (first, second, result.first_score, result.first_points, result.second_points),
            (second, first, result.second_score, result.second_points, result.first_points),
        ):
            row = counted.setdefault(number, _empty(len(number_of)))
            _add(row, opponent, score, points, conceded)
    return [
        {"tournament_id": tournament_id, "number": number, **row, **{name: row[name].tobytes() for name in PAIRS}}
        for number, row in sorted(counted.items())
    ]


def _results(connection: sa.Connection, tournament_id: int) -> Iterator[Any]:
    query = sa.text(
        "SELECT first_version_id, second_version_id, first_score, second_score, first_points, second_points "
        "FROM results JOIN matches ON matches.id = results.match_id WHERE tournament_id = :id"
    )
    yield from connection.execute(query, {"id": tournament_id}, execution_options={"yield_per": AT_ONCE})


def _empty(entrants: int) -> dict[str, Any]:
    pairs = {name: array(kind, bytes(array(kind).itemsize * entrants)) for name, kind in PAIRS.items()}
    return dict.fromkeys(TOTALS, 0) | pairs


def _add(row: dict[str, Any], opponent: int, score: int, points: int, conceded: int) -> None:
    row["matches"] += 1
    row[("losses", "draws", "wins")[score]] += 1
    row["score"] += score
    row["points"] += points
    row["pairs_met"][opponent] += 1
    row["pairs_scores"][opponent] += score
    row["pairs_drawn"][opponent] += score == 1
    row["pairs_points"][opponent] += points
    row["pairs_conceded"][opponent] += conceded
