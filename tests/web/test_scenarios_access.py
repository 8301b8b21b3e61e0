"""Who gets what at every address, person by person: a table that has to name every address of the URLconf.

Whoever is refused leaves no trace; whoever is let in does what the address is for (so that no row of the table is empty).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from evidence.models import User
from evidence.rules.vocab import Role
from evidence.services.bulk_selecting import digest_of, select_items
from tests.services import make
from tests.services.dumps import changes, dump
from tests.web.forms import HTMX
from tests.web.whole_desk import WholeDesk, whole_desk

pytestmark = pytest.mark.django_db

# nobody: not signed in; other: reviewer and owner of another agent; the rest of all agents.
PEOPLE = ("nobody", "other", "owner", "auditor", "administrator", "reviewer")
IN = "sign in"

Row = tuple[object, ...]
ALL_PAGES: Row = (IN, 200, 200, 200, 200, 200)
THEIRS: Row = (IN, 404, 200, 200, 200, 200)
OF_IMPORTS: Row = (IN, 403, 403, 200, 200, 403)
OWN_JOBS: Row = (IN, 404, 404, 200, 200, 200)
FORM_ONLY: Row = (405,) * 6

LOOKING: dict[str, Row] = {
    "home": ALL_PAGES, "queue": ALL_PAGES, "queue-suggest": ALL_PAGES, "queue-rows": ALL_PAGES, "jobs": ALL_PAGES,
    "queue-next": ALL_PAGES, "inquiries": ALL_PAGES, "records": ALL_PAGES, "insights": ALL_PAGES, "audit": ALL_PAGES,
    "settings": ALL_PAGES, "insights-rows": (IN, 404, 404, 404, 404, 404),
    "item": THEIRS, "edit": THEIRS, "candidates": THEIRS, "supersede-plan": THEIRS, "inquiry": THEIRS, "record": THEIRS,
    "articles": ALL_PAGES, "article": THEIRS, "runs": ALL_PAGES, "run": THEIRS, "signals": ALL_PAGES,
    "audit-row": THEIRS, "agent": THEIRS, "rechecks": ALL_PAGES, "record-change": (IN, 404, 200, 404, 404, 404),
    "inquiry-plan": (IN, 404, 404, 404, 404, 404),
    # The one that follows: there is none for who reviews nothing.
    "peek": (IN, 204, 204, 204, 204, 200),
    "job": OWN_JOBS,
    "inbox": ALL_PAGES, "inbox-unread": ALL_PAGES, "settings-telling": ALL_PAGES,
    "webhooks": (IN, 403, 403, 403, 200, 403),
    "imports": (IN, 403, 403, 200, 200, 403), "import": OF_IMPORTS, "import-download": OF_IMPORTS,
    "write-backs": (IN, 403, 403, 200, 200, 403), "write-back": OF_IMPORTS,
    # Opened by what its link says, not by who is signed in; this one says nothing.
    "mail-question": (404,) * 6,
    "audit-receipt": THEIRS, "audit-keys": (200,) * 6,
    "metrics": (200,) * 6, "health-live": (200,) * 6, "health-ready": (200,) * 6,
}  # fmt: skip

# Sending what the address is for: a status, where 302 and 200 mean done.
SENDING: dict[str, Row] = {
    "decide": (IN, 404, 403, 403, 403, 302),
    "skip": (IN, 404, 403, 403, 403, 302),
    "lease": (IN, 404, 302, 302, 302, 302),  # every open page asks who else looks; only reviewers claim
    "claim-next": (IN, 302, 302, 302, 302, 302),
    "edit": (IN, 404, 403, 403, 403, 302),
    "undo": (IN, 404, 403, 403, 302, 302),
    "bulk": (IN, 422, 403, 403, 403, 302),
    "job-select": (IN, 404, 404, 404, 404, 302),
    "job-run": (IN, 404, 404, 404, 404, 302),
    "job-cancel": (IN, 404, 404, 404, 404, 302),
    "job-again": (IN, 404, 404, 404, 404, 302),
    "job-undo": (IN, 404, 404, 404, 404, 302),
    "cluster-decide": (IN, 404, 403, 403, 403, 302),
    "cluster-undo": (IN, 404, 404, 404, 404, 302),
    "inquiry-answer": (IN, 404, 302, 403, 403, 403),
    # Owners, and they alone: an administrator corrects, a reviewer proposes.
    "record-recheck": (IN, 404, 302, 403, 403, 403),
    "record-revoke": (IN, 404, 302, 403, 403, 403),
    "record-change": (IN, 404, 302, 403, 403, 403),
    "rechecks-settle": (IN, 302, 302, 403, 403, 403),  # of another agent's owner all facts are left alone
    "rechecks-undo": (IN, 404, 404, 404, 302, 404),
    "item-for-article": (IN, 404, 403, 403, 403, 409),  # no reviewed article stands against it
    "articles-ask": (IN, 404, 302, 403, 403, 403),
    "articles-uncount": (IN, 404, 403, 403, 302, 403),
    # One's own.
    "view-save": (IN, 302, 302, 302, 302, 302),
    "view-rename": (IN, 404, 404, 404, 404, 302),
    "view-delete": (IN, 302, 302, 302, 302, 302),
    "settings-shortcuts": (IN, 302, 302, 302, 302, 302),
    "settings-language": (IN, 302, 302, 302, 302, 302),
    "settings-time-zone": (IN, 302, 302, 302, 302, 302),
    "settings-telling-save": (IN, 302, 302, 302, 302, 302),
    "inbox-read": (IN, 302, 302, 302, 302, 302),
    "inbox-read-all": (IN, 302, 302, 302, 302, 302),
    "webhook-create": (IN, 403, 403, 403, 200, 403),
    "webhook-change": (IN, 403, 403, 403, 302, 403),
    "webhook-secret": (IN, 403, 403, 403, 200, 403),
    "webhook-test": (IN, 403, 403, 403, 302, 403),
    "webhook-delete": (IN, 403, 403, 403, 302, 403),
    "delivery-again": (IN, 403, 403, 403, 302, 403),
    "import-upload": (IN, 403, 403, 403, 302, 403),
    "import-carry-out": (IN, 403, 403, 403, 302, 403),
    "import-cancel": (IN, 403, 403, 403, 302, 403),
    "write-back-plan": (IN, 403, 403, 403, 404, 403),  # no store is named
    "write-back-carry-out": (IN, 403, 403, 403, 302, 403),
    "audit-verify": ALL_PAGES,
    "setup-token": (IN, 403, 403, 403, 200, 403),
}
# Let in, and nothing to do there: no item of theirs, somebody else's view, only reading.
WITHOUT_TRACE = {
    "lease": ("owner", "auditor", "administrator"),
    "claim-next": ("other", "owner", "auditor", "administrator"),
    "view-delete": ("other", "owner", "auditor", "administrator"),
    "rechecks-settle": ("other",),
    "inbox-read": ("other", "owner", "auditor", "administrator"),
    "inbox-read-all": ("other", "owner", "auditor", "administrator"),
    "audit-verify": PEOPLE,
}


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[WholeDesk]:
    """One desk for the tests of this module; each still runs in a transaction of its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield whole_desk()
        transaction.set_rollback(True)


