"""All that an operator can set: one frozen value, read from the environment by the shells only."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

SHORTEST_KEY = 32


@dataclass(frozen=True, slots=True)
class Settings:
    """Every field is read from `ARENA_<FIELD>`; the defaults suit one machine."""

    data_dir: Path = Path(".arena")
    database_url: str = ""                  # default: SQLite in `data_dir`
    redis_url: str = "redis://127.0.0.1:6379/0"
    broker_url: str = ""                    # default: `redis_url`
    secret_key: str = ""                    # signs cookies; nobody can log in on the pages without
    secure_cookies: bool = False            # also where the web is not told that a visitor came by https
    lease_seconds: int = 15
    queue_seconds: int = 60                 # a queued match nobody claimed is due again after this
    batch_seconds: int = 10                 # expected work in one message
    sandbox_min_tier: str = "A"             # "B" also accepts chroot + setuid + filter
    sandbox_dir: Path = Path("")            # where the image is built; default: in `data_dir`
    sandbox_memory_mb: int = 384
    sandbox_ready: int = 2                  # started ahead by each process that plays: one for each seat
    rate_limits: bool = True
    max_event_streams: int = 8              # per process of the web; keep it well below its threads
    max_event_streams_per_address: int = 2  # of these; behind a proxy set `trusted_proxies`, or all visitors are one
    trusted_proxies: int = 0                # in front of the web; so many entries of X-Forwarded-For are believed
    standing_tournaments: bool = False      # every game has a round robin that begins when there is a new bot
    max_running_tournaments: int = 5        # per user
    max_created_tournaments: int = 100      # per user, that wait for their start
    max_matches_per_user: int = 5_000_000   # still to be played; the largest rated tournament has four million
    max_tournament_entrants: int = 2000
    log_level: str = "INFO"

    def __post_init__(self) -> None:
        """Raises `ValueError` for a key that could be guessed."""
        if 0 < len(self.secret_key) < SHORTEST_KEY:
            raise ValueError(
                f"ARENA_SECRET_KEY has {len(self.secret_key)} characters; take {SHORTEST_KEY} or more random ones, as "
                "`python3 -c 'import secrets; print(secrets.token_urlsafe(32))'` gives them"
            )

    @property
    def sqlalchemy_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'arena.sqlite3'}"

    @property
    def celery_broker_url(self) -> str:
        return self.broker_url or self.redis_url

    @property
    def image_dir(self) -> Path:
        return self.sandbox_dir if self.sandbox_dir != Path("") else self.data_dir.absolute() / "sandbox"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Read the settings; raises `ValueError` naming the variable that cannot be read."""
        values: dict[str, object] = {}
        for field in fields(cls):
            variable = f"ARENA_{field.name.upper()}"
            text = environment.get(variable)
            if text is None:
                continue
            values[field.name] = _parsed(variable, text, field.default)
        return cls(**values)  # type: ignore[arg-type]  # each value has the type of its field's default


def _parsed(variable: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"{variable} is true or false, not {text!r}")
        return text.lower() in ("true", "1")
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError as error:
            raise ValueError(f"{variable} is a whole number, not {text!r}") from error
    return Path(text) if isinstance(default, Path) else text
