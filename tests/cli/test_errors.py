"""Every mistake a person can make in the three jobs: the exit code, and one sentence that says what to do."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.conftest import PASSWORD, Arena, Done

BOT = "def choose_move(position):\n    return position.legal_moves()[0]\n"
FILES = {
    "good.py": BOT.encode(),
    "broken.py": b"def choose_move(position:\n",
    "text.txt": b"hello",
    "not_a_zip.zip": b"PK nothing",
    "empty.py": b"",
    "huge.py": b"#" * 1_100_000,
    "latin.py": b"# caf\xe9\n",
}


@dataclass(frozen=True)
class Mistake:
    """What is typed, and what must come of it; `says` are parts of the one sentence."""

    name: str
    words: Sequence[str]
    code: int
    says: Sequence[str]
    stdin: str = f"{PASSWORD}\n"


def mistake(name: str, words: str, code: int, *says: str, stdin: str = f"{PASSWORD}\n") -> Mistake:
    return Mistake(name, words.split(), code, says, stdin)


LOCAL = (
    mistake("play: no such file", "play oware nosuch.py random", 2, "no file 'nosuch.py'", "greedy, minimax, random"),
    mistake("play: a folder", "play oware folder random", 2, "folder is a folder", "bot.py at the root"),
    mistake("play: a pipe", "play oware pipe.py random", 2, "pipe.py is no regular file"),
    mistake("verify: a folder", "verify folder", 2, "folder is a folder; give a file that `arena admin export` wrote"),
    mistake("verify: a pipe", "verify pipe.py", 2, "pipe.py is no regular file", "standard input"),
    mistake("verify: a device", "verify /dev/zero --json", 2, "/dev/zero is no regular file"),
    mistake("verify: no such file", "verify nosuch.jsonl", 2, "nosuch.jsonl cannot be read (No such file"),
    mistake("play: larger than any bot", "play oware vast.zip random", 2, "vast.zip has 6000000 bytes", "5000000"),
    mistake("login: no address at all", "login kofi --server no:address", 2, "'no:address'", "http://127.0.0.1:8000"),
    mistake("play: no such shipped bot", "play oware alphazero random", 2, "'alphazero'", "greedy, minimax, random"),
    mistake("play: file of another kind", "play oware text.txt random", 2, "text.txt is neither a .py nor a .zip file"),
    mistake("play: not a zip", "play oware not_a_zip.zip random", 2, "is not what its name says"),
    mistake("play: too large", "play oware huge.py random", 2, "1"),
    mistake("play: no game of this name", "play chess random random", 2, "no game is called 'chess'", "oware"),
    mistake("play: no such option", "play oware:pits=7 random random", 2, "no option", "grand_slam"),
    mistake("play: option out of range", "play urim:pits=9 random random", 2, "pits", "6"),
    mistake("play: unknown format", "play oware random random --format best-of-7", 2, "'best-of-7'", "antigua"),
    mistake("play: unknown time control", "play oware random random --time-control slow", 2, "'slow'", "quick"),
    mistake("play: format and games", "play oware random random --games 2 --format kumasi", 2, "give one of the two"),
    mistake("play: no games", "play oware random random --games 0", 2, "--games", "greater than or equal to 1"),
    mistake("play: too long an opening", "play oware random random --opening-plies 99", 2, "99", "20"),
    mistake("play: one bot only", "play oware random", 2, "Missing argument"),
    mistake("play: unknown option", "play oware random random --fast", 2, "No such option"),
    mistake("perft: no such game", "perft chess 3", 2, "no game is called 'chess'"),
    mistake("perft: no depth", "perft oware", 2, "Missing argument"),
    mistake("run: one bot", "tournament run oware random", 2, "at least two bots"),
    mistake("run: the same bot twice", "tournament run oware random random", 2, "two bots are called 'random'"),
    mistake("run: no such game", "tournament run go random greedy", 2, "no game is called 'go'"),
    mistake("unknown command", "fight", 2, "No such command"),
    mistake("login: server away", "login kofi --server http://127.0.0.1:1", 1, "no arena answers", "arena up"),
    mistake("login: no password", "login kofi --server http://127.0.0.1:1", 2, "no password came", stdin=""),
    mistake(
        "whoami: a server one has no login at",
        "whoami --server http://127.0.0.1:1",
        1,
        "`arena login NAME --server http://127.0.0.1:1`",
    ),
    mistake("play: games and format", "play oware random greedy --games 2 --format yoruba", 2, "--format games-2"),
    Mistake("play: empty seed", ("play", "oware", "random", "greedy", "--seed", ""), 2, ("--seed is empty",)),
    Mistake("submit: empty name", ("submit", "good.py", "--game", "oware", "--name", ""), 2, ("--name is empty",)),
    mistake("login: no address", "login kofi --server ftp://x", 2, "'ftp://x'"),
    mistake(
        "submit: no token", "submit good.py --game oware --server http://127.0.0.1:1", 1, "not signed in", "arena login"
    ),
    mistake("submit: no such file", "submit nosuch.py --game oware", 2, "no file 'nosuch.py'"),
    mistake("create: no token", "tournament create cup oware a b --server http://127.0.0.1:1", 1, "arena login"),
    mistake("leaderboard: server away", "leaderboard oware --server http://127.0.0.1:1", 1, "no arena answers"),
)

ON_SERVER = (
    mistake("login: wrong password", "login ama", 1, "password"),
    mistake("login: taken name", "login ama --register", 1, "ama"),
    mistake("login: bad name", "login Ama! --register", 2, "name"),
    mistake("submit: file of another kind", "submit text.txt --name mine --game oware", 2, "text.txt is neither"),
    mistake("submit: empty file", "submit empty.py --name mine --game oware", 2, "empty.py"),
    mistake("submit: broken source", "submit latin.py --name mine --game oware", 2, "latin.py"),
    mistake("submit: not a zip", "submit not_a_zip.zip --name mine --game oware", 2, "zip"),
    mistake("submit: too large", "submit huge.py --name mine --game oware", 2, "1"),
    mistake("submit: bad name", "submit good.py --name A! --game oware", 2, "name"),
    mistake("submit: no such game", "submit good.py --name mine --game chess", 2, "'chess'", "oware"),
    mistake("submit: no game", "submit good.py --name mine", 2, "--game"),
    mistake("submit: taken name", "submit good.py --name amas-bot --game oware", 1, "amas-bot"),
    mistake("submit: own bot, another game", "submit good.py --name kofis-bot --game urim", 1, "kofis-bot", "oware"),
    mistake("show: no such bot", "bots show nosuch", 1, "nosuch"),
    mistake("log: a foreign bot", "bots log amas-bot", 1, "amas-bot"),
    mistake("retire: a foreign bot", "bots retire amas-bot", 1, "amas-bot"),
    mistake("create: too few bots", "tournament create cup oware kofis-bot", 2, "1 bot; a tournament has 2"),
    mistake("create: no such bot", "tournament create cup oware nosuch nobody", 1, "nosuch"),
    mistake("create: no such game", "tournament create cup chess kofis-bot amas-bot", 2, "'chess'", "oware"),
    mistake(
        "create: unknown format", "tournament create cup oware kofis-bot amas-bot --format best-of-7", 2, "best-of-7"
    ),
    mistake(
        "create: unknown time control", "tournament create cup oware kofis-bot amas-bot --time-control slow", 2, "slow"
    ),
    mistake("create: not active", "tournament create cup oware kofis-bot amas-bot", 2, "kofis-bot"),
    mistake("start: no such tournament", "tournament start 99", 1, "99"),
    mistake("start: no number", "tournament start 0", 2, "'0' is no number of a tournament", "tournament list"),
    mistake("show: no number", f"tournament show {'9' * 5000}", 2, "is no number of a tournament"),
    mistake("watch: no such tournament", "tournament watch 99", 1, "99"),
    mistake("leaderboard: no such game", "leaderboard chess", 2, "'chess'"),
    mistake("match: no such match", "match 99", 1, "99"),
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    with (tmp_path / "vast.zip").open("wb") as file:
        file.truncate(6_000_000)


def check(done: Done, expected: Mistake) -> None:
    assert done.returncode == expected.code, done.stdout + done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    text = " ".join(done.stderr.replace("│", " ").split())
    assert all(part in text for part in expected.says), text


@pytest.mark.parametrize("expected", LOCAL, ids=lambda row: row.name)
def test_mistake_here_is_explained(arena_here: Arena, expected: Mistake) -> None:
    check(arena_here(*expected.words, stdin=expected.stdin), expected)


@pytest.fixture
def as_kofi(arena_here: Arena, server: str) -> Arena:
    """Kofi is signed in; he and Ama have a bot each, which no worker has looked at."""
    for name in ("ama", "kofi"):
        assert arena_here("login", name, "--server", server, stdin=f"{PASSWORD}\n").returncode == 0
        sent = arena_here("submit", "good.py", "--name", f"{name}s-bot", "--game", "oware", "--no-wait")
        assert sent.returncode == 0, sent.stderr
    return arena_here


@pytest.mark.parametrize("expected", ON_SERVER, ids=lambda row: row.name)
def test_mistake_at_a_server_is_explained(as_kofi: Arena, expected: Mistake) -> None:
    check(as_kofi(*expected.words, stdin="wrong password\n"), expected)


def test_a_login_that_cannot_be_saved_asks_the_server_for_nothing(
    as_kofi: Arena, server: str, tmp_path: Path
) -> None:
    """A token that nobody could keep would stay valid there."""
    before = as_kofi("tokens", "list", "--json").stdout
    saved = tmp_path / "config" / "arena"
    saved.rename(tmp_path / "aside")
    saved.symlink_to("/proc/nowhere")
    done = as_kofi("login", "kofi", "--server", server, stdin=f"{PASSWORD}\n")
    saved.unlink()
    (tmp_path / "aside").rename(saved)

    assert (done.returncode, done.stdout) == (1, "")
    assert "was not saved" in done.stderr
    assert as_kofi("tokens", "list", "--json").stdout == before


def test_a_token_that_was_revoked_says_how_to_get_another(as_kofi: Arena, server: str) -> None:
    (token,) = json.loads(as_kofi("tokens", "list", "--json").stdout)[-1:]
    assert as_kofi("tokens", "revoke", str(token["id"])).returncode == 0

    done = as_kofi("whoami")

    assert done.returncode == 1
    assert f"`arena login NAME --server {server}`" in done.stderr


def test_a_password_cannot_come_from_a_closed_input(
    arena_here: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.account.sys", SimpleNamespace(stdin=None))
    done = arena_here("login", "kofi", "--server", "http://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no password came" in done.stderr
