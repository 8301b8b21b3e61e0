"""Telling owners that a record which their agents' runs used does not stand any more (withdrawn, rejected, deleted)."""

from __future__ import annotations

from evidence.models import Evidence, Run, RunMemoryLink
from evidence.rules.run_vocab import MemoryRelation
from evidence.rules.telling import NoticeKind, SubjectKind
from evidence.services.telling import tell

NEWEST_LINKS = 500


def tell_who_used(row: Evidence) -> None:
    """One piece of news for each agent whose runs used the record, about the newest of those runs. In the caller's transaction.

    What a run rejected it did not rest on.
    """
    links = RunMemoryLink.objects.about(row.namespace, row.record_id).exclude(relation=MemoryRelation.REJECTED)
    newest: dict[str, Run] = {}
    for link in links.select_related("run").order_by("-at")[:NEWEST_LINKS]:
        newest.setdefault(link.run.agent, link.run)
    for agent, run in sorted(newest.items()):
        tell(
            kind=NoticeKind.USED_GONE, subject=(SubjectKind.RUN, run.pk), key=f"{row.pk}:{row.version}:{agent}",
            agent=agent, namespace=row.namespace,
        )  # fmt: skip
