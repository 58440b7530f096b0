"""Things on the host that a bot must not reach, each put there to be reached, and the bot that tries.

The same bot first runs without the sandbox, where it must reach all of them: a canary that nobody can reach proves
nothing.
"""

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

NAMES = ("file", "network", "socket", "environment", "process", "host name")
_VARIABLE = "ARENA_CANARY"

_PROBE = """
import os, socket

def reached(name, attempt):
    try:
        print(name, "reached" if attempt() else "held", sep=": ")
    except Exception as error:
        print(name, "held", sep=": ")

def knock(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as caller:
        caller.settimeout(2)
        caller.connect(address)
        return True

reached("file", lambda: open({file!r}).read())
reached("network", lambda: knock(socket.AF_INET, ("127.0.0.1", {port})))
reached("socket", lambda: knock(socket.AF_UNIX, "\\0" + {socket!r}))
reached("environment", lambda: {secret!r} in os.environ.values())
reached("process", lambda: os.path.exists("/proc/{process}") or os.getpgid({process}) >= 0)
reached("host name", lambda: os.uname().nodename == {host!r})

def choose_move(position):
    return position.legal_moves()[0]
"""


@contextmanager
def put_out() -> Iterator[bytes]:
    """Put the canaries out for a while; the source of the bot that looks for them."""
    secret = secrets.token_hex(16)
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0arena-canary-{secret}")
        abstract.listen()
        file = _file(stack, secret)
        os.environ[_VARIABLE] = secret
        stack.callback(os.environ.pop, _VARIABLE, None)
        yield _PROBE.format(
            file=str(file),
            port=listener.getsockname()[1],
            socket=f"arena-canary-{secret}",
            secret=secret,
            process=os.getpid(),
            host=os.uname().nodename,
        ).encode()


def reached(log: str) -> set[str]:
    """Which canaries the bot says it reached."""
    lines = (line.partition(": ") for line in log.splitlines())
    return {name for name, _, fate in lines if fate == "reached"}


def _file(stack: ExitStack, secret: str) -> Path:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-canary-")))
    folder.chmod(0o755)
    file = folder / "canary"
    file.write_text(secret)
    file.chmod(0o644)
    return file
