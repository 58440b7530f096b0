"""Read a leaderboard in its order from the database, too."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_ratings_board", "ratings", ["ruleset", "rating", "matches"])


def downgrade() -> None:
    op.drop_index("ix_ratings_board", "ratings")
