"""What a bot is given and may answer.  The child and the protocol are the real ones; only the layers are left out."""

import itertools
import time
from fractions import Fraction

import pytest

from arena.errors import (
    BotException,
    BotFault,
    BotIllegalMove,
    BotLoad,
    BotMemory,
    BotProtocol,
    BotTimeout,
    LeaseLost,
)
from arena.games import Game, Outcome, load
from arena.match.turn import Timing
from arena.sandbox import channel
from arena.sandbox.player import open_unsafe_player
from tests.sandbox.bots import FIRST_LEGAL, SEED, choose, first_move, info, opened, play
from tests.sandbox.conftest import children


def answer(source: str, ruleset: str = "oware") -> tuple[int, ...]:
    return first_move(open_unsafe_player, source, ruleset)[0].moves


def printed(source: str) -> list[str]:
    return first_move(open_unsafe_player, source)[1].split()


@pytest.mark.parametrize(
    "source",
    [
        "def choose_move(position): return 3",
        "def choose_move(position, depth=2): return depth + 1",
        "def choose_move(*arguments): return 2 + len(arguments)",
        "choose_move = lambda position: 3",
        "class Player:\n def __call__(self, position): return 3\nchoose_move = Player()",
        "import functools\nchoose_move = functools.partial(lambda move, position: move, 3)",
        "class Bot:\n def choose_move(self, position): return 3",
        "class Bot:\n @staticmethod\n def choose_move(position): return 3",
        "class Bot:\n def __init__(self, move=3): self.move = move\n def choose_move(self, position): return self.move",
        "class Bot:\n def __init__(self, match): self.seat = match.seat\n"
        " def choose_move(self, position): return 3 + self.seat",
        "class Bot:\n def __init__(self, match=None): self.match = match\n"
        " def choose_move(self, position): return 3 if self.match else 0",
        "def choose_move(position): return 3\nclass Bot: pass",
        "def choose_move(position): return [3]",
        "def choose_move(position): return (3,)",
    ],
)
def test_every_form_of_a_bot_plays(source: str) -> None:
    assert answer(source) == (3,)


@pytest.mark.parametrize(
    "parameters",
    ["position, clock", "position, clock, game", "position, c, g", "position, clock=None", "p, clock=None, game=None"],
)
def test_clock_and_game_go_to_who_takes_them(parameters: str) -> None:
    names = [word.partition("=")[0].strip() for word in parameters.split(",")]
    checks = [f"{names[1]}.turn_ms == 100 and {names[1]}.bank_ms == 2000 and {names[1]}.last_charged_ms == 0"]
    if len(names) > 2:
        checks.append(f"{names[2]}.moves == () and {names[2]}.position == {names[0]}")
    assert answer(f"def choose_move({parameters}):\n assert {' and '.join(checks)}\n return 3") == (3,)


def test_a_bot_knows_its_match_and_nothing_of_the_opponent() -> None:
    source = """
class Bot:
    def __init__(self, match):
        print(sorted(vars(match).items()))
    def choose_move(self, position):
        return 0
"""
    _, log = first_move(open_unsafe_player, source)
    assert log.strip() == str(
        [("format", "games-2"), ("ruleset", "oware"), ("seat", 0), ("time_control", "quick")]
    )


def test_hooks_frame_each_game_of_a_match() -> None:
    source = b"""
class Bot:
    def new_game(self, side):
        print("new", side)
    def choose_move(self, position):
        return position.legal_moves()[0]
    def game_over(self, outcome):
        print("over", outcome.winner, outcome.ending)
"""
    played = play(open_unsafe_player, (source, FIRST_LEGAL))
    endings = [(game.south, game.winner, game.ending) for game in played.record.games]
    expected = []
    for south, winner, ending in endings:
        side_won = None if winner is None else (0 if winner == south else 1)
        expected += [f"new {0 if south == 0 else 1}", f"over {side_won} {ending}"]
    assert played.logs[0].splitlines() == expected


def test_a_forfeited_game_ends_without_an_outcome() -> None:
    source = b"class Bot:\n def choose_move(self, position): return 0\n def game_over(self, outcome): print(outcome)"
    played = play(open_unsafe_player, (source, b"def choose_move(position): return 99"))
    assert played.logs[0].split() == ["None"]       # in the other game it was not even its turn


def test_a_bot_is_told_all_moves_of_either_side() -> None:
    source = b"""
def choose_move(position, clock, game):
    twin = type(game)(game.rules)
    for move in game.moves:
        twin.push(move)
    assert twin.position == position == game.position
    return position.legal_moves()[-1]
"""
    record = play(open_unsafe_player, (source, source)).record
    assert [game.verdict for game in record.games] == [None, None]
    assert sum(len(game.moves) for game in record.games) > 20


