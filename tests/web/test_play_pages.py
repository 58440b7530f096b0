"""The board to play on, as the page talks to the server."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena import games
from arena.games import Game, notation
from arena.services import samples
from arena.services.practice import practise
from web.api.blueprint import rate_of
from web.pages.film import of_practice
from web.pages.play import RATE


def ask(client: FlaskClient, ruleset: str = "oware", **query: object) -> dict[str, object]:
    answer = client.get(f"/play/{ruleset}/board.json", query_string=query)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    told: dict[str, object] = answer.get_json()
    return told


def choices_of(told: dict[str, object]) -> list[int]:
    choices = told["choices"]
    assert isinstance(choices, list)
    return [move for move, *_ in choices]


def test_what_may_be_chosen_is_what_is_legal(client: FlaskClient) -> None:
    told = ask(client, moves="2.3")
    game = Game(games.load("oware"))
    for move in (2, 3):
        game.push(move)
    assert choices_of(told) == list(game.legal_moves())
    assert told["moves"] == [2, 3]


@pytest.mark.parametrize("bot", samples.names())
@pytest.mark.parametrize("game", games.names())
def test_every_sample_bot_answers_in_every_game(client: FlaskClient, game: str, bot: str) -> None:
    told = ask(client, game, bot=bot, side=0)
    assert len(told["moves"]) >= 1  # type: ignore[arg-type]
    assert told["side"] == 1 or game == "anywoli" or told["end"]
    assert choices_of(told)


def test_the_bot_plays_its_whole_turn() -> None:
    practice = practise("omweso:setup=free", None, [44] * 8 + [40] * 8, "greedy", 1)
    assert [turn.side for turn in practice.turns] == [0, 1]
    assert len(practice.moves) == 32
    assert practice.position.to_move == 0


def test_a_game_can_begin_anywhere_and_end(client: FlaskClient) -> None:
    start = notation.position_text(games.load("oware").position((0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0), (23, 22)))
    told = ask(client, start=start, moves="5")
    assert told["end"] == "South wins, 25 to 22: more than half of all seeds."
    assert (told["winner"], told["choices"]) == (0, [])


def test_repetition_ends_a_game_as_in_a_match() -> None:
    start = notation.position_text(games.load("oware").position((0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0), (23, 23)))
    moves: list[int] = []
    while choices := practise("oware", start, moves).choices:
        moves.append(choices[0].move)
        assert len(moves) < 100
    assert practise("oware", start, moves).end.startswith("Drawn, 24 to 24: ")


def test_pits_and_words_of_choices() -> None:
    [sow, lay_out] = practise("omweso", "omweso " + pits(16, {8: 3}), ()).choices
    assert (sow.pit, sow.words) == (8, "sow pit 8")
    assert (lay_out.pit, lay_out.words) == (8, "lay out pit 8, two and one")

    asked = practise("omweso:setup=free", None, (44,))
    assert asked.question == "How many seeds for pit 1?"
    assert [choice.pit for choice in asked.choices] == [None] * len(asked.choices)
    assert [choice.words for choice in asked.choices] == [str(seeds) for seeds in range(11)]


def pits(count: int, filled: dict[int, int]) -> str:
    south = ",".join(str(filled.get(pit, 0)) for pit in range(count))
    return f"{south}/{','.join(['1'] * count)} 0,0 S turns=1,1 cap_turns=0,0 arranging=0"


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ({"moves": "7"}, 422, "move 7 is illegal here"),
        ({"moves": "2,3"}, 422, "moves are numbers with dots between them"),
        ({"moves": ".".join(["0"] * 801)}, 422, "at most 800 moves"),
        ({"bot": "stockfish"}, 404, "greedy, minimax, random"),
        ({"bot": "greedy", "side": "2"}, 422, "side is 0 (South) or 1 (North)"),
        ({"start": "nonsense"}, 422, "is no position"),
        ({"start": notation.position_text(games.load("urim").initial())}, 422, "not of oware"),
    ],
)
def test_what_cannot_be_played_is_refused(
    client: FlaskClient, query: dict[str, str], status: int, says: str
) -> None:
    answer = client.get("/play/oware/board.json", query_string=query)
    assert answer.status_code == status
    assert says in answer.get_json()["detail"]


def test_a_board_too_full_to_work_out_is_refused(client: FlaskClient) -> None:
    start = "nsolo " + ",".join(["9"] * 16) + "/" + ",".join(["9"] * 16) + " 0,0 S strip=0"
    answer = client.get("/play/nsolo/board.json", query_string={"start": start})
    assert answer.status_code == 422
    assert "at most 64 seeds here, not 288" in answer.get_json()["detail"]


def test_page_shows_the_position_it_begins_with(client: FlaskClient) -> None:
    start = notation.position_text(games.load("oware").position((0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0), (23, 23)))
    page = client.get("/play/oware", query_string={"start": start}).get_data(as_text=True)
    assert f'data-start="{start}"' in page
    assert client.get("/play/chess").status_code == 404


def test_how_often_a_bot_is_asked_is_limited(app: Flask) -> None:
    assert rate_of(app.view_functions["play.board"]) == RATE


def test_of_practice_sends_back_all_that_the_next_question_needs() -> None:
    told = of_practice(practise("nsolo:columns=36", None, ()))
    assert told["ruleset"] == "nsolo:columns=36"
    assert (told["moves"], told["turns"], told["side"], told["end"]) == ([], [], 0, "")
