"""Who meets whom when all meet all: pure arithmetic on the index of a match, nothing is listed or stored.

The circle method: in every round the entrants sit around a circle and meet across it.  With an even number one more
sits in the middle and meets whom the round leaves over; with an odd number that one has a bye.
Everything counts from 0: entrants, rounds (through all cycles), matches.
"""

from dataclasses import dataclass

from arena.errors import Invalid


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants of one match; `first` is South in its first game."""

    first: int
    second: int
    round: int
    cycle: int


def match_count(entrants: int, cycles: int) -> int:
    """How many matches a round robin has: every pair meets once per cycle."""
    _check(entrants, cycles)
    return cycles * _cycle_matches(entrants)


def rounds(entrants: int, cycles: int) -> int:
    """How many rounds, all cycles together; in a round nobody plays twice."""
    _check(entrants, cycles)
    return cycles * _circle(entrants)


def bye_of(entrants: int, round_number: int) -> int | None:
    """Who rests in this round; nobody when the number of entrants is even."""
    _check(entrants, 1)
    return round_number % entrants if entrants % 2 else None


def pairing_at(entrants: int, cycles: int, index: int) -> Pairing:
    """The match at this place of the schedule, in constant time.

    In one cycle and in all, the numbers of matches in which an entrant is first differ by at most one; every other
    cycle is the one before it with the seats exchanged.
    >>> [(p.first, p.second) for p in (pairing_at(4, 1, index) for index in range(6))]
    [(3, 0), (1, 2), (1, 3), (2, 0), (3, 2), (0, 1)]
    """
    if not 0 <= index < match_count(entrants, cycles):
        raise IndexError(f"match {index} of a schedule of {match_count(entrants, cycles)}")
    cycle, place = divmod(index, _cycle_matches(entrants))
    round_of_cycle, board = divmod(place, entrants // 2)
    first, second = _across(entrants, round_of_cycle, board)
    if cycle % 2:
        first, second = second, first
    return Pairing(first, second, cycle * _circle(entrants) + round_of_cycle, cycle)


def places_of(entrants: int, cycles: int, one: int, other: int) -> tuple[int, ...]:
    """Where in the schedule two entrants meet, once per cycle: `pairing_at` the other way round.

    >>> places_of(4, 2, 0, 3), places_of(4, 2, 3, 0)
    ((0, 6), (0, 6))
    """
    _check(entrants, cycles)
    if one == other or not {one, other} <= set(range(entrants)):
        raise ValueError(f"{one} and {other} are not two of {entrants} entrants")
    round_of_cycle, board = _meeting(entrants, one, other)
    place = round_of_cycle * (entrants // 2) + board
    return tuple(cycle * _cycle_matches(entrants) + place for cycle in range(cycles))


def _meeting(entrants: int, one: int, other: int) -> tuple[int, int]:
    """(round of the cycle, board): the round is the middle between the two on the circle."""
    circle = _circle(entrants)
    if entrants % 2 == 0 and circle in (one, other):
        return min(one, other), 0
    middle = (one + other) * (circle + 1) // 2 % circle
    apart = (one - middle) % circle
    return middle, min(apart, circle - apart) - entrants % 2


def _across(entrants: int, round_of_cycle: int, board: int) -> tuple[int, int]:
    """Who meets on this board; each of the circle is first once at every distance, so its seats are even."""
    circle = _circle(entrants)
    if entrants % 2 == 0 and board == 0:
        middle, opposite = circle, round_of_cycle
        return (middle, opposite) if round_of_cycle % 2 == 0 else (opposite, middle)
    distance = board + entrants % 2
    return (round_of_cycle + distance) % circle, (round_of_cycle - distance) % circle


def _circle(entrants: int) -> int:
    """How many sit on the circle, which is also the number of rounds in a cycle."""
    return entrants - 1 + entrants % 2


def _cycle_matches(entrants: int) -> int:
    return entrants * (entrants - 1) // 2


def _check(entrants: int, cycles: int) -> None:
    if entrants < 2:
        raise Invalid(f"a round robin of {entrants} has no match; enter at least 2 bots", field="bots")
    if cycles < 1:
        raise Invalid(f"{cycles} cycles are no tournament; play at least 1", field="cycles")
