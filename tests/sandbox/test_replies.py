"""How the host judges a line, whatever is in it."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BotException, BotFault, BotIllegalMove, BotLoad, BotMemory, BotProtocol
from arena.sandbox.replies import answer_in, expect_done, moves_in


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        (b'{"s":7,"m":3}', (3,)),
        (b'{"m": 3, "s": 7}', (3,)),
        (b'{"s":7,"m":[3]}', (3,)),
        (b'{"s":7,"m":[40, 0, 33]}', (40, 0, 33)),
        (b'{"s":7,"m":-1}', (-1,)),
        (b'{"s":7,"m":00}', None),
        (b'{"s":7,"m":12345678901234567890}', (12345678901234567890,)),
        (b' {"s":7,"m":3} ', (3,)),
    ],
)
def test_moves_are_read_or_refused(line: bytes, moves: tuple[int, ...] | None) -> None:
    if moves is None:
        with pytest.raises(BotProtocol):
            moves_in(line, 7)
    else:
        assert moves_in(line, 7) == moves


@pytest.mark.parametrize(
    "move",
    ["1.0", "1e0", "true", "false", "null", '"1"', "NaN", "-Infinity", "[1,true]", "[[1]]", '{"a":1}', "[null]", '""'],
)
def test_what_is_no_whole_number_is_an_illegal_move(move: str) -> None:
    with pytest.raises(BotIllegalMove) as caught:
        moves_in(f'{{"s":7,"m":{move}}}'.encode(), 7)
    assert not caught.value.process_ended


def test_an_empty_list_is_a_protocol_fault_of_a_bot_that_can_go_on() -> None:
    with pytest.raises(BotProtocol, match="empty list") as caught:
        moves_in(b'{"s":7,"m":[]}', 7)
    assert not caught.value.process_ended


@pytest.mark.parametrize(
    "line",
    [
        b"", b"hello", b"7", b"[7,3]", b'"s"', b"null", b"\xff\xfe", b'{"s":7,"m":3', b'{"s":7,"m":3}}', b'{"s":7}',
        b'{"m":3}', b'{"s":8,"m":3}', b'{"s":"7","m":3}', b'{"s":7.0,"m":3}', b'{"s":true,"m":3}', b'{"s":null,"m":3}',
        b'{"s":7,"m":3,"winner":0}', b'{"s":7,"m":3,"m":4}', b'{"s":7,"s":7,"m":3}', b'{"s":7,"x":{"a":1,"a":2},"m":1}',
        b'{"s":7,"m":' + b"[" * 2000 + b"]" * 2000 + b"}", b'{"s":7,"fault":"arena/overloaded","text":""}',
        b'{"s":7,"fault":"exception","text":3}', b'{"s":7,"fault":["load"],"text":""}', b'{"s":7,"loaded":true}',
        "{\"s\":7,\"m\":\u0663}".encode(), b'{"s":7,"m":3}\r{"s":8,"m":3}',
    ],
)
def test_what_breaks_the_rules_of_a_line_ends_the_bot(line: bytes) -> None:
    with pytest.raises(BotProtocol) as caught:
        moves_in(line, 7)
    assert caught.value.process_ended


@pytest.mark.parametrize(("kind", "fault"), [("load", BotLoad), ("exception", BotException), ("memory", BotMemory)])
def test_a_reported_fault_is_believed_and_charged(kind: str, fault: type[BotFault]) -> None:
    with pytest.raises(fault, match=r"^Oops"):
        answer_in(f'{{"s":7,"fault":"{kind}","text":"Oops"}}'.encode(), 7, {"loaded"})


def test_a_reported_text_is_one_harmless_line() -> None:
    line = b'{"s":7,"fault":"exception","text":"a\\u0000b\\nc\\u001b[31m\\ud800\\u202e' + b"x" * 3000 + b'"}'
    with pytest.raises(BotException) as caught:
        moves_in(line, 7)
    text = str(caught.value)
    assert text.startswith("a b c [31m")
    assert text.isprintable()
    assert len(text) == 300
    text.encode()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["s", "m", "fault", "text"]), inner),
    max_leaves=8,
)
lines = st.binary(max_size=40) | st.one_of(
    st.fixed_dictionaries({"s": st.just(7) | values, "m": values}), st.fixed_dictionaries({"s": st.just(7)}), values
).map(lambda value: json.dumps(value, separators=(",", ":")).encode())


@st.composite
def nearly_right(draw: st.DrawFn) -> bytes:
    """A line as our own program writes it, cut somewhere, with something else in the gap."""
    line = draw(st.sampled_from([b'{"s":7,"m":3}', b'{"s":7,"m":10}', b'{"s":7}', b'{"s":7,"m":[3,4]}']))
    begin, end = sorted((draw(st.integers(0, len(line))), draw(st.integers(0, len(line)))))
    return line[:begin] + draw(st.binary(max_size=3) | st.sampled_from([b"0", b"-", b" ", b"}", b":"])) + line[end:]


@given(lines | nearly_right())
def test_any_line_is_moves_or_the_bots_fault(line: bytes) -> None:
    """Whatever a bot writes, the host reads what JSON reads, and never breaks over it."""
    try:
        moves = moves_in(line, 7)
    except BotFault:
        return
    read = json.loads(line)
    assert read["s"] == 7
    assert moves == tuple(read["m"] if isinstance(read["m"], list) else [read["m"]])


@given(lines | nearly_right())
def test_any_line_is_the_end_of_a_request_or_the_bots_fault(line: bytes) -> None:
    with suppress(BotFault):
        expect_done(line, 7)
        assert json.loads(line) == {"s": 7}
