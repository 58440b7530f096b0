"""An arena in mid-season, for tests of pages: a finished cup, one being played, one to come, and bots of every kind."""

from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction

from sqlalchemy import select, update

from arena.match.record import MatchPlayed, MatchRecord, TurnRecord
from arena.match.turn import Timing
from arena.services import dispatch, results
from arena.store.accounts import User
from arena.store.schema import bots, matches, tournaments, versions
from arena.store.schema import results as match_results
from arena.store.session import Store, utc_now
from arena.tournament.round_robin import match_count
from tests.support import field

NAMES = ("kalaha", "abapa-walker", "greedy-two", "sower", "minimax-nine", "okutema", "patient", "random-walk")
DAY = timedelta(days=1)
LONG = "a-name-of-forty-signs-as-long-as-allowed"
HOSTILE = '<script>alert("x")</script>\u202egnol'      # no service lets it in: put there by hand

HOSTILE_TEXT = (
    'print("<script>alert(1)</script>")\n</code></pre><img src=x onerror=alert(2)>\n# \u202e\u2066 gnol\u2069\x1b[31m\n'
    + "# " + "long " * 2_000 + "\n" + "".join(f"line_{number} = {number}\n" for number in range(40))
)


@dataclass(frozen=True)
class Season:
    """The tournaments of the season by id."""

    finished: int
    running: int
    created: int


def begin(store: Store, *, cycles: int = 2, played_of_running: int = 9) -> Season:
    """Play the season so far; the finished cup began three days ago."""
    entered = [field.add_bot(store, name) for name in NAMES] + [field.add_bot(store, LONG, owner="kwame")]
    moment = field.Moment()
    moment.at = utc_now() - timedelta(days=3)
    finished = field.add_tournament(
        store, entered, "autumn-cup", cycles=cycles, match_format="best-of-3", started_at=moment.at
    )
    play(store, match_count(len(entered), cycles), moment)
    _submit(store)
    moment.at = utc_now() - timedelta(minutes=5)
    running = field.add_tournament(store, entered[:6], "winter-cup", match_format="games-2", started_at=moment.at)
    play(store, played_of_running, moment)
    _claim_some(store, moment)
    created = field.add_tournament(store, entered[:4], "spring-cup", state="created")
    return Season(finished, running, created)


def play(store: Store, count: int, moment: field.Moment | None = None) -> None:
    """So many matches that are due, one after the other."""
    moment = moment or _now()
    for _ in range(count):
        for assignment in _claimed(store, moment):
            results.ingest(store, assignment, timed(field.play(assignment.setup)), 100, moment)


def finish(store: Store) -> None:
    """All that is left; a match whose worker has gone is waited for, by a clock of our own."""
    moment = _now()
    for _ in range(40):
        play(store, 1, moment)
        moment.pass_seconds(10)


def timed(played: MatchPlayed) -> MatchPlayed:
    """The same match, as if every turn had taken a time that its place in the game decides."""
    games = tuple(replace(game, turns=tuple(map(_timed, game.turns))) for game in played.record.games)
    return replace(played, record=replace(played.record, games=games))


def _timed(turn: TurnRecord) -> TurnRecord:
    charged = 400 + turn.ply * 7919 % 23_000 + (61_000 if turn.ply % 37 == 5 else 0)
    waited = turn.ply * 104_729 % 5_000 if turn.seat else 0
    return TurnRecord(turn.seat, turn.ply, Timing(charged, charged + waited, charged, waited))


def _claimed(store: Store, moment: field.Moment) -> list[field.Assignment]:
    post = field.Post()
    dispatch.tick(store, post, moment)
    with store.read() as tx:
        queued = tx.scalars(select(matches.c.id).where(matches.c.state == "queued").order_by(matches.c.id)).all()
    return field.claim(store, queued[:1], now=moment)


def _claim_some(store: Store, moment: field.Moment) -> None:
    """One match is being played and has come some way."""
    for assignment in _claimed(store, moment):
        dispatch.renew(store, assignment, 23)


def _submit(store: Store) -> None:
    """Versions in every state, one of a bot with a hostile name."""
    rejected = field.add_version(store, NAMES[0], 2, state="rejected")
    field.add_version(store, NAMES[0], 3, state="checking")
    field.add_bot(store, HOSTILE, owner=HOSTILE)
    with store.write() as tx:
        said = {"fault_kind": "exception", "fault_message": "<img src=x onerror=alert(1)>", "import_ms": 12}
        tx.execute(update(versions).where(versions.c.id == rejected).values(said))


def give(store: Store, user: User, bot: str = NAMES[0]) -> None:
    """Let a user have a bot of the season, a version of it with hostile words in it, and every tournament."""
    with store.write() as tx:
        bot_id = tx.scalar(select(bots.c.id).where(bots.c.name == bot))
        tx.execute(update(bots).where(bots.c.id == bot_id).values(owner_id=user.id))
        tx.execute(update(tournaments).values(owner_id=user.id))
        said = {"log": HOSTILE_TEXT, "package": HOSTILE_TEXT.encode(), "fault_message": HOSTILE_TEXT[:400]}
        tx.execute(update(versions).where(versions.c.bot_id == bot_id, versions.c.state == "rejected").values(said))
        tx.execute(update(match_results).values(first_log=HOSTILE_TEXT, second_log=HOSTILE_TEXT))


def rename(store: Store, name: str, to: str) -> None:
    """Give a bot a name that no service would."""
    with store.write() as tx:
        tx.execute(update(bots).where(bots.c.name == name).values(name=to))


def saying(record: MatchRecord, words: str) -> MatchRecord:
    """The same forfeits, with these words of the bot."""
    games = tuple(
        game if game.verdict is None else replace(game, verdict=replace(game.verdict, message=words))
        for game in record.games
    )
    return replace(record, games=games)


def number(text: str) -> Fraction:
    """Points as the pages write them."""
    parts = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}
    rest = parts.get(text[-1:], Fraction(0))
    whole = text[:-1] if rest else text
    return Fraction(whole or 0) + rest


def _now() -> field.Moment:
    moment = field.Moment()
    moment.at = utc_now()
    return moment
