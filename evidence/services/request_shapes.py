"""What a door accepts from an agent, member by member (doors "POST evidence", "Proposals", "Recall"): shapes, words, limits.

REST and MCP read their input through these models, so that one rule about a member exists once. Unknown members are refused;
what belongs to a rule (whose source, how wide a scope, secrets) is left to the services.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    Tag,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from evidence.rules import records, vocab
from evidence.rules.times import read_time
from evidence.selectors.recall import MOST_RESULTS, Ask
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft, PromotionTarget, ProposalDraft
from evidence.services.errors import Refused
from evidence.services.texts import (
    CLAIM_MEMBER_MAX,
    CONTENT_MAX,
    EXCERPT_MAX,
    NAME_MAX,
    SOURCE_MAX,
    STATEMENT_MAX,
    SUMMARY_MAX,
)

LIST_MAX = 50
QUERY_MAX = 64 * 1024


class Word:
    """An annotation: the member holds one word of a list. The error names the list and repeats nothing that was sent."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(str(word) for word in words)

    def check(self, value: str) -> str:
        if value not in self.words:
            raise PydanticCustomError("invalid_value", "has to be one of: {words}", {"words": ", ".join(self.words)})
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, _: CoreSchema, __: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


def _readable(value: str) -> str:
    if read_time(value) is None:
        raise PydanticCustomError(
            "invalid_value", "has to be an ISO 8601 time with a zone, such as 2026-03-01T09:30:00Z"
        )
    return value


def said(value: str) -> str:
    """What has to say something, without the blanks around it."""
    if not value.strip():
        raise PydanticCustomError("invalid_value", "is empty")
    return value.strip()


Time = Annotated[str, AfterValidator(_readable), WithJsonSchema({"type": "string", "format": "date-time"})]
Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_MAX)]
Names = Annotated[list[Name], Field(max_length=LIST_MAX)]
AnyName = Annotated[str, StringConstraints(max_length=NAME_MAX)]
RecordId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
SourceText = Annotated[str, StringConstraints(min_length=1, max_length=SOURCE_MAX)]
VersionText = Annotated[str, StringConstraints(max_length=SOURCE_MAX)]
ClaimText = Annotated[str, StringConstraints(min_length=1, max_length=CLAIM_MEMBER_MAX)]
Statement = Annotated[str, StringConstraints(min_length=1, max_length=STATEMENT_MAX)]
Content = Annotated[str, StringConstraints(max_length=CONTENT_MAX)]
Article = Annotated[str, StringConstraints(min_length=1, max_length=CONTENT_MAX)]
Summary = Annotated[str, StringConstraints(max_length=SUMMARY_MAX)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=SUMMARY_MAX)]
Excerpt = Annotated[str, StringConstraints(max_length=EXCERPT_MAX)]
Query = Annotated[str, StringConstraints(max_length=QUERY_MAX)]
Days = Annotated[float, Field(ge=0, le=36_500, allow_inf_nan=False)]

FiledKind = Annotated[str, Word((vocab.Kind.OBSERVATION, vocab.Kind.ARTICLE))]
AnyKind = Annotated[str, Word(vocab.Kind)]
AnyLabel = Annotated[str, Word(vocab.Label)]
AccessWord = Annotated[str, Word(vocab.Access)]
VolatilityWord = Annotated[str, Word(vocab.Volatility)]
TrustClassWord = Annotated[str, Word(vocab.TrustClass)]
DurabilityWord = Annotated[str, Word(vocab.Durability)]
PolarityWord = Annotated[str, Word(vocab.Polarity)]
LayerWord = Annotated[str, Word(vocab.Layer)]
ReachWord = Annotated[str, Word(vocab.ReachLevel)]
ModeWord = Annotated[str, Word(("lexical", "semantic", "hybrid"))]


class Shape(BaseModel):
    """Strict types, no unknown members."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClaimShape(Shape):
    """What is said of what; all three members."""

    subject: ClaimText
    attribute: ClaimText
    value: ClaimText

    def to_claim(self) -> records.Claim:
        return records.Claim(self.subject, self.attribute, self.value)


class ClaimKeyShape(Shape):
    """A claim without its value: what recall can be asked for."""

    subject: ClaimText
    attribute: ClaimText


class SourceShape(Shape):
    """Where it comes from: `entry:`, `memory:`, `task:`, `run:`, `session:` or `wiki:` of the token's own agent or namespace."""

    id: SourceText
    version: VersionText = ""


class CheckShape(Shape):
    """When and how the filer checked it. Who checked is the filer; a confirmation only a person gives."""

    at: Time
    method: Summary = ""


class ScopeShape(Shape):
    """Who may read it. The owner is the token's agent; a project is set by an administrator only."""

    owner: Name | None = None
    access: AccessWord = str(vocab.Access.PRIVATE)
    shared_with: Names = []


class ReachShape(Shape):
    """For whom a claim is meant to hold."""

    level: ReachWord
    ref: AnyName = ""


