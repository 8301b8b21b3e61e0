"""Names of a claim: which words are one, and when a text gives it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.claimed_names import names_of
from evidence.rules.given_names import missing_names
from evidence.rules.wordings import Wordings
from evidence.rules.words import language_of, plain

NAMES = [
    ("Deploys of the gateway run on Odin", ["Odin"]),
    ("Reviews go to Marta Kowalska and Jonas", ["Marta Kowalska", "Jonas"]),
    ("Yarrow University keeps the archive", ["University"]),
    ("The carrier-gateway answers on /health", ["carrier-gateway", "/health"]),
    ("Merrow owns the customs forms", ["Merrow"]),
    ("Fabrikam's plan allows 50 seats", ["Fabrikam"]),
    ("Deploys run every night", []),
    ("Testing is done by hand", []),
    ("Browser tests run in Firefox", ["Firefox"]),
    ("Restart the importer on Monday in May", []),
    ("The bundle stays under 350 kB", []),
    ("New Storage Plan Cuts Costs For Everyone", []),
    ("Der Versand der Ware läuft über Walhall", ["Walhall"]),
    ("Anträge genehmigt Frau Petersen", ["Petersen"]),
    ("Die Freigabe der Rechnung kommt aus der Abteilung", []),
]


@pytest.mark.parametrize(("claim", "names"), NAMES)
def test_names_of_a_claim(claim: str, names: list[str]) -> None:
    found = names_of(claim, language_of(claim))
    assert [plain(claim)[name.start : name.end] for name in found] == names


# Claim, text, the names that the text does not give.
GIVEN = [
    ("Reviews go to Marta Kowalska", "ask kowalska for a review", []),
    ("Reviews go to Marta Kowalska", "Reviews go to Piotr Kowalska", ["Marta Kowalska"]),
    ("Reviews go to Marta Kowalska", "Reviews go to the lead", ["Marta Kowalska"]),
    ("Lena Brandt approves it", "It is approved by Jonas Brandt", ["Brandt"]),
    ("Lena Brandt approves it", "She approves it, like Jonas Brandt", []),
    ("Ask Brandt about it", "Jonas Brandt knows about it", []),
    ("Labels come from the carrier-gateway", "The carrier gateway prints the labels", []),
    ("Events go to orders.v2", "Events go to orders.v1", ["orders.v2"]),
    ("It runs on K8s and in CI", "It runs on Kubernetes and in continuous integration", []),
    ("Customers in Spain pay later", "Spanish customers pay later", []),
    ("The host Odin runs the mail relay", "It runs the mail relay", []),
    ("The host Odin runs the mail relay", "Falcon runs the mail relay", ["Odin"]),
    ("The host Odin runs the mail relay on Vega", "It runs the mail relay", ["Odin", "Vega"]),
    ("Der Versand läuft über Walhall", "Der Versand läuft über Asgard", ["Walhall"]),
]


@pytest.mark.parametrize(("claim", "text", "lacking"), GIVEN)
def test_names_that_a_text_does_not_give(claim: str, text: str, lacking: list[str]) -> None:
    language = language_of(claim, text)
    found = missing_names(claim, [text], language, Wordings([text], language))
    assert [plain(claim)[start:end] for start, end in found] == lacking


_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


@given(_TEXT, _TEXT)
def test_a_name_is_always_given_by_its_own_text(claim: str, more: str) -> None:
    language = language_of(claim, more)
    texts = [f"{more}\n{claim}"]
    clear = plain(claim)
    assert all(0 <= name.start < name.end <= len(clear) for name in names_of(claim, language))
    whole = missing_names(claim, [claim], language, Wordings([claim], language))
    assert len(missing_names(claim, texts, language, Wordings(texts, language))) <= len(names_of(claim, language))
    assert whole == ()
