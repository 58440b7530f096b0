"""How Alembic reaches the database: on the connection `arena.store.migrate` holds, or, for a developer's
`alembic -c migrations/alembic.ini …`, on one of its own to the database of the environment."""

import os

from alembic import context
from sqlalchemy import Connection

from arena.settings import Settings
from arena.store.columns import UtcTime
from arena.store.schema import metadata
from arena.store.session import make_engine


def render_item(kind: str, item: object, _autogen: object) -> str | bool:
    """Write plain SQLAlchemy types into revisions: those must not change when our code does."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcTime) else False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,  # SQLite alters a table by copying it
        transactional_ddl=True,  # on SQLite, too: session.py sends its own BEGIN
        render_item=render_item,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = make_engine(Settings.from_environment(os.environ).sqlalchemy_url, foreign_keys=False)
    with engine.execution_options(arena_writer=True).begin() as own:
        run(own)
