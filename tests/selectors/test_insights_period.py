"""Days and hours of the person's zone, also where its clock is changed or stands between the hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from evidence.models import Tally
from evidence.models.tallies import Figure, begin_of, slot_of
from evidence.selectors.insights_period import Period

ZONES = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"]
# The days before end with both changes of the clock in Europe; the year is one that is over.
NOWS = [datetime(2026, 4, 3, 9, 7, tzinfo=UTC), datetime(2026, 10, 29, 23, 59, tzinfo=UTC)]


def test_a_period_ends_with_today_and_begins_so_many_days_before():
    period = Period(7, ZoneInfo("Europe/Berlin"), datetime(2026, 3, 31, 23, 30, tzinfo=UTC))
    assert (period.dates[0], period.dates[-1]) == (date(2026, 3, 26), date(2026, 4, 1))
    assert period.since == datetime(2026, 3, 25, 23, tzinfo=UTC)
    assert period.until == datetime(2026, 4, 1, 22, tzinfo=UTC)


@pytest.mark.parametrize("now", NOWS)
@pytest.mark.parametrize("zone", ZONES)
def test_days_join_and_begin_on_a_quarter_of_an_hour(zone: str, now: datetime):
    period = Period(30, ZoneInfo(zone), now)
    bounds = [period.bounds(day) for day in period.dates]
    assert [end for _, end in bounds[:-1]] == [begin for begin, _ in bounds[1:]]
    assert all(begin_of(slot_of(begin)) == begin for begin, _ in bounds)
    assert period.since <= now < period.until


@pytest.mark.django_db
@pytest.mark.postgres
@pytest.mark.parametrize("now", NOWS)
@pytest.mark.parametrize("zone", ZONES)
def test_the_database_tells_days_and_hours_as_the_clock_of_the_zone_does(zone: str, now: datetime):
    period = Period(30, ZoneInfo(zone), now)
    slots = range(slot_of(period.since), slot_of(period.until))
    Tally.objects.bulk_create(Tally(figure=Figure.REFUSED, slot=slot, number=1) for slot in slots)
    told = Tally.objects.annotate(day=period.day_number(), hour=period.hour()).values_list("slot", "day", "hour")
    for slot, day, hour in told:
        local = begin_of(slot).astimezone(ZoneInfo(zone))
        assert (period.day_of(day), hour) == (local.date(), local.hour), local
    for wanted in (0, 1, 2, 3, 14, 23):
        spans = period.spans_of_hour(wanted)
        inside = {slot for first, last in spans for slot in range(slot_of(first), slot_of(last))}
        assert inside == {slot for slot, _, hour in told if hour == wanted}, wanted


def test_the_hour_that_the_clock_skips_is_missing_and_the_one_it_repeats_is_there_twice():
    berlin = ZoneInfo("Europe/Berlin")
    spring, autumn = (Period(7, berlin, now) for now in NOWS)
    assert len(spring.spans_of_hour(2)) == 6
    assert sum((end - begin for begin, end in autumn.spans_of_hour(2)), timedelta()) == timedelta(hours=8)
