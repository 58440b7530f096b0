"""The page of one game without a browser: what it says, what it weighs, what it refuses."""

import re

import pytest
from flask.testing import FlaskClient

from arena import games
from arena.match.record import MatchRecord
from arena.services.replays import replay_of
from arena.store.session import Store
from tests.match.played import forfeited_record, record_of, unfinished_turn_record
from tests.support.finished import add_match
from web.pages import film

LONGEST_PAGE = 150_000


@pytest.fixture
def visited(store: Store, client: FlaskClient) -> FlaskClient:
    """Match 1: two games of oware; match 2: forfeits; match 3: a turn that broke off."""
    for record in (record_of("oware", "games-2", 4), forfeited_record(), unfinished_turn_record()):
        add_match(store, record)
    return client


def page_of(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def test_every_moment_has_a_page_with_its_board_as_text(visited: FlaskClient) -> None:
    replay = replay_of(record_of("oware", "games-2", 4), 1)
    for ply in (0, 1, 20, len(replay.turns)):
        page = page_of(visited, f"/matches/1/games/1?ply={ply}")
        table = re.findall(r'data-place="(\d+)".*?<b>(\d+)</b>', page)
        assert {int(place): int(seeds) for place, seeds in table} == dict(enumerate(replay.board(ply).pits))
        assert games.notation.board(replay.board(ply)).replace(">", "&gt;") in page


def test_moments_and_turns_are_linked_without_script(visited: FlaskClient) -> None:
    page = page_of(visited, "/matches/1/games/1?ply=20")
    assert 'href="/matches/1/games/1?ply=19" rel="prev"' in page
    assert 'href="/matches/1/games/1?ply=21" rel="next"' in page
    assert '<a href="/matches/1/games/1?ply=20" aria-current="step"' in page


def test_a_moment_behind_the_end_is_the_end(visited: FlaskClient) -> None:
    assert page_of(visited, "/matches/1/games/1?ply=999999") == page_of(visited, "/matches/1/games/1?ply=49")


def test_every_board_can_be_read_as_text(visited: FlaskClient) -> None:
    replay = replay_of(record_of("oware", "games-2", 4), 1)
    text = page_of(visited, "/matches/1/games/1/boards.txt")
    assert all(games.notation.board(turn.after) in text for turn in replay.turns)
    assert text.rstrip().endswith(replay.end)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/matches/1/games/3", 404),
        ("/matches/9/games/1", 404),
        ("/matches/1/games/1?ply=-1", 422),
        ("/matches/1/games/1/replay.json?first=many", 422),
    ],
)
def test_what_is_not_there_is_refused(visited: FlaskClient, path: str, status: int) -> None:
    assert visited.get(path).status_code == status


def test_a_forfeit_is_told(visited: FlaskClient) -> None:
    page = page_of(visited, "/matches/2/games/1")
    assert "bob wins by forfeit: alice failed with an exception." in page
    told = film.of_replay(replay_of(forfeited_record(), 1))
    assert told["end"] == "bob wins by forfeit: alice failed with an exception."


def test_a_turn_that_broke_off_is_shown(visited: FlaskClient) -> None:
    game = visited.get("/matches/3/games/1/replay.json").get_json()
    assert game["turns"] == [[0, "S0,0,0 …", "||", 3000, 2]]


def test_a_game_says_who_played_what_and_which_turns_were_drawn(visited: FlaskClient) -> None:
    record = record_of("oware", "games-2", 4)
    game = visited.get("/matches/1/games/2/replay.json").get_json()
    assert [player["name"] for player in game["players"]] == ["bob", "alice"]
    assert [player["seat"] for player in game["players"]] == [1, 0]
    assert [turn[4] for turn in game["turns"][:5]] == [1, 1, 1, 1, 0]
    charged = {turn.ply: turn.timing.charged_us for turn in record.games[1].turns}
    assert [turn[3] for turn in game["turns"]] == [charged.get(ply) for ply in range(len(game["turns"]))]


def test_a_long_game_comes_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = replay_of(record_of("nsolo", "games-2", 5), 1)
    whole = film.of_replay(replay)
    assert whole["next"] is None
    monkeypatch.setattr(film, "MOST_BYTES", 500)
    turns, first = [], 0
    while first is not None:
        portion = film.of_replay(replay, first)
        turns += portion["turns"]
        first = portion["next"]
    assert turns == whole["turns"]


@pytest.mark.parametrize("record", [record_of("anywoli", "games-2", 4), record_of("nsolo", "games-2", 5)])
def test_page_and_game_weigh_little(store: Store, client: FlaskClient, record: MatchRecord) -> None:
    match = add_match(store, record)
    page = page_of(client, f"/matches/{match}/games/1")
    loaded = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    weight = sum(len(client.get(path).data) for path in loaded) + len(page.encode())
    assert weight + len(client.get(f"/matches/{match}/games/1/replay.json").data) < LONGEST_PAGE
