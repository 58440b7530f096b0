"""Submit, look, change, retire; and who may see what."""

import io
import zipfile

import pytest

from tests.web.conftest import PLAIN_BOT, Person


def zip_of(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return packed.getvalue()


def test_submitted_bot_is_checked_first(owner: Person, nobody: Person) -> None:
    answer = owner.submit("walker")
    assert answer.status_code == 201
    assert answer.headers["Location"] == "/api/v1/bots/walker"
    bot = answer.json
    assert (bot["name"], bot["owner"], bot["game"]) == ("walker", "ama", "oware")
    assert (bot["active_version"], bot["latest_version"], bot["version"]["state"]) == (None, 1, "checking")
    version = bot.pop("version")
    assert nobody.get("/bots/walker").json == bot
    assert nobody.get("/bots/walker/versions/1").json == version


def test_qualification_can_be_followed(owner: Person, nobody: Person) -> None:
    owner.submit("walker")
    (match,) = nobody.get("/bots/walker/matches").json["items"]
    assert (match["purpose"], match["state"], match["first"]["name"]) == ("qualification", "due", "walker")
    assert nobody.get(f"/matches/{match['id']}").json == match
    for part in ("record", "games/1"):
        assert nobody.get(f"/matches/{match['id']}/{part}").status_code == 409


def test_new_version_keeps_the_old(owner: Person) -> None:
    owner.submit("walker")
    content = zip_of(bot_py=PLAIN_BOT)
    answer = owner.post("/bots/walker/versions", data={"file": (io.BytesIO(content), "walker.zip")})
    assert answer.status_code == 201
    assert answer.headers["Location"] == "/api/v1/bots/walker/versions/2"
    assert answer.json["number"] == 2
    assert [version["number"] for version in owner.get("/bots/walker/versions").json["items"]] == [2, 1]
    source = owner.get("/bots/walker/versions/2/source")
    assert (source.data, source.mimetype) == (content, "application/zip")


def test_source_is_a_download_that_no_browser_runs(owner: Person) -> None:
    owner.submit("walker")
    source = owner.get("/bots/walker/versions/1/source")
    assert source.data == PLAIN_BOT
    assert source.mimetype == "text/plain"
    assert source.headers["X-Content-Type-Options"] == "nosniff"
    assert source.headers["Content-Disposition"] == 'attachment; filename="walker-1.py"'
    assert "no-store" in source.headers["Cache-Control"]


@pytest.mark.parametrize("asset", ["/bots/walker/versions/1/source", "/bots/walker/versions/1/log"])
@pytest.mark.parametrize(
    ("role", "status"), [("nobody", 401), ("other", 403), ("admin", 403), ("owner", 200)]
)
def test_source_and_log_are_for_the_owner_alone(
    role: str, status: int, asset: str, owner: Person, request: pytest.FixtureRequest
) -> None:
    secret = b"# the secret opening book\n"
    owner.submit("walker", content=secret + PLAIN_BOT)
    answer = request.getfixturevalue(role).get(asset)
    assert answer.status_code == status
    assert (secret in answer.data) == (status == 200 and asset.endswith("source"))


@pytest.mark.parametrize(
    ("role", "status"), [("nobody", 401), ("other", 403), ("admin", 403), ("owner", 409)]
)
def test_log_of_a_match_is_for_the_owner_alone(
    role: str, status: int, owner: Person, request: pytest.FixtureRequest
) -> None:
    owner.submit("walker")
    match = owner.get("/bots/walker/matches").json["items"][0]["id"]
    person: Person = request.getfixturevalue(role)
    assert person.get(f"/matches/{match}/logs/first").status_code == status      # 409: not yet played
    assert person.get(f"/matches/{match}/logs/second").status_code in (401, 403)      # the house's, for nobody


def test_list_goes_on_where_it_stopped(owner: Person, other: Person) -> None:
    names = [f"bot-{letter}" for letter in "abcde"]
    for name in names:
        owner.submit(name)
    other.submit("stranger", game="urim")
    seen, cursor = [], ""
    while cursor is not None:
        page = owner.get(f"/bots?owner=ama&game=oware&limit=2{cursor and '&cursor=' + cursor}").json
        seen += [bot["name"] for bot in page["items"]]
        cursor = page["next"]
    assert seen == names


def test_retired_bot_stays_readable_and_leaves_the_list(owner: Person, other: Person) -> None:
    owner.submit("walker")
    assert other.delete("/bots/walker").status_code == 403
    assert owner.delete("/bots/walker").status_code == 204
    assert owner.delete("/bots/walker").status_code == 204
    assert owner.get("/bots").json["items"] == []
    assert owner.get("/bots/walker").json["retired_at"].endswith("Z")


def test_owner_keeps_a_bot_to_itself(owner: Person, other: Person) -> None:
    owner.submit("walker")
    assert other.call("PATCH", "/bots/walker", json={"is_open": False}).status_code == 403
    answer = owner.call("PATCH", "/bots/walker", json={"is_open": False})
    assert (answer.status_code, answer.json["is_open"]) == (200, False)
