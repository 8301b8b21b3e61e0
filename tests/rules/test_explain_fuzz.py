"""Every rule through `explain` with worked cases gone wrong: an answer or a clean error, and never a generous one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.explain import EXPLAIN, explain_line
from evidence.rules.vocab import (
    Durability,
    Eligibility,
    Kind,
    Label,
    Layer,
    MatchKind,
    Outcome,
    Polarity,
    Redaction,
    Review,
    Risk,
    SecretKind,
    Signal,
    State,
    Trust,
    TrustClass,
    VerificationStatus,
    Volatility,
)
from tests.rules.casefile import Case, load, load_all
from tests.rules.mutations import NUMBERS, ODD, SHAPES, WORDS, Mutation, paths_of

CASES = load_all()
ERRORS = ("malformed", "invalid_text", "invalid_value")


def ask(rule: str, line: dict[str, Any]) -> dict[str, Any]:
    """The answer as the command writes it; what is no answer has a clean error."""
    answer, taken = explain_line(rule, json.dumps(line).encode())
    read: dict[str, Any] = json.loads(json.dumps(answer, allow_nan=False))
    assert taken == ("error" not in read)
    if not taken:
        assert read["code"] in ERRORS, read
        assert isinstance(read["error"], str)
    return read


def within(rule: str, answer: dict[str, Any]) -> None:
    """Every word of an answer is one of the contract's."""
    words: dict[str, type] = {
        "label": Label, "outcome": Outcome, "eligibility": Eligibility, "poisoning_risk": Risk, "status": VerificationStatus,
    }  # fmt: skip
    for name, enum in words.items():
        assert answer.get(name) in (None, *enum)  # type: ignore[misc]
    assert answer.get("kind") in (None, *MatchKind)
    assert set(answer.get("kinds", ())) <= set(SecretKind)
    assert set(answer.get("signals", ())) <= set(Signal)
    for name in ("usable", "allowed", "refreshes_check"):
        assert answer.get(name, False) in (True, False)
    if rule in ("resolve", "usable"):
        assert answer["reason"]


def mutated(case: Case) -> st.SearchStrategy[dict[str, Any]]:
    places = [path for path in paths_of(case.line) if path != ("case",)]
    one = st.builds(Mutation, st.sampled_from(places), st.sampled_from(ODD))

    def line(mutations: list[Mutation]) -> dict[str, Any]:
        changed: dict[str, Any] = case.line
        for mutation in mutations:
            changed = mutation.of(changed)
        return changed

    return st.lists(one, min_size=1, max_size=3).map(line)


@pytest.mark.parametrize("rule", sorted(EXPLAIN))
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_case_gone_wrong_gets_an_answer_or_a_clean_error(rule: str, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from([case for case in CASES if case.rule == rule]))
    answer = ask(rule, data.draw(mutated(case)))
    assert answer["case"] == case.id
    if "error" not in answer:
        within(rule, answer)


# --- restrictive readings ------------------------------------------------------------------------------------------

# The enumerated fields of a record (contract 1), by hand: the words that each may hold.
FIELDS: dict[tuple[str, ...], frozenset[str]] = {
    ("kind",): frozenset(Kind),
    ("state",): frozenset(State),
    ("volatility",): frozenset(Volatility),
    ("trust",): frozenset(Trust),
    ("review",): frozenset(Review),
    ("layer",): frozenset(Layer),
    ("trust_class",): frozenset(TrustClass),
    ("durability",): frozenset(Durability),
    ("polarity",): frozenset(Polarity),
    ("redaction",): frozenset(Redaction),
    ("scope", "access"): frozenset({"private", "shared", "public"}),
    ("reach", "level"): frozenset({"global", "project", "repository", "domain", "session"}),
}
NO_WORDS = [value for value in (*WORDS, *NUMBERS, *SHAPES) if value is not None and value != ""]


