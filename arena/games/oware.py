"""Oware (Abapa): sow one lap, capture twos and threes, feed a starving opponent.  Numbers: docs/rules/oware.md."""

from collections.abc import Mapping

from arena.games.options import Choice, OptionValue
from arena.games.outcome import Move, Outcome, Pair, opponent_of
from arena.games.position import Draft, Position
from arena.games.sowing import chain_from, is_grand_slam, sow_past_origin
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

MAJORITY = 25                   # more than half of the 48 seeds [O9]


class Oware(TwoRowRules):
    name = "oware"
    title = "Oware (Abapa)"
    declared = (
        Choice("grand_slam", ("forfeit", "win25"), "forfeit",
               "a capture of all the opponent's seeds: never, or only when it brings 25 seeds"),
        QUIET_LIMIT,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.slam_may_win: bool = self._values["grand_slam"] == "win25"

    def board(self) -> Pair:
        return 6, 4                                                         # O1

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Any filled pit [O2]; while the opponent starves, only moves that feed him [O3]."""
        if max(position.stores) >= MAJORITY:
            return ()
        filled = position.filled()
        if position.seeds_of(opponent_of(position.to_move)):
            return filled
        own = position.pits_of(position.to_move)
        return tuple(pit for pit in filled if own[pit] > 5 - pit)

    def advance(self, draft: Draft, move: Move) -> Position:
        """Sow, look at the last seed, work out the chain, test for a grand slam, capture [O5]."""
        mover = draft.mover
        row = self.row(opponent_of(mover))
        last = sow_past_origin(draft, mover * 6 + move)                     # O4
        captured = chain_from(draft.pits, last, row, most=3)                # O6, O7
        if captured and not self._is_forfeited(draft, captured, row):
            for pit in captured:
                draft.capture(pit, mover)
        return draft.pass_on()

    def _is_forfeited(self, draft: Draft, captured: list[int], row: range) -> bool:
        """A grand slam takes nothing, unless the variant lets it win [O8]."""
        if not is_grand_slam(draft.pits, captured, row):
            return False
        return not self.slam_may_win or draft.stores[draft.mover] + sum(draft.pits[row.start:row.stop]) < MAJORITY

    def outcome(self, position: Position) -> Outcome | None:
        """A majority [O9], or nothing legal to play [O11]."""
        stores = position.stores
        if max(stores) >= MAJORITY:
            return self.count("majority", stores)
        return None if position.legal_moves() else self.adjudicate(position, "no_moves")
