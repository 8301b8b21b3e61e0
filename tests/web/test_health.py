"""Alive is not ready: a lost broker only degrades, a lost trigger takes the desk out of service."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client

from evidence.models import triggers


def test_alive_asks_neither_database_nor_broker(client: Client) -> None:
    answer = client.get("/health/live")  # no database is allowed in this test
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.postgres
@pytest.mark.django_db
def test_without_a_broker_it_serves_on(client: Client) -> None:
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"] == {
        "database": "ok",
        "migrations": "ok",
        "append_only": "ok",
        "broker": "warn",
        "outbox": "ok",
    }


@pytest.mark.postgres
@pytest.mark.django_db
def test_with_a_broker_all_is_well(client: Client, valkey: str) -> None:
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


@pytest.mark.postgres
@pytest.mark.django_db
def test_without_its_triggers_it_takes_no_requests(client: Client) -> None:
    triggers.drop(connection)  # rolled back with the test
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (503, "failing")
    assert answer.json()["checks"]["append_only"] == "fail"


def test_nobody_changes_anything_here(client: Client) -> None:
    assert client.post("/health/live").status_code == 405
