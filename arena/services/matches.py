"""Matches to look at: lists, one with its score, its games, its record, and the logs of one's own bots."""

from sqlalchemy import Connection

from arena.errors import Conflict, Forbidden, Invalid, NotFound
from arena.match.record_types import GameRecord, MatchRecord
from arena.services.bots import find as find_bot
from arena.services.lookup import find_tournament
from arena.store import matches as rows
from arena.store.accounts import User
from arena.store.bots import find_bot as bot_row
from arena.store.matches import Match
from arena.store.paging import DEFAULT_LIMIT, Page, check_limit, decode_cursor, page_of
from arena.store.results import unpack
from arena.store.session import Store


def list_matches(
    store: Store,
    tournament_id: int | None = None,
    bot: str | None = None,
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Page[Match]:
    """The matches of a tournament in the order of its schedule, or those of a bot, newest first."""
    if (tournament_id is None) == (bot is None):
        raise Invalid("Ask for the matches of a tournament or for those of a bot.", field="bot")
    with store.read() as tx:
        if bot is not None:
            return _of_bot(tx, bot, check_limit(limit), cursor)
        assert tournament_id is not None
        return _of_tournament(tx, tournament_id, check_limit(limit), cursor)


def match(store: Store, match_id: int) -> Match:
    """One match and how far it is."""
    with store.read() as tx:
        return _find(tx, match_id)


def record(store: Store, match_id: int) -> MatchRecord:
    """All that was kept of a finished match; raises `Conflict` while there is nothing."""
    with store.read() as tx:
        deflated = rows.record_of(tx, match_id)
        if deflated is None:
            raise _no_record(_find(tx, match_id))
    return unpack(deflated)


def game(store: Store, match_id: int, number: int) -> GameRecord:
    """One game of a finished match, counted from 1."""
    games = record(store, match_id).games
    if not 1 <= number <= len(games):
        raise NotFound(f"Match {match_id} has no game {number}; its games are 1 to {len(games)}.", field="number")
    return games[number - 1]


def log(store: Store, user: User, match_id: int, seat: int) -> str:
    """What the bot in seat 0 or 1 printed in a finished match; its owner's alone."""
    if seat not in (0, 1):
        raise NotFound(f"A match has no seat {seat}; its seats are 0 and 1.", field="seat")
    with store.read() as tx:
        found = _find(tx, match_id)
        bot = (found.first, found.second)[seat].name
        row = bot_row(tx, bot) if seat == 0 or found.second != rows.HOUSE else None
        if row is None or row.owner != user.name:
            raise Forbidden(f"The log of {bot} is for its owner alone.")
        logs = rows.logs_of(tx, match_id)
        if logs is None:
            raise _no_record(found)
        return logs[seat]


def _of_tournament(tx: Connection, tournament_id: int, limit: int, cursor: str | None) -> Page[Match]:
    key = decode_cursor(cursor, "matches", int)
    find_tournament(tx, tournament_id)
    found = rows.of_tournament(tx, tournament_id, None if key is None else int(key[0]), limit + 1)
    return page_of(found, limit, "matches", lambda match: (match.schedule_index or 0,))


def _of_bot(tx: Connection, bot: str, limit: int, cursor: str | None) -> Page[Match]:
    key = decode_cursor(cursor, "bot-matches", int)
    found = rows.of_bot(tx, find_bot(tx, bot).id, None if key is None else int(key[0]), limit + 1)
    return page_of(found, limit, "bot-matches", lambda match: (match.id,))


def _find(tx: Connection, match_id: int) -> Match:
    found = rows.find(tx, match_id)
    if found is None:
        raise NotFound(f"There is no match {match_id}; look for it in the list of a tournament or a bot.")
    return found


def _no_record(found: Match) -> Conflict:
    if found.state == "void":
        return Conflict(f"Match {found.id} is void and has no record: {found.void_reason or 'no reason was noted.'}")
    return Conflict(f"Match {found.id} is {found.state} and has no record yet; ask again when it is finished.")
