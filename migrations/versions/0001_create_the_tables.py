"""Create the tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "rulesets",
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("ruleset", name=op.f("pk_rulesets")),
    )
    op.create_table(
        "users",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("engine_version", sa.String(length=40), nullable=False),
        sa.Column("isolation", sa.String(length=20), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "bots",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_bots_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_index(op.f("ix_bots_game"), "bots", ["game"])
    op.create_index(op.f("ix_bots_owner_id"), "bots", ["owner_id"])
    op.create_table(
        "tokens",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_tokens_token_hash")),
    )
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"])
    op.create_table(
        "tournaments",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("match_format", sa.String(length=20), nullable=False),
        sa.Column("time_control", sa.String(length=40), nullable=False),
        sa.Column("cycles", sa.Integer(), nullable=False),
        sa.Column("opening_plies", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("is_rated", sa.Boolean(), nullable=False),
        sa.Column("engine_version", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("match_count", sa.Integer(), nullable=False),
        sa.Column("next_index", sa.Integer(), nullable=False),
        sa.Column("rating_cursor", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('created', 'running', 'paused', 'finished', 'cancelled')", name=op.f("ck_tournaments_state")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_tournaments_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("name", name=op.f("uq_tournaments_name")),
    )
    op.create_index(op.f("ix_tournaments_owner_id"), "tournaments", ["owner_id"])
    op.create_index(op.f("ix_tournaments_state"), "tournaments", ["state"])
    op.create_table(
        "versions",
        sa.Column("id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("package", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("fault_kind", sa.String(length=20), nullable=True),
        sa.Column("fault_message", sa.Text(), nullable=True),
        sa.Column("log", sa.Text(), nullable=True),
        sa.Column("import_ms", sa.Integer(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('checking', 'active', 'rejected', 'unchecked')", name=op.f("ck_versions_state")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_entrants_bot_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_entrants_tournament_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entrants_version_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entrants")),
        sa.UniqueConstraint("tournament_id", "bot_id", name=op.f("uq_entrants_tournament_id_bot_id")),
    )
    op.create_index(op.f("ix_entrants_bot_id"), "entrants", ["bot_id"])
    op.create_table(
        "matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("purpose", sa.String(length=14), nullable=False),
        sa.Column("tournament_id", ID, nullable=True),
        sa.Column("schedule_index", sa.Integer(), nullable=True),
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("match_format", sa.String(length=20), nullable=False),
        sa.Column("time_control", sa.String(length=40), nullable=False),
        sa.Column("opening_plies", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("first_version_id", ID, nullable=False),
        sa.Column("second_version_id", ID, nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=120), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("purpose IN ('tournament', 'qualification')", name=op.f("ck_matches_purpose")),
        sa.CheckConstraint("state IN ('due', 'queued', 'leased', 'finished', 'void')", name=op.f("ck_matches_state")),
        sa.ForeignKeyConstraint(["first_version_id"], ["versions.id"], name=op.f("fk_matches_first_version_id")),
        sa.ForeignKeyConstraint(["second_version_id"], ["versions.id"], name=op.f("fk_matches_second_version_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name=op.f("fk_matches_tournament_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("tournament_id", "schedule_index", name=op.f("uq_matches_tournament_id_schedule_index")),
    )
    op.create_index(op.f("ix_matches_first_version_id"), "matches", ["first_version_id"])
    op.create_index(op.f("ix_matches_second_version_id"), "matches", ["second_version_id"])
    op.create_index(op.f("ix_matches_state_matches_until"), "matches", ["state", "until"])
    op.create_index(op.f("ix_matches_tournament_id_matches_state"), "matches", ["tournament_id", "state"])
    op.create_table(
        "ratings",
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("rating", sa.Float(precision=53), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_ratings_bot_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_ratings_version_id")),
        sa.PrimaryKeyConstraint("ruleset", "version_id", name=op.f("pk_ratings")),
    )
    op.create_index(op.f("ix_ratings_ruleset_ratings_bot_id"), "ratings", ["ruleset", "bot_id"])
    op.create_table(
        "attempts",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=120), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end", sa.String(length=12), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("late_record", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_attempts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_attempts")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("id", ID, nullable=False),
        sa.Column("ruleset", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("before", sa.Float(precision=53), nullable=False),
        sa.Column("after", sa.Float(precision=53), nullable=False),
        sa.Column("expected", sa.Float(precision=53), nullable=True),
        sa.Column("k", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("opponent_version_id", ID, nullable=True),
        sa.Column("opponent_before", sa.Float(precision=53), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('match', 'inherit')", name=op.f("ck_rating_changes_kind")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_rating_changes_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_rating_changes_match_id")),
        sa.ForeignKeyConstraint(
            ["opponent_version_id"], ["versions.id"], name=op.f("fk_rating_changes_opponent_version_id")
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_rating_changes_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_changes")),
        sa.UniqueConstraint("match_id", "version_id", "kind", name=op.f("uq_rating_changes_match_id_version_id_kind")),
    )
    op.create_index(op.f("ix_rating_changes_ruleset_rating_changes_id"), "rating_changes", ["ruleset", "id"])
    op.create_index(op.f("ix_rating_changes_version_id_rating_changes_id"), "rating_changes", ["version_id", "id"])
    op.create_table(
        "results",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("first_score", sa.Integer(), nullable=False),
        sa.Column("second_score", sa.Integer(), nullable=False),
        sa.Column("first_points", sa.Integer(), nullable=False),
        sa.Column("second_points", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("record_hash", sa.String(length=64), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("first_log", sa.Text(), nullable=False),
        sa.Column("second_log", sa.Text(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_results_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_results")),
    )


def downgrade() -> None:
    op.drop_table("results")
    op.drop_index(op.f("ix_rating_changes_version_id_rating_changes_id"), table_name="rating_changes")
    op.drop_index(op.f("ix_rating_changes_ruleset_rating_changes_id"), table_name="rating_changes")
    op.drop_table("rating_changes")
    op.drop_table("attempts")
    op.drop_index(op.f("ix_ratings_ruleset_ratings_bot_id"), table_name="ratings")
    op.drop_table("ratings")
    op.drop_index(op.f("ix_matches_tournament_id_matches_state"), table_name="matches")
    op.drop_index(op.f("ix_matches_state_matches_until"), table_name="matches")
    op.drop_index(op.f("ix_matches_second_version_id"), table_name="matches")
    op.drop_index(op.f("ix_matches_first_version_id"), table_name="matches")
    op.drop_table("matches")
    op.drop_index(op.f("ix_entrants_bot_id"), table_name="entrants")
    op.drop_table("entrants")
    op.drop_table("versions")
    op.drop_index(op.f("ix_tournaments_state"), table_name="tournaments")
    op.drop_index(op.f("ix_tournaments_owner_id"), table_name="tournaments")
    op.drop_table("tournaments")
    op.drop_index(op.f("ix_tokens_user_id"), table_name="tokens")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_bots_owner_id"), table_name="bots")
    op.drop_index(op.f("ix_bots_game"), table_name="bots")
    op.drop_table("bots")
    op.drop_table("workers")
    op.drop_table("users")
    op.drop_table("rulesets")
