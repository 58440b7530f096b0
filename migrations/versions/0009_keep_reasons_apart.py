"""Keep why a bot forfeited apart from the record, which anybody may read."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("results", sa.Column("reasons", sa.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    with op.batch_alter_table("results") as results:
        results.drop_column("reasons")
