"""What pages show of an article's text: rendered, as written, and compared by stretches; a proposal against what stands now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from evidence.models import Evidence, HeldRecord, User
from evidence.rules.access import readable
from evidence.rules.merging import Merge, Side, Stretch, merge
from evidence.rules.records import Reader, Scope
from evidence.rules.sources import source_name
from evidence.selectors.articles import known_agents, may_open, version_named
from evidence.selectors.matching import links_of
from evidence.selectors.planning import current_article, target_is_gone
from evidence.selectors.records import Labelled, labelled
from evidence.web.markdown import Rendered, render

# Equal lines around a change that are shown with it; more are folded away.
AROUND = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch as the page draws it. Of equal lines the first and last are shown, the rest is folded."""

    side: str
    base: str = ""
    current: str = ""
    proposed: str = ""
    before: str = ""
    folded: str = ""
    after: str = ""
    number: int = 0


def parts_of(made: Merge) -> list[Part]:
    last = len(made.stretches) - 1
    return [_part(one, first=place == 0, last=place == last) for place, one in enumerate(made.stretches)]


def compared(old: str, new: str) -> list[Part]:
    """From the one text to the other: equal stretches, and those that `new` changed."""
    return parts_of(merge(old, old, new))


def differ(parts: list[Part]) -> bool:
    return any(part.side != Side.SAME for part in parts)


def _part(one: Stretch, *, first: bool, last: bool) -> Part:
    if one.side != Side.SAME:
        base, current, proposed = ("\n".join(lines) for lines in (one.base, one.current, one.proposed))
        return Part(one.side.value, base, current, proposed)
    lines = one.current
    head, tail = (0 if first else AROUND), (0 if last else AROUND)
    if len(lines) <= head + tail + 1:
        return Part(one.side.value, before="\n".join(lines))
    middle = lines[head : len(lines) - tail]
    return Part(
        one.side.value, before="\n".join(lines[:head]), folded="\n".join(middle),
        after="\n".join(lines[len(lines) - tail :]), number=len(middle),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Supporter:
    """An agent that stands behind a proposal, and how many pieces of evidence are its own."""

    name: str
    known: bool
    pieces: int


@dataclass(frozen=True, slots=True)
class ProposalView:
    """The article of a promotion proposal: what it says, what stands there, and how the three versions differ."""

    target: str
    owner: str
    title: str
    content: str
    rendered: Rendered
    current: Labelled | None
    # Whether the person may open it: who reviews an agent sees what that agent may read, and no more pages for it.
    may_open: bool
    base_text: str | None
    is_new: bool
    moved: bool
    gone: bool
    changes: list[Part]
    three_way: list[Part]
    conflicts: int
    supporters: list[Supporter]
    readers: Scope

    @property
    def is_changed(self) -> bool:
        return differ(self.changes)


def proposal_view(held: HeldRecord, user: User, now: datetime, *, content: str | None = None) -> ProposalView:
    """`content`: a text that somebody is writing, in place of the stored one."""
    row = held.promotion
    text = row.content if content is None else content
    current = current_article(held.namespace, row.target_source)
    base = version_named(held.namespace, row.target_source, row.base_version)
    moved = held.is_waiting and row.base_version != (current.source_version if current else "")
    standing = current if held.is_waiting else base
    shown = standing if standing is not None and _sees(standing, user, held) else None
    base_text = _text_of(base, user, held) if row.base_version else ""
    made = merge(base_text, current.content, text) if moved and shown and base_text is not None and current else None
    return ProposalView(
        target=row.target_source,
        owner=source_name(row.target_source).owner,
        title=row.title,
        content=text,
        rendered=render(text, 3),
        current=labelled(shown, now) if shown else None,
        may_open=shown is not None and may_open(shown, user),
        base_text=base_text,
        is_new=not row.base_version and current is None,
        moved=moved,
        gone=moved and bool(row.base_version) and target_is_gone(held.namespace, row.target_source),
        changes=compared(shown.content if shown else "", text),
        three_way=parts_of(made) if made else [],
        conflicts=made.conflicts if made else 0,
        supporters=_supporters(held),
        readers=current.scope if current else held.scope,
    )


def _sees(row: Evidence, user: User, held: HeldRecord) -> bool:
    """Nobody can judge a new text without the old one, where the agent whose proposal it is may read that."""
    return may_open(row, user) or readable(row.scope, Reader(held.agent_id))


def _text_of(row: Evidence | None, user: User, held: HeldRecord) -> str | None:
    """A version's text; none where it is not here, was emptied, or is not for this person."""
    return row.content if row is not None and row.content and _sees(row, user, held) else None


def _supporters(held: HeldRecord) -> list[Supporter]:
    pieces: dict[str, int] = {}
    for link in links_of(held):
        owner = link.evidence.scope_owner
        pieces[owner] = pieces.get(owner, 0) + 1
    names = list(dict.fromkeys([*held.promotion.agents, *pieces]))[:50]
    known = known_agents(names)
    return [Supporter(name, name in known, pieces.get(name, 0)) for name in names]
