"""The gate (contract 5, 12.16), beyond the worked cases: reasons, ranks, projects, partitions, conflicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidence.rules.gate import GateAnswer, conflicts_among, gate
from evidence.rules.reasons import WORDS, DropReason
from evidence.rules.records import Hit, Reach, Reader, Record, Scope, Source, Validity
from evidence.rules.usability import usable
from tests.rules.build import NOW, checked, claim

READER = Reader("ada", ("kestrel",))
TOKEN = "gl" + "pat-aB3dE5gH7jK9mN1pQ3sT"


def held(id_: str, **changes: Any) -> Record:
    return checked(1, id=id_, claim=None, **changes)


def text(*ids: str, id_: str = "h-1", **changes: Any) -> Hit:
    return replace(Hit(id_, "1", 0.5, derived_content="a summary", derived_from=ids), **changes)


def ask(*records: Record, hits: list[Hit], reader: Reader = READER, **options: Any) -> GateAnswer:
    return gate({record.id: record for record in records}, hits, reader, NOW, **options)


def reasons(answer: GateAnswer) -> list[tuple[str, str]]:
    return [(dropped.id, dropped.reason) for dropped in answer.dropped]


PRIVATE = {"scope": Scope("ada", "private")}
FOREIGN = {"scope": Scope("bob", "private")}
IN_PROJECT = {"scope": Scope("bob", "public", project="kestrel")}


@pytest.mark.parametrize(
    ("records", "hit", "reason"),
    [
        ([], Hit("e-1", "1"), "unknown_id"),
        ([held("e-1", state="revoked")], Hit("e-1", "1"), "not_usable"),
        ([held("e-1", content=TOKEN)], Hit("e-1", "1"), "not_usable"),
        ([held("e-1", **FOREIGN)], Hit("e-1", "1"), "not_readable"),
        ([held("e-1")], Hit("e-1", ""), "other_version"),
        ([held("e-1")], text("e-1", id_="e-1"), "issued_id"),
        ([held("e-1"), held("d-h-1")], text("e-1"), "issued_id"),
        ([held("e-1")], text("e-1", id_="a\0b"), "invalid_id"),
        ([held("e-1")], text("e-1", id_=""), "invalid_id"),
        ([held("e-1")], text(), "no_sources"),
        ([held("e-1")], text("e-1", "e-2"), "unknown_source"),
        ([held("e-1"), held("e-2", review="held")], text("e-1", "e-2"), "source_not_usable"),
        ([held("e-1"), held("e-2", **FOREIGN)], text("e-1", "e-2"), "source_not_readable"),
        ([held("e-1"), held("e-2", **PRIVATE)], text("e-1", "e-2"), "no_common_partition"),
        ([held("e-1"), held("e-2", **IN_PROJECT)], text("e-1", "e-2"), "no_common_partition"),
        ([held("e-1")], text("e-1", derived_content=TOKEN), "not_usable"),
        ([held("e-1")], text("e-1", id_=TOKEN), "not_usable"),
        ([held("e-1", kind="derived")], Hit("e-1", "1"), "not_usable"),
        ([held("e-1", layer="L3")], Hit("e-1", "1"), "not_usable"),
        ([held("e-1", scope=Scope("ada", "team"))], Hit("e-1", "1"), "not_usable"),
        ([held("e-1", scope=Scope("ada", ""))], Hit("e-1", "1"), "not_readable"),
        ([held("e-1", scope=Scope("ada", "private", project="osprey"))], Hit("e-1", "1"), "not_readable"),
        ([held("e-1"), held("e-2", trust="external")], text("e-1", "e-2"), "source_not_usable"),
        ([held("e-1")], text("h-2", id_="h-1"), "unknown_source"),
    ],
)
def test_a_dropped_hit_has_its_reason(records: list[Record], hit: Hit, reason: str) -> None:
    answer = ask(*records, hits=[hit])
    assert answer.results == ()
    assert reasons(answer) == [(hit.id, reason)]


def test_text_of_a_backend_without_partitions_is_dropped() -> None:
    answer = ask(held("e-1"), hits=[text("e-1"), Hit("e-1", "1")], own_text_partitioned=False)
    assert reasons(answer) == [("h-1", "unpartitioned_text")]
    assert [result.record.id for result in answer.results] == ["e-1"]


def test_our_texts_need_no_second_scan_but_backend_text_does() -> None:
    record = held("e-1", content=TOKEN)
    answer = ask(record, hits=[Hit("e-1", "1"), text("e-1", derived_content=TOKEN)], scan_secrets=False)
    assert [result.record.id for result in answer.results] == ["e-1"]
    assert reasons(answer) == [("h-1", "not_usable")]


def test_results_keep_the_backends_order_and_the_better_rank() -> None:
    hits = [Hit("e-2", "1", 0.9), Hit("e-1", "1", 0.8), Hit("e-2", "1", 0.1), text("e-1"), text("e-2")]
    answer = ask(held("e-1"), held("e-2"), hits=hits)
    assert [(result.record.id, result.score) for result in answer.results] == [
        ("e-2", 0.9),
        ("e-1", 0.8),
        ("d-h-1", 0.5),
    ]
    assert answer.results[2].record.derived_from == ("e-1",)
    assert answer.dropped == ()


def test_a_stale_index_entry_does_not_hide_the_right_one() -> None:
    answer = ask(held("e-1"), hits=[Hit("e-1", "0"), Hit("e-1", "1"), Hit("e-1", "0")])
    assert [result.record.id for result in answer.results] == ["e-1"]
    assert reasons(answer) == [("e-1", "other_version")]


def test_text_under_an_id_we_issued_is_counted_beside_the_record() -> None:
    answer = ask(held("e-1"), hits=[Hit("e-1", "1"), text("e-1", id_="e-1")])
    assert [result.record.id for result in answer.results] == ["e-1"]
    assert reasons(answer) == [("e-1", "issued_id")]


def test_what_is_dropped_twice_is_counted_once() -> None:
    assert reasons(ask(hits=[Hit("e-1", "1"), Hit("e-1", "1")])) == [("e-1", "unknown_id")]


def derived(*records: Record, reader: Reader = READER, **changes: Any) -> Record:
    answer = ask(*records, hits=[text(*(record.id for record in records), **changes)], reader=reader)
    assert len(answer.results) == 1
    assert answer.results[0].label == "unverified"
    assert usable(answer.results[0].record).usable
    return answer.results[0].record


def test_backend_text_becomes_a_derived_record() -> None:
    record = derived(
        held("e-1", event_at="2026-09-01T10:00:00+02:00", volatility="stable", namespace="lantern"),
        held("e-2", event_at="no date", volatility="outage", trust="operator", namespace="lantern"),
    )
    assert (record.id, record.kind, record.source) == ("d-h-1", "derived", Source("backend:h-1", "1"))
    assert (record.event_at, record.volatility, record.trust) == ("2026-09-01T08:00:00Z", "outage", "internal")
    assert (record.check, record.approval, record.review) == (None, None, None)
    assert (record.scope, record.namespace) == (Scope("ada", "private"), "lantern")
    assert (record.content, record.derived_from) == ("a summary", ("e-1", "e-2"))


def test_backend_text_without_content_is_empty_text() -> None:
    assert derived(held("e-1"), derived_content=None).content == ""


def test_sources_without_any_date_give_none() -> None:
    record = derived(held("e-1", event_at=None, volatility=""), held("e-2", event_at="no date", volatility="stable"))
    assert (record.event_at, record.volatility) == (None, "stable")


@pytest.mark.parametrize("trust", ["external", ""])
def test_an_approved_external_source_is_the_weakest(trust: str) -> None:
    record = derived(held("e-1", trust="operator"), held("e-2", trust=trust, review="approved"))
    assert (record.trust, record.review) == ("external", "approved")


def test_an_approved_internal_source_approves_nothing() -> None:
    assert derived(held("e-1", review="approved")).review is None


def test_a_derived_record_stays_in_its_sources_project() -> None:
    record = derived(held("e-1", **IN_PROJECT), held("e-2", scope=Scope("cleo", "public", project="kestrel")))
    assert record.scope == Scope("ada", "private", project="kestrel")


def test_sources_shared_with_the_reader_meet_in_its_own_partition() -> None:
    shared = {"scope": Scope("bob", "shared", ("ada",))}
    assert derived(held("e-1", **PRIVATE), held("e-2", **shared)).scope == Scope("ada", "private")


def test_a_reader_without_an_id_gets_public_text_in_the_first_sources_name() -> None:
    record = derived(held("e-1", **IN_PROJECT), reader=Reader("", ("kestrel",)))
    assert record.scope == Scope("bob", "public", project="kestrel")


@pytest.mark.parametrize(
    ("changes", "conflict"),
    [
        ({"claim": claim("free")}, True),
        ({"claim": claim(" TEAM ")}, False),
        ({"claim": claim("free"), "namespace": "other"}, False),
        ({"claim": claim("free"), "valid": Validity(None, "2026-01-01T00:00Z")}, False),
        ({"claim": claim("free"), "reach": Reach("project", "osprey")}, False),
        ({"claim": claim("free"), "reach": Reach("global", "")}, True),
        ({"claim": None}, False),
    ],
    ids=str,
)
def test_which_records_name_each_other(changes: dict[str, Any], conflict: bool) -> None:
    one = checked(
        1, id="e-1", claim=claim("team"), valid=Validity("2026-02-01T00:00Z"), reach=Reach("project", "kestrel")
    )
    other = replace(one, id="e-2", **changes)
    assert conflicts_among([one, other]) == ({"e-1": ("e-2",), "e-2": ("e-1",)} if conflict else {})


def test_every_reason_has_words() -> None:
    assert all(WORDS[reason] for reason in DropReason)
