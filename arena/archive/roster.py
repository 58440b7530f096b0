"""The versions of bots that an archive has introduced, and whose they are."""

import re

from arena.archive.entries import Version
from arena.errors import ArchiveRefused
from arena.match.record_types import BotRef
from arena.ratings.ledger import RatedVersion

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Roster:
    """Bots are numbered here as they come; `names` by that number."""

    def __init__(self) -> None:
        self._versions: dict[tuple[str, int], Version] = {}
        self._owners: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self.names: dict[int, str] = {}

    def add(self, version: Version) -> None:
        """Introduce a version.  Raises: ArchiveRefused when that contradicts what was said before."""
        key = version.bot, version.version
        if key in self._versions:
            raise ArchiveRefused(f"{version.bot} version {version.version} has a line already", check="versions")
        if not _HASH.fullmatch(version.content_hash):
            raise ArchiveRefused(f"content_hash is 64 hex digits, not {version.content_hash[:80]!r}", check="versions")
        owner = self._owners.setdefault(version.bot, version.owner)
        if owner != version.owner:
            raise ArchiveRefused(f"{version.bot} belongs to {owner}, not to {version.owner}", check="versions")
        self._versions[key] = version
        self.names.setdefault(self._numbers.setdefault(version.bot, len(self._numbers)), version.bot)

    def ref(self, bot: str, version: int) -> BotRef:
        """The version as a record names it.  Raises: ArchiveRefused when no line has introduced it."""
        found = self._versions.get((bot, version))
        if found is None:
            raise ArchiveRefused(f"no line above has introduced {bot} version {version}", check="versions")
        return BotRef(bot, version, found.content_hash)

    def rated(self, bot: str, version: int) -> RatedVersion:
        """The version as the ledger counts it.  Raises: as `ref`."""
        self.ref(bot, version)
        return RatedVersion(self._numbers[bot], version)

    def owner(self, bot: str) -> str:
        return self._owners[bot]
