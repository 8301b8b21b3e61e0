"""One remembered thing of a system that has no review of its own: an observation that waits for a person.

Nobody checked it and no file says who reviewed it, so it arrives unchecked and held. What names it is the other system's own
id; the digest is made of what it says, not of when or how often it was written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from evidence.exchange.checked import unreadable
from evidence.exchange.items import EvidenceItem, Note, Place, Problem
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.members import clean_text
from evidence.rules.records import Record, Scope, Source
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Access, Durability, Kind, Review, Trust, TrustClass, Volatility

HASH_DIGITS = 16
# Contract 1 and 9: how many tags a record carries, and how long a source id may be.
TAGS_MAX = 50


def hash_of(*parts: str) -> str:
    """Names a text inside its container, where the other system gives it no id."""
    return sha256_hex(*(clean_text(part, "text") for part in parts))[:HASH_DIGITS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """`ident` is the id inside the store; `says` is what a change of the entry is noticed by."""

    place: Place
    store: str
    ident: str
    content: str
    says: Mapping[str, object]
    agent: str = ""
    scheme: str = "memory"
    version: str = ""
    event_at: str = ""
    thread: str = ""
    tags: Iterable[str] = ()
    trust_class: TrustClass = TrustClass.UNKNOWN
    durability: Durability = Durability.UNKNOWN
    notes: tuple[Note, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


def item_of(said: Remembered) -> EvidenceItem:
    """The item, or `BadInput` where it says nothing or cannot be stored as text."""
    content = clean_text(said.content, "text").strip()
    if not content:
        raise BadInput("invalid_value", "it says nothing")
    agent = clean_text(said.agent, "agent").strip() or said.store
    ident = clean_text(said.ident, "id")
    version = said.version or computed_version(excerpt="", content=content, summary="")
    source = Source(f"{said.scheme}:{said.store}/{ident}", version)
    record = Record(
        id=record_id(source), kind=Kind.OBSERVATION, source=source, content=content, event_at=said.event_at or None,
        volatility=Volatility.WORK_STATE, scope=Scope(agent, Access.PRIVATE), trust=Trust.INTERNAL, review=Review.HELD,
        trust_class=said.trust_class, durability=said.durability, tags=tags_of(said.tags),
    )  # fmt: skip
    return EvidenceItem(
        place=said.place, foreign_id=ident, agent=agent, digest=digest_of({"id": ident, **said.says}),
        notes=(*said.notes, *unreadable("its date", said.event_at)), extra=said.extra, record=record,
        thread=said.thread,
    )  # fmt: skip


def item_or_problem(said: Remembered) -> EvidenceItem | Problem:
    """As `item_of`, for those who go on with the next one."""
    try:
        return item_of(said)
    except BadInput as bad:
        return Problem(said.place, bad.code, bad.detail)


def tags_of(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, in order, without the empty ones; more than a record carries are left out."""
    cleaned = (clean_text(tag, "tag").strip() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))[:TAGS_MAX]
