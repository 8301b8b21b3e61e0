"""Headers, ids, and texts that no database can keep: on every answer, whoever makes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

CSP = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
LIVE = "/health/live"


@pytest.mark.parametrize("path", [LIVE, "/no/such/page", "/%00"])
def test_every_answer_carries_the_headers(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Content-Security-Policy"] == CSP
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "private, no-store"
    assert "camera=()" in headers["Permissions-Policy"]
    assert len(headers["X-Request-ID"]) == 32


def test_a_proxys_id_is_kept_only_when_it_is_harmless(client: Client) -> None:
    kept = client.get(LIVE, headers={"X-Request-ID": "abc-123.DEF_456"})
    assert kept.headers["X-Request-ID"] == "abc-123.DEF_456"
    token = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF2hJ4kL6"
    for hostile in (token, "short", "a" * 65, "abc def gh", "id=1; drop"):
        assert client.get(LIVE, headers={"X-Request-ID": hostile}).headers["X-Request-ID"] != hostile


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/queue/%00/", ""),
        ("/queue/%ED%A0%80/", ""),
        (LIVE, "q=a%00b"),
        (LIVE, "%00=a"),
        (LIVE, "q=%ED%A0%80"),
        (LIVE, "q=%ED%BF%BF"),
    ],
)
def test_an_address_that_no_database_can_keep_is_refused(client: Client, path: str, query: str) -> None:
    answer = client.get(path, query_params=None, QUERY_STRING=query)
    assert answer.status_code == 400
    assert answer.content.startswith(b"invalid_text: ")


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("body", ["reason=a%00b", "%00=a", "reason=%ED%A0%80", "reason=ok&reason=%00"])
def test_a_form_that_no_database_can_keep_is_refused(client: Client, body: str) -> None:
    assert client.post(LIVE, body, content_type=FORM).status_code == 400


@pytest.mark.parametrize("fields", [{"reason": "a\x00b"}, {"a\x00": "b"}])
def test_a_multipart_form_is_looked_at_too(client: Client, fields: dict[str, Any]) -> None:
    assert client.post(LIVE, fields).status_code == 400


def test_a_cookie_may_not_smuggle_one_in(client: Client) -> None:
    client.cookies["sessionid"] = "\x00\x00\x00\x00\x00\x00\x00\x00"  # sent quoted, octal-escaped
    assert client.get(LIVE).status_code == 400


def test_the_api_answers_with_a_problem(client: Client) -> None:
    answer = client.get("/api/v1/anything", QUERY_STRING="q=%00")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    problem = json.loads(answer.content)
    assert (problem["code"], problem["status"]) == ("invalid_text", 400)


@pytest.mark.parametrize("text", ["ünïcödé", "👩‍👩‍👧", "שלום", "\ufffd", "íྠ", "tab\tand\nline"])
def test_any_other_text_passes(client: Client, text: str) -> None:
    assert client.get(LIVE, {"q": text}).status_code == 200
    # 405: the form was let through to a page that takes none
    assert client.post(LIVE, {"reason": text}).status_code == 405


def test_a_body_that_is_no_form_is_left_to_its_reader(client: Client) -> None:
    assert client.post(LIVE, '{"a": "\\u0000"}', content_type="application/json").status_code == 405
