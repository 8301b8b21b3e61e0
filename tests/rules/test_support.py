"""Source support: words, values and denials of a claim against what is cited, with the places of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.places import Places
from evidence.rules.support import THRESHOLD, Cited, support
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
    ("The contract ends in March 2027", "Signed: the contract ends on 31 March 2027."),
    ("The contract ends on 31 March 2027", "They said the contract ends on 31 March."),
    ("The album was released in 2014", "His album was released on 28 April 2014."),
    ("The cluster runs Kubernetes 1.30", "kubectl: the cluster runs v1.30.4 of Kubernetes on every node."),
    ("The database runs PostgreSQL 16", "select version(): the database runs PostgreSQL 16.3 on x86."),
    ("Sessions expire after 90 minutes", "session: expire_after_seconds = 5400"),
    ("Reviews of price lists go to Marta Kowalska", "Ask Kowalska: she does the reviews of all price lists."),
    ("Deploys wait for Continuous Integration", "Every deploy waits for CI to be green."),
    ("Shipments to Ireland go by sea", "Our Irish shipments all go by sea."),
    ("Ada Quist wrote the importer in Rust", "She wrote the importer in Rust, not in Go."),
    ("The Quiet River was recorded in Norway", "The song was recorded in Norway."),
    ("Yarrow University keeps the archive", "Yarrow has kept the archive for years."),
    ("Der Mailserver steht in Kassel", "Unser Server steht jetzt in Kassel im Keller."),
    ("The rebuild is not enabled", "The rebuild is disabled."),
    ("The 2nd replica takes the backups", "Backups are taken by the second replica."),
    ("The service is unable to read old dumps", "The service cannot read old dumps."),
    ("The exporter never fails to close files", "The exporter closes its files."),
    ("Old flags are removed after the rollout", "Delete old flags after the rollout."),
    ("Errors go to Sentry", "No, errors go to Sentry since May."),
    ("Ticket 5521 waits for an answer from the depot", "Ticket 5521: waiting for the depot to answer."),
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
    ("The contract ends on 31 March 2027", "The contract ends in March 2027."),
    ("Pin the parser to v1.8.3", "The parser is pinned to 1.8."),
    ("Sessions expire after 90 minutes", "session: expire_after_seconds = 90"),
    ("The scorecard is rebuilt once a day", "The scorecard is rebuilt twice a day"),
    ("The report covers 500 shops", "The report covers about 510 shops."),
    ("The gateway runs in Frankfurt", "The gateway runs on two nodes."),
    ("Lena Brandt approves price changes", "Price changes need approval by Jonas Brandt."),
    ("Fabrikam's plan allows 50 seats", "Contoso, plan Business: 41 of 50 seats used."),
    ("Merrow owns the customs forms", "The customs forms are owned by Halden."),
    ("Quist is a painter", "Quist, born in 1964, is known as a singer and an actress."),
    ("Quist was a writer", "Quist was a singer but never managed to write anything."),
    ("There are rumors of a merger", "There were no rumors of a merger at all."),
    ("The carrier refused to answer", "The carrier has to answer by Friday."),
    ("Quist has yet to appear on stage", "Quist has appeared on stage in Oslo."),
    ("Quist appeared on the radio", "Quist is still avoiding the use of the radio."),
    ("The legacy API has been deprecated", "Partners call the legacy API."),
    ("A quote is not valid for 30 days", "No, our quotes are valid for 30 days."),
    ("The importer does not skip empty rows", "importer: 3 empty rows skipped"),
    ("Der Versand läuft über Walhall", "Der Versand läuft über Asgard."),
    ("Anträge genehmigt Frau Albers", "Anträge gehen zu Frau Petersen, sie genehmigt."),
    ("Das Lager in Ulm beliefert die Filialen", "Die Filialen bekommen Ware aus dem Lager Kassel."),
    ("Invalidate the cache after the import", "Run the import after the cache is invalidated"),
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
    assert found.missing_names == ("Odin",)
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


def test_given_values_are_marked_as_a_whole_on_both_sides() -> None:
    claim, source = "Tokens expire after 48 hours", "A token expires after 2 days."
    texts = {"statement": claim, "x": source}
    found = support(claim, [Cited("x", source)])
    assert [texts[span.place][span.start : span.end] for span in found.spans] == [
        "Tokens", "expire", "48 hours", "token", "expires", "2 days",
    ]  # fmt: skip
    assert {span.state for span in found.spans} == {"matched"}


@pytest.mark.parametrize(
    "excerpt", ["Yes: uploads are retried 3 times, as agreed.", "We retry uploads 3 times, as agreed."]
)
def test_a_summary_that_repeats_its_excerpt_is_marked_too(excerpt: str) -> None:
    summary = f"Conversation: {excerpt[:28]} …"
    found = support("Uploads are retried 3 times", [Cited("e.summary", summary), Cited("e.excerpt", excerpt)])
    texts = {"e.summary": summary, "e.excerpt": excerpt}
    marked = {
        place: [text[span.start : span.end].casefold() for span in found.spans if span.place == place]
        for place, text in texts.items()
    }
    assert marked["e.summary"] == [word for word in marked["e.excerpt"] if word in summary.casefold()]
    assert "uploads" in marked["e.summary"]


def test_a_text_that_stands_within_another_is_marked_to_both_its_ends() -> None:
    excerpt, summary = "We agreed that deploys run on Fridays at noon sharp", "deploys run on Fridays"
    found = support("Fridays are for deploys", [Cited("e.excerpt", excerpt), Cited("e.summary", summary)])
    marked = {(span.place, span.start, span.end) for span in found.spans}
    assert {("e.summary", 0, 7), ("e.summary", 15, 22), ("e.excerpt", 15, 22), ("e.excerpt", 30, 37)} <= marked


def test_a_quote_is_one_beside_letters_of_any_kind() -> None:
    said = support(
        "Das Lager wird um acht geöffnet", [Cited("x", "Für alle Läden gilt, das Lager wird um acht geöffnet.")]
    )
    assert said.is_quote
    assert said.is_supported


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
    assert all(0 <= span.start <= span.end <= len(texts[span.place]) for span in found.spans)


_CLAIMS = sorted({claim for claim, _ in CARRIED + NOT_CARRIED} - {"!!!"})


@pytest.mark.parametrize(
    "form", ["{}", "{}.", "As agreed: {}.", "Note this: {}, please.", "{} – and please keep it so"]
)
@pytest.mark.parametrize("claim", _CLAIMS)
def test_a_claim_carries_itself(claim: str, form: str) -> None:
    assert support(claim, [Cited("x", form.format(claim))]).problems == ()


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
