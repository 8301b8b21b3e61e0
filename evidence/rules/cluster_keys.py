"""Where to look for an item's near-duplicates without reading the whole queue: a few numbers that two such items share.

Whatever `clusters` puts next to each other has a key in common, for texts of up to about fifty different words; items that
share a key need not be alike. Pure: where the numbers are kept is no matter of this module.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evidence.rules.chain import canonical_json
from evidence.rules.clusters import ClusterItem, fence_of, spoken_alike
from evidence.rules.gists import gist_of, is_value
from evidence.rules.near_pairs import LEAST, telling

MOST_KEYS: Final = 24
RULES_VERSION: Final = 1
"""Raise it when other numbers come of the same item: what was kept under an older one is computed anew."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What is kept of an item to tell, without its text, whether it could stand next to another."""

    alike: int
    """Equal for items that say the same letter for letter, case and full stop aside."""
    claim: int | None
    """Equal for items of one claim and value that could be together."""
    words: tuple[int, ...]
    """The different plain words of the text, sorted."""


@dataclass(frozen=True, slots=True)
class Keys:
    block: int
    """What near-duplicates have in common for certain: fence, values, denials, what bends the claim."""
    trace: Trace
    lookup: frozenset[int]
    """Under these the item is found, and by these it finds others."""


def keys_of(item: ClusterItem) -> Keys | None:
    """The numbers of an item; none for a text in which nothing is said."""
    gist = gist_of(item.statement)
    if not gist.words:
        return None
    fence = fence_of(item)
    block = number("block", *fence, canonical_json(gist.block))
    alike = number("alike", *fence, spoken_alike(item.statement))
    claim = number("claim", str(block), item.claim.key, item.claim.value_key) if item.claim else None
    telling_words = sorted(gist.bag, key=_rarity)[: min(telling(len(gist.bag)), MOST_KEYS)]
    lookup = {number("word", str(block), word) for word in telling_words} | {alike}
    words = tuple(sorted({_word_number(word) for word in gist.bag}))
    return Keys(block, Trace(alike, claim, words), frozenset(lookup if claim is None else lookup | {claim}))


def may_be_near(one: Trace, other: Trace) -> bool:
    """Whether two items of one key can stand next to each other at all. Cheap, and never wrongly no."""
    if one.alike == other.alike or (one.claim is not None and one.claim == other.claim):
        return True
    shared = len(frozenset(one.words) & frozenset(other.words))
    return 2 * shared >= LEAST * (len(one.words) + len(other.words))


def number(*parts: str) -> int:
    """A signed 64-bit number, which every database can keep and compare."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big", signed=True)


@lru_cache(maxsize=65536)
def _word_number(word: str) -> int:
    return number("plain word", word)


def _rarity(word: str) -> tuple[bool, int, str]:
    """The same order for every item, whatever else is in the queue. Long words are rare ones; values are in all of a block."""
    return is_value(word), -len(word), word
