"""Hostile text is inert and visible for what it is, on every page that shows it (scenarios S12, S15)."""

from __future__ import annotations

import html

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, Inquiry
from evidence.rules.vocab import Action, Role
from evidence.web.texts import Mark
from tests.services import make
from tests.web.conftest import SignIn

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "{{ settings.SECRET_KEY }} {% include 'x' %}",
    '" hx-get="/settings/" hx-trigger="load" autofocus x="',
    "[click](javascript:alert(1)) ![](http://evil.example/x.png)",
    "</textarea></div><script>alert(1)</script>",
    "<!-- --> ]]> &lt;b&gt;",
]
RAW = ["<img src=x", "<script>alert", '" hx-get="/settings/"', "</textarea></div><script>"]


def rendered(source: str, **values: object) -> str:
    return Template(source).render(Context(values))


@pytest.mark.django_db
@pytest.mark.parametrize("text", HOSTILE)
def test_no_page_lets_a_text_act(text: str, desk: Client, sign_in: SignIn) -> None:
    current = make.fact(f"{text} active", about=make.claim(f"{text} one", subject=text, attribute=text))
    held = make.proposal(statement=f"{text} past due", claim=make.claim(f"{text} two", subject=text, attribute=text))
    make.act(held, make.reviewer(), Action.ASK_OWNER, question=f"{text} ?")
    rejected = make.proposal(statement=f"other {text}", claim=make.claim(f"{text} three", subject=text, attribute=text))
    done = make.act(rejected, make.reviewer(), Action.REJECT, reason_code="other", reason=text)
    pages = [
        reverse("home"), reverse("queue"), reverse("queue-next"), f"{reverse('queue')}?q={'<img src=x'}",
        reverse("item", args=[held.id]), reverse("item", args=[rejected.id]), reverse("edit", args=[held.id]),
        reverse("inquiries"), reverse("inquiry", args=[Inquiry.objects.first().id]), reverse("records"),
        reverse("record", args=[current.record_id]), reverse("audit"), reverse("audit-row", args=[done.decision.id]),
        f"{reverse('queue-next')}?done={done.decision.id}",
    ]  # fmt: skip
    owner = sign_in(make.user("olga", Role.OWNER))
    admin = sign_in(make.user("root", is_staff=True, is_superuser=True))
    for client, addresses in (
        (desk, pages),
        (owner, [reverse("home"), reverse("inquiry", args=[Inquiry.objects.first().id])]),
        (
            admin,
            [
                reverse("admin:evidence_heldrecord_changelist"),
                reverse("admin:evidence_heldrecord_change", args=[held.id]),
            ],
        ),
    ):
        for address in addresses:
            response = client.get(address)
            assert response.status_code == 200, address
            found = [raw for raw in RAW if raw in response.content.decode()]
            assert found == [], address
    assert html.escape(text).encode() in desk.get(pages[4]).content


@pytest.mark.django_db
def test_a_conflict_and_a_toast_let_no_text_act_either(desk: Client) -> None:
    held = make.proposal(statement=f"{HOSTILE[0]} backups")
    fields = {"action": "approve", "version": 99, "idempotency_key": "k", "seen": HOSTILE[4], "reason": HOSTILE[4]}
    answer = desk.post(reverse("decide", args=[held.id]), fields, HTTP_HX_REQUEST="true")
    assert answer.status_code == 409
    assert [raw for raw in RAW if raw in answer.content.decode()] == []
    assert Decision.objects.filter(action="approve").count() == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("reg\u200bistry", "ZWSP"),
        ("a\u202eb\u202c", "RLO"),
        ("x\u3164", "HANGUL FILLER"),
        ("a\tb", "TAB"),
        ("a\rb", "CR"),
        ("soft\u00adhyphen", "SHY"),
        ("\u2066hidden\u2069", "LRI"),
    ],
)
def test_hidden_characters_are_named_and_never_sent(text: str, shown: str) -> None:
    made = rendered("{% agent_text text %}", text=text)
    assert f">{shown}</span>" in made
    assert not set(text) & set("\u200b\u202e\u202c\u3164\t\r\u00ad\u2066\u2069") & set(made)
    assert made.startswith("<bdi")


def test_a_change_that_nobody_could_see_is_shown() -> None:
    made = rendered("{% word_diff old new %}", old="registry", new="reg\u200bistry")
    assert "ZWSP" in made
    assert "<ins>" in made
    assert rendered("{% if old|differs:new %}yes{% endif %}", old="a", new="a\u200b") == "yes"


def test_what_the_checks_point_at_is_marked_and_escaped() -> None:
    text = "<b>Backups</b> ran at 2\u200b"
    marks = [
        Mark(20, 23, "missing"),
        Mark(3, 10, "matched"),
        Mark(5, 12, "matched"),
        Mark(0, 3, "tool_directive"),
        Mark(9, 99, "x"),
    ]
    made = rendered("{% agent_text text marks %}", text=text, marks=marks)
    assert '<mark class="signal" title="tool directive">&lt;b&gt;</mark><mark>Backups</mark>&lt;/b&gt; ran ' in made
    assert 'title="not found in the evidence">' in made
    assert "ZWSP" in made


def test_a_mark_never_cuts_a_grapheme_and_hidden_characters_are_judged_in_their_place() -> None:
    made = rendered(
        "{% agent_text text marks %}", text="a 👨‍👩‍👧 می‌خواهم", marks=[Mark(4, 5, "matched"), Mark(0, 1, "missing")]
    )
    assert "<mark>👨‍👩‍👧</mark>" in made
    assert "hidden-char" not in made


def test_joined_emoji_stay_joined() -> None:
    assert "👨‍👩‍👧" in rendered("{% agent_text text %}", text="👨‍👩‍👧")


@pytest.mark.parametrize(("word", "kind"), [("high", "risk"), ("stale", "label"), ("rejected", "status")])
def test_a_badge_is_a_word_and_a_shape(word: str, kind: str) -> None:
    made = rendered("{% badge word kind %}", word=word, kind=kind)
    assert word in made
    assert 'class="shape" aria-hidden="true">' in made
    assert '"shape" aria-hidden="true"></span>' not in made
