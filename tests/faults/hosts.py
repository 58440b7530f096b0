"""Machines of their own, as far as a network goes: namespaces, each at the end of a cable that can be pulled."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.cli.supervisor import Program, Supervisor
from tests.faults.relay import Relay

ROOT = Path(__file__).parents[2]
NETWORK = "10.213"                      # 10.213.N.1 is our end of the cable to host N, 10.213.N.2 its own


@dataclass(frozen=True, slots=True)
class Host:
    """Called `name` by itself; `address` is where it reaches us."""

    number: int
    name: str

    @property
    def namespace(self) -> str:
        return f"arena-{os.getpid()}-{self.number}"

    @property
    def cable(self) -> str:
        return f"arena{os.getpid() % 100_000}x{self.number}"

    @property
    def address(self) -> str:
        return f"{NETWORK}.{self.number}.1"

    def pull_cable(self) -> None:
        """Whatever is sent from now on is lost, in both directions; nobody is told."""
        _ip("link", "set", self.cable, "down")

    def plug_in(self) -> None:
        _ip("link", "set", self.cable, "up")

    def command(self, *arguments: str) -> list[str]:
        """The command, to be run on this host."""
        named = ["sh", "-c", 'hostname "$0" && exec "$@"', self.name, *arguments]
        return ["nsenter", f"--net=/run/netns/{self.namespace}", "unshare", "--uts", *named]


def why_not() -> str:
    """Why there can be no hosts here; nothing if there can."""
    missing = [program for program in ("ip", "nsenter", "unshare") if shutil.which(program) is None]
    if missing:
        return f"needs {' and '.join(missing)} (iproute2, util-linux)"
    if os.geteuid() != 0:
        return "needs root, for network namespaces"
    try:
        with host(250, "probe"):
            return ""
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {error.stderr.decode(errors='replace').strip()}"


@contextmanager
def host(number: int, name: str) -> Iterator[Host]:
    made = Host(number, name)
    inside = ("-n", made.namespace)
    with ExitStack() as undo:
        _ip("netns", "add", made.namespace)
        undo.callback(_ip, "netns", "delete", made.namespace)       # and the cable with it
        _ip("link", "add", made.cable, "type", "veth", "peer", "name", "eth0", "netns", made.namespace)
        _ip("address", "add", f"{made.address}/30", "dev", made.cable)
        _ip(*inside, "address", "add", f"{NETWORK}.{number}.2/30", "dev", "eth0")
        for link in ("lo", "eth0"):
            _ip(*inside, "link", "set", link, "up")
        made.plug_in()
        yield made


@contextmanager
def workers(
    place: Host, count: int, servers: Mapping[str, tuple[str, int]], environment: Mapping[str, str], folder: Path
) -> Iterator[None]:
    """So many workers of one slot on a host, started again when they end.

    `servers`: by the variable that has its URL, where each server really is; the host reaches it by a relay at our end.
    """
    folder.mkdir(parents=True)
    with ExitStack() as undo:
        here = dict(environment)
        for variable, server in servers.items():
            relay = Relay(server, place.address)
            undo.callback(relay.close)
            here[variable] = here[variable].format(host=place.address, port=relay.port)
        programs = [_worker(place, number, {**os.environ, **here}, folder) for number in range(count)]
        supervisor = Supervisor([programs], lambda line: None)
        undo.callback(supervisor.stop)
        supervisor.start()
        yield


def _worker(place: Host, number: int, environment: Mapping[str, str], folder: Path) -> Program:
    name = f"play-{number}@{place.name}"
    celery = [sys.executable, "-P", "-m", "celery", "-A", "workers.celery_app", "worker", "-Q", "play", "-P", "prefork"]
    options = ["-c", "1", "-n", name, "--without-mingle", "--without-gossip"]
    return Program(
        name=name,
        command=place.command(*celery, *options),
        environment={**environment, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        folder=folder,
        log=folder / f"{name}.log",
        is_ready=lambda pid: True,
    )


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