@pytest.fixture
def whole(built: WholeDesk, db: None) -> WholeDesk:
    return deepcopy(built)


@pytest.fixture
def clients(whole: WholeDesk) -> dict[str, Client]:
    other = make.user("stranger", Role.REVIEWER, Role.OWNER, of=make.agent("quite-another"))
    people: dict[str, User | None] = {
        "nobody": None, "other": other, "reviewer": whole.reviewer,
        **{role.value: make.user(f"an-{role}", role) for role in (Role.OWNER, Role.AUDITOR, Role.ADMINISTRATOR)},
    }  # fmt: skip
    made = {who: Client() for who in people}
    for who, user in people.items():
        if user is not None:
            made[who].force_login(user)
    return made


def said(response: Any) -> object:
    """The status; for a sign-in in its place, so much."""
    to_login = response.status_code == 302 and response["Location"].startswith("/accounts/login/")
    return IN if to_login or response.status_code == 401 else response.status_code


def test_every_address_is_in_the_table(whole: WholeDesk) -> None:
    names = {name for name, _ in whole.addresses(few=True)}
    assert names == set(LOOKING) | set(SENDING), (
        "an address is in the URLconf and not in the table, or the other way round"
    )


def test_looking(whole: WholeDesk, clients: dict[str, Client]) -> None:
    for name, address in whole.addresses(few=True):
        row = LOOKING.get(name, FORM_ONLY)
        for way in ({}, HTMX):
            found = tuple(said(clients[who].get(address, **way)) for who in PEOPLE)
            assert found == row, (name, dict(zip(PEOPLE, found, strict=True)))


