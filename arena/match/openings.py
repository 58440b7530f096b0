"""Seeds, and the openings drawn from them: the same on every machine and every Python.

All randomness is HMAC-SHA256 of a match's seed and a label; no generator of the standard library takes part.
Slots 2k and 2k+1 of a match begin with the same random turns, seats exchanged, so that bots that always answer the same
do not play one game again and again, and neither has the better start.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator
from itertools import count

from arena.errors import Invalid
from arena.games import Game
from arena.match.format import Due

MAX_OPENING_PLIES = 20
REDRAWS = 32                # of one length that end the game, before a shorter opening is tried


def is_seed(text: str) -> bool:
    """Is it 32 bytes in small hex digits, as a match and a tournament need them?"""
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def parse_seed(text: str) -> str:
    """A seed out of whatever a person gave: itself when it is one, else the SHA-256 of the text.

    >>> parse_seed("42")[:16]
    '73475cb40a568e8d'
    """
    return text if is_seed(text) else hashlib.sha256(text.encode()).hexdigest()


def derive(seed: str, label: str) -> bytes:
    """32 bytes that nobody can tell without the seed, which is in hex."""
    return hmac.digest(bytes.fromhex(seed), label.encode(), "sha256")


def match_seed(tournament_seed: str, index: int) -> str:
    """The seed of the match at this place of a tournament's schedule, in hex."""
    return derive(tournament_seed, f"match/{index}").hex()


def bot_seed(seed: str, seat: int) -> bytes:
    """What a bot's own `random` starts from in this match."""
    return derive(seed, f"bot/{seat}")


def check_opening_plies(plies: int) -> None:
    """Raises: Invalid when no opening of that many turns is drawn."""
    if not 0 <= plies <= MAX_OPENING_PLIES:
        raise Invalid(f"an opening has 0 to {MAX_OPENING_PLIES} turns, not {plies}", field="opening_plies")


def draw_opening(game: Game, seed: str, due: Due, plies: int) -> tuple[int, ...]:
    """Random legal moves that make `plies` turns from the game's position and do not end the game.

    The k-th number drawn is the digest of k under the key of this drawing, modulo the number of legal moves.  A
    drawing that ends the game is made anew; where nothing of that length seems to go on, the opening gets shorter.
    """
    for redraw in count():
        key = derive(seed, _label(due, redraw)).hex()
        moves = _drawn(game.copy(), key, plies - redraw // REDRAWS)
        if moves is not None:
            return moves
    raise AssertionError("an opening of no turns never fails")


def _label(due: Due, redraw: int) -> str:
    """`opening/<pair>/<redraw>`; one drawn anew because its game was annulled adds which time."""
    label = f"opening/{due.pair}/{redraw}"
    return f"{label}/{due.variant}" if due.variant else label


def _drawn(game: Game, key: str, plies: int) -> tuple[int, ...] | None:
    """The moves of one drawing, or None when they end the game."""
    end = game.turns + plies
    numbers = _numbers(key)
    begun = len(game.moves)
    while game.turns < end and game.outcome() is None:
        legal = game.legal_moves()
        game.push(legal[next(numbers) % len(legal)])
    return game.moves[begun:] if game.outcome() is None else None


def _numbers(key: str) -> Iterator[int]:
    for k in count():
        yield int.from_bytes(derive(key, str(k)), "big")

