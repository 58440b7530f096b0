"""Whole matches between scripted players: who moves when, and what everything a bot can do wrong costs it."""

from fractions import Fraction

import pytest

from arena import games
from arena.errors import (
    ArenaFault,
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
    Invalid,
    LeaseLost,
    UnknownFormat,
    UnknownGame,
)
from arena.games import Game
from arena.match.clock import ClockView, TimeControl
from arena.match.openings import bot_seed
from arena.match.player import Reply, Timing
from arena.match.record import ENGINE_VERSION, VERDICT_KINDS, MatchPlayed, TurnRecord, Verdict, replay
from arena.match.referee import play_match
from tests.match.scripted import (
    BOTS,
    SEED,
    ScriptedPlayer,
    Strategy,
    Table,
    against,
    any_move,
    any_turn,
    at_ply,
    lowest,
    raising,
    setup,
    silent,
    table,
    took,
)

KINDS: list[type[BotFault]] = [
    BotIllegalMove, BotTimeout, BotException, BotCrash, BotMemory, BotOutput, BotProtocol, BotSecurity, BotLoad,
]
WON_BY = {0: (Fraction(1), Fraction(0)), 1: (Fraction(0), Fraction(1))}
SEATS = pytest.mark.parametrize("seat", [0, 1])


def play(
    at: Table, ruleset: str = "oware", match_format: str = "games-2", plies: int = 4, **changes: str
) -> MatchPlayed:
    """A match played out, whose record replays."""
    played = play_match(setup(ruleset, match_format, plies, **changes), at.open_player, silent)
    replay(played.record)
    return played


def faulty(seat: int, strategy: Strategy) -> Table:
    return against(seat, ScriptedPlayer(strategy), ScriptedPlayer(lowest))


def illegal(game: Game, clock: ClockView, limit_us: int) -> int:
    return 999


def test_a_match_records_its_terms() -> None:
    record = play(table(), time_control="250+0").record
    assert (record.ruleset, record.match_format, record.time_control) == ("oware", "games-2", "250+0")
    assert (record.seed, record.opening_plies, record.bots) == (SEED, 4, BOTS)
    assert (record.engine_version, record.isolation) == (ENGINE_VERSION, "none")


def test_names_of_the_terms_become_canonical() -> None:
    record = play(table(), "Oware: quiet_limit=20, grand_slam=forfeit", time_control="100+2000").record
    assert (record.ruleset, record.time_control) == ("oware:quiet_limit=20", "quick")


def test_seats_are_exchanged_and_the_opening_is_shared() -> None:
    games_played = play(table(any_move(1), any_move(2)), match_format="games-4").record.games
    assert [game.south for game in games_played] == [0, 1, 0, 1]
    openings = [game.opening for game in games_played]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert all(game.moves[:4] == game.opening for game in games_played)


def test_players_are_told_their_side_and_the_end() -> None:
    at = table()
    record = play(at).record
    endings = [game.ending for game in record.games]
    first, second = at.given
    assert first.seen == [("new_game", 0), ("game_over", endings[0]), ("new_game", 1), ("game_over", endings[1])]
    assert second.seen == [("new_game", 1), ("game_over", endings[0]), ("new_game", 0), ("game_over", endings[1])]


def test_players_get_their_seat_their_seed_and_no_more() -> None:
    at = table()
    play(at)
    for seat, (opened, info, seed) in enumerate(at.opened):
        assert (opened, info.seat, seed) == (seat, seat, bot_seed(SEED, seat))
        assert (info.ruleset, info.match_format, info.time_control) == ("oware", "games-2", TimeControl(100, 2_000))
    assert len(at.opened) == 2


def test_winners_and_points_are_by_seat() -> None:
    """The second bot captures greedily, the first gives its seeds away; North or South makes no difference."""
    def greedy(game: Game, clock: ClockView, limit_us: int) -> int:
        side = game.position.to_move
        return max(game.legal_moves(), key=lambda move: game.position.play(move).stores[side])

    record = play(table(lowest, greedy), match_format="games-4").record
    assert [game.winner for game in record.games] == [1, 1, 1, 1]
    assert (record.winner, record.score) == (1, (0, 2))
    assert record.points == (Fraction(0), Fraction(4))


def test_every_turn_of_a_bot_has_its_time() -> None:
    game = play(table()).record.games[0]
    assert [turn.ply for turn in game.turns] == list(range(4, len(game.moves)))
    assert [turn.seat for turn in game.turns[:3]] == [0, 1, 0]
    assert {turn.timing for turn in game.turns} == {took(1_000)}


def test_players_see_their_clock() -> None:
    at = table(lambda game, clock, limit_us: Reply((game.legal_moves()[0],), took(150_000)))
    play(at, match_format="games-1")
    clocks = at.given[0].clocks
    assert clocks[0] == ClockView(turn_ms=100, bank_ms=2_000, last_charged_ms=0)
    assert clocks[1] == ClockView(turn_ms=100, bank_ms=1_950, last_charged_ms=150)


