"""What happens at the desk is told to the right people, as something new or as their turn, and never to who did it (S28)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Delivery, Evidence, FactProposal, HeldRecord, News, Notice, Outbox, User
from evidence.rules.records import Claim
from evidence.rules.telling import DeliveryState, NoticeKind
from evidence.rules.vocab import Action, Role
from evidence.selectors.telling import told_to
from evidence.services.bulk import preview_bulk
from evidence.services.bulk_running import run_bulk
from evidence.services.bulk_selecting import digest_of
from evidence.services.editing import edit_held
from evidence.services.outbox import BULK, OUTSIDE, deliver_due
from evidence.services.rechecks import Pick, Settling, Words, settle_rechecks
from evidence.services.records import revoke_record
from evidence.services.undoing import undo
from evidence.tasks import bulk as _bulk  # noqa: F401 - as in a worker, where the handlers are known
from evidence.tasks import outbox as _outbox  # noqa: F401
from evidence.tasks import telling as _telling  # noqa: F401
from tests.fixtures.receivers import HookSink, MailSink
from tests.services import make
from tests.services.test_sending import hook, run

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def how_it_is_set(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True


def reviewer(name: str = "reviewer") -> User:
    return make.user(name, Role.REVIEWER, email=f"{name}@desk.invalid")


def risky(number: int = 0) -> HeldRecord:
    text = f"Host {number} answers on port {8000 + number}."
    return make.proposal(make.agent(), text, **make.risky(text))


def plain(number: int = 0) -> HeldRecord:
    return make.proposal(make.agent(), f"Host quail-{number} is called quail {number}.")


def kinds_for(user: User) -> list[str]:
    run()
    return [str(one.lane) for one in Delivery.objects.inbox_of(user).order_by("id")]


# -- S28 --


def test_one_high_risk_item_is_one_message_at_once(smtp_settings: MailSink) -> None:
    reviewer()
    held = risky()
    run()
    assert len(smtp_settings.mails) == 1
    assert str(held.pk) in smtp_settings.mails[0].decode()
    assert not News.objects.filter(kind=NoticeKind.WAITING).exists()


def test_five_hundred_at_once_are_one_digest_on_each_channel(smtp_settings: MailSink, hook_sink: HookSink) -> None:
    who = reviewer()
    hook(hook_sink, kinds=["high_risk"])
    first = risky()
    copies = []
    for number in range(1, 500):
        copy = HeldRecord.objects.get(pk=first.pk)
        copy.pk = HeldRecord._meta.pk.get_default()
        copy.origin_id, copy.statement_key, copy.statement = "", f"{number}", f"Host {number} is open."
        copies.append(copy)
    HeldRecord.objects.bulk_create(copies)
    from evidence.services.work_news import tell_verified

    for copy in copies:
        tell_verified(copy)
    run()
    assert len(smtp_settings.mails) == 1
    assert b"500 high-risk items wait for review" in smtp_settings.mails[0]
    assert len(hook_sink.calls) == 1
    assert [one.count for one in Delivery.objects.inbox_of(who)] == [500]


def test_an_unchanged_backlog_is_nothing_to_talk_about(smtp_settings: MailSink, time_machine: Any) -> None:
    reviewer()
    for number in range(5):
        plain(number)
    days_of_digests = []
    for day in range(4):
        time_machine.move_to(timezone.now() + timedelta(days=1), tick=False)
        for held in HeldRecord.objects.waiting():  # what sweeps do every day
            from evidence.services.verification import verify_held

            verify_held(held_id=held.pk)
        if day == 2:
            plain(99)
        run(later=timedelta(days=1))
        days_of_digests.append(len(smtp_settings.mails))
    # The five came yesterday: one digest. Nothing new since: none. One more: one, and about that one alone.
    assert days_of_digests == [1, 1, 2, 2]
    assert b"5 new items wait for review" in smtp_settings.mails[0]
    assert b"A new item waits for review" in smtp_settings.mails[1]


# -- one's turn --


def test_a_first_approval_asks_the_others_and_not_who_gave_it() -> None:
    ada, bob = reviewer("ada"), reviewer("bob")
    held = risky()
    make.approve(held, ada)
    assert (kinds_for(ada), kinds_for(bob)) == (["high_risk"], ["high_risk", "second_approval"])


def test_who_asks_is_not_asked() -> None:
    both = make.user("both", Role.REVIEWER, Role.OWNER)
    make.act(plain(1), both, Action.ASK_OWNER, question="Is it so?")
    assert kinds_for(both) == []
    other = reviewer("other")
    make.act(plain(2), other, Action.ASK_OWNER, question="And is it so?")
    assert kinds_for(both) == ["question"]


def test_an_edit_that_voids_it_tells_who_had_given_it() -> None:
    ada, bob = reviewer("ada"), reviewer("bob")
    held = risky()
    make.approve(held, ada)
    held.refresh_from_db()
    edit_held(
        held_id=held.pk, seen_version=held.version, actor=make.person(bob), reason="It is another port.",
        statement="Host 0 answers on port 9999, not on any other.", claim=Claim("host 0", "port", "9999"),
    )  # fmt: skip
    assert kinds_for(ada)[-1] == "approval_voided"
    assert "approval_voided" not in kinds_for(bob)
    assert News.objects.filter(kind=NoticeKind.VOIDED).count() == 1


def test_what_an_administrator_undoes_is_told_and_what_one_undoes_oneself_is_not() -> None:
    ada = reviewer("ada")
    admin = make.user("admin", Role.ADMINISTRATOR)
    first, second = plain(1), plain(2)
    own = make.act(first, ada, Action.REJECT, reason_code="wrong").decision
    others = make.act(second, ada, Action.REJECT, reason_code="wrong").decision
    undo(decision_id=own.id, actor=make.person(ada))
    undo(decision_id=others.id, actor=make.person(admin))
    assert kinds_for(ada) == ["decision_overturned"]
    (told,) = told_to(ada, News.objects.filter(kind=NoticeKind.OVERTURNED), timezone.now())
    assert told.text == "by admin"


def _pressed(record: Evidence, who: User) -> None:
    picks = [Pick(str(record.pk), record.version)]
    settle_rechecks(
        actor=make.person(who),
        action=Settling.GONE,
        picks=picks,
        idempotency_key="r",
        words=Words(reason="It moved."),
    )


def _replaced(record: Evidence, who: User) -> None:
    newer = make.proposal(claim=make.claim("quail-2"), statement="The vendor account is quail-2 now.")
    make.act(newer, who, Action.SUPERSEDE, supersedes=[record.record_id], reason_code="stale")


ENDS: dict[str, Callable[[Evidence, User], object]] = {
    "revoked on a re-check": _pressed,
    "revoked by its owner": lambda record, who: revoke_record(
        record_pk=record.pk, seen_version=record.version, actor=make.person(who), reason="It moved."
    ),
    "replaced": _replaced,
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("by", ["somebody else", "themselves"])
def test_who_approved_a_record_is_told_when_somebody_else_takes_it_away(end: str, by: str) -> None:
    ada = make.user("ada", Role.REVIEWER, Role.OWNER)
    bob = make.user("bob", Role.REVIEWER, Role.OWNER)
    held = make.proposal(claim=make.claim("quail-1"), statement="The vendor account is quail-1.")
    make.approve(held, ada)
    record = FactProposal.objects.get(held=held).result
    assert record is not None
    ENDS[end](record, bob if by == "somebody else" else ada)
    assert Evidence.objects.get(pk=record.pk).state != "active"
    run()
    told = Notice.objects.filter(news__kind=NoticeKind.OVERTURNED)
    assert set(told.values_list("delivery__user__username", flat=True)) == ({"ada"} if by == "somebody else" else set())


def test_a_job_with_items_not_done_tells_its_owner_and_a_clean_one_nobody() -> None:
    ada = reviewer("ada")
    rows = [plain(number) for number in range(4)]
    for some, taken in ((rows[:2], False), (rows[2:], True)):
        job = preview_bulk(user=ada, action=Action.REJECT, held_ids=[row.pk for row in some])
        if taken:
            make.act(some[0], reviewer("bob"), Action.REJECT, reason_code="wrong")
        number, selection = digest_of(job)
        run_bulk(job_id=job.pk, user=ada, number=number, selection=selection, reason_code="wrong")
        while deliver_due(lane=BULK):
            pass
    assert kinds_for(ada) == ["job_failures"]


def test_the_inbox_keeps_a_burst_together_and_what_comes_later_apart(time_machine: Any) -> None:
    ada = reviewer("ada")
    risky(1), risky(2)
    run()
    assert [one.count for one in Delivery.objects.inbox_of(ada)] == [2]
    time_machine.move_to(timezone.now() + timedelta(hours=2), tick=False)
    risky(11)
    run()
    assert sorted(one.count for one in Delivery.objects.inbox_of(ada)) == [1, 2]
    Delivery.objects.inbox_of(ada).update(read_at=timezone.now())
    risky(16)
    run()
    assert sorted(one.count for one in Delivery.objects.inbox_of(ada)) == [1, 1, 2]


def test_nothing_is_left_over() -> None:
    reviewer("ada")
    risky()
    run()
    while deliver_due(lane=OUTSIDE):
        pass
    assert not Outbox.objects.filter(done_at=None).exists()
    assert not News.objects.filter(told_at=None).exists()
    assert Notice.objects.count() == 2
    assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.SENT, DeliveryState.COLLECTING}
