"""Who else has the item open, and what was decided meanwhile, as the open page learns it (screens "One at a time")."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.services import presence
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_looks() -> None:
    cache.clear()


def look(client: Client, held: HeldRecord, **fields: object) -> str:
    return client.post(reverse("lease", args=[held.id]), fields, **HTMX).content.decode()


def test_the_holder_sees_who_looks_at_the_same(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    assert "looking" not in look(desk, held)
    look(sign_in(make.reviewer("ada")), held)
    assert "ada is looking at this" in look(desk, held)


def test_who_left_is_forgotten(reviewer: User) -> None:
    now, ada = timezone.now(), make.reviewer("ada")
    presence.look(held_id="one", user=ada, now=now)
    assert presence.look(held_id="one", user=reviewer, now=now + timedelta(seconds=44)) == ("ada",)
    assert presence.look(held_id="one", user=reviewer, now=now + timedelta(seconds=46)) == ()


def test_a_cache_that_is_away_shows_nobody_and_fails_nothing(
    desk: Client, settings: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = make.proposal()
    settings.CACHES = {  # type: ignore[attr-defined]
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    assert "yours" in look(desk, held)


def test_an_open_page_learns_who_decided(desk: Client, sign_in: SignIn) -> None:
    held = make.proposal()
    ada = sign_in(make.reviewer("ada"))
    seen = held.version
    assert "data-gone" not in look(ada, held, seen=seen)
    send(desk, desk.get(reverse("item", args=[held.id])), "approve")
    text = look(ada, held, seen=seen)
    assert 'data-gone="approved by reviewer"' in text
    assert reverse("item", args=[held.id]) in text


def test_an_open_page_learns_of_a_new_version(desk: Client) -> None:
    held = make.proposal()
    assert "changed meanwhile: version" in look(desk, held, seen=held.version - 1)
    assert desk.post(reverse("lease", args=[held.id]), {"seen": "x"}, **HTMX).status_code == 422
