"""The demo: accounts, agents, a policy, and a backlog of 102 proposals that looks as if it had grown until today.

All or nothing, in one transaction. The data is written as of a fixed date and shifted so that this date is now; the approved
articles become so by real decisions on promotion proposals. A desk that holds anything is left alone unless told otherwise.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

from django.db import transaction
from django.utils import timezone

from evidence.exchange.items import Place, Read
from evidence.exchange.jsonl import item_of
from evidence.models import SYSTEM_NAMESPACE, Agent, Decision, Evidence, HeldRecord, Membership, Policy, User
from evidence.rules.times import read_time, to_iso
from evidence.rules.vocab import Access, Action, AuditAction, Door, HeldKind, Kind, Role, Trust
from evidence.services import audit
from evidence.services.actors import Actor, Filer
from evidence.services.deciding import decide
from evidence.services.drafts import PromotionTarget, ProposalDraft
from evidence.services.importing import store_items
from evidence.services.proposing import file_proposal
from evidence.services.run_seeding import seed_runs
from evidence.services.verification import set_priority, verify_held

NAMESPACE = "default"
SYSTEM = "demo"
# The date that the backlog was written for: labels, ages and expiries are what they were meant to be on it.
AS_OF = datetime.fromisoformat("2026-11-30T12:00:00+00:00")
AGENTS: Mapping[str, str] = {
    "build-agent": "builds and releases",
    "data-agent": "databases and reports",
    "docs-agent": "documentation",
    "ops-agent": "operations and incidents",
    "qa-agent": "tests and staging",
    "sales-agent": "offers and accounts",
    "support-agent": "customer questions",
}
_ROLES: Mapping[str, Role] = {
    "reviewer": Role.REVIEWER,
    "reviewer2": Role.REVIEWER,
    "owner": Role.OWNER,
    "auditor": Role.AUDITOR,
    "admin": Role.ADMINISTRATOR,
}
USERS = tuple(_ROLES)
_TIMES = frozenset({"event_at", "ingested_at", "at"})


@dataclass(frozen=True, slots=True)
class Seeded:
    """`created` names the accounts made now, all with the `password`; `done` false: the desk was left alone."""

    done: bool
    created: tuple[str, ...] = ()
    password: str = ""
    records: int = 0
    waiting: int = 0


def seed(*, password: str = "", force: bool = False, now: datetime | None = None) -> Seeded:
    """Fill an empty desk. `password` "" makes a random one. `force` also fills a desk that holds something already."""
    with transaction.atomic():
        if not force and not is_empty():
            return Seeded(done=False)
        as_of = _first_seeded() or (now or timezone.now()).replace(microsecond=0)
        secret = password or secrets.token_urlsafe(12)
        _make_agents()
        created = _make_users(secret)
        Policy.objects.get_or_create(version=1, defaults={"created_by": "seed"})
        _store(_shifted("facts.jsonl", as_of - AS_OF), "facts")
        _approve_articles()
        _store(_shifted("proposals.jsonl", as_of - AS_OF), "proposals")
        _let_it_age(as_of)
        _verify_waiting()
        seed_runs(namespace=NAMESPACE, as_of=as_of)
        _record(as_of)
        waiting = HeldRecord.objects.waiting().filter(namespace=NAMESPACE)
        records = Evidence.objects.active().curated().filter(namespace=NAMESPACE)
        return Seeded(True, created, secret, records.count(), waiting.count())


def is_empty() -> bool:
    """Nobody has an account and nothing was ever filed."""
    return not (User.objects.exists() or Evidence.objects.exists() or HeldRecord.objects.exists())


def _make_agents() -> None:
    for name, description in AGENTS.items():
        Agent.objects.get_or_create(pk=name, defaults={"namespace": NAMESPACE, "description": description})


def _make_users(password: str) -> tuple[str, ...]:
    """The accounts that are missing, with their roles; an existing account of that name is not touched."""
    created = []
    for name, role in _ROLES.items():
        if User.objects.filter(username=name).exists():
            continue
        is_admin = role == Role.ADMINISTRATOR
        # A domain that leads nowhere, for ever: what the demo mails can be looked at, and arrives nowhere.
        user = User(username=name, email=f"{name}@desk.invalid", is_staff=is_admin, is_superuser=is_admin)
        user.set_password(password)
        user.save()
        agents = list(AGENTS) if role == Role.OWNER else [None]
        Membership.objects.bulk_create(Membership(user=user, role=role, agent_id=agent) for agent in agents)
        created.append(name)
    return tuple(created)


def _store(items: Iterator[Read], source: str) -> None:
    report = store_items(items=items, format_name=SYSTEM, source=source, namespace=NAMESPACE)
    if report.serious:
        raise RuntimeError(f"the demo's own {source} were not taken")


def _shifted(name: str, by: timedelta) -> Iterator[Read]:
    """The lines of a file of the demo, as if they had been written for another day."""
    text = files("evidence.demo").joinpath("backlog", name).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        entry = _moved(json.loads(line), by)
        if "source" in entry:
            del entry["id"]  # it is computed from the source version, which may be a date that moved
        yield item_of(entry, Place(name, line=number))


def _moved(value: Any, by: timedelta, name: str = "") -> Any:
    """Times move; a source version that is a date moves with them, one that is a hash stays."""
    if isinstance(value, dict):
        return {key: _moved(member, by, key) for key, member in value.items()}
    if isinstance(value, list):
        return [_moved(member, by) for member in value]
    moment = read_time(value) if name in _TIMES or name == "version" else None
    return to_iso(moment + by) if moment else value


def _approve_articles() -> None:
    """Each article of the demo is proposed by its agent and approved by a reviewer, as any other would be."""
    reviewer = _demo_reviewer()
    if reviewer is None:
        return
    articles = Evidence.objects.active().filter(
        namespace=NAMESPACE, kind=Kind.ARTICLE, approval_by="", origin_system=SYSTEM
    )
    filed = [
        (article, file_proposal(filer=_filer(article.scope_owner), draft=_promotion(article)).held)
        for article in articles.order_by("source_id")
    ]
    _record_filing([held for _article, held in filed])
    for article, held in filed:
        verify_held(held_id=held.id)
        held.refresh_from_db()
        decide(
            held_id=held.id, action=Action.APPROVE, seen_version=held.version,
            actor=Actor.person(reviewer, Door.COMMAND), idempotency_key=f"seed:{article.record_id}",
        )  # fmt: skip


def _record_filing(helds: list[HeldRecord]) -> None:
    if helds:
        audit.append(
            namespace=NAMESPACE, actor=Actor.importer(SYSTEM), action=AuditAction.IMPORT, target_kind="import",
            target_id=SYSTEM, effects=[{"kind": "import", "format": SYSTEM, "held": len(helds)}],
            touches=[audit.Touch("held", str(held.id), held.version) for held in helds],
        )  # fmt: skip


def _demo_reviewer() -> User | None:
    """One of the demo's reviewers; none where both names belong to accounts that were there before."""
    names = [name for name, role in _ROLES.items() if role == Role.REVIEWER]
    rows = Membership.objects.active().filter(role=Role.REVIEWER, agent=None, user__username__in=names)
    found = rows.select_related("user").order_by("user__username").first()
    return found.user if found else None


