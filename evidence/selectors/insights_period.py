"""The stretch of time that the insights look at: whole days of the person's zone, today included. Knows no table.

Counts are kept by quarters of an hour (`models.tallies`), and every zone in use begins its days and hours on one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from django.db.models import Case, F, IntegerField, Value, When
from django.db.models.expressions import Combinable

from evidence.models.tallies import SLOT_SECONDS, SLOTS_A_DAY, begin_of, slot_of

RANGES = (7, 30, 90)
DEFAULT_RANGE = 30
_EPOCH = date(1970, 1, 1).toordinal()
_AN_HOUR = 3_600 // SLOT_SECONDS


@dataclass(frozen=True)
class Period:
    """`days` days up to and with the one that `now` falls into, where `zone` is."""

    days: int
    zone: ZoneInfo
    now: datetime

    @cached_property
    def dates(self) -> tuple[date, ...]:
        today = self.now.astimezone(self.zone).date()
        return tuple(today - timedelta(days=back) for back in range(self.days - 1, -1, -1))

    def begin(self, day: date) -> datetime:
        """The first instant of a day."""
        return datetime.combine(day, time(), self.zone).astimezone(UTC)

    def bounds(self, day: date) -> tuple[datetime, datetime]:
        return self.begin(day), self.begin(day + timedelta(days=1))

    @property
    def since(self) -> datetime:
        return self.begin(self.dates[0])

    @property
    def until(self) -> datetime:
        return self.begin(self.dates[-1] + timedelta(days=1))

    @property
    def utc_days(self) -> tuple[datetime, datetime]:
        """The days of UTC that the period touches."""
        first, last = slot_of(self.since), slot_of(self.until)
        return begin_of(first - first % SLOTS_A_DAY), begin_of(last + -last % SLOTS_A_DAY)

    @cached_property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """The zone's distance from UTC in slots, each until (and without) the slot beside it; usually one."""
        found: list[tuple[int, int]] = []
        for day in self.dates:
            first, end = (slot_of(bound) for bound in self.bounds(day))
            # The clock is changed at most once a day: where both ends agree, so does what is between them.
            slots = [end - 1] if self._distance(first) == self._distance(end - 1) else range(first, end)
            for slot in slots:
                distance = self._distance(slot)
                if found and found[-1][1] == distance:
                    found[-1] = (slot + 1, distance)
                else:
                    found.append((slot + 1, distance))
        return tuple(found)

    def local_slot(self) -> Combinable:
        """A tally's slot on the clock of the zone."""
        *earlier, (_, last) = self.offsets
        cases = [When(slot__lt=until, then=Value(distance)) for until, distance in earlier]
        shift = Case(*cases, default=Value(last), output_field=IntegerField()) if cases else Value(last)
        return F("slot") + shift

    def day_number(self) -> Combinable:
        """For annotations: a number that `day_of` takes. Whole numbers are divided without a rest on both databases."""
        return self.local_slot() / Value(SLOTS_A_DAY)

    def hour(self) -> Combinable:
        return (self.local_slot() % Value(SLOTS_A_DAY)) / Value(_AN_HOUR)

    @staticmethod
    def day_of(number: int) -> date:
        return date.fromordinal(_EPOCH + int(number))

    def spans_of_hour(self, hour: int) -> list[tuple[datetime, datetime]]:
        """When it was that hour by the clock of the zone: once a day, but for the days on which the clock is changed."""
        spans: list[tuple[int, int]] = []
        for slot in range(slot_of(self.since), slot_of(self.until)):
            if (slot + self._distance(slot)) % SLOTS_A_DAY // _AN_HOUR != hour:
                continue
            if spans and spans[-1][1] == slot:
                spans[-1] = (spans[-1][0], slot + 1)
            else:
                spans.append((slot, slot + 1))
        return [(begin_of(first), begin_of(last)) for first, last in spans]

    def _distance(self, slot: int) -> int:
        offset = begin_of(slot).astimezone(self.zone).utcoffset()
        return int((offset or timedelta()).total_seconds() // SLOT_SECONDS)
