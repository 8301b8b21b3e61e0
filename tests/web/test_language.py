"""The pages in the reader's language: who decides it, that no English is left over in German, and that machines get English."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from evidence.models import Evidence, HeldRecord, Inquiry, User
from evidence.web.sentences import TEMPLATES, gaps_of, pattern_of, told
from evidence.web.tags import as_text
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.whole_desk import whole_desk

pytestmark = pytest.mark.django_db

# Words that no German sentence has. Not "was", "so", "in", "die", "am", "an", "war", "also": both languages have them.
TELLTALE = frozenset(
    """the of and is are not with by this that these to from for has have been it its you your yours nothing waiting waits
    approve approved reject rejected snooze snoozed skip undo edit search clear queue question questions record records
    day days hour hours ago since until who what why when which next first all any other others one more than decided
    evidence source sources agent's held shown open checked verified stale unverified high low new show cancel save sign
    fact closed severity"""
    .split()
)  # fmt: skip
# What is typed into the search box: risk:high, -label:stale.
TYPED = re.compile(r"-?\w+:[\w>,<…]*")
UNREAD = frozenset({"script", "style", "code", "pre", "kbd", "bdi", "textarea", "template"})


class Words(HTMLParser):
    """What a person reads on a page, without what others wrote: those texts stand in <bdi>."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.lang = ""
        self._unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.lang = given.get("lang") or ""
        if tag in UNREAD or given.get("translate") == "no" or "id" in (given.get("class") or "").split():
            self._unread.append(tag)
        elif not self._unread:
            names = ["aria-label", "title", "placeholder", "alt"]
            self.said += [given[name] or "" for name in names if given.get(name)]

    def handle_endtag(self, tag: str) -> None:
        if self._unread and self._unread[-1] == tag:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if not self._unread and data.strip():
            self.said.append(data.strip())


def read(html: str) -> Words:
    words = Words()
    words.feed(html)
    return words


def english_in(words: Words, written: list[str]) -> list[str]:
    """Sentences in which a telltale word stands; `written` is what agents and people wrote, which stays as it is."""
    found = []
    for text in words.said:
        rest = text.replace("Evidence Desk", "")
        for other in written:
            rest = rest.replace(other, "")
        rest = TYPED.sub("", rest)
        if {word.lower() for word in re.findall(r"[A-Za-z']+", rest)} & TELLTALE:
            found.append(text)
    return found


def test_no_page_keeps_a_word_of_english(reviewer: User, sign_in: SignIn) -> None:
    desk = whole_desk(reviewer=reviewer)
    reviewer.language = "de"
    reviewer.save()
    client = sign_in(reviewer)
    written = _written()
    seen, left = 0, {}
    for _name, address in desk.addresses():
        response = client.get(address)
        if "html" not in response.headers.get("Content-Type", ""):
            continue
        page = read(response.content.decode())
        if page.lang:
            assert page.lang == "de", address
        if response.status_code in (200, 404):
            seen += 1
            if english := english_in(page, written):
                left[address] = english
    assert seen > 60
    assert not left, "\n".join(f"{address}: {texts}" for address, texts in left.items())


def _written() -> list[str]:
    """Texts of agents and people, the longest first, so that none is cut by a part of it."""
    found = {"Mine", "reviewer", "the-owner", "ops", "far", "twin", "other ops"}
    for held in HeldRecord.objects.all():
        found |= {held.statement, held.statement[:90], held.agent_id, held.claim_value, held.reason}
    for row in Evidence.objects.all():
        found |= {row.content, row.excerpt, row.summary, row.source_id, row.claim_value, row.thread}
    found |= {asked.question for asked in Inquiry.objects.all()}
    return sorted(filter(None, found), key=len, reverse=True)


def test_a_person_chooses_and_else_the_browser_decides(reviewer: User, sign_in: SignIn) -> None:
    client = sign_in(reviewer)
    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
    assert 'lang="de"' in client.get("/", headers=german).content.decode()
    client.post(reverse("settings-language"), {"language": "en"})
    assert 'lang="en"' in client.get("/", headers=german).content.decode()
    client.post(reverse("settings-language"), {"language": "de"})
    assert 'lang="de"' in client.get("/", headers={"Accept-Language": "en"}).content.decode()
    client.post(reverse("settings-language"), {"language": ""})
    assert 'lang="en"' in client.get("/", headers={"Accept-Language": "fi"}).content.decode()
    refused = client.post(reverse("settings-language"), {"language": "tlh"})
    assert refused.status_code == 422
    reviewer.refresh_from_db()
    assert reviewer.language == ""


def test_the_sign_in_page_follows_the_browser() -> None:
    page = Client().get(reverse("account_login"), headers={"Accept-Language": "de"}).content.decode()
    assert 'lang="de"' in page
    assert "Anmelden" in page
    again = Client().get(reverse("account_login")).content.decode()
    assert "Sign in" in again


def test_a_language_does_not_outlive_its_request(reviewer: User, sign_in: SignIn) -> None:
    reviewer.language = "de"
    reviewer.save()
    before = translation.get_language()
    sign_in(reviewer).get("/")
    assert translation.get_language() == before


@pytest.mark.parametrize("address", ["/api/v1/recall", "/api/v1/proposals/none", "/api/v1/nowhere", "/health/ready"])
def test_machines_are_answered_in_english(reviewer: User, sign_in: SignIn, address: str) -> None:
    reviewer.language = "de"
    reviewer.save()
    client = sign_in(reviewer)
    german = client.get(address, headers={"Accept-Language": "de", "Authorization": "Bearer none"})
    english = Client().get(address, headers={"Accept-Language": "en", "Authorization": "Bearer none"})
    assert german.headers["Content-Language"] == "en"
    assert german.status_code == english.status_code
    if "json" in german.headers["Content-Type"]:
        assert german.json().get("detail") == english.json().get("detail")


