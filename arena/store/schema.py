"""The tables. What a row means stands here; what may happen to it stands in the services.

Names are the database's only contract with `migrations/`: a change here needs a migration there.
"""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from arena.store.columns import Id, UtcTime

metadata = MetaData(naming_convention={
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
})

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("password_hash", Text, nullable=True),               # the system owner `arena` cannot log in
    Column("is_admin", Boolean, nullable=False, default=False),
    Column("created_at", UtcTime, nullable=False),
    Column("banned_at", UtcTime, nullable=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("name", String(80), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),    # SHA-256; the token itself is shown once
    Column("created_at", UtcTime, nullable=False),
)

bots = Table(
    "bots",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("owner_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("game", String(40), nullable=False, index=True),
    Column("is_open", Boolean, nullable=False, default=True),       # may other people's tournaments enter it?
    Column("created_at", UtcTime, nullable=False),
    Column("retired_at", UtcTime, nullable=True),
    Column("banned_at", UtcTime, nullable=True),                    # then it is retired, too
)

versions = Table(
    "versions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("bot_id", ForeignKey("bots.id"), nullable=False),
    Column("number", Integer, nullable=False),                      # 1, 2, 3 … of its bot
    Column("content_hash", String(64), nullable=False),             # SHA-256 of `package`
    Column("package", LargeBinary, nullable=False),                 # one file or a zip, as it was sent
    Column("state", String(12), nullable=False),
    Column("fault_kind", String(20), nullable=True),                # why it was rejected or parked: a verdict's word
    Column("fault_message", Text, nullable=True),
    Column("log", Text, nullable=True),                             # of the qualification; the owner's alone
    Column("import_ms", Integer, nullable=True),
    Column("submitted_at", UtcTime, nullable=False),
    Column("decided_at", UtcTime, nullable=True),
    UniqueConstraint("bot_id", "number"),
    CheckConstraint("state IN ('checking', 'active', 'rejected', 'unchecked', 'parked')", name="state"),
    Index(None, "state", "bot_id", "number"),                       # who may play, without reading any package
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("owner_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("ruleset", String(120), nullable=False),
    Column("match_format", String(20), nullable=False),
    Column("time_control", String(40), nullable=False),
    Column("cycles", Integer, nullable=False),
    Column("opening_plies", Integer, nullable=False),
    Column("seed", String(64), nullable=False),                     # hex; secret until the end
    Column("is_rated", Boolean, nullable=False),
    Column("engine_version", String(40), nullable=False),
    Column("state", String(12), nullable=False),
    Column("match_count", Integer, nullable=False),                 # of the whole schedule
    Column("next_index", Integer, nullable=False, default=0),       # matches below it have rows
    Column("rating_cursor", Integer, nullable=False, default=0),    # matches below it are rated or skipped
    Column("created_at", UtcTime, nullable=False),
    Column("started_at", UtcTime, nullable=True),
    Column("ended_at", UtcTime, nullable=True),
    CheckConstraint("state IN ('created', 'running', 'paused', 'finished', 'cancelled')", name="state"),
    Index(None, "state"),
)

schedules = Table(                  # tournaments that begin by themselves, again and again
    "schedules",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(40), nullable=False),                     # its tournaments are called name-1, name-2 …
    Column("owner_id", ForeignKey("users.id"), nullable=False, index=True),
    Column("ruleset", String(120), nullable=False),
    Column("bots", Text, nullable=True),                            # JSON list of names; null: every open active bot
    Column("match_format", String(20), nullable=False),
    Column("time_control", String(40), nullable=False),
    Column("cycles", Integer, nullable=False),
    Column("opening_plies", Integer, nullable=False),
    Column("every", String(40), nullable=False),
    Column("at", String(5), nullable=False),                        # local time of day
    Column("zone", String(64), nullable=False),                     # an IANA name
    Column("is_standing", Boolean, nullable=False),                 # begins, too, when there is a new bot
    Column("next_at", UtcTime, nullable=False),                     # when it begins next, at the earliest
    Column("held", Integer, nullable=False),                        # how many tournaments it has begun
    Column("last_tournament_id", ForeignKey("tournaments.id"), nullable=True),
    Column("problem", Text, nullable=True),                         # why the last one could not begin
    Column("created_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime, nullable=True),
)

entrants = Table(
    "entrants",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),                    # 0, 1, 2 …: its place in the schedule
    Column("bot_id", ForeignKey("bots.id"), nullable=False, index=True),
    Column("version_id", ForeignKey("versions.id"), nullable=False),
    Column("withdrawn_at", UtcTime, nullable=True),
    UniqueConstraint("tournament_id", "bot_id"),
)

tallies = Table(                    # what an entrant made so far; `rebuild` derives it again from results
    "tallies",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),                    # of the entrant; no row before its first result
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("score", Integer, nullable=False),                       # half-points
    Column("points", Integer, nullable=False),                      # half-points
    Column("pairs_met", LargeBinary, nullable=False),               # by the opponent's number, 16 bits each
    Column("pairs_scores", LargeBinary, nullable=False),            # 16 bits each
    Column("pairs_drawn", LargeBinary, nullable=False),             # 16 bits each
    Column("pairs_points", LargeBinary, nullable=False),            # 32 bits each
    Column("pairs_conceded", LargeBinary, nullable=False),          # 32 bits each: the opponent's points
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("purpose", String(14), nullable=False),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=True),
    Column("schedule_index", Integer, nullable=True),               # its place in the tournament's schedule
    Column("ruleset", String(120), nullable=False),
    Column("match_format", String(20), nullable=False),
    Column("time_control", String(40), nullable=False),
    Column("opening_plies", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("first_version_id", ForeignKey("versions.id"), nullable=False, index=True),
    Column("second_version_id", ForeignKey("versions.id"), nullable=True, index=True),  # null: the house's random
    Column("state", String(10), nullable=False),
    Column("attempt", Integer, nullable=False, default=0),          # number of the last claim
    Column("failures", Integer, nullable=False, default=0),         # attempts that ended in a fault of ours
    Column("until", UtcTime, nullable=True),                        # end of its place in the queue, lease or rest
    Column("worker", String(120), nullable=True),                   # holds the lease
    Column("ply", Integer, nullable=True),                          # progress as of the last renewal
    Column("void_reason", Text, nullable=True),
    Column("created_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime, nullable=True),
    UniqueConstraint("tournament_id", "schedule_index"),
    CheckConstraint("purpose IN ('tournament', 'qualification')", name="purpose"),
    CheckConstraint("state IN ('due', 'queued', 'leased', 'finished', 'void')", name="state"),
    Index(None, "state", "until"),
    Index(None, "tournament_id", "state"),                          # progress of a large schedule is a count of few
)

FAILED_ATTEMPT = text("\"end\" IN ('expired', 'fault')")         # few, of many

attempts = Table(
    "attempts",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("worker", String(120), nullable=False),
    Column("claimed_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime, nullable=True),
    Column("end", String(12), nullable=True),      # finished, returned, fault, expired, cancelled
    Column("detail", Text, nullable=True),
    Column("late_record", LargeBinary, nullable=True),              # what a stale attempt still handed in
    Index("ix_attempts_failed", "end", sqlite_where=FAILED_ATTEMPT, postgresql_where=FAILED_ATTEMPT),
)

results = Table(
    "results",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("winner", Integer, nullable=True),                       # seat 0, 1, or null: a tie
    Column("first_score", Integer, nullable=False),                 # match score in half-points: 2, 1 or 0
    Column("second_score", Integer, nullable=False),
    Column("first_points", Integer, nullable=False),                # game points in half-points
    Column("second_points", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("record_hash", String(64), nullable=False),              # SHA-256 of the record's JSON
    Column("record", LargeBinary, nullable=False),                  # the record's JSON, deflated
    Column("first_log", Text, nullable=False),                      # each its owner's alone
    Column("second_log", Text, nullable=False),
    Column("reasons", Text, nullable=False, server_default="[]"),   # the message of each game's verdict: its owner's
    Column("duration_ms", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

events = Table(                     # what those who watch a tournament are told, in the order of the commits
    "events",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),                    # 1, 2, 3 … of its tournament
    Column("kind", String(6), nullable=False),
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    CheckConstraint("kind IN ('result', 'rating')", name="kind"),
)

rulesets = Table(                   # one row per ruleset that was ever rated; the lock under which its ledger grows
    "rulesets",
    metadata,
    Column("ruleset", String(120), primary_key=True),
    Column("sequence", Integer, nullable=False),                    # number of the last change to its board
)

rating_changes = Table(             # the ledger: only ever grows
    "rating_changes",
    metadata,
    Column("id", Id, primary_key=True),                             # the order of the fold
    Column("ruleset", String(120), nullable=False),
    Column("kind", String(8), nullable=False),                      # or `inherit`: taken over from a predecessor
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("bot_id", ForeignKey("bots.id"), nullable=False),
    Column("version_id", ForeignKey("versions.id"), nullable=False),
    Column("before", Float(53), nullable=False),
    Column("after", Float(53), nullable=False),
    Column("expected", Float(53), nullable=True),
    Column("k", Integer, nullable=True),
    Column("score", Integer, nullable=True),                        # half-points
    Column("opponent_version_id", ForeignKey("versions.id"), nullable=True),
    Column("opponent_before", Float(53), nullable=True),
    Column("created_at", UtcTime, nullable=False),
    UniqueConstraint("match_id", "version_id", "kind"),
    CheckConstraint("kind IN ('match', 'inherit')", name="kind"),
    Index(None, "ruleset", "id"),
    Index(None, "version_id", "id"),
    Index("ix_rating_changes_of_bot", "bot_id", "ruleset", "id"),   # a bot's last matches
    Index("ix_rating_changes_of_bot_at", "bot_id", "ruleset", "created_at"),
)

ratings = Table(                    # where the fold stands now, per version; `rebuild` derives it again from results
    "ratings",
    metadata,
    Column("ruleset", String(120), primary_key=True),
    Column("version_id", ForeignKey("versions.id"), primary_key=True),
    Column("bot_id", ForeignKey("bots.id"), nullable=False),
    Column("rating", Float(53), nullable=False),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),                    # `rulesets.sequence` of its last change
    Column("rated_at", UtcTime, nullable=False),
    Index(None, "ruleset", "bot_id"),
    Index("ix_ratings_board", "ruleset", "rating", "matches"),      # a leaderboard in its order
    Index("ix_ratings_changed", "ruleset", "sequence"),             # what Redis is to be told
)

workers = Table(                    # who plays: sizes the window of queued matches
    "workers",
    metadata,
    Column("name", String(120), primary_key=True),
    Column("slots", Integer, nullable=False),
    Column("engine_version", String(40), nullable=False),
    Column("isolation", String(20), nullable=False),
    Column("seen_at", UtcTime, nullable=False),
)
