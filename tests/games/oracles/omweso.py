"""A slow second Omweso, written from the rules text alone; numbers: docs/rules/omweso.md.

The board is four rows of eight as South sees it, `(row, column)` from the top left; each side knows its circuit as a
list of such places.  A state is the whole story of the game: all that was between turns, and the moves of the turn
being made.  A turn is always carried out from its beginning; where an answer is missing, it stops with a question.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

COLUMNS = range(8)
OUTER = {0: 3, 1: 0}
INNER = {0: 2, 1: 1}
CIRCUIT = {
    0: [(2, column) for column in reversed(COLUMNS)] + [(3, column) for column in COLUMNS],
    1: [(1, column) for column in COLUMNS] + [(0, column) for column in reversed(COLUMNS)],
}
LEFT = {0: {(row, column) for row in (2, 3) for column in (0, 1)},
        1: {(row, column) for row in (0, 1) for column in (6, 7)}}

AGAINST_CLOCK, WITH_CLOCK = 32, 33

Place = tuple[int, int]
Board = dict[Place, int]
Verdict = tuple[int | None, str, tuple[int, int], tuple[int, int]]


class Scene(NamedTuple):
    """What stands between two turns."""

    pits: tuple[int, ...]
    to_move: int
    turns: tuple[int, int] = (0, 0)                 # sowing turns made
    capturing: tuple[int, int] = (0, 0)             # turns with a capture
    arranged: int = 2                               # sides that have arranged their seeds
    award: str = ""
    winner: int | None = None


class Story(NamedTuple):
    scenes: tuple[Scene, ...]
    moves: tuple[int, ...] = ()                     # of the turn under way


class Question(Exception):
    """The turn cannot go on before somebody says which way the seeds in hand are sown."""

    def __init__(self, board: Board, hand: int) -> None:
        super().__init__()
        self.board = board
        self.hand = hand


class NeverEnding(Exception):
    """The sowing of this turn has no end [O7]."""


def pits_of(board: Board) -> tuple[int, ...]:
    return tuple(board[place] for side in (0, 1) for place in CIRCUIT[side])


def board_of(pits: tuple[int, ...]) -> Board:
    return dict(zip(CIRCUIT[0] + CIRCUIT[1], pits, strict=True))


def seeds_of(pits: tuple[int, ...]) -> tuple[int, int]:
    return sum(pits[:16]), sum(pits[16:])


class Turn:
    """One sowing turn, carried out from its start."""

    def __init__(self, oracle: "Oracle", scene: Scene, moves: tuple[int, ...]) -> None:
        self.oracle = oracle
        self.side = scene.to_move
        self.board = board_of(scene.pits)
        self.may_capture = scene.turns[self.side] > 0                               # O5, first turn
        self.columns: set[int] = set()                                              # in which it captured
        self.answers = list(moves[1:])
        pit = moves[0]
        if pit >= 16:
            self.okwesera(CIRCUIT[self.side][pit - 16])
        else:
            self.sow(CIRCUIT[self.side][pit])

    def walk(self, place: Place, direction: int) -> Iterator[Place]:
        circuit = CIRCUIT[self.side]
        at = circuit.index(place)
        while True:
            at = (at + direction) % 16
            yield circuit[at]

    def okwesera(self, place: Place) -> None:
        """Two seeds into the next pit, one into the one after; nothing follows [O4]."""
        assert self.board[place] == 3
        self.board[place] = 0
        way = self.walk(place, 1)
        self.board[next(way)] += 2
        self.board[next(way)] += 1

    def sow(self, begin: Place) -> None:
        hand = self.lift(begin)
        seen: list[tuple[tuple[int, ...], Place, int]] = []
        while hand:
            here = (pits_of(self.board), begin, hand)
            if here in seen or len(seen) == self.oracle.max_laps:
                raise NeverEnding
            seen.append(here)
            last = self.lap(begin, hand, self.direction(begin, hand))
            if self.captures_at(self.board, last):
                hand = self.capture(last[1])
            elif self.board[last] > 1:
                begin, hand = last, self.lift(last)
            else:
                hand = 0

    def direction(self, begin: Place, hand: int) -> int:
        """Clockwise only where that very lap captures, and only if the mover wants it [O6]."""
        if not self.oracle.reverse or begin not in LEFT[self.side] or not self.would_capture(begin, hand):
            return 1
        if not self.answers:
            raise Question(self.board, hand)
        return {AGAINST_CLOCK: 1, WITH_CLOCK: -1}[self.answers.pop(0)]

    def would_capture(self, begin: Place, hand: int) -> bool:
        before = dict(self.board)
        last = self.lap(begin, hand, -1)
        after, self.board = self.board, before
        return self.captures_at(after, last)

    def lap(self, begin: Place, hand: int, direction: int) -> Place:
        board = dict(self.board)
        place = begin
        for place in self.walk(begin, direction):
            board[place] += 1
            hand -= 1
            if hand == 0:
                break
        self.board = board
        return place

    def captures_at(self, board: Board, last: Place) -> bool:
        """The last seed fell into an occupied inner pit, and both pits opposite hold seeds [O5]."""
        row, column = last
        other = 1 - self.side
        return (self.may_capture and row == INNER[self.side] and board[last] > 1
                and board[INNER[other], column] > 0 and board[OUTER[other], column] > 0)

    def capture(self, column: int) -> int:
        self.columns.add(column)
        other = 1 - self.side
        return self.lift((INNER[other], column)) + self.lift((OUTER[other], column))

    def lift(self, place: Place) -> int:
        seeds = self.board[place]
        self.board = {**self.board, place: 0}
        return seeds


class Oracle:
    def __init__(self, options: dict[str, Any]) -> None:
        self.setup: str = options["setup"]
        self.cap: int = 32 if options["setup_cap"] is None else options["setup_cap"]
        self.has_okwesera: bool = options["okwesera"]
        self.reverse: bool = options["reverse"]
        self.has_okutema: bool = options["okutema"]
        self.has_akakyala: bool = options["akakyala"]
        self.max_laps: int = options["max_laps"]
        self.repetition: int = options["repetition"]
        self.max_plies: int = options["max_plies"]

    def initial(self) -> Story:
        if self.setup == "free":
            return Story((Scene((0,) * 32, 0, arranged=0),))
        side = {"outer4": (0,) * 8 + (4,) * 8, "inner4": (4,) * 8 + (0,) * 8, "all2": (2,) * 16}[self.setup]
        return Story((Scene(side + side, 0),))

    def start(self, pits: list[int], stores: tuple[int, int], to_move: int) -> Story:
        """A game that begins from this board, both first turns done; `pits` are South's circuit, then North's."""
        assert stores == (0, 0)
        can_move = max(pits[16:] if to_move else pits[:16]) >= 2
        return Story((Scene(tuple(pits), to_move, (1, 1), award="" if can_move else "bulijo",
                            winner=None if can_move else 1 - to_move),))

    def legal(self, story: Story) -> list[int]:
        if self.outcome(story):
            return []
        scene = story.scenes[-1]
        if scene.arranged < 2:
            return self.counts_to_place(story.moves)
        if story.moves:
            return [AGAINST_CLOCK, WITH_CLOCK]
        own = scene.pits[16:] if scene.to_move else scene.pits[:16]
        sowing = [pit for pit in range(16) if own[pit] >= 2]
        if self.has_okwesera and scene.capturing == (0, 0):
            sowing += [16 + pit for pit in range(16) if own[pit] == 3]
        return sowing

    def counts_to_place(self, placed: tuple[int, ...]) -> list[int]:
        """How many seeds may go into the next pit, so that 32 can still be reached exactly [O2]."""
        left = 32 - sum(move - 40 for move in placed)
        pits_after = 15 - len(placed)
        return [40 + count for count in range(min(self.cap, left) + 1) if left - count <= pits_after * self.cap]

    def play(self, story: Story, move: int) -> Story:
        assert move in self.legal(story)
        scene, moves = story.scenes[-1], (*story.moves, move)
        if scene.arranged < 2:
            if len(moves) < 16:
                return Story(story.scenes, moves)
            return Story((*story.scenes, self.arrange(scene, moves)))
        try:
            turn = Turn(self, scene, moves)
        except Question:
            return Story(story.scenes, moves)
        except NeverEnding:
            return Story((*story.scenes, scene._replace(to_move=1 - scene.to_move, award="never_ending")))
        assert not turn.answers
        return Story((*story.scenes, self.finish(scene, turn)))

    def arrange(self, scene: Scene, moves: tuple[int, ...]) -> Scene:
        row = tuple(move - 40 for move in moves)
        pits = row + scene.pits[16:] if scene.to_move == 0 else scene.pits[:16] + row
        return scene._replace(pits=pits, to_move=1 - scene.to_move, arranged=scene.arranged + 1)

    def finish(self, scene: Scene, turn: Turn) -> Scene:
        side, other = turn.side, 1 - turn.side
        turns, capturing = list(scene.turns), list(scene.capturing)
        turns[side] += 1
        capturing[side] += 1 if turn.columns else 0
        award = self.award(turn, capturing)
        return Scene(pits_of(turn.board), other, (turns[0], turns[1]), (capturing[0], capturing[1]), 2, award,
                     side if award else None)

    def award(self, turn: Turn, capturing: list[int]) -> str:
        """What the turn just completed has won, the first that holds [O8]."""
        side, other = turn.side, 1 - turn.side
        against = [turn.board[place] for place in CIRCUIT[other]]
        front = [turn.board[INNER[other], column] for column in COLUMNS]
        if turn.columns and not any(against):
            return "akawumbi"
        if self.has_okutema and turn.columns and not any(front):
            return "okutema_front_row"
        if self.has_okutema and {0, 7} <= turn.columns:
            return "okutema_both_ends"
        if self.has_akakyala and turn.columns and capturing[side] == 2 and capturing[other] == 0:
            return "akakyala"
        return "bulijo" if max(against) < 2 else ""

    def view(self, story: Story) -> tuple[tuple[int, ...], tuple[int, int], int, int]:
        scene = story.scenes[-1]
        pits, hand = scene.pits, 0
        if story.moves and scene.arranged < 2:
            row = [move - 40 for move in story.moves] + [0] * (16 - len(story.moves))
            pits = (*row, *pits[16:]) if scene.to_move == 0 else (*pits[:16], *row)
        elif story.moves:
            try:
                Turn(self, scene, story.moves)
            except Question as question:
                pits, hand = pits_of(question.board), question.hand
        return pits, (0, 0), scene.to_move, hand

    def outcome(self, story: Story) -> Verdict | None:
        scene = story.scenes[-1]
        seeds = seeds_of(scene.pits)
        if scene.winner is not None:
            points = {"akawumbi": 12, "bulijo": 1}.get(scene.award, 2)
            return scene.winner, scene.award, seeds, (points, 0) if scene.winner == 0 else (0, points)
        if scene.award:
            return None, scene.award, seeds, (0, 0)
        if story.moves:
            return None
        same = [past for past in story.scenes if (past.pits, past.to_move) == (scene.pits, scene.to_move)]
        if len(same) >= self.repetition:                                            # O9
            return None, "repetition", seeds, (0, 0)
        if sum(scene.turns) - sum(story.scenes[0].turns) >= self.max_plies:
            return None, "ply_cap", seeds, (0, 0)
        return None
