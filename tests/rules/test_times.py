"""What is a readable time, and which instant it is (contract 1, 12.2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest

from evidence.rules.times import read_time, to_iso

NINE = datetime(2026, 9, 13, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-09-13T09:00:00Z", NINE),
        ("2026-09-13T09:00Z", NINE),
        ("2026-09-13 09:00:00Z", NINE),
        ("2026-09-13T11:00:00+02:00", NINE),
        ("2026-09-13T11:00+0200", NINE),
        ("2026-09-13T05:15:00-03:45", NINE),
        ("2026-09-12T09:01:00-23:59", NINE),
        ("2026-09-13T09:00:00-00:00", NINE),
        ("2026-09-13T09:00:00.5Z", NINE + timedelta(milliseconds=500)),
        ("2026-09-13T09:00:00.000001999Z", NINE + timedelta(microseconds=1)),
        ("2024-02-29T00:00Z", datetime(2024, 2, 29, tzinfo=UTC)),
        ("0001-01-01T00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_a_readable_time_is_an_instant(written: str, instant: datetime) -> None:
    assert read_time(written) == instant


@pytest.mark.parametrize(
    "written",
    [
        "", " ", "last Tuesday", "1757754000", "2026", "2026-09-13", "2026-09-13T09:00:00", "2026-09-13T09Z",
        "2026-09-13t09:00:00Z", "2026-09-13T09:00:00z", "2026-09-13  09:00Z", "2026-09-13\t09:00Z",
        " 2026-09-13T09:00:00Z", "2026-09-13T09:00:00Z ", "2026-09-13T09:00:00Z\n", "2026-09-13T09:00:00 Z",
        "2026-09-13T09:00:00+02", "2026-09-13T09:00:00+2:00", "2026-09-13T09:00:00+02:0", "2026-09-13T09:00:00+02:00:00",
        "2026-09-13T09:00:00+24:00", "2026-09-13T09:00:00-2400", "2026-09-13T09:00:00+00:60", "2026-09-13T09:00:00+0099",
        "2026-09-13T09:00:00\u221202:00", "2026-09-13T09:00:00UTC", "2026-09-13T09:00:00 GMT", "2026-09-13T09:00:00Z[UTC]",
        "2026-09-13T24:00:00Z", "2026-09-13T09:60:00Z", "2026-09-13T09:00:60Z", "2016-12-31T23:59:60Z",
        "2026-09-13T09:00:00.Z", "2026-09-13T09:00:00,5Z", "2026-09-13T09:00.5Z", "2026-09-13T090000Z", "20260913T090000Z",
        "2026-02-30T09:00Z", "2026-02-29T09:00Z", "2026-13-01T09:00Z", "2026-00-10T09:00Z", "2026-09-00T09:00Z",
        "0000-01-01T00:00Z", "-2026-09-13T09:00Z", "+12026-09-13T09:00Z", "12026-09-13T09:00Z", "26-09-13T09:00Z",
        "2026-9-13T09:00Z", "2026-W37-7T09:00Z", "2026-256T09:00Z", "0001-01-01T00:00+14:00", "9999-12-31T23:59-01:00",
        "\uff12\uff10\uff12\uff16-09-13T09:00Z", "2026-09-13T0\u0669:00Z", "2026-09-13T09:00:00Z\0", "NaN", "null",
    ],
)  # fmt: skip
def test_anything_else_is_no_date(written: str) -> None:
    assert read_time(written) is None


@pytest.mark.parametrize("value", [None, 0, 1757754000, 1.5, float("nan"), True, ["2026-09-13T09:00Z"], {}, b"2026"])
def test_what_is_no_text_is_no_date(value: object) -> None:
    assert read_time(value) is None


class Undecided(tzinfo):
    """A zone that knows no offset."""

    def utcoffset(self, dt: datetime | None) -> None:
        return None

    def dst(self, dt: datetime | None) -> None:
        return None

    def tzname(self, dt: datetime | None) -> str:
        return "undecided"


EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-1))


@pytest.mark.parametrize(
    "value",
    [
        datetime(2026, 9, 13, 9),  # noqa: DTZ001 - the point
        datetime(2026, 9, 13, 9, tzinfo=Undecided()),
        datetime.min.replace(tzinfo=EAST),
        datetime.max.replace(tzinfo=WEST),
    ],
    ids=["naive", "no offset", "before year 1", "after year 9999"],
)
def test_a_datetime_that_is_no_instant_is_no_date(value: datetime) -> None:
    assert read_time(value) is None


def test_an_aware_datetime_is_read_in_utc() -> None:
    assert read_time(datetime(2026, 9, 13, 23, tzinfo=EAST)) == NINE


def test_an_instant_is_written_in_utc_and_read_back() -> None:
    assert to_iso(datetime(2026, 9, 13, 23, tzinfo=EAST)) == "2026-09-13T09:00:00Z"
    assert to_iso(NINE + timedelta(microseconds=5)) == "2026-09-13T09:00:00.000005Z"
