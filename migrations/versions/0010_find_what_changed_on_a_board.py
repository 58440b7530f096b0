"""Find what changed on a board since a push, without reading all of it."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_ratings_changed", "ratings", ["ruleset", "sequence"])


def downgrade() -> None:
    op.drop_index("ix_ratings_changed", "ratings")
