"""Ways to sow and to capture that several games share."""

from arena.games.position import Draft


def sow_past_origin(draft: Draft, origin: int) -> int:
    """Sow a pit round the whole board, passing over the pit itself; the pit of the last seed."""
    seeds = draft.lift(origin)
    pits, size = draft.pits, len(draft.pits)
    pit = origin
    while seeds:
        pit = pit + 1 if pit + 1 < size else 0
        if pit != origin:
            pits[pit] += 1
            seeds -= 1
            if draft.steps is not None:
                draft.dropped(pit)
    return pit


def sow_past_full(draft: Draft, origin: int, full: int) -> int:
    """As `sow_past_origin`, passing over pits that hold `full` seeds as well."""
    seeds = draft.lift(origin)
    pits, size = draft.pits, len(draft.pits)
    pit = origin
    while seeds:
        pit = pit + 1 if pit + 1 < size else 0
        if pit != origin and pits[pit] < full:
            pits[pit] += 1
            seeds -= 1
            if draft.steps is not None:
                draft.dropped(pit)
    return pit


def chain_from(pits: list[int], last: int, row: range, most: int) -> list[int]:
    """The pits won by a last seed: from its pit backwards inside the opponent's row.

    The last pit must hold two or three, those before it two to `most`; the first other pit ends the chain.
    """
    first = row.start
    if last not in row or not 2 <= pits[last] <= 3:
        return []
    pit = last - 1
    while pit >= first and 2 <= pits[pit] <= most:
        pit -= 1
    return list(range(last, pit, -1))


def is_grand_slam(pits: list[int], captured: list[int], row: range) -> bool:
    """Whether these pits of the opponent's row hold every seed in it."""
    return sum([pits[pit] for pit in captured]) == sum(pits[row.start:row.stop])