class ValidShape(Shape):
    """When the claim holds, if not always."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=False)

    start: Time | None = Field(default=None, alias="from")
    until: Time | None = None


class EvidenceShape(Shape):
    """One piece of evidence."""

    source: SourceShape
    kind: FiledKind = "observation"
    claim: ClaimShape | None = None
    content: Content = ""
    summary: Summary = ""
    excerpt: Excerpt = ""
    event_at: Time
    check: CheckShape | None = None
    volatility: VolatilityWord = str(vocab.Volatility.WORK_STATE)
    ttl_days: Days | None = None
    scope: ScopeShape | None = None
    channel: AnyName = "api"
    trust_class: TrustClassWord = str(vocab.TrustClass.UNKNOWN)
    durability: DurabilityWord = str(vocab.Durability.UNKNOWN)
    polarity: PolarityWord = str(vocab.Polarity.SUPPORTS)
    valid: ValidShape | None = None
    tags: Names = []

    def to_draft(self, filer: Filer, at: str = "") -> EvidenceDraft:
        """The draft that a service takes; `at` is where in the body this stands, for errors."""
        check, valid, scope = self.check, self.valid or ValidShape(), self.scope or ScopeShape()
        check_owner(scope, filer, at)
        return EvidenceDraft(
            source_id=self.source.id, source_version=self.source.version, kind=self.kind,
            claim=self.claim.to_claim() if self.claim else None, content=self.content, summary=self.summary,
            excerpt=self.excerpt, event_at=self.event_at, check_at=check.at if check else "",
            check_method=check.method if check else "", volatility=self.volatility, ttl_days=self.ttl_days,
            scope_access=scope.access, scope_shared_with=tuple(scope.shared_with), channel=self.channel,
            trust_class=self.trust_class, durability=self.durability, polarity=self.polarity,
            valid_from=valid.start or "", valid_until=valid.until or "", tags=tuple(self.tags),
        )  # fmt: skip


class TargetShape(Shape):
    """The article that a promotion proposal would write, and the version it was written against."""

    path: SourceText
    base_version: VersionText
    title: Title
    content: Article


# The tags carry a blank so that they cannot be taken for a member's name in the path of an error.
Linked = Annotated[
    Annotated[RecordId, Tag("record id")] | Annotated[EvidenceShape, Tag("inline evidence")],
    Discriminator(lambda value: "record id" if isinstance(value, str) else "inline evidence"),
]


class ProposalShape(Shape):
    """What an agent wants to be believed, with the evidence for it. With `target`: a promotion proposal."""

    statement: Statement
    claim: ClaimShape | None = None
    evidence: Annotated[list[Linked], Field(max_length=LIST_MAX)]
    event_at: Time | None = None
    volatility: VolatilityWord = str(vocab.Volatility.WORK_STATE)
    ttl_days: Days | None = None
    check: CheckShape | None = None
    channel: AnyName = "api"
    trust_class: TrustClassWord
    durability: DurabilityWord
    layer: LayerWord = str(vocab.Layer.L2)
    rule_type: AnyName = ""
    tags: Names = []
    reach: ReachShape | None = None
    scope: ScopeShape | None = None
    valid: ValidShape | None = None
    supersedes: Annotated[list[RecordId], Field(max_length=20)] = []
    target: TargetShape | None = None

    def to_draft(self, filer: Filer) -> ProposalDraft:
        check, valid, scope = self.check, self.valid or ValidShape(), self.scope or ScopeShape()
        check_owner(scope, filer)
        return ProposalDraft(
            statement=self.statement, claim=self.claim.to_claim() if self.claim else None,
            evidence=tuple(self._linked(filer)), event_at=self.event_at or "", volatility=self.volatility,
            ttl_days=self.ttl_days, check_at=check.at if check else "", check_method=check.method if check else "",
            channel=self.channel, trust_class=self.trust_class, durability=self.durability, layer=self.layer,
            rule_type=self.rule_type, tags=tuple(self.tags), reach_level=self.reach.level if self.reach else "",
            reach_ref=self.reach.ref if self.reach else "", scope_access=scope.access,
            scope_shared_with=tuple(scope.shared_with), valid_from=valid.start or "", valid_until=valid.until or "",
            supersedes=tuple(self.supersedes),
            target=PromotionTarget(**self.target.model_dump()) if self.target else None,
        )  # fmt: skip

    def _linked(self, filer: Filer) -> list[str | EvidenceDraft]:
        return [
            item if isinstance(item, str) else item.to_draft(filer, f"evidence[{number}].")
            for number, item in enumerate(self.evidence)
        ]


class RevisionShape(ProposalShape):
    """A proposal said anew as a whole, and the version that was seen."""

    version: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None


class RecallShape(Shape):
    """A question. `query` is searched as text; `claim` looks a claim key up, and the query may then be empty."""

    query: Query
    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10
    kinds: Annotated[list[AnyKind], Field(max_length=10)] | None = None
    claim: ClaimKeyShape | None = None
    labels: Annotated[list[AnyLabel], Field(max_length=10)] | None = None
    backends: Annotated[list[Name], Field(max_length=10)] | None = None
    mode: ModeWord = "lexical"

    def to_ask(self, known_backends: Callable[[], set[str]]) -> Ask:
        """The question; an unknown backend is an unknown word. Raises `Refused`."""
        names = tuple(self.backends or ())
        known = known_backends()
        if set(names) - known:
            detail = f"backends may name: {', '.join(sorted(known))}."
            raise Refused("invalid_value", detail, field="backends")
        claim = records.Claim(self.claim.subject, self.claim.attribute, "") if self.claim else None
        return Ask(
            query=self.query, limit=self.limit, kinds=tuple(self.kinds or ()), labels=tuple(self.labels or ()),
            claim=claim, backends=names, mode=self.mode,
        )  # fmt: skip


def check_owner(scope: ScopeShape, filer: Filer, at: str = "") -> None:
    """A scope's owner is the filing agent, whatever the body says (contract 4, 13)."""
    if scope.owner is not None and scope.owner != filer.agent.id:
        raise Refused("not_your_scope", "A scope's owner is the agent of the token.", field=f"{at}scope.owner")


class WithdrawShape(Shape):
    """Optional: the version that was seen."""

    version: Annotated[int, Field(ge=1)] | None = None