def test_a_game_may_begin_from_any_position() -> None:
    rules = load("oware")
    position = rules.position(pits=(0, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0), stores=(21, 20), to_move=0)
    player = opened(open_unsafe_player, "def choose_move(position):\n print(position.pits)\n return 4")
    try:
        player.new_game(0)
        assert choose(player, Game(rules, position)).moves == (4,)
        assert player.log().strip() == str(position.pits)
    finally:
        player.close()


@pytest.mark.parametrize("ruleset", ["omweso", "omweso:setup=free", "nsolo:columns=8", "anywoli", "urim:seeds=3"])
def test_games_of_several_moves_a_turn_are_played_through(ruleset: str) -> None:
    one = b"def choose_move(position): return position.legal_moves()[-1]"
    whole_turns = b"""
def choose_move(position):
    side, moves = position.to_move, []
    while True:
        move = position.legal_moves()[0]
        moves.append(move)
        position = position.play(move)
        if not position.is_mid_turn() or position.to_move != side:
            return moves
"""
    record = play(open_unsafe_player, (one, whole_turns), ruleset=ruleset).record
    assert [game.verdict for game in record.games] == [None, None]


def test_an_answer_takes_part_of_the_turn_only() -> None:
    source = "def choose_move(position): return [0, 1]"
    assert answer(source) == (0, 1)         # whether these can be played, the referee knows


def test_random_starts_from_the_seed_and_hashes_from_zero() -> None:
    source = "import random\nprint(random.random(), hash('pit'))\ndef choose_move(position): return 0"

    def drawn(seed: bytes) -> list[str]:
        player = opened(open_unsafe_player, source, seed=seed)
        player.close()
        return player.log().split()

    first, again, other = drawn(SEED), drawn(SEED), drawn(bytes(32))
    assert first == again
    assert first[0] != other[0]
    assert first[1] == other[1]


def test_what_is_printed_goes_to_the_log() -> None:
    source = """
import sys
print('on loading')
def choose_move(position):
    print('{"s":2,"m":5}')
    print('an error', file=sys.stderr)
    sys.stdout.write('no newline')
    return 3
"""
    player = opened(open_unsafe_player, source)
    player.new_game(0)
    assert choose(player, Game(load("oware"))).moves == (3,)
    player.close()
    log = player.log()
    assert log.startswith('on loading\n{"s":2,"m":5}\nan error\n')


def test_a_log_keeps_its_beginning_and_its_end() -> None:
    source = "def choose_move(position):\n for n in range(40000): print(n)\n return 0"
    player = opened(open_unsafe_player, source)
    player.new_game(0)
    choose(player, Game(load("oware")), 20_000_000)
    player.close()
    log = player.log()
    assert log.startswith("0\n1\n2\n")
    assert log.endswith("39998\n39999\n")
    assert "bytes are left out here" in log
    assert len(log) <= 64 * 1024


def test_a_log_is_text_whatever_was_printed() -> None:
    source = "import os\nos.write(1, b'a\\x00b\\xff\\xed\\xa0\\x80')\ndef choose_move(position): return 0"
    _, log = first_move(open_unsafe_player, source)
    assert log.startswith("a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}")
    log.encode()


@pytest.mark.parametrize(
    ("source", "fault", "says"),
    [
        ("def choose_move(position)\n return 0", BotLoad, r"^SyntaxError \(bot.py, line 1\)$"),
        ("import nothing_of_that_name", BotLoad, r"^ModuleNotFoundError \(bot.py, line 1\)$"),
        ("x = 1\nx.y", BotLoad, r"^AttributeError \(bot.py, line 2\)$"),
        ("raise SystemExit", BotLoad, r"^SystemExit \(bot.py, line 1\)$"),
        ("", BotLoad, "neither a function choose_move"),
        ("class Bot: pass", BotLoad, "class Bot has no method choose_move"),
        ("class Bot:\n def __init__(self): 1/0\n def choose_move(self, position): 0", BotLoad, "ZeroDivisionError"),
        ("raise MemoryError", BotMemory, r"^MemoryError \(bot.py, line 1\)$"),
        ("x = 1 \x00", BotLoad, "^(Value|Syntax)Error"),
    ],
)
def test_what_cannot_be_loaded_says_why(source: str, fault: type[BotFault], says: str) -> None:
    with pytest.raises(fault, match=says) as caught:
        opened(open_unsafe_player, source)
    assert type(caught.value) is fault
    assert isinstance(caught.value.timing, Timing)


