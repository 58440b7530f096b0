"""A whole arena with standing round robins: nobody does anything but submit a bot, and it is rated."""

import secrets
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import games
from arena.cli.client import Client
from arena.cli.stack import Plan, Stack
from arena.services.assignments import HOUSE_PACKAGE
from tests.support.ports import free_port

pytestmark = [pytest.mark.services, pytest.mark.slow]


def until(client: Client, is_so: Callable[[Client], bool]) -> None:
    give_up = time.monotonic() + 240
    while not is_so(client):
        assert time.monotonic() < give_up, "it takes too long"
        time.sleep(1)


def board(client: Client, game: str) -> set[str]:
    boards = {each["ruleset"] for each in client.get("/leaderboards")["items"]}
    return {line["bot"] for line in client.get(f"/leaderboards/{game}")["items"]} if game in boards else set()


def test_a_new_bot_is_rated_by_itself(tmp_path: Path) -> None:
    with Stack(Plan(tmp_path / "arena", free_port(), 2, is_standing=True), print) as stack:
        reader = Client(stack.url)
        references = {f"arena-{sample}-oware" for sample in ("greedy", "minimax", "random")}
        until(reader, lambda client: board(client, "oware") >= references)
        login = reader.register("ama", secrets.token_urlsafe(16))
        Client(stack.url, login["token"]).submit("newcomer", "oware", ("bot.py", HOUSE_PACKAGE))
        until(reader, lambda client: "newcomer" in board(client, "oware"))
        events = list(reader.items("/tournaments", limit=50))
        assert {event["owner"] for event in events} == {"arena"}
        assert {event["ruleset"] for event in events} == set(games.names())
        changes = reader.get("/bots/newcomer/ratings?ruleset=oware")["items"]
        assert {change["opponent"] for change in changes} <= references
