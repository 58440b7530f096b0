"""Let tournaments begin by themselves, again and again."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("bots", sa.Text(), nullable=True),
        sa.Column("match_format", sa.String(length=20), nullable=False),
        sa.Column("time_control", sa.String(length=40), nullable=False),
        sa.Column("cycles", sa.Integer(), nullable=False),
        sa.Column("opening_plies", sa.Integer(), nullable=False),
        sa.Column("every", sa.String(length=40), nullable=False),
        sa.Column("at", sa.String(length=5), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("is_standing", sa.Boolean(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("last_tournament_id", ID, nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["last_tournament_id"], ["tournaments.id"], name=op.f("fk_schedules_last_tournament_id")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_schedules_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    op.create_index(op.f("ix_schedules_owner_id"), "schedules", ["owner_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_schedules_owner_id"), table_name="schedules")
    op.drop_table("schedules")
