"""Times of events: by local clocks, whatever those do in spring and autumn."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Invalid
from arena.tournament.rhythm import WEEKDAYS, Rhythm, next_after, parse_rhythm

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)        # a Sunday
ZONES = ("UTC", "Europe/Berlin", "Africa/Accra", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")

rhythms = st.builds(
    Rhythm,
    st.one_of(
        st.just("day"),
        st.sets(st.sampled_from(WEEKDAYS), min_size=1).map(lambda days: ",".join(sorted(days, key=WEEKDAYS.index))),
    ),
    st.times().map(lambda time: time.strftime("%H:%M")),
    st.sampled_from(ZONES),
)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))


def following(rhythm: Rhythm, moment: datetime, count: int) -> list[datetime]:
    times = []
    for _ in range(count):
        moment = next_after(rhythm, moment)
        times.append(moment)
    return times


def test_every_day_at_the_same_local_time_through_both_changes_of_the_clocks() -> None:
    rhythm = Rhythm("day", "18:00", "Europe/Berlin")
    for start in (datetime(2026, 3, 26, tzinfo=UTC), datetime(2026, 10, 22, tzinfo=UTC)):
        times = following(rhythm, start, 7)
        assert [time.astimezone(ZoneInfo("Europe/Berlin")).strftime("%H:%M") for time in times] == ["18:00"] * 7
        assert {later - earlier for earlier, later in pairwise(times)} > {timedelta(days=1)}


def test_a_time_that_is_skipped_is_as_much_later() -> None:
    times = following(Rhythm("day", "02:30", "Europe/Berlin"), datetime(2026, 3, 27, 12, tzinfo=UTC), 3)
    assert [time.strftime("%d %H:%M") for time in times] == ["28 01:30", "29 01:30", "30 00:30"]


def test_a_time_that_comes_twice_is_the_first_and_happens_once() -> None:
    times = following(Rhythm("day", "02:30", "Europe/Berlin"), datetime(2026, 10, 24, 12, tzinfo=UTC), 2)
    assert [time.strftime("%d %H:%M") for time in times] == ["25 00:30", "26 01:30"]


def test_days_of_the_week_are_those_of_the_place() -> None:
    """Monday 00:30 in Kathmandu is Sunday 18:45 in Greenwich."""
    assert next_after(Rhythm("mon", "00:30", "Asia/Kathmandu"), NOW) == datetime(2026, 11, 29, 18, 45, tzinfo=UTC)


@given(rhythms, moments)
def test_the_next_time_is_later_within_a_week_and_nothing_lies_between(rhythm: Rhythm, moment: datetime) -> None:
    found = next_after(rhythm, moment)
    assert moment < found <= moment + timedelta(days=7, hours=1)
    assert next_after(rhythm, found - timedelta(microseconds=1)) == found
    assert next_after(rhythm, moment + (found - moment) / 2) == found
    assert next_after(rhythm, found) > found


@given(rhythms, moments)
def test_words_of_a_rhythm_are_read_back(rhythm: Rhythm, moment: datetime) -> None:
    assert parse_rhythm(rhythm.every, rhythm.at, rhythm.zone, moment) == rhythm


def test_every_week_is_the_day_on_which_it_is_first() -> None:
    assert parse_rhythm("week", "18:00", "UTC", NOW).every == "sun"
    assert parse_rhythm("week", "09:00", "UTC", NOW).every == "mon"
    assert parse_rhythm("thu,mon,thu", "09:00", "UTC", NOW).every == "mon,thu"


@pytest.mark.parametrize(
    ("every", "at", "zone", "field"),
    [
        ("hour", "18:00", "UTC", "every"),
        ("", "18:00", "UTC", "every"),
        ("mon,", "18:00", "UTC", "every"),
        ("day", "24:00", "UTC", "at"),
        ("day", "6:00", "UTC", "at"),
        ("day", "18.00", "UTC", "at"),
        ("day", "١٨:00", "UTC", "at"),
        ("day", "18:00", "Europe/Atlantis", "zone"),
        ("day", "18:00", "../etc/passwd", "zone"),
        ("day", "18:00", "localtime", "zone"),
        ("day", "18:00", "America/", "zone"),
        ("day", "18:00", "/etc/localtime", "zone"),
        ("day", "18:00", "Europe/Berlin\0", "zone"),
    ],
)
def test_what_cannot_be_read_names_its_field(every: str, at: str, zone: str, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_rhythm(every, at, zone, NOW)
    assert refused.value.field == field
