"""What the pages tell somebody new: how to sign in here, and why nobody is rated yet."""

import html

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("http://127.0.0.1:8000", "arena login YOU --register\n"),
        ("http://127.0.0.1:9000", "arena login YOU --register --server http://127.0.0.1:9000\n"),
        ("https://arena.example.org", "arena login YOU --register --server https://arena.example.org\n"),
    ],
)
def test_front_page_says_how_to_sign_in_here(address: str, command: str, client: FlaskClient) -> None:
    assert command in html.unescape(client.get("/", base_url=address).get_data(as_text=True))


def test_empty_board_says_how_one_gets_on_it_and_blames_nobody(client: FlaskClient) -> None:
    page = client.get("/leaderboards/oware").get_data(as_text=True)
    assert "against a bot of another owner" in page
    assert "Redis" not in page
