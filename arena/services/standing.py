"""What an arena has of its own: the reference bots, and for every game a round robin that goes on by itself.

The bots are the shipped samples, submitted by the arena as anybody submits; when a sample has changed with a new
version of the arena, it is submitted again.  The round robin begins whenever a new bot, or a new version, may play.
"""

import hashlib

import structlog

from arena import games
from arena.errors import Forbidden, NameTaken
from arena.ratings.eligibility import SYSTEM_OWNER
from arena.services import accounts, bots, samples
from arena.services.beginning import check_terms
from arena.store import bots as bot_rows
from arena.store import recurring
from arena.store.accounts import User
from arena.store.recurring import NewSchedule
from arena.store.session import Store, utc_now
from arena.tournament.rhythm import Rhythm, next_after

WEEKLY = Rhythm("sun", "00:00", "UTC")          # at the latest

log = structlog.get_logger()


def prepare(store: Store) -> None:
    """Make what is missing; as often as one likes, and before anything is started."""
    owner = accounts.system_owner(store)
    for game in games.names():
        for sample in samples.names():
            _submit(store, owner, sample, game)
    _schedule(store, owner)


def bot_name(sample: str, game: str) -> str:
    """What the reference bot is called that plays this game.

    >>> bot_name("greedy", "oware")
    'arena-greedy-oware'
    """
    return f"{SYSTEM_OWNER}-{sample}-{game}"


def _submit(store: Store, owner: User, sample: str, game: str) -> None:
    name, source = bot_name(sample, game), samples.source(sample)
    with store.read() as tx:
        found = bot_rows.find_bot(tx, name)
        newest = None if found is None else bot_rows.find_version(tx, name, found.latest_version)
    try:
        if found is None:
            bots.submit(store, owner, name, game, f"{sample}.py", source)
        elif found.retired_at is None and newest and newest.content_hash != hashlib.sha256(source).hexdigest():
            bots.submit_version(store, owner, name, f"{sample}.py", source)
    except (NameTaken, Forbidden) as error:     # somebody's, from before these names were kept for us
        log.warning("reference_bot_left_out", bot=name, reason=str(error))


def _schedule(store: Store, owner: User) -> None:
    with store.write() as tx:
        there = recurring.standing_rulesets(tx)
        for game in games.names():
            terms = check_terms(game, None, None, cycles=1, opening_plies=4)
            if terms.ruleset not in there:
                new = NewSchedule(
                    name=f"standing-{game}",
                    owner_id=owner.id,
                    ruleset=terms.ruleset,
                    bots=None,
                    match_format=terms.match_format,
                    time_control=terms.time_control,
                    cycles=terms.cycles,
                    opening_plies=terms.opening_plies,
                    rhythm=WEEKLY,
                    next_at=next_after(WEEKLY, utc_now()),
                    is_standing=True,
                )
                recurring.add(tx, new, utc_now())
