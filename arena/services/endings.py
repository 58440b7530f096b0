"""How a game ended, in words for people; the stable words are those of the rules and of the verdicts."""

from arena.match.format import defaults_of
from arena.match.record_types import GameRecord

WHY = {
    "majority": "more than half of all seeds",
    "no_moves": "no legal move is left, and each keeps what lies in his own row",
    "repetition": "a position came back",
    "quiet_limit": "too many turns without a capture",
    "last_four": "the last four seeds are taken",
    "akawumbi": "akawumbi, every seed of the opponent captured",
    "okutema_front_row": "okutema, the opponent's front row captured empty",
    "okutema_both_ends": "okutema, captures at both ends of the board in one turn",
    "akakyala": "akakyala, two turns with captures before the opponent's first",
    "bulijo": "bulijo, the opponent has no pit of two seeds to sow",
    "never_ending": "a sowing that never ends",
    "ply_cap": "the limit on turns is reached",
    "no_stones": "the opponent has no stone left",
}
FAULTS = {
    "illegal_move": "made an illegal move",
    "timeout": "ran out of time",
    "exception": "failed with an exception",
    "crash": "crashed",
    "memory": "took too much memory",
    "output": "printed too much",
    "protocol": "gave an answer that cannot be read",
    "security": "tried what the sandbox forbids",
    "load": "could not be loaded",
}


def ending_words(game: str, ending: str, winner: str | None) -> str:
    """One sentence on a game that ended by the rules; `winner` is what to call who won.

    >>> ending_words("oware", "majority", "South")
    'South wins: more than half of all seeds.'
    >>> ending_words("omweso", "never_ending", None)
    'Annulled: a sowing that never ends.'
    """
    if winner is not None:
        return f"{winner} wins: {WHY[ending]}."
    return f"{'Annulled' if defaults_of(game).annuls else 'Drawn'}: {WHY[ending]}."


def forfeit_words(kind: str, loser: str, winner: str) -> str:
    """One sentence on a game that a bot's fault decided.

    >>> forfeit_words("timeout", "greedy", "random")
    'random wins by forfeit: greedy ran out of time.'
    """
    return f"{winner} wins by forfeit: {loser} {FAULTS[kind]}."


def told(game: str, record: GameRecord, bots: tuple[str, str]) -> str:
    """How the game of a record ended, by the names of the bots in their seats."""
    if record.verdict is not None:
        loser = record.verdict.seat
        return forfeit_words(record.verdict.kind, bots[loser], bots[1 - loser])
    return ending_words(game, record.ending, None if record.winner is None else bots[record.winner])
