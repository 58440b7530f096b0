"""Bring a database to the tables of schema.py, as one separate step before anything is started.

Several processes may call this at once; one migrates, the others wait and find the work done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, exc, text

import arena
from arena.errors import StoreUnavailable
from arena.store.schema import metadata
from arena.store.session import database_url, is_no_database, make_engine

SCRIPTS = Path(arena.__file__).parent.parent / "migrations"      # beside `arena` in a checkout and in site-packages
ADVISORY_LOCK = 7_203_411                                        # any number nobody else uses in this database


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database to `revision`, creating an SQLite file with its folder; raises `StoreUnavailable`."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    with _locked(url) as connection:
        command.upgrade(_config(connection), revision)


def downgrade(url: str, revision: str) -> None:
    """Take the database back to `revision` ("base": no tables at all); what newer tables held is lost."""
    with _locked(url) as connection:
        command.downgrade(_config(connection), revision)


def differences(url: str) -> list[Any]:
    """What Alembic would still change in the database to match schema.py; empty when it fits."""
    with _locked(url) as connection:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _locked(url: str) -> Iterator[Connection]:
    engine = make_engine(url, foreign_keys=False)
    writer = engine.execution_options(arena_writer=True)
    try:
        with writer.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ADVISORY_LOCK})
            yield connection
    except exc.DatabaseError as error:
        if not isinstance(error, exc.OperationalError) and not is_no_database(error):
            raise
        raise StoreUnavailable(f"The database cannot be migrated: {error.orig}") from error
    finally:
        engine.dispose()