def oddly_worded(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The record with each of its enumerated fields holding what is no word of its list."""
    for field, known in FIELDS.items():
        for value in NO_WORDS:
            if isinstance(value, str) and value in known:
                continue
            holder = {**(record.get("scope") or {})} if field[0] == "scope" else {}
            yield record | ({field[0]: {**holder, field[1]: value}} if len(field) == 2 else {field[0]: value})


BEST: dict[str, Any] = {
    "kind": "fact",
    "source": {"id": "fact:cdn-plan", "version": "1"},
    "claim": {"subject": "Lumen CDN", "attribute": "plan", "value": "team"},
    "content": "Lumen CDN: plan is team",
    "check": {"at": "2026-09-14T08:00:00Z", "by": "ops-agent", "confirmed_by": "rhea"},
    "volatility": "stable",
    "scope": {"owner": "ada", "access": "public", "shared_with": [], "project": None},
    "trust": "operator",
    "state": "active",
}
ARTICLE = BEST | {
    "kind": "article",
    "source": {"id": "wiki:scribe/graph/cdn.md", "version": "1"},
    "approval": {"by": "rhea", "at": "2026-09-01T09:00:00Z", "proposal": "pp-1"},
}
NOW = "2026-09-14T09:00:00Z"


def test_without_odd_words_the_answers_are_generous() -> None:
    assert ask("label", {"record": BEST, "now": NOW})["label"] == "verified"
    assert ask("label", {"record": ARTICLE, "now": NOW})["label"] == "approved"
    assert ask("usable", {"record": BEST})["usable"] is True
    other = BEST | {"claim": {"subject": "Lumen CDN", "attribute": "plan", "value": "free"}}
    assert ask("resolve", {"current": other, "incoming": BEST, "now": NOW})["outcome"] == "supersede"


@pytest.mark.parametrize("record", [BEST, ARTICLE], ids=["fact", "article"])
def test_no_odd_word_is_read_generously(record: dict[str, Any]) -> None:
    other = BEST | {"claim": {"subject": "Lumen CDN", "attribute": "plan", "value": "free"}}
    for odd in oddly_worded(record):
        assert ask("label", {"record": odd, "now": NOW}).get("label", "unverified") == "unverified"
        assert ask("usable", {"record": odd}).get("usable", False) is False
        assert ask("resolve", {"current": other, "incoming": odd, "now": NOW}).get("outcome", "keep") == "keep"


def test_no_odd_word_passes_the_gate_itself_or_as_a_source() -> None:
    hits: list[dict[str, Any]] = [
        {"id": "e-1", "source_version": "1", "score": 1},
        {"id": "h-1", "source_version": "1", "score": 1, "derived": {"content": "told", "from": ["e-1"]}},
    ]
    line = {"hits": hits, "reader": {"agent": "ada", "projects": []}, "now": NOW}
    assert len(ask("gate", line | {"store": [BEST | {"id": "e-1"}]})["results"]) == 2
    for odd in oddly_worded(BEST | {"id": "e-1"}):
        assert ask("gate", line | {"store": [odd]}).get("results", []) == []


def test_no_odd_scope_or_reader_is_let_in() -> None:
    for case in load("access"):
        if case.expect["allowed"]:
            continue
        for path in paths_of(case.line):
            for value in ODD:
                changed = Mutation(path, value).of(case.line)
                # Another owner, project or name is another question, not an odd word.
                if path[0] == "case" or path[-1] in ("project", "agent", "owner") or path[:2] == ("reader", "projects"):
                    continue
                assert ask("access", changed).get("allowed", False) is False, (path, value)


@pytest.mark.parametrize("at", [*NUMBERS, *SHAPES, *ODD[11:20]], ids=repr)
def test_no_odd_date_verifies_or_supersedes(at: object) -> None:
    odd = BEST | {"check": {"at": at, "confirmed_by": "rhea"}}
    other = BEST | {"claim": {"subject": "Lumen CDN", "attribute": "plan", "value": "free"}}
    assert ask("label", {"record": odd, "now": NOW}).get("label", "unverified") == "unverified"
    assert ask("resolve", {"current": other, "incoming": odd, "now": NOW}).get("outcome", "conflict") == "conflict"
    assert "error" in ask("label", {"record": BEST, "now": at})


@pytest.mark.parametrize("ttl", [*NUMBERS, *SHAPES, *WORDS], ids=repr)
def test_an_odd_lifetime_is_ignored_or_at_least_none(ttl: object) -> None:
    dated = BEST | {"volatility": "billing", "check": {"at": "2026-09-05T09:00:00Z"}, "ttl_days": ttl}
    is_number = isinstance(ttl, int | float) and not isinstance(ttl, bool) and 9 < ttl < float("inf")
    assert ask("label", {"record": dated, "now": NOW})["label"] == ("verified" if is_number else "stale")
