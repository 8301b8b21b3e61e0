"""Questions from the page: a link only opens it, a POST answers, and both sides stay readable (S16, S27; contract 10)."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, RecallItem, Snapshot, User
from evidence.rules.vocab import Role
from evidence.selectors.inquiries import offered
from evidence.services.batching import flush_quietly
from evidence.services.inquiry_evidence import bring_evidence
from evidence.services.records import revoke_record
from tests.api.conftest import Door
from tests.builders import a_token
from tests.services import disputes, make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, forms_of

pytestmark = pytest.mark.django_db


def conflict() -> tuple[Evidence, HeldRecord, Inquiry]:
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    return current, held, Inquiry.objects.get(held=held)


def answer(client: Client, question: Inquiry, word: str, **fields: object):
    given = {"answer": word, "version": question.version, "idempotency_key": "k"} | fields
    return client.post(reverse("inquiry-answer", args=[question.id]), given)


@pytest.mark.parametrize("first", [True, False])
def test_the_sides_stand_in_the_order_that_was_drawn(owner_desk: Client, first: bool) -> None:
    _, _, question = conflict()
    Inquiry.objects.filter(pk=question.pk).update(incoming_first=first)
    text = owner_desk.get(reverse("inquiry", args=[question.id])).content.decode()
    places = [text.index(">Proposed<"), text.index(">Stands now<")]
    assert places == sorted(places, reverse=not first)


def test_opening_a_question_answers_nothing(owner_desk: Client) -> None:
    _, _, question = conflict()
    for method in (owner_desk.get, owner_desk.head):
        method(reverse("inquiry", args=[question.id]))
        assert method(reverse("inquiry-answer", args=[question.id])).status_code == 405
    question.refresh_from_db()
    assert question.status == "open"


def test_an_answer_decides_the_item_too(owner_desk: Client) -> None:
    current, held, question = conflict()
    done = answer(owner_desk, question, "incoming")
    assert done.status_code == 302
    held.refresh_from_db()
    current.refresh_from_db()
    assert (held.status, current.state) == ("approved", "superseded")
    text = owner_desk.get(done["Location"]).content.decode()
    assert "The new value is true" in text
    assert 'type="radio"' not in text


def test_another_value_is_asked_for_and_taken(owner_desk: Client) -> None:
    _, _, question = conflict()
    refused = answer(owner_desk, question, "other_value", reason="I had typed this.")
    assert refused.status_code == 422
    assert "I had typed this.</textarea>" in refused.content.decode()
    assert answer(owner_desk, question, "other_value", value="on hold").status_code == 302
    assert Evidence.objects.active().filter(kind="fact").get().claim_value == "on hold"


def test_both_can_be_true_each_in_its_scope_or_time(owner_desk: Client) -> None:
    _, _, question = conflict()
    make.agent("data-agent")
    done = answer(
        owner_desk, question, "both_scope", current_access="private", incoming_owner="data-agent",
        incoming_access="shared", incoming_shared_with="sales-agent, qa-agent",
    )  # fmt: skip
    assert done.status_code == 302, done.content.decode()
    scopes = {
        row.claim_value: (row.scope_access, row.scope_shared_with)
        for row in Evidence.objects.active().filter(kind="fact")
    }
    assert scopes == {"active": ("private", []), "past due": ("shared", ["sales-agent", "qa-agent"])}


def test_both_can_be_true_each_in_its_time(owner_desk: Client) -> None:
    _, _, question = conflict()
    assert (
        answer(owner_desk, question, "both_time", current_until="2026-05-01", incoming_from="2026-05-01").status_code
        == 302
    )
    rows = {row.claim_value: (row.valid_from, row.valid_until) for row in Evidence.objects.active().filter(kind="fact")}
    assert rows["active"][1] == rows["past due"][0]
    assert rows["active"][1].isoformat().startswith("2026-05-01")


def test_somebody_was_first(owner_desk: Client) -> None:
    _, _, question = conflict()
    answer(owner_desk, question, "current")
    late = answer(owner_desk, question, "incoming", idempotency_key="other", reason="my words")
    assert late.status_code == 409
    assert "was first" in late.content.decode()


def test_a_question_needs_its_version(owner_desk: Client) -> None:
    _, _, question = conflict()
    assert answer(owner_desk, question, "current", version="").status_code == 422
    assert answer(owner_desk, question, "current", version=question.version + 1).status_code == 409
    assert answer(owner_desk, question, "perhaps").status_code == 422
    question.refresh_from_db()
    assert question.status == "open"


def test_a_side_that_is_gone_stays_readable_and_cannot_win(owner_desk: Client) -> None:
    current, _, question = conflict()
    revoke_record(
        record_pk=current.pk, seen_version=current.version, actor=make.person(make.user("oscar", Role.OWNER)), reason="no longer",
    )  # fmt: skip
    text = owner_desk.get(reverse("inquiry", args=[question.id])).content.decode()
    assert Inquiry.objects.get(pk=question.pk).status == "open"
    assert "this side is gone" in text
    assert "The account is active." in text
    assert 'value="current"' not in text
    assert 'value="incoming"' in text


def test_only_owners_answer(desk: Client) -> None:
    _, _, question = conflict()
    text = desk.get(reverse("inquiry", args=[question.id])).content.decode()
    assert ">ops-agent</bdi> answers this" in text
    assert answer(desk, question, "current").status_code == 403


def test_the_list_shows_what_is_open_and_what_is_for_me(sign_in: SignIn) -> None:
    conflict()
    owner = sign_in(make.user("olga", Role.OWNER, of=make.agent("ops-agent")))
    for query in ("", "?mine=1", "?status=any"):
        assert "Which is true?" in owner.get(reverse("inquiries") + query).content.decode()
    assert "Which is true?" not in owner.get(reverse("inquiries") + "?status=answered").content.decode()
    reader = sign_in(make.user("audrey", Role.AUDITOR))
    assert "Which is true?" not in reader.get(reverse("inquiries") + "?mine=1").content.decode()


# The page: plans, going on, conflicts, what was typed.


def fields(page, word: str, **more: object) -> dict[str, object]:
    """The answer form as the page has it, with one answer chosen."""
    form = next(form for form in forms_of(page) if form["to"].endswith("/answer/"))
    return form["fields"] | {"answer": word} | more


def opened(client: Client, question: Inquiry):
    return client.get(reverse("inquiry", args=[question.id]))


def send(client: Client, question: Inquiry, given: dict[str, object], **headers: str):
    return client.post(reverse("inquiry-answer", args=[question.id]), given, **headers)


def test_every_answer_shows_its_plan_before_it_is_pressed(owner_desk: Client) -> None:
    question = disputes.by_proposal()
    text = opened(owner_desk, question).content.decode()
    for offer in offered(question, User.objects.get(username="olga"), timezone.now()):
        part = text.split(f'id="plan-{offer.word}"')[1].split("</ul>")[0]
        assert part.count("<li>") == len(offer.plan.steps) > 0
    assert "becomes superseded." in text
    assert "is revoked: its text is emptied" in text


def test_a_plan_follows_what_is_chosen(owner_desk: Client) -> None:
    question = disputes.by_proposal()
    other = disputes.stands("frozen", scope_owner="sales-agent", scope_access="private")
    address = reverse("inquiry-plan", args=[question.id])
    before = owner_desk.get(address, {"answer": "both_scope"}).content.decode()
    chosen = {"answer": "both_scope", "incoming_owner": "sales-agent", "incoming_access": "private"}
    after = owner_desk.get(address, chosen).content.decode()
    assert ("frozen" in before, "frozen" in after, "sales-agent" in after) == (False, True, True)
    assert "blue" in owner_desk.get(address, {"answer": "other_value", "value": "blue"}).content.decode()
    for nothing in ("perhaps", "article_should_change", ""):
        assert owner_desk.get(address, {"answer": nothing}).status_code == 404
    other.refresh_from_db()
    assert other.state == "active"


def test_after_an_answer_comes_the_next_question_with_undo(owner_desk: Client) -> None:
    first, second = disputes.by_proposal(), disputes.supersession()
    done = send(owner_desk, first, fields(opened(owner_desk, first), "current"), **HTMX)
    text = done.content.decode()
    assert (done.status_code, done["HX-Push-Url"]) == (200, reverse("inquiry", args=[second.id]))
    assert f'data-item="{second.id}"' in text
    first.refresh_from_db()
    assert reverse("undo", args=[first.decision_id]) in text
    assert "The current value is true" in text
    plain = send(owner_desk, second, fields(opened(owner_desk, second), "incoming"))
    assert plain["Location"].startswith(reverse("inquiry", args=[second.id])), "nothing else waits"
    undone = owner_desk.post(reverse("undo", args=[first.decision_id]))
    assert undone["Location"] == reverse("inquiry", args=[first.id])
    first.refresh_from_db()
    assert first.status == "open"
    assert "Undone" in opened(owner_desk, first).content.decode()


def test_a_conflict_is_a_fragment_that_keeps_what_was_typed(owner_desk: Client) -> None:
    question = disputes.by_proposal()
    given = fields(
        opened(owner_desk, question), "both_scope", reason="my words", current_access="private",
        incoming_access="shared", incoming_shared_with="qa-agent",
    )  # fmt: skip
    make.proposal(make.agent("sales-agent"), "They say it is past due.", claim=make.claim(), volatility="billing")
    late = send(owner_desk, question, given, **HTMX)
    text = late.content.decode()
    assert late.status_code == 409
    assert 'id="card"' in text
    assert "look at the new plan" in text
    assert "my words</textarea>" in text
    assert 'value="qa-agent"' in text
    assert 'value="private" selected' in text
    assert "Closes the equal proposal of" in text
    question.refresh_from_db()
    assert question.status == "open"
    again = fields(
        late, "both_scope", **{name: given[name] for name in ("current_access", "incoming_access", "reason")}
    )
    again |= {"current_owner": "ops-agent", "incoming_owner": "sales-agent", "incoming_access": "private"}
    assert send(owner_desk, question, again, **HTMX).status_code == 200


def test_whoever_was_first_is_named_and_what_was_typed_is_shown(owner_desk: Client, sign_in: SignIn) -> None:
    question = disputes.by_proposal()
    given = fields(opened(owner_desk, question), "other_value", value="on hold", reason="my words")
    other = sign_in(make.user("oscar", Role.OWNER))
    send(other, question, fields(opened(other, question), "current"))
    late = send(owner_desk, question, given, **HTMX)
    text = late.content.decode()
    assert late.status_code == 409
    for words in ("oscar", "was first", "on hold", "my words"):
        assert words in text
    assert 'type="radio"' not in text


def test_what_is_missing_is_said_beside_the_answers(owner_desk: Client) -> None:
    question = disputes.by_proposal()
    refused = send(owner_desk, question, fields(opened(owner_desk, question), "both_time"), **HTMX)
    assert (refused.status_code, refused["HX-Retarget"]) == (422, "#problem")
    assert "overlap" in refused.content.decode()


def test_sent_twice_is_answered_once(owner_desk: Client) -> None:
    question = disputes.by_proposal()
    given = fields(opened(owner_desk, question), "current")
    for _ in range(2):
        assert send(owner_desk, question, given).status_code == 302
    assert Decision.objects.filter(action="answer").count() == 1


def test_need_evidence_asks_the_agent_and_shows_what_came(owner_desk: Client) -> None:
    question = disputes.by_report()
    send(owner_desk, question, fields(opened(owner_desk, question), "need_evidence", reason="Show me the letter."))
    text = opened(owner_desk, question).content.decode()
    assert "the agent was asked for evidence" in text
    assert "Show me the letter." in text
    assert "Evidence asked for by" in text
    assert "Answered by" not in text
    draft = disputes.report(source="entry:ops-agent/letter", excerpt="Past due since May <b>1</b>.")
    bring_evidence(filer=make.filer(), inquiry_id=question.id, draft=draft)
    text = opened(owner_desk, question).content.decode()
    assert "Past due since May &lt;b&gt;1&lt;/b&gt;." in text
    assert "entry:ops-agent/letter" in text
    assert "the agent was asked for evidence" not in text


def test_what_agents_got_lately_is_beside_each_side(owner_desk: Client) -> None:
    question = disputes.by_report()
    door = Door(a_token("ops-agent").secret)
    door.ids("account active", kinds=["fact"], limit=1)
    flush_quietly()
    assert "in one recall of the last 30 days" in opened(owner_desk, question).content.decode()
    door.ids("account active", kinds=["fact"], limit=1)
    flush_quietly()
    RecallItem.objects.filter(record_id=question.incoming_record).delete()
    text = opened(owner_desk, question).content.decode()
    assert "in 2 recalls of the last 30 days" in text
    assert text.count("in no recall of the last 30 days") == 1
    RecallItem.objects.update(at=timezone.now() - timedelta(days=31))
    assert "in 2 recalls" not in opened(owner_desk, question).content.decode()


def test_a_side_that_was_purged_says_so(owner_desk: Client) -> None:
    question = disputes.by_report()
    Snapshot.objects.filter(pk=question.incoming_snapshot_id).update(body=None, salt=None)
    Inquiry.objects.filter(pk=question.pk).update(incoming_record="e-gone")
    text = opened(owner_desk, question).content.decode()
    assert "its text was purged" in text
    assert "this side is gone" in text


def test_an_answer_that_is_not_for_this_person_says_why(sign_in: SignIn) -> None:
    question = disputes.about_capture()
    owner = sign_in(disputes.owner())
    text = opened(owner, question).content.decode()
    assert "You own the agent that proposes this; another reviewer has to approve it." in text
    radio = re.search(r'<input type="radio" name="answer" value="incoming"[^>]*>', text)
    assert radio is not None
    assert " disabled" in radio[0]
    refused = send(owner, question, fields(opened(owner, question), "incoming"), **HTMX)
    assert refused.status_code == 403


def test_the_list_says_whose_turn_it_is(sign_in: SignIn) -> None:
    owner = sign_in(disputes.owner())
    question = disputes.by_report()
    late = disputes.supersession()
    Inquiry.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(hours=1), escalation=2)
    text = owner.get(reverse("inquiries")).content.decode()
    for words in ("assigned to", "overdue", "with administrators"):
        assert words in text
    for show, shown in (("overdue", late), ("escalated", late)):
        narrowed = owner.get(reverse("inquiries"), {"show": show}).content.decode()
        assert (str(shown.pk) in narrowed, str(question.pk) in narrowed) == (True, False), show
    disputes.answer(question, disputes.owner(), "need_evidence")
    agents = owner.get(reverse("inquiries"), {"show": "agents"}).content.decode()
    assert (str(question.pk) in agents, str(late.pk) in agents) == (True, False)
