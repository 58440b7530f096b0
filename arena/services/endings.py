"""How a game ended, in words for people; the stable words are those of the rules and of the verdicts."""

from arena.games import Outcome, Rules
from arena.match.format import defaults_of

WHY = {
    "majority": "more than half of all seeds",
    "no_moves": "no legal move is left",
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


def ending_words(rules: Rules, outcome: Outcome, names: tuple[str, str]) -> str:
    """One sentence on a game that ended by the rules; `names` are what to call South and North.

    >>> from arena import games
    >>> ending_words(games.load("oware"), Outcome(0, "majority", (26, 18), (1, 0)), ("greedy", "random"))
    'greedy wins, 26 to 18: more than half of all seeds.'
    >>> ending_words(games.load("omweso"), Outcome(None, "never_ending", (30, 34), (0, 0)), ("greedy", "random"))
    'Annulled: a sowing that never ends.'
    """
    seeds = f", {max(outcome.seeds)} to {min(outcome.seeds)}" if rules.rows == 1 else ""
    if outcome.winner is not None:
        return f"{names[outcome.winner]} wins{seeds}: {WHY[outcome.ending]}."
    if defaults_of(rules.name).annuls:
        return f"Annulled: {WHY[outcome.ending]}."
    return f"Drawn{seeds}: {WHY[outcome.ending]}."


def forfeit_words(kind: str, loser: str, winner: str) -> str:
    """One sentence on a game that a bot's fault decided.

    >>> forfeit_words("timeout", "greedy", "random")
    'random wins by forfeit: greedy ran out of time.'
    """
    return f"{winner} wins by forfeit: {loser} {FAULTS[kind]}."
