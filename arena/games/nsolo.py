"""Nsolo: relay sowing on one's own circuit; who captures strips as many stones again.  Numbers: docs/rules/nsolo.md."""

from collections.abc import Iterable, Mapping

from arena.errors import InvalidPosition
from arena.games import four_row_text
from arena.games.four_row import MAX_LAPS, NEVER_ENDING, Circuit, LapCount, facing
from arena.games.options import Number, NumberPer, OptionValue, shown
from arena.games.outcome import NORTH, SOUTH, Move, Outcome, Side, Step, counted, opponent_of
from arena.games.position import Draft, Position, Progress
from arena.games.rules import Rules, checked_pair, checked_pits, checked_side

COLUMNS = Number("columns", (8, 36), 8, "pits in each of the four rows")


class Nsolo(Rules):
    """Fact of a position: how many stones the side to move still has to strip; 0 between turns."""

    name = "nsolo"
    title = "Nsolo"
    rows = 2
    order_matters = False               # stones may be stripped in any order [N5]
    facts = (("strip", 1),)
    declared = (
        COLUMNS,
        NumberPer("max_plies", 100, COLUMNS, "so many turns make the game a draw"),
        MAX_LAPS,
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.columns: int = self.number("columns")
        self.pits_a_side = 2 * self.columns
        self.pass_move: Move = 4 * self.columns
        self.ply_limit = self.number("max_plies")                           # N6
        self.max_laps: int = self.number("max_laps")

    def initial(self) -> Position:
        """Two stones in every pit but each player's rightmost inner one [N1]."""
        own = (0,) + (2,) * (self.pits_a_side - 1)
        return Position(self, own * 2, (0, 0), SOUTH, Progress(facts=(0,)))

    def position(self, pits: Iterable[int], stores: Iterable[int] | None = None, to_move: Side = SOUTH,
                 strip: int = 0) -> Position:
        """A position given by hand, any number of stones in any pit.

        `strip`: stones the side to move still has to strip, in mid-turn.  Raises: InvalidPosition.
        """
        board = checked_pits(self, pits)
        taken = (0, 0) if stores is None else checked_pair("stores", stores)
        position = Position(self, board, taken, checked_side(to_move), Progress(facts=(strip,)))
        there = position.seeds_of(opponent_of(to_move))
        if type(strip) is not int or not 0 <= strip <= there:
            raise InvalidPosition(f"strip must be from 0 to the opponent's {there} stones, not {shown(strip)}")
        return position

    def restore(self, pits: tuple[int, ...], stores: tuple[int, ...], to_move: Side, progress: Progress) -> Position:
        position = self.position(pits, stores, to_move, progress.facts[0])
        if not progress.ending:
            return position
        if progress.ending != NEVER_ENDING or progress.facts[0]:
            raise InvalidPosition(f"no game of Nsolo ends with {shown(progress.ending)} here")
        return self._stopped(position)

    def is_mid_turn(self, position: Position) -> bool:
        return position.facts[0] > 0

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """The opponent's filled pits while stones must be stripped [N4], else what may be sown [N3]."""
        if position.ending or self._loser(position) is not None:
            return ()
        if self.is_mid_turn(position):
            theirs = position.pits_of(opponent_of(position.to_move))
            return tuple(self.pits_a_side + pit for pit, stones in enumerate(theirs) if stones)
        own = position.pits_of(position.to_move)
        several = tuple(pit for pit, stones in enumerate(own) if stones >= 2)
        if several:
            return several                                                  # N3a
        single = tuple(pit for pit, stones in enumerate(own) if stones and not own[(pit + 1) % len(own)])
        return single or (self.pass_move,)                                  # N3b, N3c

    def advance(self, draft: Draft, move: Move) -> Position:
        if move == self.pass_move:
            return self._passed_on(draft)
        if move >= self.pits_a_side:
            return self._strip(draft, move - self.pits_a_side)
        circuit = Circuit(draft.start, draft.steps)
        last = self._sow(circuit, move)
        if last is None:
            return self._stopped(draft.start)
        draft.pits[circuit.first:circuit.first + self.pits_a_side] = circuit.pits
        return self._capture(draft, last)

    def outcome(self, position: Position) -> Outcome | None:
        """A sowing never ended; or a player has no stones, and loses [N6]."""
        if position.ending:
            return self.adjudicate(position, position.ending)
        loser = self._loser(position)
        if loser is None:
            return None
        seeds = position.seeds_of(SOUTH), position.seeds_of(NORTH)
        return counted(opponent_of(loser), "no_stones", seeds, (0, 2) if loser == SOUTH else (2, 0))

    def adjudicate(self, position: Position, ending: str) -> Outcome:
        """A draw [N6]."""
        return counted(None, ending, (position.seeds_of(SOUTH), position.seeds_of(NORTH)), (1, 1))

    def turn_text(self, position: Position, moves: tuple[Move, ...]) -> str:
        return four_row_text.nsolo_turn_text(position, moves)

    def parse_turn(self, position: Position, text: str) -> tuple[Move, ...]:
        return four_row_text.parse_nsolo_turn(position, text)

    def _loser(self, position: Position) -> Side | None:
        """The player without stones; first of the two the one to move, whom the last turn has emptied."""
        for side in (position.to_move, opponent_of(position.to_move)):
            if not any(position.pits_of(side)):
                return side
        return None

    def _sow(self, circuit: Circuit, pit: int) -> int | None:
        """Sow and relay [N2]; the empty pit in which it ends, None when it never does [N6]."""
        laps = LapCount(self.max_laps)
        while True:
            stones = circuit.lift(pit)
            if laps.next_never_ends(circuit.pits, pit):
                return None
            pit = circuit.sow(pit, stones)
            if circuit.pits[pit] == 1:
                return pit

    def _capture(self, draft: Draft, last: int) -> Position:
        """What the last stone wins: the facing inner pit, and the right to strip as many again [N4]."""
        mover, opponent = draft.mover, opponent_of(draft.mover)
        if last >= self.columns:
            return self._passed_on(draft)
        first = opponent * self.pits_a_side
        front = first + facing(last, self.columns)
        if not draft.pits[front]:
            return self._passed_on(draft)
        captured = draft.capture(front, mover)
        strip = min(captured, sum(draft.pits[first:first + self.pits_a_side]))
        return draft.freeze(mover, Progress(facts=(strip,))) if strip else self._passed_on(draft)

    def _strip(self, draft: Draft, pit: int) -> Position:
        index = opponent_of(draft.mover) * self.pits_a_side + pit
        draft.pits[index] -= 1
        draft.stores[draft.mover] += 1
        if draft.steps is not None:
            draft.steps.append(Step("strip", index, 1, draft.mover))
        left = draft.start.facts[0] - 1
        return draft.freeze(draft.mover, Progress(facts=(left,))) if left else self._passed_on(draft)

    def _passed_on(self, draft: Draft) -> Position:
        return draft.freeze(opponent_of(draft.mover), Progress(facts=(0,)))

    def _stopped(self, before: Position) -> Position:
        """A sowing that never ends leaves the boards as they were before the turn [N6]."""
        return Position(self, before.pits, before.stores, before.to_move, Progress(0, before.facts, NEVER_ENDING))
