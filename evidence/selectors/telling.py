"""News as somebody reads it: which of it they may see, what it is about, and whether it still matters. Reads only.

Asked when a page is shown and when a message is sent, never when it is written: what a person may not see any more, or what
is done meanwhile, is not said. Without a person (webhooks) no text of anybody is read at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db import models
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Job, News, RecheckItem, Run, User, Webhook
from evidence.models.visibility import agents_of
from evidence.rules.secrets import secret_kinds
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.rules.vocab import HeldStatus, InquiryStatus, Risk, Role
from evidence.selectors.imports import IMPORT
from evidence.selectors.paging import capped_count
from evidence.selectors.people import first_approval_counts, is_administrator, same_person
from evidence.selectors.runs import used_something_gone
from evidence.selectors.telling_words import heading, withheld

Row = TypeVar("Row", bound=models.Model)

TEXT_SHOWN = 240


@dataclass(frozen=True, slots=True)
class Told:
    """One piece of news for one reader. `text`: of an agent or a person, bounded, to be escaped. `matters`: not done yet."""

    news: News
    text: str
    path: str
    matters: bool
    number: int = 1

    @property
    def kind(self) -> NoticeKind:
        return NoticeKind(self.news.kind)


@dataclass(frozen=True, slots=True)
class Section:
    """The news of one kind, with the line that stands above it."""

    kind: NoticeKind
    heading: str
    number: int
    rows: list[Told]
    more: int


def told_to(user: User | None, news: Iterable[News], now: datetime) -> list[Told]:
    """What of it this reader may see, in the order given. `user` none: a webhook, which gets ids and no text."""
    rows = list(news)
    by_subject: dict[str, list[News]] = defaultdict(list)
    for one in rows:
        by_subject[one.subject_kind].append(one)
    found: dict[UUID, Told] = {}
    for kind, some in by_subject.items():
        found |= {told.news.pk: told for told in _READ[SubjectKind(kind)](user, some, now)}
    return [found[one.pk] for one in rows if one.pk in found]


def sections(told: Sequence[Told], *, shown: int) -> list[Section]:
    """By kind, the most pressing first, each with at most `shown` rows."""
    by_kind: dict[NoticeKind, list[Told]] = defaultdict(list)
    for one in told:
        by_kind[one.kind].append(one)
    made = []
    for kind in NoticeKind:
        rows = _each_subject_once(by_kind.get(kind, []))
        if rows:
            number = sum(one.number for one in rows)
            made.append(Section(kind, heading(kind, number), number, rows[:shown], max(len(rows) - shown, 0)))
    return made


def _each_subject_once(rows: Sequence[Told]) -> list[Told]:
    """What came several times about one agent or thing is one line, the newest."""
    return list({(one.news.subject_kind, one.news.subject_id): one for one in rows}.values())


def bounded(text: str) -> str:
    """A text in one line, short, and none of it when it holds a secret. What hides in it is still to be made visible."""
    if secret_kinds(text):
        return withheld()
    shown = " ".join(text.split())
    return shown if len(shown) <= TEXT_SHOWN else shown[: TEXT_SHOWN - 1] + "…"


# -- one reader for each kind of subject --


def _subjects(rows: models.QuerySet[Row], news: list[News]) -> Iterator[tuple[News, Row]]:
    """Each piece of news with its subject, for those that are among the rows."""
    found = {str(row.pk): row for row in rows.filter(pk__in=_ids(news))}
    for one in news:
        if one.subject_id in found:
            yield one, found[one.subject_id]


def _held(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    rows = HeldRecord.objects.select_related("first_approver")
    rows = rows if user is None else rows.reviewable_by(user)
    for one, row in _subjects(rows, news):
        yield Told(
            one,
            bounded(row.statement) if user else "",
            reverse("item", args=[row.pk]),
            _item_matters(one, row, user, now),
        )


def _item_matters(news: News, row: HeldRecord, user: User | None, now: datetime) -> bool:
    if row.status != HeldStatus.WAITING:
        return False
    if news.kind == NoticeKind.HIGH_RISK:
        return row.risk == Risk.HIGH and (row.snoozed_until is None or row.snoozed_until <= now)
    if news.kind == NoticeKind.SECOND:
        return first_approval_counts(row) and not (user and same_person(user, row.first_approver))
    return True


def _inquiries(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    rows = Inquiry.objects.all() if user is None else Inquiry.objects.visible_to(user)
    owned = agents_of(user, Role.OWNER) if user is not None else None
    for one, row in _subjects(rows, news):
        # Only an owner answers; that one is overdue is told to others, too.
        mine = owned is None or row.agent_id in owned or one.kind == NoticeKind.OVERDUE
        matters = row.status == InquiryStatus.OPEN and mine
        if one.kind == NoticeKind.OVERDUE:
            matters = matters and row.due_at is not None and row.due_at <= now
        yield Told(one, bounded(row.question) if user else "", reverse("inquiry", args=[row.pk]), matters)


def _records(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    rows = Evidence.objects.all() if user is None else Evidence.objects.visible_to(user)
    for one, row in _subjects(rows, news):
        address = f"{reverse('record', args=[row.record_id])}?ns={row.namespace}"
        yield Told(one, bounded(row.claim_value or row.content) if user else "", address, True)


def _decisions(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    rows = Decision.objects.all() if user is None else Decision.objects.visible_to(user)
    for one, row in _subjects(rows, news):
        yield Told(
            one,
            _("by %(name)s") % {"name": bounded(row.actor_name)} if user else "",
            reverse("audit-row", args=[row.pk]),
            True,
        )


def _jobs(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    sees_all = user is None or is_administrator(user)
    for one, row in _subjects(Job.objects.all(), news):
        if not (sees_all or (user is not None and row.owner_id == user.pk)):
            continue
        if row.kind == IMPORT:
            yield Told(one, bounded(str(row.detail.get("source", ""))) if user else "", _address("imports"), True)
        else:
            yield Told(one, "", reverse("job", args=[row.pk]), True)


def _agents(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    """Several at once, said by their number: what of an agent is new and waits, or is due to be checked again."""
    waiting = [one for one in news if one.kind != NoticeKind.RECHECK]
    seen = agents_of(user, Role.REVIEWER) if user is not None else None
    since: dict[str, datetime] = {}
    for one in waiting:
        since[one.subject_id] = min(since.get(one.subject_id, one.at), one.at)
    for one in waiting:
        if seen is not None and one.subject_id not in seen:
            continue
        number = new_and_waiting(one.subject_id, since[one.subject_id], now)
        address = f"{reverse('queue')}?q=agent%3A%22{_quoted(one.subject_id)}%22"
        yield Told(one, "", address, number > 0, max(number, 1))
    due = [one for one in news if one.kind == NoticeKind.RECHECK]
    if due:
        number = _due_to_recheck(user, now)
        yield from (Told(one, "", _address("rechecks"), number > 0, max(number, 1)) for one in due[-1:])


def new_and_waiting(agent_id: str, since: datetime, now: datetime) -> int:
    """Items of the agent that came in since the hour in which `since` lies, are of no high risk, and wait awake."""
    from_hour = since.replace(minute=0, second=0, microsecond=0)
    first = UUID(int=int(from_hour.timestamp() * 1000) << 80)  # a UUIDv7 begins with its time
    rows = HeldRecord.objects.waiting().filter(agent_id=agent_id).exclude(risk=Risk.HIGH).awake(now)
    imported = rows.filter(pk__gte=first, created_at__lt=from_hour)  # they keep the dates that they came with
    return capped_count(rows.filter(created_at__gte=from_hour)).number + capped_count(imported).number


def _due_to_recheck(user: User | None, now: datetime) -> int:
    rows = RecheckItem.objects.open()
    owned = agents_of(user, Role.OWNER) if user is not None else None
    rows = rows if owned is None else rows.filter(agent__in=owned)
    return capped_count(rows.exclude(snoozed_until__gt=now)).number


def _webhooks(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    if user is not None and not is_administrator(user):
        return
    rows = Webhook.objects.all()
    for one, row in _subjects(rows, news):
        address = _address("webhooks")
        yield Told(one, bounded(row.name), address, row.active and row.failures > 0)


def _runs(user: User | None, news: list[News], now: datetime) -> Iterable[Told]:
    rows = Run.objects.all() if user is None else Run.objects.visible_to(user)
    for one, row in _subjects(rows, news):
        yield Told(one, bounded(row.goal) if user else "", reverse("run", args=[row.pk]), used_something_gone(row))


_READ: dict[SubjectKind, Callable[[User | None, list[News], datetime], Iterable[Told]]] = {
    SubjectKind.HELD: _held,
    SubjectKind.INQUIRY: _inquiries,
    SubjectKind.RECORD: _records,
    SubjectKind.DECISION: _decisions,
    SubjectKind.JOB: _jobs,
    SubjectKind.AGENT: _agents,
    SubjectKind.WEBHOOK: _webhooks,
    SubjectKind.RUN: _runs,
}


def _ids(news: list[News]) -> list[UUID]:
    ids = []
    for one in news:
        try:
            ids.append(UUID(one.subject_id))
        except ValueError:
            continue
    return ids


def _address(name: str) -> str:
    """A page of the desk, or the first one where this one is not there."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return reverse("home")


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text.replace('"', ""), safe="")
