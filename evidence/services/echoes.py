"""The echo guard (contract 6): evidence that repeats what its filer was served is kept, marked, and supports nothing.

It is looked for when evidence is filed, and once more when what it stands behind is verified, since the memory of what was served
is written a moment after it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from evidence.models import Evidence, HeldLink
from evidence.rules.echo import repeats
from evidence.rules.records import Reader
from evidence.rules.times import read_time
from evidence.rules.vocab import Polarity
from evidence.selectors.served import LATELY, served_to
from evidence.services.actors import Filer

FLAG = "echo"
# How long after an answer went out the memory of it may still be written.
JUST_BEFORE = timedelta(seconds=30)


def mark_echo(filer: Filer, row: Evidence, now: datetime) -> None:
    """Note on a row that is about to be stored what it repeats. What an import brings was served to nobody here."""
    if not filer.is_import:
        row.echoes = _echoed(row, Reader(filer.agent.id, filer.projects), now, LATELY)


def mark_late_echoes(links: Sequence[HeldLink]) -> None:
    """For evidence that was filed before it could be known what its filer had just been served."""
    for link in links:
        row = link.evidence
        if row.echoes or row.origin_system or not row.filed_by:
            continue
        echoed = _echoed(row, Reader(row.scope_owner, ()), row.ingested_at, JUST_BEFORE)
        if echoed:
            row.echoes = echoed
            Evidence.objects.filter(pk=row.pk).update(echoes=echoed)


def _echoed(row: Evidence, reader: Reader, now: datetime, lately: timedelta) -> str:
    """The record of which every text of the row is a repeat, alone or with others; empty where one says something of its own."""
    texts = [text for text in (row.content, row.summary, row.excerpt) if text]
    if not texts:
        return ""
    served = [
        one
        for one in served_to(
            namespace=row.namespace, reader=reader, text=" ".join(texts), now=now, lately=lately,
            near=lately > JUST_BEFORE,
        )
        if one.source_id != row.source_id
    ]  # fmt: skip
    runs = frozenset().union(*(one.runs for one in served))
    if not all(repeats(text, runs) for text in texts):
        return ""
    return next((one.record_id for one in served if repeats(texts[0], one.runs)), served[0].record_id)


def polarity_of(row: Evidence) -> str:
    """How it stands behind an item: an echo neither supports nor contradicts."""
    said = row.polarity or Polarity.SUPPORTS
    return Polarity.QUALIFIES if row.echoes and said == Polarity.SUPPORTS else said


def looked_again(row: Evidence, current: Evidence) -> bool:
    """Whether it carries a check of its own that is newer than the record's: then what it repeats was looked at, not recited."""
    at = read_time(row.check_at)
    return row.has_check and at is not None and (current.check_at is None or at > current.check_at)
