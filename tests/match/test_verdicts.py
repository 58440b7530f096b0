"""What everything that a bot can do wrong costs it, in either seat."""

from fractions import Fraction

import pytest

from arena.errors import (
    BotCrash,
    BotException,
    BotFault,
    BotIllegalMove,
    BotLoad,
    BotMemory,
    BotOutput,
    BotProtocol,
    BotSecurity,
    BotTimeout,
)
from arena.games import Game
from arena.match.record import VERDICT_KINDS, TurnRecord, Verdict
from arena.match.turn import ClockView, Reply, Timing
from tests.match.scripted import (
    ScriptedPlayer,
    Strategy,
    Table,
    against,
    at_ply,
    lowest,
    play,
    raising,
    took,
)

KINDS: list[type[BotFault]] = [
    BotIllegalMove, BotTimeout, BotException, BotCrash, BotMemory, BotOutput, BotProtocol, BotSecurity, BotLoad,
]
WON_BY = {0: (Fraction(1), Fraction(0)), 1: (Fraction(0), Fraction(1))}
SEATS = pytest.mark.parametrize("seat", [0, 1])


def faulty(seat: int, strategy: Strategy) -> Table:
    return against(seat, ScriptedPlayer(strategy), ScriptedPlayer(lowest))


def illegal(game: Game, clock: ClockView, limit_us: int) -> int:
    return 999


@SEATS
@pytest.mark.parametrize("kind", KINDS[:-1])
@pytest.mark.parametrize("ply", [4, 9, 10])
def test_a_fault_costs_the_game_and_not_the_match(seat: int, kind: type[BotFault], ply: int) -> None:
    fails = [True]

    def once(game: Game, clock: ClockView, limit_us: int) -> int:
        if fails and game.turns >= ply:
            fails.clear()
            raise kind("it went wrong", timing=took(5_000))
        return game.legal_moves()[0]

    record = play(faulty(seat, once)).record
    forfeited, other = record.games
    assert forfeited.verdict == Verdict(seat, kind.code.removeprefix("bot/"), "it went wrong")
    assert forfeited.ending == forfeited.verdict.kind
    assert (forfeited.winner, forfeited.points) == (1 - seat, WON_BY[1 - seat])
    assert forfeited.turns[-1] == TurnRecord(seat, len(forfeited.moves), took(5_000))
    assert other.verdict is None


def test_every_kind_of_verdict_is_tested() -> None:
    assert tuple(kind.code.removeprefix("bot/") for kind in KINDS) == VERDICT_KINDS


@SEATS
def test_an_illegal_move_is_refused_by_the_rules(seat: int) -> None:
    game = play(faulty(seat, at_ply(6, lambda game, clock, limit_us: 17))).record.games[0]
    assert game.verdict is not None
    assert (game.verdict.seat, game.verdict.kind) == (seat, "illegal_move")
    assert "17" in game.verdict.message
    assert game.turns[-1].timing == took(1_000)


@SEATS
def test_time_beyond_turn_and_bank_is_a_timeout(seat: int) -> None:
    slow = at_ply(6, lambda game, clock, limit_us: Reply((game.legal_moves()[0],), took(2_100_001)))
    game = play(faulty(seat, slow)).record.games[0]
    assert game.verdict is not None
    assert (game.verdict.seat, game.verdict.kind) == (seat, "timeout")
    assert len(game.moves) == game.turns[-1].ply, "the late move does not stand"


@SEATS
def test_waiting_for_a_processor_is_not_charged(seat: int) -> None:
    patient = Timing(charged_us=1_000, wall_us=9_000_000, cpu_us=1_000, waited_us=8_999_000)
    record = play(faulty(seat, lambda game, clock, limit_us: Reply((game.legal_moves()[0],), patient))).record
    assert [game.verdict for game in record.games] == [None, None]


@SEATS
def test_an_empty_answer_is_a_protocol_fault(seat: int) -> None:
    game = play(faulty(seat, lambda game, clock, limit_us: ())).record.games[0]
    assert game.verdict is not None
    assert (game.verdict.seat, game.verdict.kind) == (seat, "protocol")


@SEATS
def test_a_move_left_over_is_illegal_and_its_answer_does_not_stand(seat: int) -> None:
    def talkative(game: Game, clock: ClockView, limit_us: int) -> tuple[int, int]:
        return (game.legal_moves()[0], 3)

    game = play(faulty(seat, talkative)).record.games[0]
    assert game.verdict is not None
    assert (game.verdict.seat, game.verdict.kind) == (seat, "illegal_move")
    assert "move 3 is left over: the turn was done after 1 of 2 moves" in game.verdict.message
    assert len(game.moves) == 4 + seat


