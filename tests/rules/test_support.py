"""Source support: words, values and denials of a claim against what is cited, with the places of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.places import Places
from evidence.rules.support import THRESHOLD, Cited, Span, support
from evidence.rules.wordings import begins_alike, wording_of
from evidence.rules.words import plain

CARRIED = [
    ("Integration tests need the postgres container", "User: the integration tests need the postgres container running."),
    ("Deploys require approvals", "The user wants an approval required for each deploy."),
    ("Do not retry uploads more than 3 times", "User: do not retry uploads more than 3 times."),
    ("Never restart the broker during an import", "User: do not restart the broker during an import."),
    ("Never restart the broker during an import", "Avoid restarting the broker during an import."),
    ("Retry failed uploads 5 times", "Failed uploads are retried five times."),
    ("Tokens expire after 48 hours", "A token expires after 2 days."),
    ("Pin the parser to v1.8.3", "The parser is pinned to 1.8.3 now."),
    ("Tracking events are kept for 180 days.", "terraform variable: tracking_event_retention_days = 180."),
    ("The review happens on 3 May 2027", "The review is on 2027-05-03."),
    ("Price lists are sent as PDF, not as spreadsheets.", "No spreadsheets: we send price lists as PDF."),
    ("Load tests run against the staging cluster only.", "No, never against production: load tests run against the staging cluster only."),
    ("The export runs nightly", "log: export run finished at 02:10"),
    ("Das Passwort wird nicht per Mail verschickt", "Bitte das Passwort nie per Mail verschicken."),
    ("Der Export läuft täglich um 03:30", "Der Export läuft jeden Tag um 03:30 Uhr."),
    ("部署前先检查数据库备份", "部署前先检查数据库的备份，再通知团队。"),
    ("Перед релизом проверяем резервные копии", "Команда проверяет резервные копии перед каждым релизом."),
]  # fmt: skip

NOT_CARRIED = [
    ("Integration tests need the postgres container", "User asked for a darker theme in the settings page."),
    ("The gateway is on the spare node", "This was said in the meeting and the answer is on the page."),
    ("Retry failed uploads 5 times", "Retry failed uploads 3 times, the user said."),
    ("Pin the parser library to v1.8.3", "User: pin the parser library to v1.8.2."),
    ("Vendor access ends 2027-02-01", "Vendor access ends 2027-01-01 according to the user."),
    ("Do not run the importer on the replica", "User: run the importer on the replica."),
    ("Do not run the importer on the replica", "Run the importer on the replica. Never touch the primary."),
    ("Run the importer on the replica", "Do not run the importer on the replica."),
    ("Timeouts are 30 seconds", "Timeouts are 30 minutes."),
    ("The bundle must stay under 350 kB", "The bundle must stay under 250 kB"),
    ("Backups run daily on the vault node", "Backups run weekly on the vault node"),
    ("Deploys of the gateway run on Odin", "Deploys of the gateway run on Falcon"),
    ("The feature is enabled for guests", "The feature is disabled for guests"),
    ("Migrations run before the deploy of the service", "Migrations run after the deploy of the service"),
    ("Das Passwort wird nicht per Mail verschickt", "Das Passwort wird per Mail verschickt."),
    ("!!!", "!!!"),
    ("部署前先检查数据库备份", "报告每周一发送给客户。"),
    ("Any claim at all", ""),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "source"), CARRIED)
def test_a_source_that_says_it_carries_it(claim: str, source: str) -> None:
    found = support(claim, [Cited("ev.excerpt", source)])
    assert found.problems == ()
    assert found.is_supported


@pytest.mark.parametrize(("claim", "source"), NOT_CARRIED)
def test_a_source_that_says_something_else_does_not(claim: str, source: str) -> None:
    found = support(claim, [Cited("ev.excerpt", source)])
    assert found.problems != ()
    assert not found.is_supported


def test_what_is_missing_is_named() -> None:
    found = support(
        "Do not retry uploads to Odin more than 7 times", [Cited("ev.excerpt", "Uploads are retried 3 times.")]
    )
    assert found.missing_values == ("7 times",)
    assert found.missing_denials == ("not",)
    assert "Odin" in found.missing
    assert {"retry", "uploads"} <= set(found.matched)


def test_the_share_counts_content_words_and_35_percent_are_enough() -> None:
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike nectar oscar papa quebec romeo sierra tango"
    claim = "the " + words
    seven, six = words.split()[:7], words.split()[:6]
    assert support(claim, [Cited("x", " ".join(seven))]).share == THRESHOLD
    assert support(claim, [Cited("x", " ".join(seven))]).is_supported
    assert not support(claim, [Cited("x", " ".join(six))]).is_supported


def test_several_texts_carry_together() -> None:
    texts = [Cited("a.summary", "The importer stalls."), Cited("b.excerpt", "It was restarted after 10 minutes.")]
    assert support("The importer is restarted after 10 minutes", texts).is_supported


def test_one_straight_text_outweighs_a_turned_one() -> None:
    straight, turned = "Deploys of the gateway run on Odin", "Deploys of the gateway run on Falcon"
    assert support(straight, [Cited("a", turned), Cited("b", straight)]).is_supported


def test_spans_mark_both_sides() -> None:
    claim, source = "Uploads are retried 7 times by Odin", "We retry uploads 3 times."
    found = support(claim, [Cited("ev-1.excerpt", source)])
    texts = {"statement": claim, "ev-1.excerpt": source}
    marked = [(span.state, texts[span.place][span.start : span.end]) for span in found.spans]
    assert marked == [
        ("matched", "Uploads"),
        ("matched", "retried"),
        ("missing", "7 times"),
        ("missing", "Odin"),
        ("matched", "retry"),
        ("matched", "uploads"),
        ("matched", "times"),
    ]
    assert found.spans[0].as_dict() == {"place": "statement", "start": 0, "end": 7, "state": "matched"}


def test_spans_count_in_the_text_as_it_was_written() -> None:
    claim = "Das U\u0308bungs\u00adnetz der Scha\u0308tzer la\u0308uft"
    found = support(claim, [Cited("x", claim)])
    first = next(span for span in found.spans if span.place == "statement")
    assert claim[first.start : first.end] == "U\u0308bungs\u00adnetz"


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("deploy", "deployment", True),
        ("require", "requirements", True),
        ("auth", "authors", False),
        ("post", "postgres", False),
        ("run", "runs", False),
        ("replica", "primary", False),
    ],
)
def test_words_that_begin_alike(one: str, other: str, answer: bool) -> None:
    assert begins_alike(one, other) is answer
    assert begins_alike(other, one) is answer


def test_the_wording_has_content_words_only() -> None:
    assert [word.form for word in wording_of("Do not run the pre-commit hook 5 times", "en")] == [
        "run",
        "pre",
        "commit",
        "hook",
        "times",
    ]


_TEXT = st.text(st.characters(exclude_categories=()), max_size=120)


@given(_TEXT, st.lists(_TEXT, max_size=3))
def test_every_text_has_an_answer(claim: str, sources: list[str]) -> None:
    found = support(claim, [Cited(f"e{at}", text) for at, text in enumerate(sources)])
    texts = {"statement": claim} | {f"e{at}": text for at, text in enumerate(sources)}
    assert 0 <= found.share <= 1
    assert found.is_supported is (found.problems == ())
    assert all(isinstance(span, Span) and 0 <= span.start <= span.end <= len(texts[span.place]) for span in found.spans)


@given(st.sampled_from([claim for claim, _ in CARRIED + NOT_CARRIED if claim != "!!!"]))
def test_a_claim_carries_itself(claim: str) -> None:
    assert support(claim, [Cited("x", claim)]).is_supported


@given(st.sampled_from(CARRIED[:11]), st.sampled_from([source for _, source in CARRIED[:11]]))
def test_words_found_stay_found_when_more_is_cited(pair: tuple[str, str], more: str) -> None:
    claim, source = pair
    alone, together = support(claim, [Cited("a", source)]), support(claim, [Cited("a", source), Cited("b", more)])
    assert together.share >= alone.share


@given(st.text(st.sampled_from("aU\u0308\u00ad\u200b’e\u0301ß "), max_size=20))
def test_places_lead_back_into_the_text(text: str) -> None:
    places, clear = Places(text), plain(text)
    spans = [places.span(at, at + 1) for at in range(len(clear))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert plain("".join(text[start:end] for start, end in dict.fromkeys(spans))) == clear
