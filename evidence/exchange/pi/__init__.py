"""A store of pi-persistent-intelligence: evidence, records, inbox, inquiries, tombstones, patches, daily notes. Read-only.

One bad line makes pi itself refuse a whole file and lose rows at the next rewrite; here it is reported and the rest goes in.
The ids of one store are kept in memory, since its files refer to each other by them; its texts are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence.exchange.items import Read
from evidence.exchange.pi.candidates import read_candidates
from evidence.exchange.pi.evidence import read_daily, read_evidence
from evidence.exchange.pi.layout import Store
from evidence.exchange.pi.past import load_patches, read_inquiries, read_patches, read_tombstones
from evidence.exchange.pi.records import index_records, read_records

__all__ = ["read"]


def read(path: Path) -> Iterator[Read]:
    """Items of a store root, in an order in which each finds what it refers to."""
    store = Store.at(path)
    known = index_records(store)
    patches = load_patches(store)

    def items() -> Iterator[Read]:
        yield from read_daily(store, known)
        yield from read_evidence(store, known)
        yield from read_records(store, known)
        yield from read_tombstones(store, known)
        yield from read_candidates(store, known, patches)
        yield from read_inquiries(store, known)
        yield from read_patches(store, known)

    return items()