@SEATS
@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_cannot_be_loaded_loses_the_match(seat: int, kind: type[BotFault]) -> None:
    broken = kind("line 3: no", process_ended=True, log="Traceback")
    at = against(seat, [broken], ScriptedPlayer(lowest))
    played = play(at)
    (game,) = played.record.games
    assert game.verdict == Verdict(seat, broken.kind, "line 3: no", is_loading=True)
    assert (game.moves, game.opening, game.turns, game.winner) == ((), (), (), 1 - seat)
    assert (played.record.winner, played.record.points) == (1 - seat, WON_BY[1 - seat])
    assert played.logs[seat] == "Traceback"
    assert [player.closed for player in at.given] == [1] * seat


@SEATS
def test_who_cannot_be_loaded_again_loses_the_match_from_ahead(seat: int) -> None:
    """It leads 2:0, crashes, and its fresh process does not load: the match is lost whatever the points."""
    dies = ScriptedPlayer(raising(BotCrash("exit code 3", process_ended=True)), by_game=[lowest, lowest])
    fails = ScriptedPlayer(lowest, by_game=[illegal, illegal])
    record = play(against(seat, [dies, BotTimeout("import")], fails), match_format="games-6").record
    assert [game.winner for game in record.games] == [seat, seat, 1 - seat, 1 - seat]
    assert record.games[-1].verdict == Verdict(seat, "timeout", "import", is_loading=True)
    assert record.winner == 1 - seat


@SEATS
def test_a_bot_whose_process_ended_gets_a_fresh_one(seat: int) -> None:
    crashing = ScriptedPlayer(raising(BotCrash("signal 11", process_ended=True)), printed="before ")
    fresh = ScriptedPlayer(lowest, printed="after")
    at = against(seat, [crashing, fresh], ScriptedPlayer(lowest))
    played = play(at)
    assert [game.verdict and game.verdict.kind for game in played.record.games] == ["crash", None]
    assert [opened[0] for opened in at.opened].count(seat) == 2
    assert (crashing.closed, fresh.closed) == (1, 1)
    assert crashing.seen == [("new_game", seat)], "there is nobody left to tell the end of the game"
    assert played.logs[seat] == "before after"


@SEATS
def test_a_bot_whose_process_goes_on_keeps_it(seat: int) -> None:
    at = faulty(seat, raising(BotException("ValueError: no")))
    play(at)
    assert len(at.opened) == 2
    assert ("game_over", None) in at.given[seat].seen


@SEATS
def test_three_forfeits_in_a_row_lose_the_match(seat: int) -> None:
    record = play(faulty(seat, raising(BotException("no"))), match_format="games-10").record
    assert [game.winner for game in record.games] == [1 - seat] * 3
    assert record.winner == 1 - seat


@SEATS
def test_a_forfeit_in_omweso_is_worth_an_okutema(seat: int) -> None:
    record = play(faulty(seat, raising(BotException("no"))), "omweso", "points-4").record
    assert [max(game.points) for game in record.games] == [2, 2]
    assert record.winner == 1 - seat


@SEATS
def test_a_fault_when_the_game_is_announced_costs_it(seat: int) -> None:
    def announced(side: int) -> None:
        if side == seat:
            raise BotException("not as this side")

    at = against(seat, ScriptedPlayer(lowest, announced=announced), ScriptedPlayer(lowest))
    record = play(at).record
    assert [game.verdict and game.verdict.seat for game in record.games] == [seat, None]
    assert record.games[0].moves == record.games[0].opening != ()


@SEATS
@pytest.mark.parametrize("process_ended", [False, True])
def test_a_fault_after_the_game_costs_nothing(seat: int, process_ended: bool) -> None:
    def ended(*ignored: object) -> None:
        raise BotCrash("in game_over", process_ended=process_ended)

    scripts = [ScriptedPlayer(lowest, ended=ended), ScriptedPlayer(lowest)]
    record = play(against(seat, [*scripts], ScriptedPlayer(lowest))).record
    assert [game.verdict for game in record.games] == [None, None]
    assert scripts[0].closed == 1
    assert scripts[1].closed == process_ended


def test_a_hostile_message_becomes_one_clean_short_line() -> None:
    text = "<b>\x1b[31m\ud800\nline two\x00" + "x" * 5_000
    game = play(faulty(0, raising(BotException(text)))).record.games[0]
    assert game.verdict is not None
    message = game.verdict.message
    assert len(message) == 500
    assert message.isprintable()
    assert message.encode().startswith(b"<b> [31m? line two x")
