"""Boards met before: how a game knows a repetition, and a sowing that it never ends."""

from __future__ import annotations

from arena.games.board import Board
from arena.games.native import append, i64, mypyc_attr, vec


@mypyc_attr(acyclic=True)
class Met:
    """Boards that were met, each with a number that belongs to it: where the next lap began, or nothing, 0."""

    __slots__ = ("_boards", "_checksums", "_marks")

    def __init__(self) -> None:
        self._boards: list[Board] = []
        self._marks: vec[i64] = vec[i64]()
        self._checksums: vec[i64] = vec[i64]()      # of the boards, to find the few that may be equal

    def note(self, board: Board, mark: i64) -> i64:
        """Remember a board that nobody will change; how often it was met before."""
        checksum = board.checksum()
        times = self._times(board, mark, checksum)
        self._boards.append(board)
        self._marks = append(self._marks, mark)
        self._checksums = append(self._checksums, checksum)
        return times

    def times(self, board: Board, mark: i64) -> i64:
        """How often the board was met with this number."""
        return self._times(board, mark, board.checksum())

    def _times(self, board: Board, mark: i64, checksum: i64) -> i64:
        times: i64 = 0
        if checksum in self._checksums:
            for number, earlier in enumerate(self._boards):
                if self._marks[number] == mark and earlier.lies_as(board):
                    times += 1
        return times

    def copy(self) -> Met:
        twin = Met()
        twin._boards = self._boards.copy()
        twin._marks = self._marks[:]
        twin._checksums = self._checksums[:]
        return twin
