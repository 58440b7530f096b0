"""Which server to talk to, and as whom: options, then environment, then the profile that `arena login` saves."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arena.errors import ArenaFault, Invalid

DEFAULT_SERVER = "http://127.0.0.1:8000"


@dataclass(frozen=True, slots=True)
class Profile:
    """A server and who we are there; `name` and `token` are empty before the first login."""

    server: str
    name: str = ""
    token: str = ""


def current(server: str | None, environment: Mapping[str, str] = os.environ) -> Profile:
    """The profile to use; `server` is what `--server` said."""
    saved = _read(environment)
    known: dict[str, dict[str, str]] = saved.get("servers", {})
    address = _address(server or environment.get("ARENA_SERVER") or saved.get("current") or DEFAULT_SERVER)
    login = known.get(address, {})
    return Profile(address, login.get("name", ""), environment.get("ARENA_TOKEN") or login.get("token", ""))


def save(profile: Profile, environment: Mapping[str, str] = os.environ) -> Path:
    """Keep the profile for later calls, readable by its owner alone, and make its server the current one.

    Raises: ArenaFault when it cannot be written.
    """
    saved = _read(environment)
    servers = {**saved.get("servers", {}), profile.server: {"name": profile.name, "token": profile.token}}
    path = path_of_profiles(environment)
    with _in_folder_of(path):
        handle, draft = tempfile.mkstemp(dir=path.parent)  # mkstemp makes it 0600
        with os.fdopen(handle, "w") as file:
            json.dump({"current": profile.server, "servers": servers}, file, indent=2)
        Path(draft).replace(path)
    return path


def check_saving(environment: Mapping[str, str] = os.environ) -> None:
    """Before a server is asked for a token that nobody could keep; raises `ArenaFault` as `save` does."""
    path = path_of_profiles(environment)
    with _in_folder_of(path), tempfile.TemporaryFile(dir=path.parent):
        pass


def not_signed_in(server: str) -> str:
    """The sentence for who needs a login there, with the command that makes one."""
    return f"you are not signed in at {server}. Run `arena login NAME --server {server}` first."


def path_of_profiles(environment: Mapping[str, str] = os.environ) -> Path:
    """Where profiles are kept, by the XDG rule."""
    home = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "~")).expanduser() / ".config"
    return Path(home) / "arena" / "profiles.json"


@contextmanager
def _in_folder_of(path: Path) -> Iterator[None]:
    """The folder is there inside; what cannot be written becomes one sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        yield
    except OSError as error:
        raise ArenaFault(
            f"the login was not saved in {path}: {error.strerror}; set XDG_CONFIG_HOME to a folder of yours, or give "
            "the token itself as ARENA_TOKEN"
        ) from error


def _read(environment: Mapping[str, str]) -> dict[str, Any]:
    path = path_of_profiles(environment)
    try:
        saved = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Invalid(
            f"the saved profile {path} cannot be read ({error}); delete it and run `arena login` again"
        ) from error
    if not isinstance(saved, dict):
        raise Invalid(f"the saved profile {path} is damaged; delete it and run `arena login` again")
    return saved


def _address(text: str) -> str:
    """A server's address in one spelling, so that the same server has one login; where its API begins is cut off."""
    address = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and parts.port != 0 and _is_host(parts.hostname or "")
    except ValueError:          # a port that is no number, half a bracket
        is_address = False
    if not is_address or "?" in address or "#" in address:
        raise Invalid(f"the server's address is like {DEFAULT_SERVER}, not {text!r}", field="server")
    return address.rstrip("/").removesuffix("/api/v1").rstrip("/")


def _is_host(name: str) -> bool:
    return name != "" and not any(sign.isspace() or sign in "\"<>\\^`{|}" for sign in name)
