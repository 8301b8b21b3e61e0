"""Many bare held rows at once: only what lists and searches read."""

from __future__ import annotations

from collections.abc import Iterable

from evidence.models import HeldRecord
from evidence.selectors.queue import QueueFilter, listing
from tests.services import make


def held_rows(number: int, *, of: str = "ops-agent", **columns: object) -> list[HeldRecord]:
    """Waiting proposals in the order in which they are reviewed; three share each place."""
    agent = make.agent(of)
    rows = [
        HeldRecord(
            **(
                {
                    "kind": "fact_proposal", "agent": agent, "scope_owner": of, "statement_key": f"{of}-{place}",
                    "statement": f"Statement {place}.", "priority": place // 3,
                }
                | columns
            )
        )
        for place in range(number)
    ]  # fmt: skip
    return HeldRecord.objects.bulk_create(rows)


def statements(rows: Iterable[HeldRecord]) -> list[str]:
    return [row.statement for row in rows]


def found(user: object, text: str, now: object, **bounds: object) -> list[str]:
    """The statements on the first page of a search."""
    return statements(listing(user, QueueFilter(text), now, **bounds).rows)  # type: ignore[arg-type]
