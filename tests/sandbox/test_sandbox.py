"""One bot behind all layers: what starts, what is charged, what ends, what is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

from arena.errors import ArenaFault, BotFault, BotMemory, BotSecurity, SandboxLost, SandboxUnavailable
from arena.games import Game, load
from arena.match.player import Player
from arena.sandbox.player import Sandbox, pin_to_one_core
from tests.sandbox.bots import FIRST_LEGAL, SEED, choose, first_move, info, opened, patience, play
from tests.sandbox.conftest import children, idle

pytestmark = [pytest.mark.services, pytest.mark.usefixtures("no_process_left")]

ROOT = Path(__file__).parents[2]
HOG = "print(flush=True)\nwhile True: pass"      # says when it has begun


def test_a_match_is_played_through(sandbox: Sandbox) -> None:
    played = play(sandbox.open_player, (FIRST_LEGAL, FIRST_LEGAL), match_format="games-4")
    assert [game.verdict for game in played.record.games] == [None] * 4
    assert all(load_ms is not None for load_ms in played.load_ms)


def test_two_runs_of_a_seed_give_one_match(sandbox: Sandbox) -> None:
    bot = b"import random\ndef choose_move(position): return random.choice(position.legal_moves())"
    one, two = (play(sandbox.open_player, (bot, bot)).record for _ in range(2))
    assert [game.moves for game in one.games] == [game.moves for game in two.games]
    assert one.games[0].moves != one.games[1].moves


def test_no_sandbox_is_used_twice(sandbox: Sandbox) -> None:
    source = "import random\nprint(hasattr(random, 'mark'))\nrandom.mark = 1\ndef choose_move(position): return 0"
    assert [first_move(sandbox.open_player, source)[1].strip() for _ in range(4)] == ["False"] * 4


def test_the_source_is_no_file_and_no_argument_of_any_process(sandbox: Sandbox) -> None:
    mark = "a_mark_in_the_source"
    player = opened(sandbox.open_player, f"# {mark}\ndef choose_move(position): return 0")
    try:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                shown = (folder / "cmdline").read_bytes()
            except OSError:
                continue        # it ended meanwhile
            assert mark.encode() not in shown
    finally:
        player.close()


def test_a_loaded_bot_still_has_every_layer(sandbox: Sandbox) -> None:
    player = opened(sandbox.open_player, FIRST_LEGAL)
    try:
        status = Path(f"/proc/{pid_of(player)}/status").read_text()
    finally:
        player.close()
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert facts["Seccomp"] == "2"
    assert facts["NoNewPrivs"] == "1"
    assert facts["Threads"] == "1"
    assert int(facts["CapEff"], 16) == int(facts["CapBnd"], 16) == 0
    if os.geteuid() == 0:
        assert int(facts["Uid"].split()[0]) >= 0x7000_0000


@pytest.mark.skipif(os.geteuid() != 0, reason="only a root worker has users to give away")
def test_bots_that_run_at_once_are_different_users(sandbox: Sandbox) -> None:
    players = [opened(sandbox.open_player, FIRST_LEGAL) for _ in range(3)]
    try:
        users = {Path(f"/proc/{pid_of(player)}").stat().st_uid for player in players}
    finally:
        for player in players:
            player.close()
    assert len(users) == 3


def test_closing_twice_is_closing_once(sandbox: Sandbox) -> None:
    player = opened(sandbox.open_player, "print('hello')\ndef choose_move(position): return 0")
    player.close()
    player.close()
    assert player.log() == "hello\n"


def test_a_player_closed_after_its_sandboxes_starts_no_more_of_them(image_dir: Path, sandbox: Sandbox) -> None:
    one = Sandbox(image_dir, ready=1)
    player = opened(one.open_player, FIRST_LEGAL)
    one.close()
    player.close()
    assert not idle(one)


def test_a_bot_that_cannot_be_loaded_leaves_nothing(sandbox: Sandbox) -> None:
    before = children() - idle(sandbox)
    for _ in range(3):
        with pytest.raises(BotFault):
            opened(sandbox.open_player, "raise ValueError")
    assert children() - idle(sandbox) == before


def test_a_bot_killed_from_outside_is_not_to_blame(sandbox: Sandbox) -> None:
    player = opened(sandbox.open_player, "import time\ndef choose_move(position): time.sleep(30)")
    try:
        player.new_game(0)
        killer = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {pid_of(player)}"])
        with pytest.raises(SandboxLost, match="SIGKILL from outside"):
            choose(player, Game(load("oware")), 20_000_000)
        killer.wait()
    finally:
        player.close()


def test_a_bot_killed_while_it_waits_is_not_to_blame_either(sandbox: Sandbox) -> None:
    player = opened(sandbox.open_player, FIRST_LEGAL)
    try:
        player.new_game(0)
        os.kill(pid_of(player), signal.SIGKILL)
        time.sleep(0.2)
        with pytest.raises(SandboxLost):
            choose(player, Game(load("oware")))
    finally:
        player.close()


def test_idle_sandboxes_that_died_are_replaced(image_dir: Path, sandbox: Sandbox) -> None:
    one = Sandbox(image_dir)
    try:
        for child in idle(one):
            os.kill(child, signal.SIGKILL)
        time.sleep(0.2)
        assert first_move(one.open_player, FIRST_LEGAL)[0].moves == (0,)
    finally:
        one.close()


def test_the_sandboxes_die_with_their_worker(image_dir: Path, sandbox: Sandbox) -> None:
    program = f"""
