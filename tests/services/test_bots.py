"""Bots: submitted, versioned, listed, retired; whose they are decides who may look inside."""

import hashlib
import threading

import pytest
from sqlalchemy import insert, select, update

from arena.errors import ArenaError, Conflict, Forbidden, Invalid, InvalidPackage, NameTaken, NotFound, UnknownGame
from arena.services import accounts, bots
from arena.store.accounts import User
from arena.store.schema import matches, rating_changes, ratings, rulesets, versions
from arena.store.session import Store
from tests.support.people import SOURCE, active_bots, admin, qualify, register, submit

NEXT = SOURCE + b"# 2\n"


def test_a_submission_is_a_bot_a_version_and_its_qualification(any_store: Store) -> None:
    ann = register(any_store, "ann")
    bot, version = submit(any_store, ann, "sower", "omweso")
    assert (bot.name, bot.owner, bot.game, bot.is_open, bot.retired_at) == ("sower", "ann", "omweso", True, None)
    assert (bot.active_version, bot.latest_version) == (None, 1)
    assert (version.bot, version.number, version.state) == ("sower", 1, "checking")
    assert version.content_hash == hashlib.sha256(SOURCE).hexdigest()
    with any_store.read() as tx:
        match = tx.execute(select(matches)).one()
    assert (match.purpose, match.state) == ("qualification", "due")
    assert (match.ruleset, match.match_format) == ("omweso", "games-2")
    assert (match.first_version_id, match.second_version_id, match.tournament_id) == (version.id, None, None)
    assert len(bytes.fromhex(match.seed)) == 32


