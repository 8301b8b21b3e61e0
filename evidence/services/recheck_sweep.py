"""The sweep `expiry`: one open re-check for each fact whose turn has come, and one message for each owner about new ones.

Set-based, idempotent, safe when two run at once or one dies half way: each step is one transaction, and the next run does what
is left. It decides nothing, deletes nothing, and touches no record; pages do not wait for it (contract 10 "Sweeps").
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Max, Value
from django.db.models.fields import DateTimeField
from django.utils import timezone

from evidence.models import Evidence, Membership, RecheckItem
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.rules.vocab import Role
from evidence.services.locks import lock_claims
from evidence.services.telling import tell

STRETCH = 20_000
# What was settled is in the audit; that it was asked is forgotten after this.
KEEP = timedelta(days=90)
_COLUMNS = ("record_id", "turns_at", "agent", "namespace", "opened_at", "snoozed_by")


def sweep_rechecks(*, now: datetime | None = None) -> int:
    """Returns how many re-checks were opened."""
    moment = now or timezone.now()
    _settle(moment)
    opened, since = 0, None
    while fresh := _open(moment, since):
        opened += fresh
        if fresh < STRETCH:
            break
        # They were opened in the order of their turns: what turned before is there.
        since = RecheckItem.objects.order_by("-id").values_list("turns_at", flat=True).first()
    announce_rechecks(now=moment)
    RecheckItem.objects.closed().filter(closed_at__lt=moment - KEEP).delete()
    return opened


def _settle(now: datetime) -> None:
    """Close what is settled; open again what was closed and is due for the same turn all the same, as after an undo."""
    with transaction.atomic():
        _one_at_a_time()
        RecheckItem.objects.settled(now).update(closed_at=now)
        RecheckItem.objects.due_again(Evidence.objects.to_recheck(now)).update(closed_at=None)


def _open(now: datetime, since: datetime | None) -> int:
    """A row for each fact that is due and has none for this turn. Returns how many came."""
    with transaction.atomic():
        _one_at_a_time()
        due = Evidence.objects.to_recheck(now)
        due = due.filter(recheck_turns_at__gte=since) if since else due
        wanted = due.without_recheck().order_by("recheck_turns_at", "pk_uuid")
        rows = wanted.annotate(at=Value(now, output_field=DateTimeField()), nobody=Value("")).values_list(
            "pk", "recheck_turns_at", "scope_owner", "namespace", "at", "nobody"
        )[:STRETCH]
        sql, given = rows.query.sql_with_params()
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(RecheckItem._meta.db_table)
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(_COLUMNS)}) {sql} ON CONFLICT DO NOTHING",
                given,
            )
            return max(int(cursor.rowcount), 0)


def announce_rechecks(*, now: datetime) -> int:
    """One message for each owner of whom new re-checks are open; run twice or at once, each of them is told of once."""
    with transaction.atomic():
        _one_at_a_time()
        untold = RecheckItem.objects.untold()
        last = untold.aggregate(last=Max("id"))["last"]
        if last is None:
            return 0
        untold = untold.filter(id__lte=last)
        agents = set(untold.order_by().values_list("agent", flat=True).distinct())
        owners = _owners_of(agents)
        for owner, owned in sorted(owners.items()):
            tell(
                kind=NoticeKind.RECHECK, subject=(SubjectKind.AGENT, min(owned)), key=f"{owner}:{last}",
                agent=min(owned), people=[owner],
            )  # fmt: skip
        # Of an agent that nobody owns nobody was told: whoever owns it later is.
        untold.filter(agent__in={agent for owned in owners.values() for agent in owned}).update(told_at=now)
        return len(owners)


def _owners_of(agents: set[str]) -> dict[int, set[str]]:
    """Owners by account, each with those of the agents that are theirs."""
    found: dict[int, set[str]] = {}
    for one in Membership.objects.active().filter(role=Role.OWNER):
        mine = agents & {one.agent_id} if one.agent_id else agents
        if mine:
            found.setdefault(one.user_id, set()).update(mine)
    return found


def _one_at_a_time() -> None:
    """SQLite's writers take turns by themselves."""
    lock_claims("_system", ["sweep expiry"])
