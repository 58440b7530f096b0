"""A match as a worker gets it, and the house's bot that every newcomer has to play first."""

import hashlib
from dataclasses import dataclass, replace

from arena.match.record_types import BotRef, MatchSetup
from arena.store.leases import Lease
from arena.store.matches import HOUSE

HOUSE_PACKAGE = b"""\
import random


def choose_move(position):
    return random.choice(position.legal_moves())
"""
HOUSE_BOT: BotRef = replace(HOUSE, content_hash=hashlib.sha256(HOUSE_PACKAGE).hexdigest())


@dataclass(frozen=True, slots=True)
class Assignment:
    """One attempt at one match: what to play, and with which programs. Whoever has it holds the lease."""

    match_id: int
    attempt: int
    setup: MatchSetup
    packages: tuple[bytes, bytes]
    purpose: str

    @property
    def lease(self) -> Lease:
        return Lease(self.match_id, self.attempt)