def test_a_game_begins_with_a_full_bank() -> None:
    at = table(lambda game, clock, limit_us: Reply((game.legal_moves()[0],), took(120_000)))
    play(at, "oware:quiet_limit=20", time_control="100+900")
    starts = [clock for clock in at.given[0].clocks if clock.last_charged_ms == 0]
    assert [clock.bank_ms for clock in starts] == [900, 900]


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


def test_a_whole_turn_may_come_in_one_answer_or_in_many() -> None:
    whole = play(table(any_turn(1), any_turn(2)), "omweso", "games-2").record
    single = play(table(any_move(1), any_move(2)), "omweso", "games-2").record
    for record in (whole, single):
        assert all(game.verdict is None for game in record.games)
    plies = [turn.ply for turn in single.games[0].turns]
    assert plies == sorted(set(plies)), "one time for each turn, however many answers it took"


def test_bots_play_the_set_up_and_the_opening_follows() -> None:
    record = play(table(any_turn(1), any_turn(2)), "omweso:setup=free", "games-2").record
    for game in record.games:
        setting = sum(move >= 40 for move in game.moves)
        assert all(move >= 40 for move in game.moves[:setting])
        assert game.moves[setting : setting + len(game.opening)] == game.opening != ()


def test_an_annulled_game_is_replayed_three_times_then_given_up() -> None:
    record = play(table(any_turn(1), any_turn(2)), "omweso:max_plies=6", "games-2").record
    assert {game.ending for game in record.games} == {"ply_cap"}
    assert [game.south for game in record.games] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert len({game.opening for game in record.games[:4]}) == 4
    assert record.games[4].opening == record.games[3].opening
    assert (record.score, record.winner) == ((1, 1), None)


def test_a_draw_that_is_no_annulment_is_not_replayed() -> None:
    record = play(table(), "urim:quiet_limit=1", "games-2", plies=0).record
    assert [game.winner for game in record.games] == [None, None]


def test_our_own_fault_propagates_and_everything_is_closed() -> None:
    at = table(lowest, at_ply(8, raising(ArenaFault("out of memory"))))
    with pytest.raises(ArenaFault, match="out of memory"):
        play(at)
    assert [player.closed for player in at.given] == [1, 1]


def test_a_fault_of_ours_while_opening_closes_the_other() -> None:
    at = Table(ScriptedPlayer(lowest), [ArenaFault("no sandbox")])
    with pytest.raises(ArenaFault, match="no sandbox"):
        play(at)
    assert [player.closed for player in at.given] == [1]


def test_both_are_closed_even_when_one_cannot() -> None:
    class Stuck(ScriptedPlayer):
        def close(self) -> None:
            super().close()
            raise ArenaFault("cannot be killed")

    for stuck in (0, 1):
        at = against(stuck, Stuck(lowest), ScriptedPlayer(lowest))
        with pytest.raises(ArenaFault, match="cannot be killed"):
            play(at)
        assert [player.closed for player in at.given] == [1, 1]


def test_a_lost_lease_ends_the_match_between_turns() -> None:
    at, calls = table(), []

    def progress(game: int, ply: int) -> None:
        calls.append((game, ply))
        if (game, ply) == (1, 6):
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        play_match(setup(), at.open_player, progress)
    assert [player.closed for player in at.given] == [1, 1]
    assert calls[:3] == [(0, 0), (0, 4), (0, 5)]
    assert calls[-4:] == [(1, 0), (1, 4), (1, 5), (1, 6)]


def test_a_bug_of_ours_is_not_the_bots() -> None:
    at = table(raising(ZeroDivisionError("referee")))
    with pytest.raises(ZeroDivisionError):
        play(at)
    assert [player.closed for player in at.given] == [1, 1]


def test_logs_are_kept_apart_and_short() -> None:
    at = Table(ScriptedPlayer(lowest, printed="mine"), ScriptedPlayer(lowest, printed="x" * 100_000))
    logs = play(at).logs
    assert logs[0] == "mine"
    assert logs[1] == "x" * 64 * 1024


def test_the_time_to_load_is_handed_on() -> None:
    class Loaded(ScriptedPlayer):
        load_ms = 123

    assert play(Table(Loaded(lowest), ScriptedPlayer(lowest))).load_ms == (123, None)


@pytest.mark.parametrize(
    ("terms", "error"),
    [(setup("chess"), UnknownGame), (setup(match_format="best"), UnknownFormat), (setup(opening_plies=99), Invalid),
     (setup(seed="42"), Invalid), (setup(time_control="fast"), UnknownFormat)],
)
def test_terms_that_name_nothing_are_refused_before_anything_is_opened(terms: object, error: type[Exception]) -> None:
    at = table()
    with pytest.raises(error):
        play_match(terms, at.open_player, silent)  # type: ignore[arg-type]
    assert at.opened == []


@pytest.mark.parametrize("ruleset", games.names())
def test_every_game_can_be_played_in_its_usual_format(ruleset: str) -> None:
    from arena.match.format import default_format

    record = play(table(any_turn(3), any_turn(4)), ruleset, default_format(ruleset)).record
    assert all(game.verdict is None for game in record.games)
