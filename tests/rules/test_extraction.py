"""The claim of a plain statement: what is read, what is left alone, and that every part stands in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.extraction import extract_claim
from evidence.rules.extraction_patterns import FORMS
from evidence.rules.words import plain

READ: list[tuple[str, str, tuple[str, str, str]]] = [
    ("The ledger's region is eu-west-1.", "X's Y is Z", ("ledger", "region", "eu-west-1")),
    ("Our portal’s session store is Redis", "X's Y is Z", ("portal", "session store", "Redis")),
    ("The region of the ledger is eu-west-1", "the Y of X is Z", ("ledger", "region", "eu-west-1")),
    ("The log format of quote-engine is `JSON lines`", "the Y of X is Z", ("quote-engine", "log format", "JSON lines")),
    ("The timeout of the gateway is set to 10 seconds", "the Y of X is Z", ("gateway", "timeout", "10 seconds")),
    ("The owner of the ledger is not Ana", "the Y of X is Z", ("ledger", "owner", "not Ana")),
    ("The default branch is trunk", "default X is Y", ("branch", "default", "trunk")),
    ("The default branch is called trunk", "default X is Y", ("branch", "default", "trunk")),
    ("The log level defaults to warning", "X defaults to Y", ("log level", "default", "warning")),
    ("tracking-api listens on port 8110", "X listens on port N", ("tracking-api", "port", "8110")),
    ("The portal does not listen on port 80", "X listens on port N", ("portal", "port", "not 80")),
    ("The ledger is owned by the data team", "X is owned by Y", ("ledger", "owner", "data team")),
    ("The ledger is maintained by Ana Brandt", "X is maintained by Y", ("ledger", "maintainer", "Ana Brandt")),
    ("The ledger belongs to the data team", "X belongs to Y", ("ledger", "owner", "data team")),
    ("The data team owns the ledger", "Y owns X", ("ledger", "owner", "data team")),
    ("Design notes live in docs/design", "X lives in Y", ("Design notes", "location", "docs/design")),
    ("The warehouse is hosted in Dublin", "X is hosted in Y", ("warehouse", "location", "Dublin")),
    ("Timestamps are stored in UTC", "X is stored in Y", ("Timestamps", "stored in", "UTC")),
    ("Analytics run on ClickHouse", "X runs on Y", ("Analytics", "runs on", "ClickHouse")),
    ("Analytics do not run on BigQuery", "X runs on Y", ("Analytics", "runs on", "not BigQuery")),
    ("The importer is written in Go", "X is written in Y", ("importer", "written in", "Go")),
    ("The mirror is called osprey", "X is called Y", ("mirror", "name", "osprey")),
    ("We use Kafka for events", "we use X for Y", ("events", "tool", "Kafka")),
    ("Use pnpm for the client", "we use X for Y", ("client", "tool", "pnpm")),
    ("We don't use yarn for the client", "we use X for Y", ("client", "tool", "not yarn")),
    ("Kafka is used for events", "X is used for Y", ("events", "tool", "Kafka")),
    ("Never push to main", "never do X", ("push to main", "rule", "never")),
    ("Do not push to main.", "never do X", ("push to main", "rule", "never")),
    ("Always sign release tags", "always do X", ("sign release tags", "rule", "always")),
    ("The session store is Redis", "X is Y", ("session store", "value", "Redis")),
    ("The upload limit is 20 MB", "X is Y", ("upload limit", "value", "20 MB")),
    ("The build server is the old Mac", "X is Y", ("build server", "value", "old Mac")),
    ("The DHX account is locked", "X is Y", ("DHX account", "status", "locked")),
    ("Autoplay is off", "X is Y", ("Autoplay", "switch", "off")),
    ("Force pushes are not allowed", "X is Y", ("Force pushes", "permission", "not allowed")),
    ("Kestrel is a monorepo", "X is Y", ("Kestrel", "kind", "monorepo")),
    ("Die Region von quote-engine ist eu-west-1", "the Y of X is Z", ("quote-engine", "Region", "eu-west-1")),
    ("Das Portal lauscht auf Port 8080", "X listens on port N", ("Portal", "port", "8080")),
    ("Die Auswertung läuft auf ClickHouse", "X runs on Y", ("Auswertung", "runs on", "ClickHouse")),
    ("Das Lager liegt in Frankfurt", "X lives in Y", ("Lager", "location", "Frankfurt")),
    ("Das Portal gehört zum Datenteam", "X belongs to Y", ("Portal", "owner", "Datenteam")),
    ("Wir verwenden Kafka für Ereignisse", "we use X for Y", ("Ereignisse", "tool", "Kafka")),
    ("Der Zugang ist nicht gesperrt", "X is Y", ("Zugang", "status", "not gesperrt")),
    ("Niemals direkt auf main schieben", "never do X", ("direkt auf main schieben", "rule", "never")),
]

LEFT: dict[str, list[str]] = {
    "condition or time": [
        "The ledger's region is eu-west-1 if the quota allows it",
        "Never restart the broker while an import runs",
        "Since June the session store is Redis",
        "The session store is currently Redis",
        "The session store was Redis",
        "The session store is no longer Redis",
        "The freeze is until Friday",
        "The archiver runs on weekends",
        "The retention job runs on Mondays",
        "Der Zugang ist derzeit gesperrt",
    ],
    "doubt": [
        "The session store is probably Redis",
        "The session store might be Redis",
        "I think the session store is Redis",
        "The upload limit is about 20 MB",
        "Maybe the DHX account is locked",
        "The limit is usually 20 MB",
    ],
    "question": ["Is the session store Redis?", "What is the session store", "The session store is Redis?"],
    "list or more": [
        "The session store is Redis and the queue is Kafka",
        "The owners of the ledger are Ana, Jonas",
        "We use Kafka or RabbitMQ for events",
        "The session store is Redis. The queue is Kafka.",
        "The session store is Redis; ask Ana",
        "The session store is Redis\nThe queue is Kafka",
        "- The session store is Redis",
        "session store: Redis",
        "Note: the session store is Redis",
        "The session store is Redis (since June)",
        "Use pnpm, not yarn, for the client",
        "Use pnpm instead of yarn for the client",
    ],
    "no plain claim": [
        "It is Redis",
        "This is the session store",
        "There is a portal",
        "Everything is locked",
        "The portal is slow",
        "The portal is reset nightly",
        "The portal is automatically rebuilt",
        "The portal is better than the console",
        "A dog is an animal",
        "Some accounts are locked",
        "The rest of the portal is public",
        "The plan is to use Redis",
        "The problem is that Redis fails",
        "Only admins are allowed",
        "Do not forget to sign the tag",
        "Never mind",
        "Never",
        "is",
        "The is the",
        "Restart the worker",
        "Guests cannot export invoices",
        "The ledger is not only public",
        "The owner of the ledger is never Ana",
    ],
    "hidden or foreign": [
        "The mirror is registry.lаntern.example",
        "The mirror is reg\u200bistry.example",
        "The mirror is \u202eexample.registry",
        "Le magasin est Redis",
        "会话存储是 Redis",
    ],
    "nothing": ["", "   ", ".", "...", "The session store is Redis " * 20],
}


@pytest.mark.parametrize(("statement", "form", "parts"), [row for row in READ if row[1]])
def test_plain_claims_are_read(statement: str, form: str, parts: tuple[str, str, str]) -> None:
    found = extract_claim(statement)
    assert found is not None
    assert (found.pattern, found.subject, found.attribute, found.value) == (form, *parts)
    assert found.negated is (found.value.startswith("not ") or found.value == "never")
    assert found.subject in found.reason
    assert found.claim.value == found.value


@pytest.mark.parametrize(("why", "statement"), [(why, text) for why, texts in LEFT.items() for text in texts])
def test_what_is_no_plain_claim_is_left_alone(why: str, statement: str) -> None:
    assert extract_claim(statement) is None


def test_every_form_has_an_example() -> None:
    assert {form for _, form, _ in READ if form} == {form.name for form in FORMS}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ledger's region is eu-west-1", "The region of the ledger is us-east-1"),
        ("tracking-api listens on port 8110", "tracking-api runs on port 8120"),
        ("The ledger belongs to the data team", "The platform team owns the ledger"),
        ("We use Kafka for events", "RabbitMQ is used for events"),
        ("Always push to main", "Do not push to main"),
        ("The DHX account is active", "DHX account is locked"),
        ("Das Portal lauscht auf Port 8080", "The portal listens on port 8081"),
    ],
)
def test_two_wordings_of_one_claim_share_its_key(one: str, other: str) -> None:
    first, second = extract_claim(one), extract_claim(other)
    assert first is not None
    assert second is not None
    assert first.claim.key == second.claim.key
    assert first.claim.value_key != second.claim.value_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The repository is public", "The repository is archived"),
        ("The ledger is a service", "The ledger is public"),
        ("The default branch is trunk", "The branch is trunk"),
    ],
)
def test_claims_that_can_both_hold_do_not_share_a_key(one: str, other: str) -> None:
    keys = {found.claim.key for text in (one, other) if (found := extract_claim(text))}
    assert len(keys) == sum(extract_claim(text) is not None for text in (one, other))


PIECES = "the portal 's of is not never use for Redis 8080 port on runs if , . ? and \u200b “ ledger's default ist nie".split(
    " "
)


@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join)))
def test_parts_stand_in_the_text(statement: str) -> None:
    found = extract_claim(statement)
    if found is None:
        return
    text = plain(statement)
    assert text[slice(*found.subject_span)] == found.subject
    if found.attribute_span:
        assert text[slice(*found.attribute_span)] == found.attribute
    if found.value_span:
        assert text[slice(*found.value_span)] == found.value.removeprefix("not ")
    assert all(part.strip() == part and part for part in (found.subject, found.attribute, found.value))
