"""Which results count for the ratings: one rule, for the live ledger, its rebuild and an archive."""

SYSTEM_OWNER = "arena"          # of the reference bots, which are rated against each other; nobody logs in as it
RATED_CYCLES = 2


def is_in_rated_cycle(index: int, cycles: int, match_count: int) -> bool:
    """Whether this place of a schedule lies in one of the cycles that are rated.

    >>> [is_in_rated_cycle(index, cycles=3, match_count=9) for index in (5, 6)]
    [True, False]
    """
    return index * cycles < RATED_CYCLES * match_count


def may_be_rated(owners: tuple[str, str]) -> bool:
    """Whether a match between bots of these owners counts: nobody rates his own bots against each other."""
    return owners[0] != owners[1] or owners[0] == SYSTEM_OWNER


def why_unrated(*, is_rated: bool, cycles: int, entrants: int, sides: int) -> str | None:
    """What the maker of a tournament must know: why no match of it is rated, or which are not; None when all are.

    Args: is_rated: as it was created; sides: how many of the entrants' owners count as different ones, where those of
    `SYSTEM_OWNER` count one each.
    >>> why_unrated(is_rated=True, cycles=1, entrants=3, sides=1)
    "Not rated: all its bots have one owner, and matches between one owner's bots are never rated."
    """
    if not is_rated and cycles > RATED_CYCLES:
        return f"Not rated: it has {cycles} cycles, and only tournaments of up to {RATED_CYCLES} are rated."
    if not is_rated:
        return "Not rated: its seed was given, so its maker knows every opening."
    if sides < 2:
        return "Not rated: all its bots have one owner, and matches between one owner's bots are never rated."
    if sides < entrants:
        return "Matches between bots of one owner are not rated; all others are."
    return None
