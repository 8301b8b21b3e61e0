"""Judge and time the clusters of near-duplicates.

    python -m bench.clusters [COUNT]
    python -m bench.clusters --backlog FOLDER     proposals.jsonl with its groups.json, as in the samples

A seeded queue: families of rewordings filed by several agents; near misses that differ in one number, date, version, name or
negation, or in who may read them; single ones. Two items belong together when they say one proposition to one audience.
Prints seconds of one core, and precision and recall over pairs.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.cluster_texts import FRAMES, SLOTS
from evidence.rules.clusters import Cluster, ClusterItem, clusters
from evidence.rules.records import Claim, Scope

AGENTS = tuple(f"{name}-agent" for name in "ops build support sales data qa docs".split())
_VERB = re.compile(r"\b(is|are|must be|may be)\b(?! not)")


class Filed(NamedTuple):
    item: ClusterItem
    truth: tuple[object, ...]
    """Equal for items that belong together."""
    is_miss: bool


def queue(count: int, seed: int = 11) -> list[Filed]:
    """`count` proposals, in random order: about half of them in families of two to five."""
    chance = random.Random(seed)
    found: list[Filed] = []
    while len(found) < count:
        found.extend(_family(chance, len(found)))
    found = found[:count]
    chance.shuffle(found)
    return found


def _family(chance: random.Random, start: int) -> Iterator[Filed]:
    """One proposition in some of its wordings, now and then beside a near miss."""
    frame = chance.randrange(len(FRAMES))
    names = sorted(set(re.findall(r"{(\w+)}", FRAMES[frame][0])))
    slots = {name: chance.choice(SLOTS[name]) for name in names}
    size = chance.choice((1, 1, 1, 2, 3, 4, 5))
    with_claims = chance.random() < 0.5
    at = start
    for wording in [chance.choice(FRAMES[frame]) for _ in range(size)]:
        yield _filed(chance, at, (frame, tuple(slots.items())), wording.format(**slots), with_claims, is_miss=False)
        at += 1
    for _ in range(chance.choice((0, 1, 1, 2))):
        wording = chance.choice(FRAMES[frame])
        text, other = _near_miss(chance, wording, dict(slots))
        yield _filed(chance, at, (frame, other), text, with_claims, is_miss=True)
        at += 1


def _near_miss(chance: random.Random, wording: str, slots: dict[str, str]) -> tuple[str, tuple[object, ...]]:
    text = wording.format(**slots)
    if chance.random() < 0.25 and _VERB.search(text):
        return _VERB.sub(r"\1 not", text, count=1), ("not", *slots.items())
    name = chance.choice(sorted(slots))
    slots[name] = chance.choice([word for word in SLOTS[name] if word != slots[name]])
    return wording.format(**slots), tuple(slots.items())


def _filed(
    chance: random.Random, at: int, said: tuple[object, ...], text: str, with_claims: bool, *, is_miss: bool
) -> Filed:
    """Filed by some agent, mostly for everybody; its claim is worded alike by all, where there is one."""
    owner = chance.choice(AGENTS)
    access = "public" if chance.random() < 0.9 else "private"
    claim = Claim(f"frame {said[0]}", "says", str(said[1])) if with_claims else None
    item = ClusterItem(f"p-{at:05}", text, claim, scope=Scope(owner, access))
    return Filed(item, (*said, access, owner if access == "private" else ""), is_miss)


def judge(filed: list[Filed], found: tuple[Cluster, ...]) -> Iterator[tuple[str, str]]:
    """Pairs that are together and should be, by place: (what, figure)."""
    truth = {one.item.id: one.truth for one in filed}
    miss = {one.item.id for one in filed if one.is_miss}
    wanted = sum(size * (size - 1) // 2 for size in Counter(truth.values()).values())
    together = right = glued = 0
    for cluster in found:
        size = len(cluster.ids)
        counts = Counter(truth[name] for name in cluster.ids)
        together += size * (size - 1) // 2
        right += sum(n * (n - 1) // 2 for n in counts.values())
        glued += len(counts) > 1 and not miss.isdisjoint(cluster.ids)
    yield "clusters, items in them", f"{len(found):,}, {sum(len(cluster.ids) for cluster in found):,}"
    yield "pairs together, precision", f"{together:,}, {right / max(together, 1):.4f}"
    yield "pairs that belong together, recall", f"{wanted:,}, {right / max(wanted, 1):.4f}"
    yield "clusters with a near miss among others", f"{glued}"


def lines(count: int = 10_000, seed: int = 11) -> Iterator[tuple[str, str]]:
    filed = queue(count, seed)
    items = [one.item for one in filed]
    began = time.process_time()
    found = clusters(items)
    seconds = time.process_time() - began
    yield f"{count:,} proposals, one core", f"{seconds:.1f} s"
    yield from judge(filed, found)
    bare = [item.__class__(item.id, item.statement, scope=item.scope) for item in items]
    for what, figure in judge(filed, clusters(bare)):
        yield f"without claims: {what}", figure


def backlog(folder: Path) -> Iterator[tuple[str, str]]:
    """A backlog whose clusters and near misses are known, with its claims and by words alone."""
    proposals = [json.loads(line) for line in (folder / "proposals.jsonl").read_text().splitlines()]
    groups = json.loads((folder / "groups.json").read_text())
    wanted = {name: cluster for cluster, members in groups["clusters"].items() for name in members}
    for way in ("with claims", "by words"):
        found = clusters(
            ClusterItem(
                one["id"], one["statement"], Claim(**one["claim"]) if one["claim"] and way == "with claims" else None,
                scope=Scope(one["scope"]["owner"], one["scope"]["access"], tuple(one["scope"]["shared_with"])),
            )
            for one in proposals
        )  # fmt: skip
        whole = sum(set(members) in [set(cluster.ids) for cluster in found] for members in groups["clusters"].values())
        yield f"{way}: clusters found whole", f"{whole} of {len(groups['clusters'])}"
        mixed = [cluster for cluster in found if len({wanted.get(name, name) for name in cluster.ids}) > 1]
        yield f"{way}: clusters that hold anything else", f"{len(mixed)}"
        glued = [name for cluster in found for name in cluster.ids if name in groups["near_miss"]]
        yield f"{way}: near misses in a cluster", f"{len(glued)} of {len(groups['near_miss'])}"


def main() -> None:
    given = sys.argv[1:]
    chosen = backlog(Path(given[1])) if given[:1] == ["--backlog"] else lines(int(given[0]) if given else 10_000)
    for what, figure in chosen:
        print(f"{what:<58} {figure}")


if __name__ == "__main__":
    main()
