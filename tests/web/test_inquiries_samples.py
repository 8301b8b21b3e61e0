"""Questions as they come from other systems: an owner answers them on the page, and what was shown is what happens.

AgentX's open questions and PI's come through their importers, the backlog's contradictions through the desk's own. Each is
answered in a transaction that is taken back, so that every question meets every answer.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, Inquiry, User
from evidence.rules.vocab import Answer, Role
from evidence.selectors.sides import answers_of
from evidence.services.importing import run_import
from evidence.services.rows import fill
from evidence.services.seeding import AS_OF
from evidence.services.verification import verify_held
from tests.exchange.checkouts import SAMPLES
from tests.exchange.pi_stores import sample as pi_store
from tests.exchange.test_jsonl import BACKLOG
from tests.services import disputes, make
from tests.services.answered import hold, plan_of
from tests.web.forms import forms_of

# Proposals of the backlog that contradict a record there; two of them an article, without sharing its claim.
CONTRADICT = frozenset(
    "fp-5d9821c9b4 fp-063e931bad fp-a76923a6b1 fp-6a895dba2d fp-5f98cda551 fp-4797d45759 fp-0d7786ca99 fp-6f3862bbe0 "
    "fp-ce06a2fbf6 fp-f5bd020ab3 fp-c8030cded1 fp-b84f63ea7c fp-bfb6aabbdc fp-5f86224084".split()
)
# What PI's inquiries are about: what stands, and the candidate or the other record that disagrees with it.
PI = {
    "inq_7aa585e0570d": ("conflict", "mem_pkg_manager", "cap_pnpm"),
    "inq_a50864ddf78b": ("conflict", "mem_gateway_port", "cap_legacy_conflict"),
    "inq_6c139383132e": ("ambiguous", "mem_log_a", "mem_log_b"),
}


@pytest.fixture(scope="module")
def imported(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Iterator[User]:
    """One desk with the questions of all three, for all tests of this module."""
    folder = tmp_path_factory.mktemp("samples")
    with django_db_blocker.unblock(), transaction.atomic(), time_machine.travel(AS_OF + timedelta(hours=1), tick=False):
        shutil.copytree(SAMPLES / "checkout", folder / "checkout")
        run_import(format_name="agentx", path=folder / "checkout")
        run_import(format_name="jsonl", path=BACKLOG / "facts.jsonl")
        for article in make.Evidence.objects.filter(kind="article"):
            article.approval_by, article.approval_at, article.approval_proposal = "rita", AS_OF, "p-1"
            article.review = "approved"
            fill(article).save()
        lines = [json.loads(line) for line in (BACKLOG / "proposals.jsonl").read_text().splitlines()]
        (folder / "some.jsonl").write_text("\n".join(json.dumps(one) for one in lines if one["id"] in CONTRADICT))
        run_import(format_name="jsonl", path=folder / "some.jsonl")
        for held in make.HeldRecord.objects.waiting():
            verify_held(held_id=held.pk)
        run_import(format_name="pi", path=pi_store(folder))
        for held in make.HeldRecord.objects.waiting().filter(origin_system="pi"):
            verify_held(held_id=held.pk)
        freeze = make.Evidence.objects.get(kind="article", content__startswith="# Release freeze")
        other = make.claim("never", freeze.claim_subject, freeze.claim_attribute)
        make.proposal(statement="There is no release freeze any more.", claim=other)
        yield make.user("the-owner", Role.OWNER)
        transaction.set_rollback(True)


@pytest.fixture
def owner(imported: User, db: None) -> Iterator[Client]:
    with time_machine.travel(AS_OF + timedelta(hours=2), tick=False):
        client = Client()
        client.force_login(imported)
        yield client


def answered_on_the_page(client: Client, question: Inquiry, who: User, word: str) -> None:
    """As in a browser: the form of the page, with what it shows beside the answer."""
    page = client.get(reverse("inquiry", args=[question.pk]))
    form = next(form for form in forms_of(page) if form["to"].endswith("/answer/"))
    plan = plan_of(question, who, word)
    assert form["fields"][f"digest_{word}"] == plan.digest

    def give() -> Decision:
        done = client.post(form["to"], form["fields"] | typed(question, word))
        assert done.status_code == 302, done.content.decode()[:2000]
        return Decision.objects.filter(action="answer").latest("at", "seq")

    hold(question, who, word, plan, give)


def typed(question: Inquiry, word: str) -> dict[str, str]:
    """The fields of the form for what `disputes.said` says."""
    said = disputes.said(question, word)
    given = {"answer": word, "reason": said.get("reason", "Looked it up."), "value": said.get("value", "")}
    for side, scope in said.get("scopes", {}).items():
        given |= {f"{side}_owner": scope.owner, f"{side}_access": scope.access}
    if "validity" in said:
        given |= {"current_until": "2026-11-27", "incoming_from": "2026-11-27"}
    return given


def every_answer(client: Client, who: User, questions: list[Inquiry]) -> dict[str, int]:
    """Each question with each of its answers; how often each was given."""
    given: dict[str, int] = {}
    for question in questions:
        for word in answers_of(question):
            if plan_of(question, who, word).refusal is not None:
                continue
            with transaction.atomic():
                answered_on_the_page(client, Inquiry.objects.get(pk=question.pk), who, word)
                transaction.set_rollback(True)
            given[word.value] = given.get(word.value, 0) + 1
    return given


def test_agentx_questions(owner: Client, imported: User) -> None:
    questions = list(Inquiry.objects.open().filter(origin_system="agentx"))
    assert sorted(question.kind for question in questions) == ["conflict", "conflict", "question"]
    given = every_answer(owner, imported, questions)
    for word, times in {"current": 2, "incoming": 2, "other_value": 3, "neither": 3, "need_evidence": 3}.items():
        assert given[word] == times, word


def test_contradictions_of_the_backlog(owner: Client, imported: User) -> None:
    """Fourteen of them, two against an article; each is given one of the answers it allows, in turn."""
    held = Inquiry.objects.open().filter(held__origin_id__in=CONTRADICT).order_by("id")
    questions = list(held)
    assert len(questions) >= 12
    for number, question in enumerate(questions):
        words = [word for word in answers_of(question) if plan_of(question, imported, word).refusal is None]
        with transaction.atomic():
            answered_on_the_page(owner, question, imported, words[number % len(words)])
            transaction.set_rollback(True)


def test_a_question_against_a_reviewed_article(owner: Client, imported: User) -> None:
    (question,) = [one for one in Inquiry.objects.open() if Answer.ARTICLE_SHOULD_CHANGE in answers_of(one)]
    assert set(every_answer(owner, imported, [question])) == {str(word) for word in answers_of(question)}


def test_pi_inquiries(owner: Client, imported: User) -> None:
    """They speak of no claim: the texts are the two sides. Each is asked once here, after our own matching, too."""
    questions = {one.origin_id: one for one in Inquiry.objects.open().filter(origin_system="pi")}
    origin = dict(make.Evidence.objects.filter(origin_system="pi").values_list("record_id", "origin_id"))
    found = {}
    for name, one in questions.items():
        incoming = one.held.origin_id if one.held else origin[one.incoming_record]
        found[name] = (one.kind, origin[one.current_record], incoming)
    assert found == PI
    for one in questions.values():
        assert Inquiry.objects.open().filter(current_record=one.current_record).count() == 1
    shown = owner.get(reverse("inquiry", args=[questions["inq_6c139383132e"].pk])).content.decode()
    assert ">Stands now<" in shown
    assert ">Stands, too<" in shown
    assert "The record “" in shown
    assert "The report “" not in shown
    given = every_answer(owner, imported, [questions["inq_6c139383132e"]])
    assert given == {str(word): 1 for word in Answer if word != Answer.ARTICLE_SHOULD_CHANGE}
    for name, word in (("inq_7aa585e0570d", Answer.INCOMING), ("inq_a50864ddf78b", Answer.CURRENT)):
        with transaction.atomic():
            answered_on_the_page(owner, questions[name], imported, word)
            transaction.set_rollback(True)
