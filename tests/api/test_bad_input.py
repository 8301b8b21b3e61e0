"""Bad input at every door: a coded problem, nothing stored, never a 500 (doors "Errors", "Limits"; contract 9, 12.19)."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.db import OperationalError, connection, models
from django.test import Client

from evidence.models import Evidence, HeldRecord, IdempotencyKey, RecallLog
from evidence.services import batching
from tests.api.bodies import CLAIM, SECRET, evidence, proposal
from tests.api.conftest import Door, refusal

DOORS = {"evidence": evidence, "proposals": proposal, "recall": lambda **members: {"query": "kestrel"} | members}
each_door = pytest.mark.parametrize("path", DOORS)


def stored() -> dict[str, int]:
    batching.flush_all()
    tables: tuple[type[models.Model], ...] = (Evidence, HeldRecord, RecallLog, IdempotencyKey)
    return {table.__name__: table.objects.count() for table in tables}


def refused(answer: Any) -> tuple[int, str]:
    assert not any(stored().values())
    return refusal(answer)


RAW: dict[str, tuple[bytes, str]] = {
    "no body": (b"", "malformed"),
    "no JSON": (b"{", "malformed"),
    "not UTF-8": (b'{"query": "\xff"}', "malformed"),
    "a surrogate as bytes": (b'{"query": "\xed\xa0\x80"}', "malformed"),
    "a list": (b"[]", "malformed"),
    "a number": (b"1", "malformed"),
    "null": (b"null", "malformed"),
    "NaN": (b'{"limit": NaN}', "malformed"),
    "Infinity": (b'{"limit": -Infinity}', "malformed"),
    "a member twice": (b'{"query": "a", "query": "b"}', "malformed"),
    "deep nesting": (b'{"query": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", "malformed"),
    "too deep nesting": (b'{"query": ' + b"[" * 40 + b"]" * 40 + b"}", "malformed"),
    "a number of 5,000 digits": (b'{"limit": ' + b"9" * 5_000 + b"}", "malformed"),
    "a float beyond all": (b'{"limit": 1e999}', "malformed"),
    "a NUL": (b'{"query": "a\\u0000b"}', "invalid_text"),
    "a NUL in a name": (b'{"a\\u0000b": 1}', "invalid_text"),
    "half of a surrogate pair": (b'{"query": "\\ud800"}', "invalid_text"),
    "half of a pair in a name": (b'{"\\udfff": 1}', "invalid_text"),
    "6,000 values": (b'{"tags": [' + b",".join([b"1"] * 6_000) + b"]}", "too_large"),
}


@each_door
@pytest.mark.parametrize(("raw", "code"), RAW.values(), ids=RAW.keys())
def test_bodies(door: Door, path: str, raw: bytes, code: str) -> None:
    assert refused(door.post(path, raw=raw))[1] == code


@each_door
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "application/xml", "application/json; charset=latin-1", ""],
)
def test_other_content_types(door: Door, path: str, kind: str) -> None:
    assert refused(door.post(path, raw=json.dumps(DOORS[path]()).encode(), content_type=kind)) == (400, "malformed")


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data"]
)
@pytest.mark.parametrize("size", [10, 4_000_000])
def test_a_form_of_any_size_is_refused_like_any_other_type(door: Door, kind: str, size: int) -> None:
    assert refused(door.post("evidence", raw=b"a=" + b"x" * size, content_type=kind))[1] in ("malformed", "too_large")


@each_door
def test_a_body_over_256_kib_is_refused_with_and_without_its_length(door: Door, path: str) -> None:
    raw = json.dumps(DOORS[path](content="x" * 1_000_000)).encode()
    assert refused(door.post(path, raw=raw)) == (413, "too_large")
    for length in ({"HTTP_TRANSFER_ENCODING": "chunked"}, {"CONTENT_LENGTH": str(len(raw))}):
        sent = io.BytesIO(raw)
        environ = {
            "REQUEST_METHOD": "POST", "wsgi.input": sent, "CONTENT_TYPE": "application/json",
            "HTTP_AUTHORIZATION": f"Bearer {door.secret}",
        }  # fmt: skip
        answer = Client(raise_request_exception=False).request(PATH_INFO=f"/api/v1/{path}", **environ, **length)
        assert refused(answer) == (413, "too_large")
        assert not sent.read(), "what is left unread costs the caller its connection"


def test_a_body_without_a_length_is_read(door: Door) -> None:
    environ = {
        "REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO(json.dumps(evidence()).encode()),
        "CONTENT_TYPE": "application/json", "HTTP_TRANSFER_ENCODING": "chunked",
        "HTTP_AUTHORIZATION": f"Bearer {door.secret}",
    }  # fmt: skip
    assert Client().request(PATH_INFO="/api/v1/evidence", **environ).status_code == 201


LONG = {
    "statement": ("proposals", {"statement": "x" * 2_001}),
    "content": ("evidence", {"content": "x" * (64 * 1024 + 1)}),
    "summary": ("evidence", {"summary": "x" * 301}),
    "excerpt": ("evidence", {"excerpt": "x" * 1_001}),
    "claim.value": ("evidence", {"claim": CLAIM | {"value": "x" * 501}}),
    "source.id": ("evidence", {"source": {"id": "task:ada/" + "x" * 600, "version": "1"}}),
    "tags": ("evidence", {"tags": ["x"] * 51}),
    "evidence[0].excerpt": ("proposals", {"evidence": [evidence(excerpt="x" * 1_001)]}),
    "target.content": (
        "proposals", {"target": {"path": "g/a", "base_version": "", "title": "t", "content": "x" * (64 * 1024 + 1)}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "path", "members"), [(field, *case) for field, case in LONG.items()], ids=LONG.keys()
)
def test_too_long_is_refused_and_never_cut(door: Door, field: str, path: str, members: dict[str, Any]) -> None:
    answer = door.post(path, DOORS[path](**members))
    assert refused(answer) == (413, "too_large")
    assert answer.json()["field"] == field


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("proposals", {"statement": "x" * 2_000}),
        ("evidence", {"content": "x " * (32 * 1024), "summary": "x" * 300, "excerpt": "x" * 1_000}),
    ],
)
def test_as_long_as_may_be_is_taken(door: Door, path: str, members: dict[str, Any]) -> None:
    assert door.post(path, DOORS[path](**members)).status_code == 201


INVALID: dict[str, tuple[str, dict[str, Any], str]] = {
    "a time without a zone": ("evidence", {"event_at": "2026-03-01T09:30:00"}, "event_at"),
    "a day": ("evidence", {"event_at": "2026-03-01"}, "event_at"),
    "no such day": ("evidence", {"event_at": "2026-02-30T09:30:00Z"}, "event_at"),
    "a number for a time": ("evidence", {"event_at": 1_700_000_000}, "event_at"),
    "an empty time": ("evidence", {"event_at": ""}, "event_at"),
    "a check without a zone": ("evidence", {"check": {"at": "2026-03-01 09:30"}}, "check.at"),
    "validity without a zone": ("evidence", {"valid": {"from": "yesterday"}}, "valid.from"),
    "validity backwards": (
        "evidence", {"valid": {"from": "2026-03-02T00:00:00Z", "until": "2026-03-01T00:00:00Z"}}, "valid.until",
    ),
    "no event_at": ("evidence", {"event_at": None}, "event_at"),
    "no source": ("evidence", {"source": None}, "source"),
    "an empty source": ("evidence", {"source": {"id": ""}}, "source.id"),
    "a fact": ("evidence", {"kind": "fact"}, "kind"),
    "a derived record": ("evidence", {"kind": "derived"}, "kind"),
    "an unknown kind": ("evidence", {"kind": "rumour"}, "kind"),
    "an unknown volatility": ("evidence", {"volatility": "hourly"}, "volatility"),
    "an unknown access": ("evidence", {"scope": {"access": "world"}}, "scope.access"),
    "an unknown trust class": ("evidence", {"trust_class": "gospel"}, "trust_class"),
    "an unknown durability": ("proposals", {"durability": "forever"}, "durability"),
    "an unknown polarity": ("evidence", {"polarity": "maybe"}, "polarity"),
    "an unknown layer": ("proposals", {"layer": "L3"}, "layer"),
    "an unknown reach": ("proposals", {"reach": {"level": "galaxy"}}, "reach.level"),
    "another case": ("evidence", {"volatility": "Stable"}, "volatility"),
    "a negative ttl": ("evidence", {"ttl_days": -1}, "ttl_days"),
    "a text for a ttl": ("evidence", {"ttl_days": "2"}, "ttl_days"),
    "true for a ttl": ("evidence", {"ttl_days": True}, "ttl_days"),
    "a huge ttl": ("evidence", {"ttl_days": 10**300}, "ttl_days"),
    "a number for a text": ("evidence", {"content": 5}, "content"),
    "a text for a list": ("evidence", {"tags": "git"}, "tags"),
    "a list for a text": ("evidence", {"content": ["a"]}, "content"),
    "a text for an object": ("evidence", {"claim": "kestrel"}, "claim"),
    "half a claim": ("evidence", {"claim": {"subject": "kestrel"}}, "claim.attribute"),
    "an empty claim": ("evidence", {"claim": CLAIM | {"value": ""}}, "claim.value"),
    "a blank claim": ("evidence", {"claim": CLAIM | {"subject": "  "}}, "claim.subject"),
    "no statement": ("proposals", {"statement": ""}, "statement"),
    "a blank statement": ("proposals", {"statement": " \n "}, "statement"),
    "no evidence member": ("proposals", {"evidence": None}, "evidence"),
    "evidence that is a number": ("proposals", {"evidence": [5]}, "evidence[0]"),
    "evidence without a source": ("proposals", {"evidence": [{"event_at": "2026-03-01T09:30:00Z"}]}, "evidence[0].source"),
    "an odd channel": ("evidence", {"channel": None}, "channel"),
    "no query": ("recall", {"query": None}, "query"),
    "an empty query": ("recall", {"query": ""}, "query"),
    "a blank query": ("recall", {"query": " \t"}, "query"),
    "a limit of 0": ("recall", {"limit": 0}, "limit"),
    "a limit of 101": ("recall", {"limit": 101}, "limit"),
    "a limit of half": ("recall", {"limit": 1.5}, "limit"),
    "a limit of true": ("recall", {"limit": True}, "limit"),
    "an unknown mode": ("recall", {"mode": "psychic"}, "mode"),
    "an unknown kind to recall": ("recall", {"kinds": ["rumour"]}, "kinds[0]"),
    "an unknown label": ("recall", {"labels": ["gold"]}, "labels[0]"),
    "an unknown backend": ("recall", {"backends": ["nosuch"]}, "backends"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "members", "field"), INVALID.values(), ids=INVALID.keys())
def test_invalid_values(door: Door, path: str, members: dict[str, Any], field: str) -> None:
    answer = door.post(path, DOORS[path](**members))
    assert refused(answer) == (422, "invalid_value")
    assert answer.json()["field"] == field


RESERVED: dict[str, tuple[str, dict[str, Any]]] = {
    name: ("proposals", {name: "x"})
    for name in (
        "match_kind", "matched", "eligibility", "risk", "verification", "label", "review", "approval", "reader",
        "namespace", "agent", "trust", "state", "status",
    )
} | {
    "check.by": ("evidence", {"check": {"at": "2026-03-01T09:30:00Z", "by": "rita"}}),
    "check.confirmed_by": ("evidence", {"check": {"at": "2026-03-01T09:30:00Z", "confirmed_by": "rita"}}),
    "scope.project": ("evidence", {"scope": {"project": "kestrel"}}),
    "evidence[0].scope.project": ("proposals", {"evidence": [evidence(scope={"project": "kestrel"})]}),
    "evidence[0].review": ("proposals", {"evidence": [evidence(review="approved")]}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "path", "members"), [(n, *case) for n, case in RESERVED.items()], ids=RESERVED.keys()
)
def test_nothing_authoritative_comes_from_the_caller(
    door: Door, field: str, path: str, members: dict[str, Any]
) -> None:  # fmt: skip
    answer = door.post(path, DOORS[path](**members))
    assert refused(answer) == (422, "reserved")
    assert answer.json()["field"] == field


@pytest.mark.parametrize(
    ("path", "members", "field"),
    [
        ("evidence", {"colour": 1}, "colour"),
        ("evidence", {"claim": CLAIM | {"unit": "day"}}, "claim.unit"),
        ("evidence", {"source": {"id": "task:ada/1", "uri": "x"}}, "source.uri"),
        ("proposals", {"evidence": [evidence(colour=1)]}, "evidence[0].colour"),
        (
            "proposals",
            {"target": {"path": "g/a", "base_version": "", "title": "t", "content": "c", "x": 1}},
            "target.x",
        ),
        ("recall", {"Query": "x"}, "Query"),
        ("recall", {"claim": CLAIM}, "claim.value"),
        ("recall", {"<script>": 1}, "…"),
    ],
)
def test_unknown_members(door: Door, path: str, members: dict[str, Any], field: str) -> None:
    answer = door.post(path, DOORS[path](**members))
    assert refused(answer) == (422, "unknown_member")
    assert answer.json()["field"] == field


SECRETS: dict[str, tuple[str, dict[str, Any]]] = {
    "content": ("evidence", {"content": f"use {SECRET} here"}),
    "summary": ("evidence", {"summary": SECRET}),
    "excerpt": ("evidence", {"excerpt": SECRET}),
    "claim.value": ("evidence", {"claim": CLAIM | {"value": SECRET}}),
    "tags[1]": ("evidence", {"tags": ["git", SECRET]}),
    "source.id": ("evidence", {"source": {"id": f"task:ada/{SECRET}"}}),
    "check.method": ("evidence", {"check": {"at": "2026-03-01T09:30:00Z", "method": SECRET}}),
    "statement": ("proposals", {"statement": SECRET}),
    "evidence[0].excerpt": ("proposals", {"evidence": [evidence(excerpt=SECRET)]}),
    "target.content": ("proposals", {"target": {"path": "g/a", "base_version": "", "title": "t", "content": SECRET}}),
    "query": ("recall", {"query": f"what is {SECRET}?"}),
    "colour": ("recall", {"colour": SECRET}),
    "…": ("recall", {SECRET: 1}),
    "limit": ("recall", {"limit": SECRET}),
    "event_at": ("evidence", {"event_at": SECRET}),
}


@pytest.mark.parametrize(("field", "path", "members"), [(n, *case) for n, case in SECRETS.items()], ids=SECRETS.keys())
def test_secrets_are_refused_with_their_kind_and_kept_nowhere(
    door: Door, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], field: str, path: str,
    members: dict[str, Any],
) -> None:  # fmt: skip
    caplog.set_level("DEBUG")
    answer = door.post(path, DOORS[path](**members))
    assert refused(answer) == (422, "secret_detected")
    body = answer.json()
    assert (body["field"], body["kinds"]) == (field, ["github_token"])
    printed = capfd.readouterr()
    assert SECRET not in answer.content.decode() + caplog.text + printed.out + printed.err


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "nosuch", 404, "not_found"),
        ("POST", "nosuch", 404, "not_found"),
        ("POST", "evidence/", 404, "not_found"),
        ("GET", "records/", 404, "not_found"),
        ("GET", "records/" + "x" * 5_000, 404, "not_found"),
        ("GET", "records/e-%00", 400, "invalid_text"),
        ("GET", "records/..%2F..%2Fetc", 404, "not_found"),
        ("GET", "proposals/%ED%A0%80", 400, "invalid_text"),
        ("GET", "evidence", 405, "method_not_allowed"),
        ("DELETE", "evidence", 405, "method_not_allowed"),
        ("PATCH", "recall", 405, "method_not_allowed"),
        ("OPTIONS", "recall", 405, "method_not_allowed"),
        ("POST", "records/e-1", 405, "method_not_allowed"),
    ],
)
def test_addresses_and_methods(door: Door, method: str, path: str, status: int, code: str) -> None:
    answer = door.send(method, path)
    assert refusal(answer) == (status, code)
    assert (status == 405) == ("Allow" in answer.headers)


def test_head_answers_like_get_without_a_body(door: Door) -> None:
    whole, head = door.get(""), door.send("HEAD", "")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(whole.content))


def test_every_fault_of_a_body_is_told_at_once(door: Door) -> None:
    answer = door.post("evidence", evidence(kind="rumour", colour=1, scope={"project": "x"})).json()
    assert answer["code"] == "reserved"
    assert {(fault["field"], fault["code"]) for fault in answer["errors"]} == {
        ("scope.project", "reserved"), ("colour", "unknown_member"), ("kind", "invalid_value"),
    }  # fmt: skip


@each_door
def test_without_its_database_it_says_so_and_when_to_ask_again(door: Door, path: str) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("database is locked")

    with connection.execute_wrapper(away):
        answer = door.post(path, DOORS[path]())
    assert refused(answer) == (503, "unavailable")
    assert answer["Retry-After"] == "2"
    assert "locked" not in answer.content.decode()
