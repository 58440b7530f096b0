"""Find a bot's last matches, and its rating at a moment, without reading the ledger."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_rating_changes_of_bot": ["bot_id", "ruleset", "id"],
    "ix_rating_changes_of_bot_at": ["bot_id", "ruleset", "created_at"],
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.create_index(name, "rating_changes", columns)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, "rating_changes")
