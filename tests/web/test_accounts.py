"""Register, sign in, take tokens back."""

from base64 import b64encode

from arena.store.session import Store
from tests.web.conftest import PASSWORD, Person


def basic(name: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"{name}:{password}".encode()).decode()}


def test_registering_gives_a_token_that_works(nobody: Person) -> None:
    answer = nobody.post("/users", json={"name": "ama", "password": PASSWORD})
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    me = Person(nobody.client, "ama", answer.json["token"]).get("/me")
    assert (me.status_code, me.json["name"], me.json["is_admin"]) == (200, "ama", False)
    assert me.json["created_at"].endswith("Z")


def test_password_gives_further_tokens_and_each_can_be_taken_back(owner: Person) -> None:
    answer = owner.post("/tokens", headers=basic("ama", PASSWORD), json={"name": "laptop"})
    assert answer.status_code == 201
    laptop = Person(owner.client, "ama", answer.json["token"])
    tokens = {token["name"]: token["id"] for token in owner.get("/tokens").json["items"]}
    assert laptop.get("/me").status_code == 200
    assert owner.delete(f"/tokens/{tokens['laptop']}").status_code == 204
    assert laptop.get("/me").status_code == 401
    assert owner.get("/me").status_code == 200


def test_token_needs_no_body(owner: Person) -> None:
    assert owner.post("/tokens", headers=basic("ama", PASSWORD)).status_code == 201


def test_tokens_never_show_their_secret(owner: Person) -> None:
    listed = owner.get("/tokens").get_data(as_text=True)
    assert owner.token not in listed
    assert "hash" not in listed


def test_wrong_password_and_unknown_name_answer_alike(owner: Person) -> None:
    wrong = owner.post("/tokens", headers=basic("ama", "wrong password"))
    unknown = owner.post("/tokens", headers=basic("nobody", PASSWORD))
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json == unknown.json
    assert wrong.headers["WWW-Authenticate"].startswith("Basic")


def test_nobody_else_takes_a_token_back(owner: Person, other: Person) -> None:
    token = owner.get("/tokens").json["items"][0]["id"]
    assert other.delete(f"/tokens/{token}").status_code == 404
    assert owner.get("/me").status_code == 200


def test_token_in_a_cookie_is_not_looked_at(owner: Person) -> None:
    owner.client.set_cookie("Authorization", f"Bearer {owner.token}")
    owner.client.set_cookie("token", owner.token)
    assert Person(owner.client).get("/me").status_code == 401


def test_credentials_that_no_database_could_hold_are_just_wrong(nobody: Person, store: Store) -> None:
    for name in ("a\0b", "ä" * 300, "\x7f"):
        assert nobody.post("/tokens", headers=basic(name, PASSWORD)).status_code == 401
    for header in ("Bearer \0", "Bearer " + "x" * 5000, "Bearer", "Basic !!!", "Digest a=b", "Bearer ä"):
        assert nobody.get("/me", headers={"Authorization": header}).status_code == 401, header
