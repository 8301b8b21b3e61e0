"""Numbers, dates, times, versions, units: one normal form however they are written (contract 7, 12.10)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.quantities import Quantity, agree, missing, quantities, quantity_spans

SAME = [
    ("5", "five"),
    ("twenty-one rows", "21 rows"),
    ("two hundred thousand parcels", "200,000 parcels"),
    ("20,000 euro", "€20000"),
    ("20k euro", "20.000 Euro der Kunden"),
    ("5 million rows", "5M rows"),
    ("5 times", "five times"),
    ("2 days", "48 h"),
    ("2 days", "48 hours"),
    ("1 h 30 min", "90 minutes"),
    ("1.5 hours", "90 min"),
    ("a 30-minute timeout", "30 min"),
    ("timeout=30s", "30 seconds"),
    ("one week", "7 days"),
    ("two weeks", "a fortnight"),
    ("12 months", "1 year"),
    ("350 kB", "350 KB"),
    ("1 GB", "1000 MB"),
    ("1 GiB", "1024 MiB"),
    ("31.5 kg", "31,500 grams"),
    ("1280 pixels", "1280px"),
    ("80%", "80 percent"),
    ("80 per cent", "80 Prozent"),
    ("v1.2", "1.2"),
    ("version 1.2", "v1.2"),
    ("v2.0", "2"),
    ("2027-02-01", "1 February 2027"),
    ("2027-02-01", "February 1st, 2027"),
    ("2027-02-01", "01.02.2027"),
    ("2027-02-01", "2027/02/01"),
    ("19 October", "October 19th"),
    ("19 October", "am 19. Oktober"),
    ("le 19 octobre 2026", "19 de octubre de 2026"),
    ("2026年10月19日", "2026-10-19"),
    ("in Oct", "in October"),
    ("Mondays", "every Monday"),
    ("on Mon", "montags"),
    ("3:30 pm", "15:30"),
    ("12 am", "midnight"),
    ("noon", "12:00"),
    ("14 Uhr", "14:00"),
    ("14h30", "2:30 pm"),
    ("half an hour", "30 minutes"),
    ("three quarters of an hour", "45 min"),
    ("an hour and a half", "90 minutes"),
    ("two and a half weeks", "17.5 days"),
    ("half a million parcels", "500,000 parcels"),
    ("anderthalb Stunden für die Prüfung", "90 Minuten"),
    ("eine halbe Stunde für den Umbau", "30 Minuten"),
    ("une demi-heure pour le repas", "30 minutes"),
    ("media hora para la comida", "30 minutos"),
    ("un half uur voor de lunch en een half uur", "30 minuten"),
    ("half past nine", "9:30"),
    ("a quarter to ten pm", "21:45"),
    ("7.51pm", "19:51"),
    ("6 feet", "72 inches"),
    ("2 lbs", "32 oz"),
    ("500 ml", "0.5 litres"),
    ("€3m", "3,000,000 euro"),
    ("三十秒", "30 s"),
    ("两周", "14 days"),
    ("二十五分钟", "25 minutes"),
    ("daily", "every day"),
    ("nightly", "once a day"),
    ("twice a day", "every 12 hours"),
    ("every other week", "every 2 weeks"),
    ("quarterly", "every 3 months"),
    ("monthly", "once a month"),
    ("5 times a day", "five times per day"),
    ("3天", "3 days"),
    ("2 Werktage", "2 workdays"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_value_in_two_spellings(one: str, other: str) -> None:
    assert quantities(one)
    assert quantities(one) == quantities(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5", "6"),
        ("3.1", "3.10"),
        ("30 minutes", "30 seconds"),
        ("2 days", "2 working days"),
        ("20 MB", "20 GB"),
        ("50 euro", "50 dollars"),
        ("19 October", "12 October"),
        ("Monday", "Tuesday"),
        ("03:30", "15:30"),
        ("March", "April"),
        ("daily", "weekly"),
        ("v1.8.3", "v1.8.2"),
    ],
)
def test_two_values(one: str, other: str) -> None:
    assert quantities(one) != quantities(other)


@pytest.mark.parametrize(
    "text",
    [
        "we may march on",
        "Augustus owns the ledger",
        "utf-8",
        "ticket PAY-123",
        "see #42",
        "host 10.0.0.1",
        "a second reader",
        "the sun sat there",
        "h264",
        "m-7",
    ],
)
def test_no_values(text: str) -> None:
    assert quantities(text) == frozenset()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2, 4 and 8 seconds", ["2", "4", "8"]),
        ("the hall dates from the 1990s", ["1990s"]),
        ("cached for 1990s", ["1990"]),
        ("in augustus gaat de winkel dicht", ["--08"]),
        ("30-60 minutes", ["1800", "3600"]),
        ("from 06:00 to 20:00", ["06:00", "20:00"]),
        ("Monday 05:00 UTC", ["1", "05:00"]),
        ("2027-02-01T10:30:00Z", ["2027-02-01", "10:30"]),
        ("10% of 3 GB", ["10", "3000000000"]),
        ("v1.2 or 1.3", ["1.2", "1.3"]),
    ],
)
def test_several_values(text: str, values: list[str]) -> None:
    assert [found.quantity.value for found in quantity_spans(text)] == values


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("19 October", "2026-10-19", True),
        ("October", "2026-10-19", True),
        ("October 2025", "2026-10-19", False),
        ("19 October", "2026-10-12", False),
        ("Q3", "Q3 2026", True),
        ("Python 3.12", "Python v3.12.4", True),
        ("Python v3.12", "Python v3.13", False),
        ("every 90 seconds", "90 seconds", True),
        ("5", "5.5", False),
    ],
)
def test_values_that_can_be_the_same(one: str, other: str, same: bool) -> None:
    (ours,), (theirs,) = quantities(one), quantities(other)
    assert agree(ours, theirs) is same
    assert agree(theirs, ours) is same


def test_what_is_missing() -> None:
    claimed, given = quantities("after 30 days or 5 times"), quantities("after one month, five times")
    assert missing(claimed, given) == (Quantity("duration", "2592000", "s"),)
    assert missing(claimed, claimed) == ()


@given(st.integers(0, 10**9))
def test_grouped_digits_are_the_number(number: int) -> None:
    (plain,), (grouped,) = quantities(f"{number} rows"), quantities(f"{number:,} rows")
    assert plain == grouped


@given(st.integers(1, 10**4))
def test_units_convert(number: int) -> None:
    assert quantities(f"{number} hours") == quantities(f"{number * 60} minutes")
    assert quantities(f"{number} kB") == quantities(f"{number * 1000} bytes")


@given(st.dates(min_value=date(1000, 1, 1)))
def test_dates_convert(day: date) -> None:
    assert {found.value for found in quantities(f"on {day:%Y-%m-%d}")} == {f"{day:%Y-%m-%d}"}
