"""When something happens again and again: at a time of day, on some days of the week, by the clocks of one place.

A time that the clocks skip in spring is as much later as they skip; one that comes twice in autumn is the first.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from arena.errors import Invalid

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY_DAY, EVERY_WEEK = "day", "week"


@dataclass(frozen=True, slots=True)
class Rhythm:
    """`every` is "day" or days such as "mon,thu", `at` such as "18:30", `zone` an IANA name such as "Africa/Accra"."""

    every: str
    at: str
    zone: str

    @property
    def weekdays(self) -> frozenset[int]:
        """The days, Monday is 0."""
        days = WEEKDAYS if self.every == EVERY_DAY else self.every.split(",")
        return frozenset(WEEKDAYS.index(day) for day in days)


def parse_rhythm(every: str, at: str, zone: str, now: datetime) -> Rhythm:
    """The rhythm of these words; "week" is the day of the week on which it happens first from now on.

    Raises: Invalid, naming the field.
    """
    place = _zone(zone)
    rhythm = Rhythm(EVERY_DAY, _time(at).strftime("%H:%M"), zone)
    if every == EVERY_DAY:
        return rhythm
    if every == EVERY_WEEK:
        return Rhythm(WEEKDAYS[next_after(rhythm, now).astimezone(place).weekday()], rhythm.at, zone)
    return Rhythm(_days(every), rhythm.at, zone)


def next_after(rhythm: Rhythm, moment: datetime) -> datetime:
    """The first time after this moment, in UTC.

    >>> next_after(Rhythm("day", "02:30", "Europe/Berlin"), datetime(2026, 3, 28, 12, tzinfo=UTC))
    datetime.datetime(2026, 3, 29, 1, 30, tzinfo=datetime.timezone.utc)
    """
    place, at = ZoneInfo(rhythm.zone), _time(rhythm.at)
    today = moment.astimezone(place).date()
    days = (today + timedelta(days=number) for number in range(-1, 9))
    times = (datetime.combine(day, at, place).astimezone(UTC) for day in days if day.weekday() in rhythm.weekdays)
    return min(each for each in times if each > moment)


def _zone(name: str) -> ZoneInfo:
    """One that every machine knows by that name, not the machine's own."""
    try:
        if name == "UTC" or "/" in name:
            return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        pass
    raise Invalid(f"{name[:60]!r} is no time zone; name one such as UTC or Africa/Accra.", field="zone")


def _time(text: str) -> time:
    hours, colon, minutes = text.partition(":")
    parts = (hours, minutes)
    if colon and all(len(part) == 2 and part.isascii() and part.isdigit() for part in parts):
        hour, minute = int(hours), int(minutes)
        if hour < 24 and minute < 60:
            return time(hour, minute)
    raise Invalid(f"{text[:20]!r} is no time of day; write it as 18:30.", field="at")


def _days(text: str) -> str:
    """The days of a list, each once and in the order of the week."""
    named: Collection[str] = text.split(",")
    if not set(named) <= set(WEEKDAYS):
        raise Invalid(
            f"{text[:60]!r} is no rhythm; say day, week, or days such as mon,thu ({', '.join(WEEKDAYS)}).",
            field="every",
        )
    return ",".join(day for day in WEEKDAYS if day in named)
