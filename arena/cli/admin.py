"""`arena admin`: what an operator does on the server's own machine, on its database, without HTTP."""

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.console import note, progress_bar, show, show_json
from arena.cli.groups import Group
from arena.cli.options import DATA_DIR, DataDir, Json

if TYPE_CHECKING:
    from arena.settings import Settings
    from arena.store.session import Store

group = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="For operators, on the server's machine: migrate, rebuild, export, create-admin, ban.\n\n"
    "They work on the arena in the folder --data, as `arena up` has it. Where the environment names another database "
    "(ARENA_DATABASE_URL) or another Redis (ARENA_REDIS_URL), it is that one.",
)


def add_to(app: typer.Typer) -> None:
    """Add this noun's commands."""
    app.add_typer(group, name="admin")


@group.command("migrate")
def migrate(folder: DataDir = DATA_DIR) -> None:
    """Bring the database to the tables of this version; do so before starting a new version. Safe to repeat.

    With ARENA_STANDING_TOURNAMENTS=true, also submit the reference bots that are missing or have changed.
    """
    from arena.services import standing
    from arena.store.migrate import migrate as upgrade

    settings = _settings(folder)
    upgrade(settings.sqlalchemy_url)
    if settings.standing_tournaments:
        with _store(folder) as store:
            standing.prepare(store)
    note("The database is at this version's tables.")


@group.command("rebuild")
def rebuild(
    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only compare; write nothing. Ends with 1 when they differ.")
    ] = False,
    folder: DataDir = DATA_DIR,
    as_json: Json = False,
) -> None:
    """Compute all ratings and tables anew from the results, compare them, and fill the leaderboards again.

    Live and rebuilt ones agree to the last digit; if they do not, somebody has changed the database by hand.
    """
    from dataclasses import asdict

    from arena.services.rebuild import rebuild as compare

    with _store(folder) as store:
        comparison = compare(store, dry_run=is_dry_run)
    if as_json:
        show_json({**asdict(comparison), "is_exact": comparison.is_exact})
    else:
        show(
            f"{comparison.matches} rated matches in {comparison.rulesets} rulesets, {comparison.tournaments} tables; "
            f"{comparison.different or 'no'} differences."
        )
        for sentence in comparison.differences:
            show(f"  {sentence}")
    if is_dry_run and not comparison.is_exact:
        note("Next: `arena admin rebuild` puts it right.")
        raise typer.Exit(1)


@group.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="Where to write: JSON lines, such as cup.jsonl.", show_default=False)],
    tournament: Annotated[
        str | None, typer.Option("--tournament", help="A tournament's name or number.", show_default=False)
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option("--ruleset", help="All tournaments of a ruleset instead.", show_default=False)
    ] = None,
    is_forced: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    folder: DataDir = DATA_DIR,
    as_json: Json = False,
) -> None:
    """Write a tournament, or all of a ruleset, as one file that anybody can check with `arena verify`.

    It holds every move, seeds, results, standings and rating changes, and the names of bots and owners; no source, no
    logs. Publish the fingerprint beside it. A running tournament keeps its seed secret, in the file, too.
    """
    from dataclasses import asdict

    from arena.cli.files import written_whole
    from arena.errors import Invalid
    from arena.services import archives

    if (tournament is None) == (ruleset is None):
        raise Invalid("say what to export: --tournament NAME, or --ruleset RULESET")
    with (
        _store(folder) as store,
        written_whole(file, may_replace=is_forced) as out,
        progress_bar(is_silent=as_json) as bar,
    ):
        task = bar.add_task("matches", total=None)
        write, name = (archives.export_ruleset, ruleset) if ruleset else (archives.export_tournament, tournament or "")
        exported = write(store, name, out.write, lambda done, total: bar.update(task, completed=done, total=total))
    if as_json:
        show_json({"file": str(file), **asdict(exported)})
        return
    show(f"{file}: {exported.matches} matches of {exported.ruleset} in {exported.lines} lines.")
    for running in exported.running:
        show(f"{running} has not ended, so its seed is not in the file.")
    show(f"Fingerprint of the file: {exported.fingerprint}")
    note(f"Next: `arena verify {shlex.quote(str(file))}`")


@group.command("create-admin")
def create_admin(
    name: Annotated[str, typer.Argument(help="A new user name.", show_default=False)], folder: DataDir = DATA_DIR
) -> None:
    """Register a user who may run everybody's tournaments. The password is asked for, or comes from ARENA_PASSWORD."""
    from arena.cli.account import password
    from arena.services import accounts

    with _store(folder) as store:
        secret = password(is_new=True)
        accounts.create_admin(store, name, secret)
    note(f"{name} is an admin. Next: `arena login {name}`")


@group.command("ban")
def ban(
    name: Annotated[str, typer.Argument(help="A bot, or a user with all bots.", show_default=False)],
    is_user: Annotated[bool, typer.Option("--user", help="A user, where a bot has the same name.")] = False,
    is_bot: Annotated[bool, typer.Option("--bot", help="A bot, where a user has the same name.")] = False,
    folder: DataDir = DATA_DIR,
) -> None:
    """Shut out a bot, or a user with all bots. Off every board at once; what was played stays. Safe to repeat."""
    from arena.services import moderation

    with _store(folder) as store:
        kind = moderation.ban(store, name, "user" if is_user else "bot" if is_bot else None)
    note(f"The {kind} {name} is banned.")


def _settings(folder: Path) -> "Settings":
    """What the environment says, for the arena in this folder.  Raises: Invalid."""
    from arena.errors import Invalid
    from arena.settings import Settings

    running: dict[str, str] = {}
    with suppress(OSError, ValueError, KeyError):       # a running `arena up` says where its own Redis is
        running["ARENA_REDIS_URL"] = json.loads((folder / "stack.json").read_text())["redis_url"]
    try:
        return Settings.from_environment({**running, **os.environ, "ARENA_DATA_DIR": str(folder)})
    except ValueError as error:
        raise Invalid(str(error)) from error


@contextmanager
def _store(folder: Path) -> Iterator["Store"]:
    """The arena's database, which must be there.  Raises: Invalid."""
    from arena.errors import Invalid
    from arena.store.session import Store, database_url

    settings = _settings(folder)
    try:
        url = database_url(settings.sqlalchemy_url)
    except ValueError as error:
        raise Invalid(str(error)) from error
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise Invalid(
            f"the database {url.database} of ARENA_DATABASE_URL is missing; correct the address, or make the database "
            "with `arena admin migrate`"
            if settings.database_url
            else f"there is no arena in {folder}: its database {url.database} is missing; name the folder of one with "
            "--data, or begin one with `arena up` or `arena admin migrate`"
        )
    store = Store.open(settings)
    try:
        yield store
    finally:
        store.dispose()
