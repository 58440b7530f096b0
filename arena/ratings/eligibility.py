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
