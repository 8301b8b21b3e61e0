"""Each system check complains about what it is for, and about nothing on a desk as it comes."""

from __future__ import annotations

import pytest
from django.conf import settings as site
from django.core.checks import CheckMessage, run_checks
from django.db import connection, connections
from pytest_django.fixtures import Settings

from evidence import checks
from evidence.models import triggers


def ids(found: list[CheckMessage]) -> list[str | None]:
    return [message.id for message in found]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_desk_as_it_comes_has_nothing_to_complain_about() -> None:
    ours = [message for message in run_checks(databases=["default"]) if str(message.id).startswith("evidence.")]
    assert ours == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
@pytest.mark.django_db
def test_deferred_transactions_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    options = connections["default"].settings_dict["OPTIONS"] | {"transaction_mode": "DEFERRED"}
    monkeypatch.setitem(connections["default"].settings_dict, "OPTIONS", options)
    assert ids(checks.sqlite_mode(databases=["default"])) == ["evidence.E001"]


@pytest.mark.postgres
@pytest.mark.django_db
def test_missing_triggers_are_an_error_that_names_them() -> None:
    triggers.drop(connection)  # rolled back with the test
    (found,) = checks.append_only(databases=["default"])
    assert found.id == "evidence.E003"
    assert "evidence_decision" in found.msg


@pytest.mark.parametrize(("value", "expected"), [(True, ["evidence.E004"]), (False, [])])
def test_atomic_requests_are_an_error(monkeypatch: pytest.MonkeyPatch, value: bool, expected: list[str]) -> None:
    monkeypatch.setitem(site.DATABASES["default"], "ATOMIC_REQUESTS", value)
    assert ids(checks.atomic_requests()) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("short", ["evidence.E005"]),
        ("a" * 64, ["evidence.E005"]),
        ("django-insecure-0123456789abcdefghijklmnopqrstuv", ["evidence.E005"]),
        ("0123456789abcdefghijklmnopqrstuvwxyz", []),
    ],
)
def test_a_weak_key_is_an_error(settings: Settings, key: str, expected: list[str]) -> None:
    settings.SECRET_KEY = key
    assert ids(checks.secret_key()) == expected


@pytest.mark.parametrize(
    ("hosts", "https", "secure", "expected"),
    [
        (["localhost", "127.0.0.1"], False, False, []),
        (["desk.example"], False, False, ["evidence.W007"]),
        (["desk.example"], True, False, ["evidence.E006"]),
        (["desk.example"], True, True, []),
    ],
)
def test_cookies_in_the_clear_are_told(
    settings: Settings, hosts: list[str], https: bool, secure: bool, expected: list[str]
) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS = hosts, https
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = secure
    assert ids(checks.cookies()) == expected