def _filer(agent_id: str) -> Filer:
    return Filer(
        Agent.objects.get(pk=agent_id), NAMESPACE, Actor.importer(SYSTEM), channel_class=Trust.INTERNAL,
        max_access=Access.PUBLIC, is_import=True, origin_system=SYSTEM,
    )  # fmt: skip


def _promotion(article: Evidence) -> ProposalDraft:
    """The article's own text, put up for review against the unreviewed version that lies there."""
    return ProposalDraft(
        statement=article.summary, evidence=(article.record_id,), volatility=article.volatility,
        trust=article.trust, trust_class=article.trust_class, durability=article.durability, tags=tuple(article.tags),
        scope_access=article.scope_access, scope_owner=article.scope_owner,
        target=PromotionTarget(
            path=article.source_id, base_version=article.source_version, title=article.summary, content=article.content
        ),
    )  # fmt: skip


def _let_it_age(as_of: datetime) -> None:
    """A backlog that grew day by day: each proposal counts as filed when what it tells of happened (demo only)."""
    waiting = HeldRecord.objects.waiting().filter(namespace=NAMESPACE, kind=HeldKind.FACT_PROPOSAL)
    for held in waiting.filter(event_at__isnull=False):
        filed_at = min(held.event_at or as_of, as_of)
        if held.created_at == filed_at:
            continue
        held.created_at = held.updated_at = filed_at
        set_priority(held, as_of)
        held.save(update_fields=["created_at", "updated_at", "priority", "priority_parts", "expires_at"])


def _verify_waiting() -> None:
    """Here and now, so that the first page shows a verified queue; the worker finds nothing left to do."""
    waiting = HeldRecord.objects.needing_verification().filter(namespace=NAMESPACE, kind=HeldKind.FACT_PROPOSAL)
    for held_id in waiting.order_by("id").values_list("pk", flat=True):
        verify_held(held_id=held_id)


def _record(as_of: datetime) -> None:
    """Once: accounts, roles and policy have no other row that says where they came from."""
    if _first_seeded() is None:
        audit.append(
            namespace=SYSTEM_NAMESPACE, actor=Actor.system(Door.COMMAND), action=AuditAction.SEED, target_kind="import",
            target_id=SYSTEM, effects=[{"kind": "seed", "as_of": to_iso(as_of)}],
        )  # fmt: skip


def _first_seeded() -> datetime | None:
    """The date that an earlier run took for now: repeated with another, every record would look changed."""
    row = Decision.objects.filter(namespace=SYSTEM_NAMESPACE, action=AuditAction.SEED).order_by("seq").first()
    return read_time(row.effects[0]["as_of"]) if row else None