class SentFile:
    """A file that can be sent again and again."""

    name = "facts.jsonl"

    def read(self) -> bytes:
        return b"{}"


def bodies(whole: WholeDesk) -> dict[str, dict[str, Any]]:
    held, question, fact = whole.waiting, whole.question, whole.fact
    for one in (held, question, fact):
        one.refresh_from_db()
    key = {"idempotency_key": "a key of this test"}
    version = {"version": held.version}
    hook = {"name": "Renamed", "target": "https://other.desk.invalid/", "kinds": ["question"], "format": "slack"}
    job = {"number": "1", "selection": "", "shown": "0 1", "picked": ["0"]}
    rejected = {"action": "reject", "reason_code": "wrong", **version, **key}
    return {
        "decide": rejected,
        "cluster-decide": rejected,
        "edit": {"statement": "Backups run at four.", "reason": "moved", **version, **key},
        "bulk": {"action": "reject", "pick": [str(held.pk)]},
        "job-select": job, "job-run": job | {"reason_code": "wrong"}, "job-undo": {"reason": "no"},
        "inquiry-answer": {"answer": "current", "version": question.version, "reason": "I know.", **key},
        "record-recheck": {"version": fact.version, **key},
        "record-revoke": {"version": fact.version, "reason": "gone", **key},
        "record-change": {"version": fact.version, "value": "closed"},
        "rechecks-settle": {"action": "still", "pick": [f"{fact.pk}:{fact.version}"], **key},
        "view-save": {"name": "Another", "q": "risk:low"}, "view-rename": {"name": "Renamed"},
        "settings-time-zone": {"time_zone": "Europe/Oslo"}, "settings-language": {"language": "de"},
        "setup-token": {"agent": "a-new-agent"},
        "lease": {"take_over": "1"},
        "settings-telling-save": {"digest_at": "10:00"}, "inbox-read": {"read": "1"},
        "webhook-create": hook | {"name": "Another"}, "webhook-change": hook | {"active": "1"},
        "item-for-article": version,
        "import-upload": {"format": "jsonl", "file": SentFile()},
        "articles-ask": {"agent": whole.arguments["agent_id"][0], "ns": "default"},
    }  # fmt: skip


def address_for(name: str, whole: WholeDesk) -> str:
    return dict(whole.addresses(few=True))[name]


SPECIAL: dict[str, Callable[[WholeDesk], str]] = {
    "articles-uncount": lambda whole: reverse("articles-uncount", args=[whole.counted.pk]),
    "job-again": lambda whole: reverse("job-again", args=[whole.preview.pk]),
    "job-undo": lambda whole: reverse("job-undo", args=[whole.finished.pk]),
    "delivery-again": lambda whole: reverse("delivery-again", args=[whole.arguments["delivery_id"][1]]),
    "cluster-undo": lambda whole: reverse("cluster-undo", args=[whole.together.pk]),
}


@pytest.mark.parametrize("name", sorted(SENDING))
def test_sending(name: str, whole: WholeDesk, clients: dict[str, Client]) -> None:
    address = SPECIAL[name](whole) if name in SPECIAL else address_for(name, whole)
    body = bodies(whole).get(name, {})
    if name == "job-run":
        select_items(job_id=whole.preview.pk, user=whole.reviewer, shown=[0, 1], picked=[0])
        number, selection = digest_of(whole.preview)
        body |= {"number": str(number), "selection": selection}
    before = dump()
    for who, expected in zip(PEOPLE, SENDING[name], strict=True):
        with transaction.atomic():
            written = connection.connection.total_changes
            response = clients[who].post(address, body)
            # Where SQLite counts no row as written there is none to look for.
            after = before if connection.connection.total_changes == written else dump()
            transaction.set_rollback(True)
        assert said(response) == expected, (who, response.status_code, response.content.decode()[-600:])
        is_done = expected in (200, 302) and who not in WITHOUT_TRACE.get(name, ())
        found = changes(before, after)
        assert bool(found) == is_done, (who, found)
