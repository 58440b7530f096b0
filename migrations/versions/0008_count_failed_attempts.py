"""Count attempts that failed without reading those that did not."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

FAILED = sa.text("\"end\" IN ('expired', 'fault')")


def upgrade() -> None:
    op.create_index("ix_attempts_failed", "attempts", ["end"], sqlite_where=FAILED, postgresql_where=FAILED)


def downgrade() -> None:
    op.drop_index("ix_attempts_failed", "attempts")
