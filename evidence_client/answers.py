"""Answers of the desk, with types. `raw` is the whole of what came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Filed:
    """`created` false: it was known already. `held_id`: a person looks at it first. `finding`: what it says of what is known."""

    id: str
    created: bool
    label: str
    held_id: str | None
    finding: Json | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, body: Json) -> Filed:
        return cls(body["id"], body["created"], body["label"], body["held_id"], body.get("finding"), body)


@dataclass(frozen=True, slots=True)
class Proposal:
    """`record_id`: what it became, once it was approved. `reason_code`: why, once it was decided."""

    id: str
    version: int
    status: str
    checks: str
    reason_code: str | None
    reason: str | None
    record_id: str | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, body: Json) -> Proposal:
        return cls(
            body["id"], body["version"], body["status"], body["verification"]["status"], body.get("reason_code"),
            body.get("reason"), body.get("record_id"), body,
        )  # fmt: skip

    @property
    def is_waiting(self) -> bool:
        return self.status == "waiting"


@dataclass(frozen=True, slots=True)
class Record:
    id: str
    kind: str
    content: str
    claim: Json | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, body: Json) -> Record:
        return cls(body["id"], body["kind"], body["content"], body["claim"], body)


@dataclass(frozen=True, slots=True)
class Result:
    """A record with its label. `advice`: what to heed before stating it. `conflicts_with`: ids that say otherwise."""

    record: Record
    label: str
    advice: str
    conflicts_with: tuple[str, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, body: Json) -> Result:
        named = tuple(body["conflicts_with"])
        return cls(Record.of(body["record"]), body["label"], body.get("advice", ""), named, body)

    @property
    def may_be_stated(self) -> bool:
        """Approved or verified, and nothing that may be read says otherwise."""
        return self.label in ("approved", "verified") and not self.conflicts_with


@dataclass(frozen=True, slots=True)
class Source:
    """`failed`: it gave no evidence, which does not mean that nothing is known."""

    backend: str
    status: str
    reason: str

    @classmethod
    def of(cls, body: Json) -> Source:
        return cls(body["backend"], body["status"], body.get("reason", ""))


@dataclass(frozen=True, slots=True)
class Recalled:
    results: tuple[Result, ...]
    sources: tuple[Source, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, body: Json) -> Recalled:
        return cls(tuple(map(Result.of, body["results"])), tuple(map(Source.of, body["sources"])), body)

    @property
    def failed(self) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if source.status == "failed")
