"""The worked cases of gate, access and usable once more, over REST: what `explain` says of a case, a recall does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from evidence.models import Evidence
from evidence.rules.parsing import hit_from, record_from
from evidence.rules.records import Hit, Record
from evidence.rules.times import read_time
from evidence.rules.vocab import Access, Kind, Review, State, Trust, Volatility
from evidence.services.rows import claim_columns, fill
from tests.api.conftest import Door
from tests.backends.scripted import SCRIPTED, ScriptedBackend
from tests.builders import a_token
from tests.rules.casefile import Case, differences, load

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
NOW = datetime(2026, 9, 14, 9, tzinfo=UTC)
UNKNOWN = "e-" + "0" * 32
# What cannot be kept needs no gate: the database refuses words outside the lists.
WORDS = {"kind": Kind, "trust": Trust, "state": State, "volatility": Volatility, "review": Review}


@pytest.fixture(autouse=True)
def only_the_scripted_backend(settings: Any) -> Iterator[None]:
    settings.MEMORY_BACKENDS = (SCRIPTED,)
    yield
    ScriptedBackend.answer = ()


def can_be_kept(record: Record) -> bool:
    said = all(not getattr(record, name) or getattr(record, name) in list(words) for name, words in WORDS.items())
    return said and record.scope.access in list(Access) and record.kind != Kind.DERIVED


def keep(record: Record, namespace: str) -> Evidence:
    check, approval, scope = record.check, record.approval, record.scope
    given: dict[str, Any] = {
        "namespace": namespace, "kind": record.kind, "source_id": record.source.id, "source_version": record.source.version,
        "content": record.content, "summary": record.summary, "excerpt": record.excerpt, "tags": list(record.tags),
        "event_at": read_time(record.event_at), "volatility": record.volatility or Volatility.STABLE,
        "ttl_days": record.ttl_days, "scope_owner": scope.owner, "scope_access": scope.access,
        "scope_shared_with": list(scope.shared_with), "scope_project": scope.project or "",
        "trust": record.trust or Trust.EXTERNAL, "review": record.review or "", "state": record.state,
        "has_check": check is not None, "check_at": read_time(check.at) if check else None,
        "check_by": check.by if check else "", "check_confirmed_by": (check.confirmed_by or "") if check else "",
        "approval_by": approval.by if approval else "", "approval_at": read_time(approval.at) if approval else None,
    } | claim_columns(record.claim)  # fmt: skip
    row = fill(Evidence(**given))
    row.save(force_insert=True)
    return row


def a_door(agent: str, projects: list[str], namespace: str) -> Door:
    return Door(a_token(agent, namespace=namespace, projects=projects).secret)


def recalled(door: Door) -> dict[str, Any]:
    answer = door.post("recall", {"query": "anything", "limit": 100})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    assert set(body) == {"results", "sources", "receipt", "grants"}
    return body


def test_the_cases_of_the_gate() -> None:
    done = 0
    for case in load("gate"):
        line: Mapping[str, Any] = case.line
        store = [record_from(member) for member in line["store"]]
        if not line["reader"]["agent"] or not all(map(can_be_kept, store)):
            continue
        done += 1
        with time_machine.travel(read_time(line["now"]) or NOW, tick=False):
            for record in store:
                keep(record, case.id)
            ScriptedBackend.answer = tuple(hit_from(hit) for hit in line["hits"])
            body = recalled(a_door(line["reader"]["agent"], line["reader"]["projects"], case.id))
        expect = {name: wanted for name, wanted in case.expect.items() if name != "dropped"}
        assert differences(Case("gate", case.id, case.about, {}, expect), body) == [], (case.id, case.about)
        empty = not body["results"]
        assert body["sources"] == [{"backend": "scripted", "status": "no_evidence" if empty else "ok"}], case.id
    assert done >= 20


@pytest.mark.parametrize("rule", ["access", "usable"])
def test_the_cases_of_access_and_of_usable(rule: str) -> None:
    """What may not be shown is answered in the same bytes as what is not there, in a recall as by its id."""
    done = 0
    fact = {"kind": "fact", "source": {"id": "fact:x", "version": "1"}, "content": "note", "trust": "internal"}
    for case in load(rule):
        line: Mapping[str, Any] = case.line
        record = record_from(fact | {"scope": line["scope"]} if rule == "access" else line["record"])
        reader = line.get("reader") or {"agent": record.scope.owner, "projects": [record.scope.project or "none"]}
        if not reader["agent"] or not can_be_kept(record) or not record.scope.owner:
            continue
        done += 1
        with time_machine.travel(NOW, tick=False):
            door = a_door(reader["agent"], reader["projects"], case.id)
            ScriptedBackend.answer = (Hit(UNKNOWN, "1", 0.9),)
            nothing, no_record = recalled(door), door.get(f"records/{UNKNOWN}").content
            row = keep(record, case.id)
            ScriptedBackend.answer = (Hit(row.record_id, row.source_version, 0.9),)
            body, by_id = recalled(door), door.get(f"records/{row.record_id}")
        shown = case.expect["allowed" if rule == "access" else "usable"]
        assert [found["record"]["id"] for found in body["results"]] == ([row.record_id] if shown else []), case.about
        if shown:
            assert by_id.status_code == 200
        else:
            assert (by_id.status_code, by_id.content) == (404, no_record)
            assert {**body, "receipt": ""} == {**nothing, "receipt": ""}
            assert len(body["receipt"]) == len(nothing["receipt"])
    assert done >= 10, done