def test_keys_stay_the_same_in_every_language(reviewer: User, sign_in: SignIn) -> None:
    held = make.proposal(make.agent("ops"), "Backups run at two.")
    client = sign_in(reviewer)
    pages = [
        client.get(reverse("item", args=[held.pk]), headers={"Accept-Language": code}).content.decode()
        for code in ("en", "de")
    ]
    keys = [re.findall(r'data-key="([^"]+)"', page) for page in pages]
    assert keys[0] == keys[1]
    assert {"a", "r", "s", "e", "q", "z", "k"} <= set(keys[0])


def test_numbers_dates_and_plurals_are_german(reviewer: User, sign_in: SignIn) -> None:
    from datetime import UTC, datetime, timedelta

    from django.utils import timezone

    from evidence.web import numbers, tags

    with translation.override("de"):
        assert numbers.grouped(12345) == "12.345"
        assert tags.share(0.82) == ",82"
        assert "3. Mär 2024" in tags.moment(datetime(2024, 3, 3, tzinfo=UTC), "day")
        assert tags.ago(timezone.now() - timedelta(days=1, hours=1)) == "vor 1 Tag"
        assert tags.ago(timezone.now() - timedelta(days=3)) == "vor 3 Tagen"
        assert tags.until(timezone.now() + timedelta(hours=2, minutes=1)) == "in 2 Stunden"


def test_a_sentence_of_a_rule_is_told_with_what_stands_in_it() -> None:
    replaced = "Replaces “Backups run at 2 % load; see the log.” (stale), which becomes superseded."
    unsupported = "80% of its words are found, 82% are needed; not found: “two”."
    risky = (
        "The risk is high: invisible characters in the statement, the 2nd source's excerpt; a tool directive in a tag."
    )
    assert told(replaced) == replaced
    with translation.override("de"):
        assert (
            told(replaced)
            == "Ersetzt „Backups run at 2 % load; see the log.“ (veraltet); der Datensatz gilt dann als ersetzt."
        )
        assert told(unsupported) == "80% ihrer Wörter wurden gefunden, 82% sind nötig; nicht gefunden: “two”."
        assert told(risky) == (
            "Das Risiko ist hoch: unsichtbare Zeichen in: die Aussage, der Auszug der 2. Quelle; "
            "ein Werkzeugbefehl in: ein Schlagwort."
        )
        assert told("What nobody ever wrote in a table.") == "What nobody ever wrote in a table."


def test_the_audit_tells_in_the_readers_language_what_a_decision_did_and_leaves_texts_alone() -> None:
    sentence = "“The till opens at nine.” is confirmed by you, checked now."
    readers = "“Nine” stays, for ops-agent, sales-agent."
    with translation.override("de"):
        plan = {"effects": [sentence, readers]}
        shown = as_text(
            {"statement": sentence, "plan": plan, "answer": "current", "match": ["potential_conflict", ["e-1"]]}
        )
    assert "bestehender Wert" in shown
    assert "möglicher Widerspruch" in shown
    assert ">e-1<" in shown
    assert shown.count(sentence) == 1  # what somebody wrote stays as it is, whatever it says
    assert "„The till opens at nine.“ wird von Ihnen bestätigt" in shown
    assert "„Nine“ bleibt, für ops-agent, sales-agent." in shown


@pytest.mark.parametrize("template", [template for template in TEMPLATES if gaps_of(template)])
def test_every_template_finds_its_own_sentence(template: str) -> None:
    filled = template % {name: "2nd" if name.startswith("nth") else "approved" for name in gaps_of(template)}
    assert pattern_of(template).fullmatch(filled)
    with translation.override("de"):
        assert told(filled) != filled


# What only programs are told: filing, importing, the request's own shape.
FOR_PROGRAMS = (
    "filing", "import", "export", "bodies", "reproposing", "annotat", "incoming", "compiling",
    "idempotency", "request_", "recall", "proposing", "held_rows", "tokens", "members", "findings",
    "counters", "scopes", "texts", "revising", "feedback", "receipt", "rate_limits", "bulk_at_once", "decision_shapes", "run_",
    "backup", "audit_", "signal_", "agent_signal", "hidden",
)  # fmt: skip


def _refusals() -> list[str]:
    """Sentences of `Refused(…)` and its like in services, selectors, pages and rules, every gap filled with 7."""
    root = Path(settings.BASE_DIR) / "evidence"
    files = [path for layer in ("services", "selectors", "web") for path in (root / layer).rglob("*.py")]
    files += [root / "rules/permissions.py", root / "rules/planning.py"]
    found = []
    for path in sorted(path for path in files if not path.name.startswith(FOR_PROGRAMS)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "Refused",
                "Refusal",
                "Need",
                "BadInput",
            ):
                found += [text for text in map(_text_of, node.args[1:2]) if text]
    return found


def _text_of(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return ""


def test_every_refusal_can_be_told() -> None:
    sentences = _refusals()
    assert len(sentences) > 80
    with translation.override("de"):
        left = {
            text for text in sentences if told(text) == text and told(text.replace("7", "")) == text.replace("7", "")
        }
    # The first puts another sentence before what was done by whom, the second a sentence of the search behind it.
    assert left == {"7 (7 by 7)", "Correct the search first. 7"}
