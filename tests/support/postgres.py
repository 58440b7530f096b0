"""A PostgreSQL server of our own, started without root's rights; databases are copied from a migrated template."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.ports import free_port

QUICK = "-c fsync=off -c full_page_writes=off -c max_connections=200"


def find_program(name: str) -> str | None:
    """`initdb` or `pg_ctl`, from PATH or where Debian puts them."""
    found = shutil.which(name)
    if found is not None:
        return found
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(debian[-1]) if debian else None


def is_installed() -> bool:
    return find_program("initdb") is not None and find_program("pg_ctl") is not None


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of an empty server's `postgres` database."""
    with tempfile.TemporaryDirectory(prefix="arena-pg-") as name:
        folder, user = Path(name), _unprivileged_user()
        if user is not None:
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        port, cluster = free_port(), folder / "cluster"
        _run(user, folder, "initdb", "-D", str(cluster), "-E", "UTF8", "--locale=C.UTF-8", "-U", "arena", "-A", "trust")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' {QUICK}"
        _run(user, folder, "pg_ctl", "-D", str(cluster), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://arena@127.0.0.1:{port}/postgres"
        finally:
            _run(user, folder, "pg_ctl", "-D", str(cluster), "-w", "-m", "immediate", "stop")


def restart(server_url: str) -> None:
    """Stop the server as a power cut would, and start it again, with the options it had."""
    with psycopg.connect(server_url) as connection:
        (cluster,) = connection.execute("SHOW data_directory").fetchone() or ("",)
    log = str(Path(cluster).with_name("log"))
    _run(_unprivileged_user(), Path(cluster), "pg_ctl", "-D", cluster, "-w", "-m", "immediate", "-l", log, "restart")


def create_database(server_url: str, name: str, template: str | None = None) -> str:
    """A new database's URL; a copy of `template` if given, which nobody may be using just now."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        copied = f' TEMPLATE "{template}"' if template else ""
        connection.execute(f'CREATE DATABASE "{name}"{copied}'.encode())
    return server_url.rsplit("/", 1)[0] + f"/{name}"


def drop_database(server_url: str, name: str) -> None:
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


def _unprivileged_user() -> str | None:
    """Whom root runs the server as, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(user: str | None, folder: Path, program: str, *arguments: str) -> None:
    found = find_program(program)
    assert found is not None
    done = subprocess.run(
        [found, *arguments], user=user, cwd=folder, timeout=60, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise RuntimeError(f"{program} failed: {(done.stdout or b'').decode(errors='replace')[-2000:]}")
