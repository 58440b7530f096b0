"""Whole matches between scripted players: who moves when, who is told what, and who is closed."""

from fractions import Fraction

import pytest

from arena import games
from arena.errors import (
    ArenaFault,
    Invalid,
    LeaseLost,
    UnknownFormat,
    UnknownGame,
)
from arena.games import Game
from arena.match.format import default_format
from arena.match.openings import bot_seed
from arena.match.record import ENGINE_VERSION
from arena.match.referee import play_match
from arena.match.time_control import TimeControl
from arena.match.turn import ClockView, Reply
from tests.match.scripted import (
    BOTS,
    SEED,
    ScriptedPlayer,
    Table,
    against,
    any_move,
    any_turn,
    at_ply,
    lowest,
    play,
    raising,
    setup,
    silent,
    table,
    took,
)


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
    record = play(table(any_turn(3), any_turn(4)), ruleset, default_format(ruleset)).record
    assert all(game.verdict is None for game in record.games)