import os, sys, time
from pathlib import Path
from arena.sandbox.player import Sandbox
from tests.sandbox.bots import opened
sandbox = Sandbox(Path({str(image_dir)!r}))
player = opened(sandbox.open_player, "def choose_move(position): return 0")
player.new_game(0)
print(player._child.pid, Path(f"/proc/self/task/{{os.getpid()}}/children").read_text(), flush=True)
time.sleep(60)
"""
    worker = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert worker.stdout is not None
    pids = [int(word) for word in worker.stdout.readline().split()]
    assert len(pids) >= 3
    worker.kill()
    worker.wait()
    worker.stdout.close()
    give_up = time.monotonic() + 10
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < give_up, "a sandbox outlived its worker"
        time.sleep(0.02)


def test_a_worker_that_is_filtered_itself_can_play(image_dir: Path, sandbox: Sandbox) -> None:
    """As in a container, whose own filter every process in it inherits."""
    program = f"""
import os
from pathlib import Path
from arena.sandbox import bpf
from arena.sandbox.confine import confine
from arena.sandbox.player import Sandbox
from tests.sandbox.bots import FIRST_LEGAL, first_move
rules, rules_in = os.pipe()
os.write(rules_in, bpf.assembled(bpf.verdict(bpf.ALLOW)))
os.close(rules_in)
confine(rules)
sandbox = Sandbox(Path({str(image_dir)!r}))
print(sandbox.tier, first_move(sandbox.open_player, FIRST_LEGAL)[0].moves)
sandbox.close()
"""
    worker = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert worker.stdout == "A (0,)\n", worker.stderr


def test_time_in_line_for_a_processor_is_not_charged(image_dir: Path) -> None:
    source = """
import time
def choose_move(position):
    enough = time.process_time() + 0.1
    while time.process_time() < enough:
        pass
    return position.legal_moves()[0]
"""
    allowed = os.sched_getaffinity(0)
    pin_to_one_core(0)                      # before the sandboxes start, which then stay on the same core
    # Each in its own session: a scheduler that is fair between sessions then gives the bot a quarter of the core.
    hogs = [
        subprocess.Popen([sys.executable, "-S", "-c", HOG], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(3)
    ]
    try:
        for hog in hogs:
            assert hog.stdout is not None
            hog.stdout.readline()
        sandbox = Sandbox(image_dir, ready=1)
        player = opened(sandbox.open_player, source)
        player.new_game(0)
        game = Game(load("oware"))
        timings = [choose(player, game, 10_000_000).timing for _ in range(5)]
        player.close()
        sandbox.close()
    finally:
        for hog in hogs:
            hog.kill()
            hog.communicate()
        os.sched_setaffinity(0, allowed)
    assert median(timing.wall_us for timing in timings) > 150_000, "the hogs never got in its way"
    assert median(timing.charged_us for timing in timings) < 150_000


def test_memory_is_limited_as_set(image_dir: Path, sandbox: Sandbox) -> None:
    source = "def choose_move(position): return len(bytearray(150 << 20)) & 7"
    assert first_move(sandbox.open_player, source)[0].moves == (0,)
    small = Sandbox(image_dir, memory_mb=128, ready=1)
    try:
        with pytest.raises(BotMemory):
            first_move(small.open_player, source)
    finally:
        small.close()


def test_a_forbidden_call_is_known_from_a_crash(sandbox: Sandbox) -> None:
    source = "import ctypes\ndef choose_move(position): return ctypes.CDLL(None).unshare(0x10000000)"
    with pytest.raises(BotSecurity) as caught:
        first_move(sandbox.open_player, source)
    assert caught.value.process_ended


def test_the_waiting_is_told_while_a_bot_loads(sandbox: Sandbox) -> None:
    told: list[float] = []
    package = b"import time\ntime.sleep(2)\ndef choose_move(position): return 0"
    sandbox.open_player(package, 0, info(), SEED, lambda: told.append(time.monotonic())).close()
    assert len(told) >= 2


def test_another_thread_or_process_may_not_use_it(image_dir: Path, sandbox: Sandbox) -> None:
    child = os.fork()
    if child == 0:
        try:
            opened(sandbox.open_player, FIRST_LEGAL)
        except ArenaFault as fault:
            os._exit(0 if "make one after the fork" in str(fault) else 2)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_claim_costs_next_to_nothing(sandbox: Sandbox) -> None:
    sandbox.prepare(patience)
    began = time.perf_counter()
    player = opened(sandbox.open_player, FIRST_LEGAL)
    taken = time.perf_counter() - began
    player.close()
    assert taken < 0.1


def test_a_wrong_lowest_tier_is_refused(image_dir: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="A or B, not 'C'"):
        Sandbox(image_dir, min_tier="C")


def pid_of(player: Player) -> int:
    child = player._child                           # type: ignore[attr-defined]
    assert isinstance(child.pid, int)
    return child.pid


def is_alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
