"""Requests of one token are counted in a real Valkey; without one nobody is refused (doors 429 `rate_limited`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from evidence.rules.vocab import Role
from evidence.services import rate_limits
from tests.api.bodies import evidence, proposal
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_person, a_person_token, a_token

pytestmark = pytest.mark.django_db
LIMITS = {"recall": 2, "file": 3, "bulk": 1, "other": 2}


@pytest.fixture(autouse=True)
def limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small ones, in a minute that stands still."""
    settings.RATE_LIMITS = LIMITS
    monkeypatch.setattr(rate_limits.time, "time", lambda: 1_000_000_050.0)
    rate_limits.breaker.reset()
    yield
    rate_limits.breaker.reset()


@pytest.fixture
def counted(settings: Any, valkey: str) -> redis.Redis:
    settings.RATE_URL = valkey
    return redis.Redis.from_url(valkey)


def test_what_is_too_much_waits_for_the_next_minute(
    door: Door, counted: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [door.post("recall", {"query": "kestrel"}).status_code for _ in range(2)]
    late = door.post("recall", {"query": "kestrel"})
    assert asked == [200, 200]
    assert refusal(late) == (429, "rate_limited")
    assert (late.headers["Retry-After"], late.json()["retry_after"], late.json()["limit"]) == ("30", 30, 2)
    conforms(Door().get("openapi.json").json(), "recall", "post", late)
    assert all(0 < counted.ttl(key) <= 120 for key in counted.keys("*"))
    assert "eda_" not in str(counted.keys("*"))
    monkeypatch.setattr(rate_limits.time, "time", lambda: 1_000_000_080.0)
    assert door.post("recall", {"query": "kestrel"}).status_code == 200


def test_each_kind_and_each_token_is_counted_apart(door: Door, counted: redis.Redis) -> None:
    for _ in range(3):
        door.post("recall", {"query": "kestrel"})
    assert door.post("evidence", evidence()).status_code == 201
    assert Door(a_token("ada").secret).post("recall", {"query": "kestrel"}).status_code == 200
    filed = [door.post("proposals", proposal()).status_code for _ in range(3)]
    assert filed == [201, 200, 429]
    lines = [door.send("POST", "proposals/bulk", raw=b"\n", content_type="application/x-ndjson") for _ in range(2)]
    assert [answer.status_code for answer in lines] == [200, 429]


def test_people_are_counted_too(counted: redis.Redis) -> None:
    person = Door(a_person_token(a_person("rita", Role.REVIEWER)).secret)
    assert [person.get("queue").status_code for _ in range(3)] == [200, 200, 429]
    bulk = [person.post("bulk", {"items": [], "action": "approve"}).status_code for _ in range(2)]
    assert bulk == [422, 429]


def test_what_was_refused_otherwise_does_not_count(counted: redis.Redis) -> None:
    assert refusal(Door("eda_unknown").post("recall", {"query": "x"})) == (401, "unauthenticated")
    reader = Door(a_token("ada", rights=["recall"]).secret)
    assert refusal(reader.post("evidence", evidence())) == (403, "right_missing")
    assert counted.keys("*") == []


def test_nobody_is_refused_where_valkey_is_away(door: Door, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_URL = "unix:///nowhere/valkey.sock"
    tried: list[str] = []
    count = rate_limits._count
    monkeypatch.setattr(rate_limits, "_count", lambda key: (tried.append(key), count(key))[1])
    assert [door.post("recall", {"query": "kestrel"}).status_code for _ in range(5)] == [200] * 5
    assert len(tried) == 1  # it is left alone for a while


def test_zero_is_no_limit(door: Door, counted: redis.Redis, settings: Any) -> None:
    settings.RATE_LIMITS = LIMITS | {"recall": 0}
    assert {door.post("recall", {"query": "kestrel"}).status_code for _ in range(4)} == {200}
    assert counted.keys("*") == []
