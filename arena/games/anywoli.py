"""Anywoli: relay sowing, fours captured on the way and at the end, further moves.  Numbers: docs/rules/anywoli.md."""

from collections.abc import Iterable, Sequence

from arena.games.outcome import SOUTH, Move, Outcome, Pair, Side, opponent_of
from arena.games.position import Draft, Position
from arena.games.two_row import QUIET_LIMIT, TwoRowRules

GROUP = 4                       # seeds in every capture, and in the last group of a game
OVER = -1                       # in place of a lap's last pit: the game ended within the lap


class Anywoli(TwoRowRules):
    name = "anywoli"
    title = "Anywoli"
    declared = (QUIET_LIMIT,)

    def board(self) -> Pair:
        return 12, 4                                                        # A1

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: Side = SOUTH) -> Position:
        """A position given by hand; a side without seeds has passed already [A4].  Raises: InvalidPosition."""
        given = super().position(pits, stores, to_move)
        return Position(self, given.pits, given.stores, self._who_can_move(given.pits, given.to_move))

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Any filled pit of one's own [A3]."""
        return position.filled()

    def advance(self, draft: Draft, move: Move) -> Position:
        """Sow lap after lap; who made a four with a last seed moves again [A8], who has no seed passes [A4]."""
        mover = draft.mover
        moves_again = self._relay(draft, self.row(mover)[move])
        return draft.freeze(self._who_can_move(draft.pits, mover if moves_again else opponent_of(mover)))

    def outcome(self, position: Position) -> Outcome | None:
        """The board is empty: somebody took the last four [A10, A12]."""
        return None if any(position.pits) else self.count("last_four", position.stores)

    def _relay(self, draft: Draft, pit: int) -> bool:
        """Sow from this pit and relay [A5]; whether the last seed made a four [A7]."""
        pits = draft.pits
        picked_up: set[tuple[int, tuple[int, ...]]] = set()
        while True:
            pick_up = (pit, tuple(pits))
            if pick_up in picked_up:
                return False                                                # A9: it would never end
            picked_up.add(pick_up)
            pit = self._sow_lap(draft, pit)
            if pit == OVER or pits[pit] == 1:
                return False
            if pits[pit] == GROUP:
                self._capture(draft, pit, draft.mover, 0)
                return True

    def _sow_lap(self, draft: Draft, pit: int) -> int:
        """Sow one lap, no pit passed over [A2]; fours made on the way go to the pit's owner [A6].

        Returns: the pit of the last seed, or OVER.
        """
        pits, size = draft.pits, len(draft.pits)
        hand = draft.lift(pit)
        while hand:
            pit = pit + 1 if pit + 1 < size else 0
            pits[pit] += 1
            hand -= 1
            if draft.steps is not None:
                draft.dropped(pit)
            if hand and pits[pit] == GROUP and self._capture(draft, pit, pit // self.pits_a_side, hand):
                return OVER
        return pit

    def _capture(self, draft: Draft, pit: int, side: Side, hand: int) -> bool:
        """Capture a four; with it go the last four seeds in play, those in the hand too [A10].  Whether it did so."""
        draft.capture(pit, side)
        if sum(draft.stores) < self.seeds - GROUP:
            return False
        for rest, seeds in enumerate(draft.pits):
            if seeds:
                draft.capture(rest, side)
        if hand:
            draft.capture_hand(hand, side)
        return True

    def _who_can_move(self, pits: Sequence[int], side: Side) -> Side:
        """The side itself, or its opponent when it has no seed and passes [A4]."""
        row = self.row(side)
        return side if any(pits[row.start:row.stop]) else opponent_of(side)
