"""The counts behind the insights: they follow every change of a row by themselves, and merging changes no sum."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from evidence.models import Agent, Evidence, HeldRecord, Inquiry, Tally, tallies
from evidence.models.tallies import Figure, slot_of
from evidence.rules.vocab import Action
from evidence.services.proposing import withdraw_proposal
from evidence.services.sweeps import SWEEPS
from evidence.services.tallies import count_anew, merge_tallies
from evidence.services.undoing import undo
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

KEY = ("figure", "agent", "word", "detail", "slot")
Sums = dict[tuple[object, ...], int]


def sums() -> Sums:
    return Tally.objects.by(*KEY)


def figure(name: Figure) -> dict[str, int]:
    """Word -> number."""
    return {word: number for (word,), number in Tally.objects.of(name).by("word").items()}


def a_busy_desk() -> None:
    """Every way in which an item, a record or a question changes, through the services."""
    ada, olga = make.reviewer("ada"), make.reviewer("olga")
    make.fact("The account is active.", about=make.claim("active"), volatility="billing")
    make.article()
    conflict = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.approve(conflict, ada)
    first = make.approve(make.proposal(statement="Backups run at two."), ada)
    undo(decision_id=first.decision.id, actor=make.person(ada))
    make.act(make.proposal(statement="Offices close at six."), olga, Action.REJECT, reason_code="wrong")
    gone = make.proposal(statement="The lighthouse keeps a log.")
    withdraw_proposal(filer=make.filer(), held_id=gone.id, seen_version=gone.version)
    make.proposal(of=make.agent("other-agent"), statement="The printer is called quail.")
    for name in ("expiry", "orphans", "inquiries"):
        SWEEPS[name]()


def test_counts_follow_the_rows_whatever_happens_to_them() -> None:
    a_busy_desk()
    followed = sums()
    count_anew()
    assert followed == sums()
    assert figure(Figure.WAITING) == {"": HeldRecord.objects.waiting().count()}
    assert figure(Figure.ENDED) == {"approved": 1, "rejected": 1, "withdrawn": 1}
    assert figure(Figure.JUDGED) == figure(Figure.ENDED)
    assert Tally.objects.of(Figure.FILED).total() == HeldRecord.objects.count()


def test_counts_follow_changes_that_pass_every_service_by() -> None:
    a_busy_desk()
    moved = timezone.now() - timedelta(days=40)
    HeldRecord.objects.update(created_at=moved, agent=make.agent("third-agent"))
    HeldRecord.objects.exclude(status="waiting").update(decided_at=moved, effective_trust_class="unknown")
    Evidence.objects.update(scope_owner="third-agent", expires_at=moved)
    Inquiry.objects.update(asked_at=moved, agent="third-agent")
    Inquiry.objects.all()[:1].get().delete()
    followed = sums()
    count_anew()
    assert followed == sums()
    assert {agent for _, agent, *_ in followed} == {"third-agent"}


def test_an_item_that_was_decided_elsewhere_is_not_counted_as_filed_or_ended_here() -> None:
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(status="rejected", decided_at=timezone.now(), decision_id=None)
    assert sums() == {}


def test_a_lease_or_a_snooze_counts_nothing() -> None:
    held = make.proposal()
    before = Tally.objects.count()
    held.lease_until = held.snoozed_until = timezone.now()
    held.save()
    assert Tally.objects.count() == before


def test_merging_changes_no_sum_and_leaves_one_row_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    a_busy_desk()
    before = sums()
    monkeypatch.setattr("evidence.services.tallies.CHUNK", 3)
    merge_tallies()
    merge_tallies()
    assert sums() == before
    assert not Tally.objects.filter(merged=False).exists()
    make.proposal(statement="One more thing is so.")
    merge_tallies()
    assert Tally.objects.of(Figure.WAITING).filter(agent="ops-agent").count() == 1
    assert Tally.objects.count() == len(set(Tally.objects.values_list(*KEY)))


def test_what_no_page_asks_for_any_more_is_forgotten_and_what_it_asks_for_stays() -> None:
    now = timezone.now()
    kept = make.proposal(statement="Filed long ago and waiting still.")
    HeldRecord.objects.filter(pk=kept.pk).update(created_at=now - timedelta(days=101))
    for days in (1, 9, 400):
        make.fact(f"Checked {days} days ago", volatility="billing", checked=now - timedelta(days=days))
    Tally.objects.create(figure=Figure.REFUSED, word="jwt", slot=slot_of(now - timedelta(days=400)), number=1)
    later = {"slot__lt": slot_of(now + timedelta(days=7)) + 1}
    before = Tally.objects.of(Figure.LABEL).filter(**later).by("word", "detail")
    merge_tallies()
    merge_tallies(now=now + timedelta(days=2))
    assert Tally.objects.of(Figure.LABEL).filter(**later).by("word", "detail") == before
    assert sorted(Tally.objects.of(Figure.LABEL).values_list("detail", "slot", "number")) == [
        ("begins", 0, 3), ("ends", 0, 2), ("ends", slot_of(now + timedelta(days=1)), 1),
    ]  # fmt: skip
    assert Tally.objects.of(Figure.FILED).total() == 0
    assert Tally.objects.of(Figure.WAITING).total() == 1
    assert Tally.objects.of(Figure.REFUSED).total() == 1


def test_a_trigger_that_was_away_is_put_back_and_everything_counted_anew() -> None:
    a_busy_desk()
    name = f"evidence_tally_heldrecord_v{tallies.VERSION}_insert"
    with connection.cursor() as cursor:
        on_table = " ON evidence_heldrecord" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER {name}{on_table}")
    assert tallies.missing(connection) == [name]
    before = Tally.objects.of(Figure.WAITING).total()
    make.proposal(statement="Nobody counts this one.")
    assert Tally.objects.of(Figure.WAITING).total() == before
    tallies.install(connection)
    assert tallies.missing(connection) == []
    assert Tally.objects.of(Figure.WAITING).total() == before + 1


def test_times_are_quarters_of_an_hour() -> None:
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(created_at="2026-03-01T10:14:59.999Z")
    moment = timezone.datetime.fromisoformat("2026-03-01T10:00:00+00:00")
    assert list(Tally.objects.of(Figure.FILED).by("slot")) == [(slot_of(moment),)]


def test_the_command_says_how_many_counts_it_put_right(capsys: pytest.CaptureFixture[str]) -> None:
    a_busy_desk()
    call_command("recount")
    assert " 0 of them put right" in capsys.readouterr().out
    Tally.objects.filter(figure=Figure.WAITING).update(number=7)
    call_command("recount")
    assert " 2 of them put right" in capsys.readouterr().out


@pytest.mark.races
@pytest.mark.django_db(transaction=True)
def test_two_that_merge_at_once_while_others_file_lose_and_double_nothing() -> None:
    agent = make.agent()
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(15):
                if number < 2:
                    merge_tallies()
                else:
                    make.proposal(of=Agent.objects.get(pk=agent.pk), statement=f"Thing {number} {step} is so.")
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    merge_tallies()
    assert Tally.objects.of(Figure.WAITING).total() == 30
    assert Tally.objects.of(Figure.FILED).total() == 30