def test_a_new_version_gets_the_next_number_and_the_old_one_plays_on(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    qualify(any_store)
    bot, version = bots.submit_version(any_store, ann, "sower", "bot.py", NEXT)
    assert (bot.active_version, bot.latest_version, version.number, version.state) == (1, 2, 2, "checking")
    assert bots.source(any_store, ann, "sower", 1) == SOURCE
    assert bots.source(any_store, ann, "sower", 2) == NEXT
    qualify(any_store)
    assert bots.show(any_store, "sower").active_version == 2


def test_a_rejected_newest_version_leaves_the_one_before_active(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    qualify(any_store)
    _, version = bots.submit_version(any_store, ann, "sower", "bot.py", NEXT)
    with any_store.write() as tx:
        tx.execute(update(versions).where(versions.c.id == version.id).values(state="rejected", fault_kind="load"))
    assert bots.show(any_store, "sower").active_version == 1
    assert bots.version(any_store, "sower", 2).fault_kind == "load"


@pytest.mark.parametrize(
    ("form", "error", "field"),
    [
        (("Sower", "oware", SOURCE), Invalid, "name"),
        (("random", "oware", SOURCE), NameTaken, "name"),
        (("all", "oware", SOURCE), NameTaken, "name"),
        (("sower", "chess", SOURCE), UnknownGame, "game"),
        (("sower", "oware:grand_slam=win25", SOURCE), Invalid, "game"),
        (("sower", "chess:x=1", SOURCE), UnknownGame, "game"),
        (("sower", "oware", b""), InvalidPackage, "file"),
    ],
)
def test_a_bad_submission_writes_nothing(
    store: Store, form: tuple[str, str, bytes], error: type[ArenaError], field: str
) -> None:
    ann = register(store, "ann")
    name, game, content = form
    with pytest.raises(error) as caught:
        bots.submit(store, ann, name, game, "bot.py", content)
    assert caught.value.field == field
    assert bots.list_bots(store).items == ()


def test_a_ruleset_as_game_is_told_the_game(store: Store) -> None:
    with pytest.raises(Invalid, match=r"'oware:grand_slam=win25' is a ruleset; .* say 'oware'"):
        bots.submit(store, register(store, "ann"), "sower", "oware:grand_slam=win25", "bot.py", SOURCE)


def test_an_unknown_game_lists_the_games(store: Store) -> None:
    with pytest.raises(UnknownGame, match=r"oware.*urim"):
        bots.submit(store, register(store, "ann"), "sower", "chess", "bot.py", SOURCE)


def test_the_shipped_names_are_for_the_system_owner(store: Store) -> None:
    bot, _ = submit(store, accounts.system_owner(store), "random")
    assert bot.owner == "arena"


def test_a_bot_name_is_given_once(any_store: Store) -> None:
    submit(any_store, register(any_store, "ann"), "sower")
    with pytest.raises(NameTaken, match="'sower'"):
        submit(any_store, register(any_store, "bob"), "sower", "urim")
    with any_store.read() as tx:
        assert len(tx.execute(select(matches.c.id)).all()) == 1


def test_versions_sent_at_once_get_different_numbers(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    numbers: list[int] = []

    def send(number: int) -> None:
        content = SOURCE + f"# {number}\n".encode()
        numbers.append(bots.submit_version(any_store, ann, "sower", "bot.py", content)[1].number)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(numbers) == [2, 3, 4, 5, 6]


def test_nobody_sends_a_version_of_another_bot(store: Store) -> None:
    submit(store, register(store, "ann"), "sower")
    with pytest.raises(Forbidden, match="sower belongs to ann"):
        bots.submit_version(store, register(store, "bob"), "sower", "bot.py", NEXT)
    assert bots.show(store, "sower").latest_version == 1


def _strangers(store: Store) -> list[User]:
    return [register(store, "bob"), admin(store)]


def test_source_and_log_are_the_owners_alone(any_store: Store) -> None:
    ann = register(any_store, "ann")
    _, version = submit(any_store, ann, "sower")
    with any_store.write() as tx:
        tx.execute(update(versions).where(versions.c.id == version.id).values(log="thinking of pit 3"))
    assert bots.source(any_store, ann, "sower", 1) == SOURCE
    assert bots.log(any_store, ann, "sower", 1) == "thinking of pit 3"
    for stranger in _strangers(any_store):
        with pytest.raises(Forbidden, match="owner alone") as caught:
            bots.source(any_store, stranger, "sower", 1)
        assert "legal_moves" not in str(caught.value)
        with pytest.raises(Forbidden, match="owner alone"):
            bots.log(any_store, stranger, "sower", 1)
        with pytest.raises(Forbidden, match="owner alone"):
            bots.source(any_store, stranger, "sower", 99)


def test_a_version_that_has_not_played_has_an_empty_log(store: Store) -> None:
    ann = register(store, "ann")
    submit(store, ann, "sower")
    assert bots.log(store, ann, "sower", 1) == ""


def test_what_is_not_there_is_not_found(store: Store) -> None:
    ann = register(store, "ann")
    submit(store, ann, "sower")
    with pytest.raises(NotFound, match="no bot 'reaper'"):
        bots.show(store, "reaper")
    with pytest.raises(NotFound, match="no bot 'reaper'"):
        bots.versions(store, "reaper")
    with pytest.raises(NotFound, match="sower has no version 2; its versions are 1 to 1"):
        bots.version(store, "sower", 2)
    with pytest.raises(NotFound, match="no user 'nobody'"):
        bots.list_bots(store, owner="nobody")
    with pytest.raises(UnknownGame):
        bots.list_bots(store, game="chess")


def test_lists_are_by_owner_and_by_game(any_store: Store) -> None:
    ann, bob = register(any_store, "ann"), register(any_store, "bob")
    submit(any_store, ann, "sower", "oware")
    submit(any_store, ann, "reaper", "urim")
    submit(any_store, bob, "tiller", "oware")

    def names(owner: str | None = None, game: str | None = None) -> list[str]:
        return [bot.name for bot in bots.list_bots(any_store, owner, game).items]

    assert names() == ["reaper", "sower", "tiller"]
    assert names(owner="ann") == ["reaper", "sower"]
    assert names(game="oware") == ["sower", "tiller"]
    assert names("bob", "urim") == []


def test_pages_show_every_bot_once_while_bots_come_and_go(any_store: Store) -> None:
    ann = register(any_store, "ann")
    for number in range(12):
        submit(any_store, ann, f"bot{number:02d}")
    seen: list[str] = []
    cursor = None
    while True:
        page = bots.list_bots(any_store, limit=5, cursor=cursor)
        seen += [bot.name for bot in page.items]
        if page.next is None:
            break
        cursor = page.next
        submit(any_store, ann, f"aaa{len(seen)}")
        bots.retire(any_store, ann, seen[-1])
    assert seen == [f"bot{number:02d}" for number in range(12)]


def test_versions_are_paged_newest_first(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    for number in range(2, 6):
        bots.submit_version(any_store, ann, "sower", "bot.py", SOURCE + b"#" * number)
    first = bots.versions(any_store, "sower", limit=3)
    bots.submit_version(any_store, ann, "sower", "bot.py", NEXT)
    second = bots.versions(any_store, "sower", limit=3, cursor=first.next)
    assert [version.number for version in (*first.items, *second.items)] == [5, 4, 3, 2, 1]
    assert second.next is None
    with pytest.raises(Invalid):
        bots.versions(any_store, "sower", cursor=bots.list_bots(any_store).next or "x")


def test_a_retired_bot_takes_no_version_and_is_listed_no_more(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    retired = bots.retire(any_store, ann, "sower")
    assert retired.retired_at is not None
    assert bots.retire(any_store, ann, "sower") == retired
    assert bots.list_bots(any_store).items == ()
    assert bots.show(any_store, "sower") == retired
    with pytest.raises(Conflict, match="sower is retired"):
        bots.submit_version(any_store, ann, "sower", "bot.py", NEXT)
    with pytest.raises(NameTaken):
        submit(any_store, ann, "sower")


def test_the_owner_and_an_admin_retire_a_bot_and_nobody_else(store: Store) -> None:
    ann = register(store, "ann")
    submit(store, ann, "sower")
    with pytest.raises(Forbidden, match="belongs to ann"):
        bots.retire(store, register(store, "bob"), "sower")
    assert bots.show(store, "sower").retired_at is None
    bots.retire(store, admin(store), "sower")
    assert bots.show(store, "sower").retired_at is not None


def test_an_owner_closes_and_opens_a_bot(any_store: Store) -> None:
    ann = register(any_store, "ann")
    submit(any_store, ann, "sower")
    assert bots.set_open(any_store, ann, "sower", False).is_open is False
    assert bots.show(any_store, "sower").is_open is False
    assert bots.set_open(any_store, ann, "sower", True).is_open is True
    with pytest.raises(Forbidden):
        bots.set_open(any_store, register(any_store, "bob"), "sower", False)


def test_retiring_numbers_a_change_of_every_board_the_bot_is_on(any_store: Store) -> None:
    owners = active_bots(any_store, ["sower", "reaper"])
    with any_store.write() as tx:
        for ruleset, sequence in (("oware", 7), ("oware:grand_slam=win25", 3), ("urim", 5)):
            tx.execute(insert(rulesets).values(ruleset=ruleset, sequence=sequence))
        for version in tx.execute(select(versions)).all():
            for ruleset in ("oware", "oware:grand_slam=win25"):
                tx.execute(insert(ratings).values(
                    ruleset=ruleset, version_id=version.id, bot_id=version.bot_id, rating=1500.0, matches=1, wins=0,
                    draws=1, losses=0, sequence=2, rated_at=version.submitted_at,
                ))
    bots.retire(any_store, owners["sower"], "sower")
    bots.retire(any_store, owners["sower"], "sower")
    with any_store.read() as tx:
        found = {row.ruleset: row.sequence for row in tx.execute(select(rulesets))}
        assert tx.execute(select(rating_changes)).all() == []
    assert found == {"oware": 8, "oware:grand_slam=win25": 4, "urim": 5}
