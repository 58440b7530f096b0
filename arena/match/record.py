"""The record of a match: what it holds, its forms, and the proof that it is true.  One place to import from."""

from arena.match.record_json import from_json, to_json
from arena.match.record_reader import from_text
from arena.match.record_text import to_text
from arena.match.record_types import (
    ENGINE_VERSION,
    VERDICT_KINDS,
    BotRef,
    GameRecord,
    MatchPlayed,
    MatchRecord,
    MatchSetup,
    Verdict,
)
from arena.match.replay import replay
from arena.match.turn import TurnRecord

__all__ = [
    "ENGINE_VERSION",
    "VERDICT_KINDS",
    "BotRef",
    "GameRecord",
    "MatchPlayed",
    "MatchRecord",
    "MatchSetup",
    "TurnRecord",
    "Verdict",
    "from_json",
    "from_text",
    "replay",
    "to_json",
    "to_text",
]
