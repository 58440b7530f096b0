import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BotTimeout, UnknownFormat
from arena.match.clock import Clock
from arena.match.time_control import PRESETS, TimeControl, parse_time_control
from arena.match.turn import ClockView


@pytest.mark.parametrize(
    ("name", "turn_ms", "bank_ms"),
    [("quick", 100, 2_000), ("standard", 1_000, 30_000), ("blitz", 3_000, 0), ("bullet", 20, 1_000)],
)
def test_a_preset_has_its_times_and_its_name(name: str, turn_ms: int, bank_ms: int) -> None:
    assert parse_time_control(name) == TimeControl(turn_ms, bank_ms)
    assert str(parse_time_control(name)) == name
    assert str(parse_time_control(f"{turn_ms}+{bank_ms}")) == name


@given(st.integers(1, 60_000), st.integers(0, 600_000))
def test_a_time_control_reads_what_it_writes(turn_ms: int, bank_ms: int) -> None:
    control = TimeControl(turn_ms, bank_ms)
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    "text",
    ["", "fast", "Quick", "100", "+", "100+", "+100", "0+100", "-1+5", "1.5+0", "60001+0", "1+600001", "007+1",
     "1+1+1", "١+١", " 1+1", "9" * 5000 + "+1"],
)
def test_no_other_text_is_a_time_control(text: str) -> None:
    with pytest.raises(UnknownFormat) as refusal:
        parse_time_control(text)
    assert all(name in str(refusal.value) for name in PRESETS)
    assert len(str(refusal.value)) < 400


def test_time_is_taken_from_the_turn_then_from_the_bank() -> None:
    clock = Clock(TimeControl(100, 50))
    clock.charge(0, 120_000)
    assert clock.view(0) == ClockView(turn_ms=0, bank_ms=30, last_charged_ms=120)
    assert clock.view(1) == ClockView(turn_ms=100, bank_ms=50, last_charged_ms=0)


def test_all_answers_of_a_turn_share_its_time() -> None:
    clock = Clock(TimeControl(100, 0))
    clock.charge(0, 60_000)
    assert clock.limit_us(0) == 40_000
    with pytest.raises(BotTimeout, match=r"took 40\.001 ms; 40 ms of the turn and 0 ms of the bank were left"):
        clock.charge(0, 40_001)


def test_a_turn_restores_the_turn_and_not_the_bank() -> None:
    clock = Clock(TimeControl(100, 50))
    clock.charge(1, 130_000)
    clock.turn_done(1)
    assert clock.limit_us(1) == 100_000 + 20_000


@pytest.mark.parametrize("side", [0, 1])
def test_the_last_microsecond_may_be_used(side: int) -> None:
    clock = Clock(TimeControl(20, 1_000))
    clock.charge(side, clock.limit_us(side))
    assert clock.limit_us(side) == 0
    clock.charge(side, 0)
    with pytest.raises(BotTimeout):
        clock.charge(side, 1)


def test_no_time_is_given_back() -> None:
    with pytest.raises(ValueError, match="-1"):
        Clock(TimeControl(20, 0)).charge(0, -1)


@given(st.lists(st.lists(st.integers(0, 200_000), min_size=1, max_size=4), max_size=20))
def test_the_bank_pays_exactly_for_what_turns_overrun(turns: list[list[int]]) -> None:
    clock, bank = Clock(TimeControl(100, 1_000)), 1_000_000
    for turn in turns:
        bank -= max(0, sum(turn) - 100_000)
        if bank < 0:
            with pytest.raises(BotTimeout):
                _play(clock, turn)
            return
        _play(clock, turn)
        assert clock.bank_us == [bank, 1_000_000]


def _play(clock: Clock, turn: list[int]) -> None:
    for us in turn:
        clock.charge(0, us)
    clock.turn_done(0)
