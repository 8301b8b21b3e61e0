"""Usable or not, and the reason named (contract 4, 12.3, 12.5), beyond the worked cases."""

from __future__ import annotations

from typing import Any

import pytest

from evidence.rules.reasons import WORDS, UsableReason
from evidence.rules.records import Claim, Record, Scope, Source
from evidence.rules.usability import texts_of, usable
from tests.rules.build import fact
from tests.rules.test_labels import ODD_WORDS

TOKEN = "gl" + "pat-aB3dE5gH7jK9mN1pQ3sT"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "usable"),
        ({"review": "approved"}, "usable"),
        ({"review": ""}, "usable"),
        ({"trust": "operator"}, "usable"),
        ({"state": "superseded"}, "not_active"),
        ({"review": "held"}, "held"),
        ({"review": "rejected"}, "rejected"),
        ({"trust": "external"}, "external_unreviewed"),
        ({"trust": ""}, "external_unreviewed"),
        ({"trust": "", "review": "approved"}, "usable"),
        ({"trust": "external", "review": "held"}, "held"),
        ({"content": TOKEN, "review": "held"}, "held"),
        ({"kind": "derived"}, "no_sources"),
        ({"kind": "derived", "derived_from": ("e-2",)}, "usable"),
    ],
    ids=str,
)
def test_the_first_thing_against_it_is_named(changes: dict[str, Any], reason: str) -> None:
    found = usable(fact(**changes))
    assert (found.usable, found.reason) == (reason == "usable", reason)


@pytest.mark.parametrize("odd", ODD_WORDS, ids=str)
def test_an_unknown_word_in_any_field_is_not_usable(odd: dict[str, Any]) -> None:
    assert usable(fact(**odd)).reason == UsableReason.UNKNOWN_WORD


@pytest.mark.parametrize(
    "changes",
    [
        {"content": f"use {TOKEN}"},
        {"summary": TOKEN},
        {"excerpt": TOKEN},
        {"tags": ("ok", TOKEN)},
        {"claim": Claim(TOKEN, "a", "v")},
        {"claim": Claim("s", TOKEN, "v")},
        {"claim": Claim("s", "a", TOKEN)},
        {"source": Source(f"memory:ada/{TOKEN}", "1")},
    ],
    ids=["content", "summary", "excerpt", "tags", "subject", "attribute", "value", "source"],
)
def test_a_secret_in_any_text_is_found(changes: dict[str, Any]) -> None:
    assert usable(fact(**changes)).reason == UsableReason.SECRET
    assert usable(fact(**changes), scan_secrets=False).usable


def test_every_text_of_a_record_is_looked_at() -> None:
    record = Record(
        "e-1", "fact", Source("memory:ada/1"), Claim("s", "a", "v"), "c", tags=("t",), summary="m", excerpt="x",
        scope=Scope("ada", "private"),
    )  # fmt: skip
    assert list(texts_of(record)) == ["c", "s", "a", "v", "m", "x", "t", "memory:ada/1"]


def test_every_reason_has_words() -> None:
    assert all(WORDS[reason] for reason in UsableReason)
