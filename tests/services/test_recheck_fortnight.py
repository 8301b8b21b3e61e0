"""A fortnight, six hours at a time: a fact approaches its turn, turns, is checked again and comes again; nobody is told twice.

The clock is moved; the sweep runs at each step, twice. It decides nothing: between two decisions no record changes at all.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.serializers.json import DjangoJSONEncoder

from evidence.models import Decision, Evidence, News, RecheckItem
from evidence.rules.labels import label_of_window
from evidence.rules.vocab import Role
from evidence.selectors.planning import window_of
from evidence.selectors.rechecks import RecheckFilter, rows_of
from evidence.services.rechecks import Settling
from evidence.services.sweeps import sweep_expiry
from tests.services import make
from tests.services.test_rechecks import old, press

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BEGIN = datetime(2026, 11, 2, 8, tzinfo=UTC)
STEP = timedelta(hours=6)


def records() -> str:
    """A hash of everything in the table of records."""
    rows = list(Evidence.objects.order_by("pk").values())
    return hashlib.sha256(json.dumps(rows, cls=DjangoJSONEncoder, sort_keys=True).encode()).hexdigest()


def test_a_fortnight():
    story: list[tuple[float, str]] = []
    with time_machine.travel(BEGIN, tick=False) as clock:
        owner = make.user("olga", Role.OWNER, of=make.agent())
        price = old(1, checked=BEGIN)
        weekly = old(2, checked=BEGIN, ttl_days=8.0)
        old(3, checked=BEGIN, volatility="stable")
        offer = old(4, checked=BEGIN, volatility="stable", valid_until=BEGIN + timedelta(days=5))
        names = {price.pk: "price", weekly.pk: "weekly", offer.pk: "offer"}
        before, known, told = records(), set(), 0
        for number in range(14 * 4 + 1):
            now = BEGIN + number * STEP
            clock.move_to(now)
            day = number / 4
            # What is listed does not wait for the sweep.
            listed = set(rows_of(owner, RecheckFilter(), now).values_list("pk", flat=True))
            sweep_expiry()
            sweep_expiry()
            assert records() == before
            awake = RecheckItem.objects.open().exclude(snoozed_until__gt=now)
            assert set(awake.values_list("record", flat=True)) == listed
            story += [(day, f"{names[pk]} is due") for pk in sorted(listed - known)]
            if News.objects.count() != told:
                story.append((day, f"told {News.objects.count() - told}"))
            told, known = News.objects.count(), listed
            price.refresh_from_db()
            if label_of_window(window_of(price), now) == "stale":
                story.append((day, "price is stale"))
                press(Settling.STILL, [price], owner)
            if day == 7:
                press(Settling.GONE, [offer], owner, reason="The offer ended.")
                press(Settling.LATER, [weekly], owner, until=now + timedelta(days=2))
            before = records()
    assert story == [
        (1.5, "price is due"), (1.5, "told 1"), (2, "price is stale"),
        (3.5, "price is due"), (3.5, "told 1"), (4, "price is stale"),
        (5, "offer is due"), (5, "told 1"),
        (5.5, "price is due"), (5.5, "told 1"), (6, "weekly is due"), (6, "told 1"), (6, "price is stale"),
        (7.5, "price is due"), (7.5, "told 1"), (8, "price is stale"),
        (9, "weekly is due"),
        (9.5, "price is due"), (9.5, "told 1"), (10, "price is stale"),
        (11.5, "price is due"), (11.5, "told 1"), (12, "price is stale"),
        (13.5, "price is due"), (13.5, "told 1"), (14, "price is stale"),
    ]  # fmt: skip
    assert Decision.objects.filter(action="refresh_check").count() == 7
    assert RecheckItem.objects.filter(record=price).count() == 7
