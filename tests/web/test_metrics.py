"""Metrics: the desk's numbers as they are, requests by route, and for nobody from elsewhere without the token."""

from __future__ import annotations

import re

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from evidence.selectors.metrics import gauges
from evidence.services.audit_anchoring import sweep_anchors
from evidence.web import metrics
from tests.services import make

pytestmark = pytest.mark.django_db


def scraped(client: Client, **sent: str) -> dict[str, float]:
    """Every sample of the page by its name and labels, as a monitoring system reads it."""
    page = client.get(reverse("metrics"), **sent)
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/plain")
    lines = [line for line in page.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_the_numbers_are_those_of_the_desk(client: Client) -> None:
    first = make.proposal(statement="The lighthouse is dark.")
    make.proposal(statement="Backups run at two.")
    make.approve(first, make.reviewer())
    sweep_anchors()
    found = scraped(client)
    assert sum(value for name, value in found.items() if name.startswith("desk_waiting_items{")) == 1
    assert found['desk_waiting_items_of_kind{kind="fact_proposal"}'] == 1
    assert found["desk_oldest_waiting_seconds"] > 0
    assert found["desk_audit_links"] >= 3
    assert found["desk_audit_anchor_age_seconds"] < 60


def test_requests_are_counted_by_route_and_never_by_address(client: Client) -> None:
    held = make.proposal()
    sample = 'desk_http_requests_total{method="GET",route="item",status="302"}'
    before = scraped(client).get(sample, 0)
    client.get(reverse("item", args=[held.pk]))
    client.get("/no/such/page/4711/")
    found = scraped(client)
    assert found[sample] == before + 1
    assert found['desk_http_requests_total{method="GET",route="(none)",status="404"}'] >= 1
    assert not any(str(held.pk) in name or "4711" in name for name in found)


@pytest.mark.parametrize(
    "sent",
    [{"REMOTE_ADDR": "203.0.113.9"}, {"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, {"HTTP_FORWARDED": "for=203.0.113.9"}],
)
def test_from_elsewhere_nobody_reads_them(client: Client, sent: dict[str, str]) -> None:
    assert client.get(reverse("metrics"), **sent).status_code == 403


def test_with_a_token_who_has_it_reads_them(client: Client, settings) -> None:
    settings.METRICS_TOKEN = "a-long-token-of-metrics"
    for wrong in ({}, {"HTTP_AUTHORIZATION": "Bearer other"}, {"HTTP_AUTHORIZATION": "Bearer ünicode"}):
        assert client.get(reverse("metrics"), **wrong).status_code == 403
    token = {"HTTP_AUTHORIZATION": "Bearer a-long-token-of-metrics", "REMOTE_ADDR": "203.0.113.9"}
    assert scraped(client, **token)


@pytest.mark.postgres
def test_no_number_counts_a_whole_table() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert gauges(timezone.now())
    counting = [one["sql"] for one in queries if "COUNT(" in one["sql"].upper()]
    assert counting
    assert all(re.search(r"LIMIT 10001", sql) for sql in counting)


def test_without_its_database_the_process_tells_of_itself(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scraped(client)["desk_database_up"] == 1

    def away(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(metrics, "gauges", away)
    found = scraped(client)
    assert found["desk_database_up"] == 0
    assert "desk_waiting_items" not in " ".join(found)
    assert "process_resident_memory_bytes" in found