def test_the_traceback_of_a_bot_that_cannot_be_loaded_is_its_log() -> None:
    with pytest.raises(BotLoad) as caught:
        opened(open_unsafe_player, "print('so far')\nraise ValueError('the secret of my bot')")
    assert "secret" not in str(caught.value)
    assert caught.value.log.startswith("so far\nTraceback (most recent call last):\n")
    assert caught.value.log.endswith("ValueError: the secret of my bot\n")
    assert "child" not in caught.value.log


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("raise ValueError", BotException),
        ("raise SystemExit", BotException),
        ("raise KeyboardInterrupt", BotException),
        ("raise MemoryError", BotMemory),
        ("return {1}", BotException),
        ("return 10**5000", BotException),
        ("recurse()", BotException),
        ("return None", BotIllegalMove),
        ("return True", BotIllegalMove),
        ("return []", BotProtocol),
    ],
)
def test_a_bot_that_failed_plays_on_in_its_next_game(body: str, fault: type[BotFault]) -> None:
    source = f"""
failed = []
def recurse(): return recurse()
def choose_move(position):
    if failed: return 3
    failed.append(1)
    {body}
"""
    player = opened(open_unsafe_player, source)
    try:
        player.new_game(0)
        with pytest.raises(fault) as caught:
            choose(player, Game(load("oware")))
        assert type(caught.value) is fault
        assert not caught.value.process_ended
        assert isinstance(caught.value.timing, Timing)
        player.game_over(None)
        player.new_game(1)
        assert choose(player, Game(load("oware"))).moves == (3,)
    finally:
        player.close()


def test_a_fault_in_a_hook_is_a_fault_of_the_game_it_belongs_to() -> None:
    source = "class Bot:\n def new_game(self, side): 1/0\n def choose_move(self, position): return 0"
    with pytest.raises(BotException, match=r"ZeroDivisionError \(bot.py, line 2\)"):
        first_move(open_unsafe_player, source)


def test_a_farewell_that_fails_is_told_and_the_bot_goes_on() -> None:
    source = "class Bot:\n def choose_move(self, position): return 3\n def game_over(self, outcome): 1/0"
    player = opened(open_unsafe_player, source)
    try:
        player.new_game(0)
        choose(player, Game(load("oware")))
        outcome = Outcome(None, "repetition", (24, 24), (Fraction(1, 2), Fraction(1, 2)))
        with pytest.raises(BotException):
            player.game_over(outcome)
        player.new_game(1)
        assert choose(player, Game(load("oware"))).moves == (3,)
    finally:
        player.close()


def test_nobody_is_told_the_end_of_a_game_he_never_heard_of() -> None:
    source = "class Bot:\n def choose_move(self, p): return 0\n def game_over(self, outcome): print('over')"
    player = opened(open_unsafe_player, source)
    player.new_game(0)
    player.game_over(None)
    player.close()
    assert player.log() == ""


def test_time_used_asleep_is_charged() -> None:
    source = "import time\ndef choose_move(position):\n time.sleep(0.05)\n return 0"
    timing = first_move(open_unsafe_player, source)[0].timing
    assert 40_000 <= timing.charged_us <= timing.wall_us
    assert timing.cpu_us < 50_000


def test_who_does_not_answer_in_time_is_ended() -> None:
    player = opened(open_unsafe_player, "import time\ndef choose_move(position): time.sleep(60)")
    player.new_game(0)
    began = time.monotonic()
    with pytest.raises(BotTimeout) as caught:
        choose(player, Game(load("oware")), 150_000)
    assert time.monotonic() - began < 5
    assert caught.value.process_ended
    assert isinstance(caught.value.timing, Timing)
    assert caught.value.timing.charged_us >= 150_000
    player.close()
    player.close()


def test_somebody_is_told_while_a_bot_takes_its_time() -> None:
    told: list[float] = []
    source = "import time\ndef choose_move(position):\n for _ in range(25):\n  print('.')\n  time.sleep(0.1)\n return 0"
    player = open_unsafe_player(
        source.encode(), 0, info(), SEED, lambda: told.append(time.monotonic())
    )
    try:
        player.new_game(0)
        began = time.monotonic()
        choose(player, Game(load("oware")), 20_000_000)
        moments = [began, *told, time.monotonic()]
    finally:
        player.close()
    assert max(later - earlier for earlier, later in itertools.pairwise(moments)) < 1.0
    assert len(told) >= 3


def test_what_interrupts_the_waiting_comes_out() -> None:
    def give_up() -> None:
        raise LeaseLost("the match was cancelled")

    player = open_unsafe_player(b"import time\ndef choose_move(position): time.sleep(60)", 0, info(), SEED, give_up)
    try:
        player.new_game(0)
        with pytest.raises(LeaseLost):
            choose(player, Game(load("oware")), 20_000_000)
    finally:
        player.close()


def test_who_gives_up_before_the_program_runs_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up() -> None:
        raise LeaseLost("the match was cancelled")

    monkeypatch.setattr(channel, "WAIT_STEP_SECONDS", 0.0)
    before = children()
    with pytest.raises(LeaseLost):
        open_unsafe_player(b"def choose_move(position): return 0", 0, info(), SEED, give_up)
    assert children() <= before


def test_loading_has_a_time_that_is_told() -> None:
    player = opened(open_unsafe_player, "import time\ntime.sleep(0.1)\ndef choose_move(position): return 0")
    player.close()
    assert 100 <= player.load_ms < 10_000       # type: ignore[attr-defined]
