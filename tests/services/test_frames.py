"""What a viewer is told of a game leads, step by step, to the engine's boards."""

import random
from itertools import pairwise

import pytest

from arena import games
from arena.games import SOUTH, Game, Position
from arena.services.frames import Turn, rows_of, turns_of

RULESETS = (
    "oware", "oware:grand_slam=win25", "urim", "urim:pits=7", "urim:seeds=4", "anywoli", "omweso", "omweso:setup=all2",
    "omweso:setup=free", "nsolo", "nsolo:columns=36",
)


class Shown:
    """A board that carries out steps as the browser does, knowing what their words mean and no rule."""

    def __init__(self, position: Position) -> None:
        self.pits, self.stores, self.hand = list(position.pits), list(position.stores), 0

    def carry_out(self, turn: Turn) -> None:
        for word in turn.steps.replace("|", " ").split():
            if word[0].isdigit():
                self._drop(word)
            elif word[0] in "LT":
                self.hand += self._emptied(int(word[1:]))
            elif word[0] in "SN":
                self.stores["SN".index(word[0])] += self._emptied(int(word[1:])) if word[1:] else self._hand_emptied()
            else:
                self.pits[int(word[1:])] -= 1
                self.stores["sn".index(word[0])] += 1
        if turn.is_put_back:
            self.pits, self.stores, self.hand = list(turn.after.pits), list(turn.after.stores), 0

    def _drop(self, word: str) -> None:
        first, last = (int(end) for end in (word.split("-") * 2)[:2])
        for pit in range(first, last + 1) if first <= last else range(first, last - 1, -1):
            self.pits[pit] += 1
            self.hand = max(0, self.hand - 1)

    def _emptied(self, pit: int) -> int:
        seeds, self.pits[pit] = self.pits[pit], 0
        return seeds

    def _hand_emptied(self) -> int:
        seeds, self.hand = self.hand, 0
        return seeds


def random_game(ruleset: str, seed: int) -> Game:
    dice, game = random.Random(seed), Game(games.load(ruleset))
    while game.outcome() is None:
        game.push(dice.choice(game.legal_moves()))
    return game


@pytest.mark.parametrize("ruleset", RULESETS)
def test_steps_lead_from_each_board_to_the_next(ruleset: str) -> None:
    for seed in range(12 if "36" not in ruleset else 2):
        played = random_game(ruleset, seed)
        board = Shown(played.start)
        turns = list(turns_of(Game(played.rules), played.moves))
        for turn in turns:
            board.carry_out(turn)
            assert (tuple(board.pits), tuple(board.stores)) == (turn.after.pits, turn.after.stores), turn
            assert board.hand == turn.after.hand
        assert turns[-1].after == played.position
        assert [turn.ply for turn in turns] == list(range(played.turns))


def test_a_sowing_that_never_ends_is_put_back() -> None:
    rules = games.load("nsolo:max_laps=1")
    turn, *_ = turns_of(Game(rules), [1])

    assert turn.after.ending == "never_ending"
    assert turn.is_put_back
    board = Shown(rules.initial())
    board.carry_out(turn)
    assert tuple(board.pits) == rules.initial().pits


def test_a_turn_that_breaks_off_is_told_as_far_as_it_went() -> None:
    rules = games.load("omweso:setup=free")
    turn, = turns_of(Game(rules), [44, 42, 40])

    assert (turn.text, turn.steps, turn.is_done, turn.is_set_up) == ("S4,2,0", "0 0 0 0|1 1|", False, True)


def test_what_is_captured_goes_to_the_store_or_is_sown_again() -> None:
    oware = games.load("oware").position((0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 5), (20, 20))
    turn, = turns_of(Game(oware.rules, oware), [5])
    assert turn.steps == "L5 6 S6"

    south, north = [0] * 16, [0] * 16
    south[2], south[4], north[3], north[12] = 2, 1, 2, 3
    omweso = games.load("omweso").position((*south, *north))
    turn, = turns_of(Game(omweso.rules, omweso), [2])
    assert turn.steps == "L2 3-4 T19 T28 3-7"


def test_a_clockwise_lap_goes_down() -> None:
    south, north = [0] * 16, [0] * 16
    south[8], south[6], north[1], north[14] = 2, 1, 2, 1
    omweso = games.load("omweso").position((*south, *north))
    turn, = turns_of(Game(omweso.rules, omweso), [8, 33])

    assert (turn.text, turn.steps) == ("8-", "L8|7-6 T17 T30 9-11")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rows_show_every_pit_once_and_facing_pits_above_each_other(ruleset: str) -> None:
    rules = games.load(ruleset)
    rows = rows_of(rules)

    assert sorted(pit for row in rows for pit in row) == list(range(2 * rules.pits_a_side))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == 2 * rules.rows
    assert all(pit < rules.pits_a_side for row in rows[rules.rows:] for pit in row)
    assert rows[rules.rows][0] == (0 if rules.rows == 1 else rules.pits_a_side // 2 - 1)


def test_side_of_a_turn_is_who_made_it() -> None:
    turns = list(turns_of(Game(games.load("anywoli")), random_game("anywoli", 2).moves))
    assert turns[0].side == SOUTH
    assert any(here.side == there.side for here, there in pairwise(turns))      # it moves again
