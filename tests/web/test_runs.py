"""Runs on pages: the list and its filters, a run's work and memory, what a record was used for, an agent's own page, news."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evidence.models import Evidence, News, Run, RunEvent, RunState, RunWorkItem, Token, WorkItemState
from evidence.rules.run_vocab import Evaluator, RunEventType, RunOutcomeWord
from evidence.rules.telling import NoticeKind
from evidence.rules.vocab import Role
from evidence.selectors.runs import EVENTS_SHOWN, ITEMS_SHOWN
from evidence.selectors.telling import told_to
from evidence.services.annotating import forget_record
from evidence.services.recall_log import answer_recall
from evidence.services.records import revoke_record
from evidence.services.request_shapes import RecallShape
from evidence.services.rows import fill
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Attributed, Attribution, Beginning, Ending, Happening
from evidence.services.run_states import rebuild
from tests.builders import a_filer, a_record, a_token, an_agent
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_dir(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def begun(token: Token, goal: str = "Restore the database.", workspace: str = "project:kestrel") -> Run:
    return begin_run(token=token, beginning=Beginning(workspace, goal)).run


def tell(token: Token, run: Run, word: RunEventType, summary: str = "It was so.", **more: Any) -> RunEvent:
    return record_event(token=token, run_id=run.pk, happening=Happening(word, summary, **more)).event


def recalling(token: Token, run: Run, record: Evidence) -> RunEvent:
    ask = RecallShape(query="kestrel").to_ask(lambda: {"sql"})
    receipt = answer_recall(token=token, ask=ask, now=timezone.now()).receipt
    said = Attribution(receipt, items=(Attributed(record.record_id, 1),))
    return tell(token, run, RunEventType.MEMORY_RECALLED, attribution=said)


def ended(token: Token, run: Run, outcome: RunOutcomeWord = RunOutcomeWord.FAILED) -> None:
    tell(token, run, RunEventType.WORK_ITEM_COMPLETED)
    complete_run(token=token, run_id=run.pk, ending=Ending(outcome, Evaluator.AGENT))


def test_the_list_shows_runs_of_the_persons_agents_and_filters_them(sign_in: SignIn) -> None:
    token = a_token("ada").token
    first, second = begun(token, "Restore the database."), begun(token, "Count the parcels.", "project:osprey")
    begun(a_token("bob").token, "Bob's own errand.")
    ended(token, second)
    client = sign_in(make.user("rita", Role.REVIEWER, of=an_agent("ada")))
    found = {
        query: {run.pk for run in (first, second) if str(run.pk) in client.get(f"/runs/?{query}").content.decode()}
        for query in (
            "",
            "q=parcels",
            "q=OSPREY",
            "status=active",
            "outcome=failed",
            "agent=ada",
            "agent=bob",
            "status=x",
        )
    }
    both = {first.pk, second.pk}
    assert found == {
        "": both, "q=parcels": {second.pk}, "q=OSPREY": {second.pk}, "status=active": {first.pk},
        "outcome=failed": {second.pk}, "agent=ada": both, "agent=bob": set(), "status=x": both,
    }  # fmt: skip
    assert "Bob" not in client.get("/runs/").content.decode()


def test_a_run_shows_the_label_of_then_beside_todays(sign_in: SignIn) -> None:
    token, record = a_token("ada").token, a_record(ttl_days=1.0)
    run = begun(token)
    recalling(token, run, record)
    client = sign_in(make.user("rita", Role.REVIEWER))
    assert client.get(f"/runs/{run.pk}/").content.decode().count("label-verified") == 4  # then and today, twice
    record.check_at = timezone.now() - timedelta(days=3)
    fill(record).save()
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert (page.count("label-verified"), page.count("label-stale")) == (2, 2)


def test_what_was_withdrawn_shows_its_runs_and_its_runs_show_it_and_owners_are_told(sign_in: SignIn) -> None:
    record = a_record(scope_owner="ada")
    owner, other = make.user("olga", Role.OWNER, of=an_agent("ada")), make.user("oda", Role.OWNER, of=an_agent("bob"))
    runs = {}
    for name in ("ada", "bob"):
        token = a_token(name).token
        runs[name] = begun(token, f"An errand of {name}.")
        recalling(token, runs[name], record)
    revoke_record(record_pk=record.pk, seen_version=record.version, reason="gone", actor=make.person(owner))
    news = News.objects.filter(kind=NoticeKind.USED_GONE)
    assert {(one.agent, one.subject_id) for one in news} == {(name, str(run.pk)) for name, run in runs.items()}
    assert [told.path for told in told_to(other, news, timezone.now()) if told.matters] == [f"/runs/{runs['bob'].pk}/"]
    client = sign_in(owner)
    page = client.get(f"/records/{record.record_id}/").content.decode()
    assert "An errand of ada." in page
    assert "An errand of bob." not in page  # not hers to see
    assert "It is revoked now" in page
    assert "does not stand any more" in client.get(f"/runs/{runs['ada'].pk}/").content.decode()


def test_what_was_forgotten_is_told_too_and_what_a_run_rejected_is_not() -> None:
    make.user("olga", Role.OWNER, of=an_agent("ada"))
    token = a_token("ada").token
    forgotten = a_record(
        "Kestrel note.", kind="observation", source_id="entry:ada/1", scope_access="private", has_check=False
    )
    rejected = a_record("Another kestrel note.")
    run = begun(token)
    for record, word in ((forgotten, RunEventType.MEMORY_APPLIED), (rejected, RunEventType.MEMORY_REJECTED)):
        tell(token, run, word, attribution=Attribution(items=(Attributed(record.record_id),)))
    forget_record(filer=a_filer("ada"), record_id=forgotten.record_id, reason="wrong")
    assert News.objects.filter(kind=NoticeKind.USED_GONE).count() == 1
    owner = make.user("olga", Role.OWNER)
    revoke_record(record_pk=rejected.pk, seen_version=rejected.version, reason="gone", actor=make.person(owner))
    assert News.objects.filter(kind=NoticeKind.USED_GONE).count() == 1


def test_a_long_run_costs_a_page_as_much_as_a_short_one(sign_in: SignIn) -> None:
    token = a_token("ada").token
    client = sign_in(make.user("rita", Role.REVIEWER))

    def grown(events: int, parts: int) -> tuple[int, str]:
        run = begun(token)
        root = RunWorkItem.objects.get(run=run)
        RunWorkItem.objects.bulk_create(
            RunWorkItem(run=run, parent=root, number=number, goal=f"part {number}") for number in range(2, parts + 2)
        )
        RunEvent.objects.bulk_create(
            RunEvent(
                run=run, work_item=root, sequence=number, type="observation", summary=f"happened {number}", agent="ada"
            )
            for number in range(1, events + 1)
        )
        rebuild(run.pk)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(f"/runs/{run.pk}/").content.decode()
        return len(queries), page

    short, long = grown(3, 2), grown(EVENTS_SHOWN + 5, ITEMS_SHOWN + 5)
    assert short[0] == long[0]
    assert long[1].count('class="event"') == EVENTS_SHOWN
    assert f"?since={EVENTS_SHOWN}" in long[1]
    run = RunState.objects.order_by("-last_sequence")[0].run
    rest = client.get(f"/runs/{run.pk}/?since={EVENTS_SHOWN}").content.decode()
    assert rest.count('class="event"') == 5
    assert client.get(f"/runs/{run.pk}/?since=-1").status_code == 400
    assert client.get(f"/runs/{run.pk}/?since=99999999999").status_code == 400


def test_drift_is_said_on_the_page(sign_in: SignIn) -> None:
    run = begun(a_token("ada").token)
    WorkItemState.objects.filter(run=run).update(status="blocked")
    client = sign_in(make.user("rita", Role.REVIEWER))
    assert "runs_check --repair" in client.get(f"/runs/{run.pk}/").content.decode()


def test_an_agents_page_shows_its_runs_proposals_questions_and_acceptance(sign_in: SignIn) -> None:
    reviewer = make.reviewer()
    agent = make.agent("ada")
    run = begun(a_token("ada").token)
    make.approve(make.proposal(agent, "Backups run at two."), reviewer)
    waiting = make.proposal(agent, "Parcels are weighed in grams.")
    page = sign_in(reviewer).get("/agents/ada/").content.decode()
    assert f"/runs/{run.pk}/" in page
    assert f"/queue/{waiting.pk}/" in page
    assert "100 %" in page
