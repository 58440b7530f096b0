"""What a search remembers of positions: a table of fixed size, in which later ones take the place of earlier ones."""

from __future__ import annotations

from arena.games.native import Final, i64, vec

EXACT: Final = 0                # what a remembered value is: the value itself,
LEAST: Final = 1                # or no more than known to be reached,
MOST: Final = 2                 # or no less

FORGOTTEN: Final = -1          # in place of a key: not to be remembered

_FIRST_ROOM: Final = 1 << 12
_CELLS: Final = 3               # of an entry: key, value, and move, depth and kind of value in one number
_KINDS: Final = 4
_DEPTHS: Final = 128
_SPREAD: Final = 24             # the lowest bits of keys are too much alike to tell slots apart


class Memory:
    """Positions by their keys.  Two positions of one key are taken for the same: with 62 bits, never in practice."""

    __slots__ = ("_cells", "_kept", "_mask", "_most")

    def __init__(self, entries: int) -> None:
        """Room for so many positions at most, rounded down to a power of two; 0 remembers nothing."""
        self._most: i64 = 1 << (entries.bit_length() - 1) if entries > 0 else 0
        self._mask: i64 = -1
        self._kept: i64 = 0
        self._cells: vec[i64] = vec[i64]()
        self._make_room(min(_FIRST_ROOM, self._most))

    def clear(self) -> None:
        self._make_room(min(_FIRST_ROOM, self._most))

    def slot_of(self, key: i64) -> i64:
        """Where the position is remembered, or -1."""
        if self._mask < 0 or key == FORGOTTEN:
            return -1
        slot = (key >> _SPREAD & self._mask) * _CELLS
        if self._cells[slot] != key:
            return -1
        return slot

    def value_at(self, slot: i64) -> i64:
        return self._cells[slot + 1]

    def kind_at(self, slot: i64) -> i64:
        return self._cells[slot + 2] % _KINDS

    def depth_at(self, slot: i64) -> i64:
        """How deep the search was that gave the value."""
        return self._cells[slot + 2] // _KINDS % _DEPTHS

    def move_at(self, slot: i64) -> i64:
        """The best move found there."""
        return self._cells[slot + 2] // (_KINDS * _DEPTHS)

    def note(self, key: i64, depth: i64, kind: i64, value: i64, move: i64) -> None:
        if self._mask < 0 or key == FORGOTTEN:
            return
        slot = (key >> _SPREAD & self._mask) * _CELLS
        if self._cells[slot] == FORGOTTEN:
            self._kept += 1
            if self._kept * 2 > self._mask and self._mask + 1 < self._most:
                self._grow()
                slot = (key >> _SPREAD & self._mask) * _CELLS
        self._cells[slot] = key
        self._cells[slot + 1] = value
        self._cells[slot + 2] = (move * _DEPTHS + depth) * _KINDS + kind

    def _make_room(self, entries: i64) -> None:
        self._cells = vec[i64]([FORGOTTEN] * (_CELLS * entries))            # side by side, for one look into memory
        self._mask = entries - 1
        self._kept = 0

    def _grow(self) -> None:
        """Four times the room; small searches are quick to set up, and large ones soon have all they may use."""
        before = self._cells
        self._make_room(min(4 * (self._mask + 1), self._most))
        for cell in range(0, len(before), _CELLS):
            key = before[cell]
            if key != FORGOTTEN:
                slot = (key >> _SPREAD & self._mask) * _CELLS
                for part in range(_CELLS):
                    self._cells[slot + part] = before[cell + part]
                self._kept += 1
