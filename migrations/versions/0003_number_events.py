"""Number what happens in a tournament, for those who watch it; what happened before stays unnumbered."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=6), nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.CheckConstraint("kind IN ('result', 'rating')", name=op.f("ck_events_kind")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_events_match_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_events_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_events")),
    )


def downgrade() -> None:
    op.drop_table("events")
