"""What to do about a sandbox that does not start, from what bubblewrap said."""

from pathlib import Path

_CONTAINER = (
    "in Docker run the worker as an ordinary user with `security_opt: [\"seccomp=docker/worker-seccomp.json\", "
    "\"no-new-privileges:true\"]` and `cap_drop: [ALL]` (docker-compose.yml does); more capabilities do not help"
)
_SWITCHED_OFF = (
    "user namespaces are switched off; allow them: `sysctl -w kernel.unprivileged_userns_clone=1` (Debian) and "
    "`sysctl -w user.max_user_namespaces=10000`"
)
_APPARMOR_NAMESPACE = (
    "AppArmor keeps programs from making user namespaces (Ubuntu 23.10 and later); install the bubblewrap of the "
    "distribution with its profile, or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
)
_APPARMOR_MOUNT = (
    "the container's AppArmor profile forbids mounts; add `apparmor=unconfined` to the worker's `security_opt`"
)
_UNREACHABLE = (
    "bots cannot reach or run what is in the sandbox image; name a folder that every user may enter, on a file system "
    "that is not mounted noexec, in ARENA_SANDBOX_DIR"
)
_HINTS = (                      # a part of what bubblewrap says, in lower case, and what it means
    ("setting up uid map", _APPARMOR_NAMESPACE),
    ("failed to make / slave", _APPARMOR_MOUNT),
    ("pivot_root", _CONTAINER),
    ("no space left", _SWITCHED_OFF),
    ("namespace", _SWITCHED_OFF),
    ("can't find source path", _UNREACHABLE),
    ("execvp", _UNREACHABLE),
    ("unknown option", "this bubblewrap is too old; install version 0.8 or later"),
    ("resource temporarily unavailable", "the machine has no room for another process; run fewer workers on it"),
    ("cannot allocate memory", "the machine is out of memory; run fewer workers on it"),
)


def hint_for(said: str) -> str:
    """What an operator should do now."""
    spoken = said.lower()
    hint = next((hint for part, hint in _HINTS if part in spoken), "run `arena doctor` to learn which layer is missing")
    return f"{hint}; {_CONTAINER}" if hint is _SWITCHED_OFF and _is_container() else hint


def _is_container() -> bool:
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
