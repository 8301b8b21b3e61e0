"""Evidence rows, and the daily notes that older records refer to. Trust, durability and polarity arrive as they are stated.

A purged row arrives as deleted: the proposals that cite it show that, and what was imported of it before is emptied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evidence.exchange import files
from evidence.exchange.checked import EXCERPT_MAX, SUMMARY_MAX, cut, cut_notes, unreadable, word
from evidence.exchange.items import EvidenceItem, Place, Problem, Read
from evidence.exchange.pi.layout import DAILY, EVIDENCE, PI_AGENT, Known, Store
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.members import Members
from evidence.rules.records import Reach, Record, Scope, Source
from evidence.rules.secrets import secret_kinds
from evidence.rules.text import collapse
from evidence.rules.vocab import (
    Access,
    Durability,
    Kind,
    Polarity,
    ReachLevel,
    Redaction,
    Review,
    Trust,
    TrustClass,
    Volatility,
)

NO_THREAD = "no-thread"
SOURCE_KINDS = frozenset(
    "conversation tool_result file patch test_result generated_content external_document codebase_analysis".split()
)
_FROM_OUTSIDE = "external_document"
_KNOWN = frozenset(
    "id profile_id thread_id source_session_id created_at source_kind source_ref source_file source_tool source_summary"
    " source_excerpt excerpt_hash redaction_status trust_class polarity durability_signal tags scope_level scope_ref".split()
)


def read_evidence(store: Store, known: Known) -> Iterator[Read]:
    for place, line in store.lines(EVIDENCE):
        try:
            if isinstance(line, BadInput):
                raise line
            item = evidence_item(line, place)
            if item.foreign_id in known.evidence:
                # pi appends without looking; its first row is the one that counts there, too.
                yield Problem(place, "duplicate", "the store holds this id already, further up", serious=False)
                continue
            known.evidence[item.foreign_id] = item.record.id
            yield item
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def evidence_item(line: dict[str, Any], place: Place) -> EvidenceItem:
    members = Members(line)
    kind = members.text("source_kind")
    if kind not in SOURCE_KINDS:
        raise BadInput(
            "invalid_value", f"source_kind has to be one of: {', '.join(sorted(SOURCE_KINDS))}", "source_kind"
        )
    created = members.text("created_at")
    texts = [
        ("source_summary", members.text("source_summary"), SUMMARY_MAX),
        ("source_excerpt", members.text("source_excerpt"), EXCERPT_MAX),
    ]
    record = _record(members, kind, *(cut(text, longest) for _name, text, longest in texts))
    return EvidenceItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=PI_AGENT,
        digest=digest_of(line),
        namespace=members.text("profile_id"),
        notes=(*unreadable("created_at", created), *cut_notes(texts)),
        extra={name: value for name, value in line.items() if name not in _KNOWN and value not in ([], None, "")},
        record=record,
        thread=_thread(members) or f"{kind}:{_ref(members)}"[:200],
    )


def _thread(members: Members) -> str:
    return members.text("thread_id") or members.text("source_session_id")


def _ref(members: Members) -> str:
    return members.text("source_ref") or members.text("source_file") or members.text("source_tool")


def _record(members: Members, kind: str, summary: str, excerpt: str) -> Record:
    source = session_source(_thread(members), kind, _ref(members), summary=summary, excerpt=excerpt)
    outside = kind == _FROM_OUTSIDE
    level = members.text("scope_level")
    return Record(
        id=record_id(source),
        kind=Kind.OBSERVATION,
        source=source,
        summary=summary,
        excerpt=excerpt,
        tags=members.texts("tags"),
        reach=Reach(word("scope_level", level, ReachLevel), members.text("scope_ref")) if level else None,
        event_at=members.text("created_at") or None,
        volatility=Volatility.WORK_STATE,
        scope=Scope(PI_AGENT, Access.PRIVATE),
        trust=Trust.EXTERNAL if outside else Trust.INTERNAL,
        review=Review.HELD if outside else None,
        trust_class=word("trust_class", members.text("trust_class"), TrustClass, default=TrustClass.UNKNOWN),
        durability=word("durability_signal", members.text("durability_signal"), Durability, default=Durability.UNKNOWN),
        polarity=word("polarity", members.text("polarity"), Polarity, default=Polarity.SUPPORTS),
        redaction=word("redaction_status", members.text("redaction_status"), Redaction, default=Redaction.NONE),
    )


def session_source(thread: str, kind: str, ref: str, *, summary: str, excerpt: str = "") -> Source:
    """The contract's name of an excerpt, which has no version but its text."""
    version = computed_version(excerpt=excerpt, content="", summary=summary)
    return Source(f"session:{PI_AGENT}/{(thread or NO_THREAD).replace('/', '-')}/{kind}/{ref}", version)


def read_daily(store: Store, known: Known) -> Iterator[Read]:
    """Daily notes as evidence of unknown trust and durability: what they say, not who said it, nor when."""
    for name, path in store.folder_files(DAILY, ".md"):
        place = Place(files.shown(name))
        try:
            text = files.read_document(path, largest=files.ARTICLE_MAX)
            kinds = secret_kinds(text)
            if kinds:
                raise BadInput("secret_detected", f"it holds something shaped like a secret ({', '.join(kinds)})")
            yield _daily_item(name, text, place, known.only_profile)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
        except OSError:
            yield Problem(place, "malformed", "it cannot be read")


def _daily_item(name: str, text: str, place: Place, profile: str) -> EvidenceItem:
    summary = cut(collapse(text), SUMMARY_MAX) or f"Note {name}"
    source = session_source("", "conversation", name, summary=summary)
    record = Record(
        id=record_id(source), kind=Kind.OBSERVATION, source=source, summary=summary, volatility=Volatility.WORK_STATE,
        scope=Scope(PI_AGENT, Access.PRIVATE), trust=Trust.INTERNAL, trust_class=TrustClass.UNKNOWN,
        durability=Durability.UNKNOWN,
    )  # fmt: skip
    return EvidenceItem(
        place=place, foreign_id=name, agent=PI_AGENT, digest=digest_of({"text": text}), record=record,
        namespace=profile, thread=name[:200], notes=cut_notes([("the note", collapse(text), SUMMARY_MAX)]),
    )  # fmt: skip
