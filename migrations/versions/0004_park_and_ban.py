"""Let versions be parked, and bots and users be banned; find versions by their state without reading packages."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BEFORE = "state IN ('checking', 'active', 'rejected', 'unchecked')"
AFTER = "state IN ('checking', 'active', 'rejected', 'unchecked', 'parked')"


def upgrade() -> None:
    _allow_states(AFTER)
    op.create_index(
        op.f("ix_versions_state_versions_bot_id_versions_number"), "versions", ["state", "bot_id", "number"]
    )
    for table in ("users", "bots"):
        op.add_column(table, sa.Column("banned_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    for table in ("bots", "users"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("banned_at")
    op.drop_index(op.f("ix_versions_state_versions_bot_id_versions_number"), table_name="versions")
    op.execute("UPDATE versions SET state = 'rejected' WHERE state = 'parked'")
    _allow_states(BEFORE)


def _allow_states(condition: str) -> None:
    with op.batch_alter_table("versions") as batch:
        batch.drop_constraint(op.f("ck_versions_state"), type_="check")
        batch.create_check_constraint(op.f("ck_versions_state"), condition)
