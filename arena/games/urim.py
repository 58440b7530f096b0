"""Urim: Oware with seventeen to a pit, chains through fours, points by share.  Numbers: docs/rules/urim.md."""

from collections.abc import Mapping

from arena.errors import InvalidPosition
from arena.games.options import Choice, OptionValue
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Pair, counted, opponent_of
from arena.games.position import Draft, Position
from arena.games.sowing import chain_from, is_grand_slam, sow_past_full
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

FULL = 17                       # seeds a pit can hold [U5]


class Urim(TwoRowRules):
    name = "urim"
    title = "Urim"
    declared = (
        Choice("pits", (6, 7), 6, "pits on each side"),
        Choice("seeds", (3, 4), 3, "seeds in each pit at the start"),
        Choice("grand_slam", ("forfeit", "legal"), "forfeit", "whether all the opponent's seeds may be captured"),
        QUIET_LIMIT,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.slam_is_legal: bool = self._values["grand_slam"] == "legal"

    def board(self) -> Pair:
        return self.number("pits"), self.number("seeds")                    # U1

    def check_board(self, pits: tuple[int, ...]) -> None:
        """Raises: InvalidPosition when a pit holds more than seventeen [U5]."""
        for seeds in pits:
            if seeds > FULL:
                raise InvalidPosition(f"a pit of urim holds at most {FULL} seeds, not {seeds}")

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Any filled pit [U2]; while the opponent starves, only moves that feed him [U3]."""
        filled = position.filled()
        if position.seeds_of(opponent_of(position.to_move)):
            return filled
        own = position.pits_of(position.to_move)
        return tuple(pit for pit in filled if _feeds(own, pit))

    def advance(self, draft: Draft, move: Move) -> Position:
        """As Oware: sow, look at the last seed, work out the chain, test for a grand slam, capture."""
        mover = draft.mover
        row = self.row(opponent_of(mover))
        last = sow_past_full(draft, self.row(mover)[move], FULL)            # U4, U5
        captured = chain_from(draft.pits, last, row, most=4)                # U6, U7
        if self.slam_is_legal or not is_grand_slam(draft.pits, captured, row):      # U8
            for pit in captured:
                draft.capture(pit, mover)
        return draft.pass_on()

    def outcome(self, position: Position) -> Outcome | None:
        """Nothing legal to play; a majority does not end the game [U9, U10]."""
        return None if position.legal_moves() else self.adjudicate(position, "no_moves")

    def count(self, ending: str, seeds: Pair) -> Outcome:
        """A point for three quarters of all seeds, half a point for more than half, nothing for a draw [U11]."""
        south, north = seeds
        if south == north:
            return counted(None, ending, seeds, (0, 0))
        half_points = 2 if 4 * max(seeds) >= 3 * self.seeds else 1
        if south > north:
            return counted(SOUTH, ending, seeds, (half_points, 0))
        return counted(NORTH, ending, seeds, (0, half_points))


def _feeds(own: tuple[int, ...], pit: int) -> bool:
    """Whether a seed gets past the pits after this one, of which the full take none [U3, U5]."""
    return own[pit] > sum([1 for seeds in own[pit + 1:] if seeds < FULL])
