"""Which of many records a candidate has to be held against at all, without looking at each (contract 7, 12.18).

An index in memory over records of any profile. What it leaves out would be `new` to `match`; what it gives, `match` judges.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from evidence.rules.matching import match_key, named_ids
from evidence.rules.records import Candidate, MemoryRecord
from evidence.rules.text import norm
from evidence.rules.words import stems

_SHARE: Final = 0.5
"""Dice of content words below which no text counts as near another (see `similarity`)."""
_MOST: Final = 24
_LOOKED_AT: Final = 96
_FEW: Final = 6
"""Bits up to which taking one after the other costs less than writing all of them out."""
_RARE: Final = 32
"""Records with a word in as few texts as this are all looked at; of commoner words those that share the most."""


class Blocks:
    """Records by id, by key and by word. Build once, ask often; a changed record needs a new index."""

    def __init__(self, records: Sequence[MemoryRecord]) -> None:
        self._records = tuple(records)
        self._by_id: dict[str, list[int]] = defaultdict(list)
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._words = [stems(record.statement) for record in self._records]
        self._sizes = [len(words) for words in self._words]
        rows: dict[tuple[str, str], list[int]] = defaultdict(list)
        for at, record in enumerate(self._records):
            self._by_id[record.id].append(at)
            self._by_key[_claim_key(record) or match_key(record)].append(at)
            for word in self._words[at]:
                rows[norm(record.profile), word].append(at)
        self._rare = {word: found for word, found in rows.items() if len(found) <= _RARE}
        self._common = {word: _mask(found) for word, found in rows.items() if len(found) > _RARE}
        uses = Counter(word for words in self._words for word in words)
        self._weight = {word: math.log(1 + len(self._records) / count) for word, count in uses.items()}
        self._weights = [self._weigh(words) for words in self._words]

    def near(self, candidate: Candidate) -> tuple[MemoryRecord, ...]:
        """The records that `match` may find on the candidate's key, superseded by it, or nearly the same; in their order."""
        found = {at for name in named_ids(candidate, self._by_id) for at in self._by_id[name]}
        found.update(self._by_key.get(_claim_key(candidate) or match_key(candidate), ()))
        found.update(self._alike(candidate))
        return tuple(self._records[at] for at in sorted(found))

    def _alike(self, candidate: Candidate) -> list[int]:
        """The records most alike by words, a rare word counting for more than a common one."""
        profile, words = norm(candidate.profile), stems(candidate.statement)
        rare = Counter(at for word in words for at in self._rare.get((profile, word), ()))
        masks = [mask for word in words if (mask := self._common.get((profile, word)))]
        size = len(words)
        found = [at for at in rare if self._sizes[at] <= _most_words(len(words & self._words[at]), size)]
        room = _LOOKED_AT
        for count, rows in _most_shared(masks, math.ceil(size * _SHARE / (2 - _SHARE))):
            most = _most_words(count, size)
            places = _bits(rows, room)
            found += [at for at in places if self._sizes[at] <= most and at not in rare]
            room -= len(places)
            if not room:
                break
        if len(found) <= _MOST:
            return found
        # Sums are taken in one order, so that equal words weigh the same to the last digit.
        weights = [(word, self._weight.get(word, 1.0)) for word in sorted(words)]
        whole = sum(weight for _, weight in weights)
        shares = []
        for at in found:
            there = self._words[at]
            shared = sum([weight for word, weight in weights if word in there])
            shares.append((2 * shared / (whole + self._weights[at]), -at))
        shares.sort(reverse=True)
        return [-at for _, at in shares[:_MOST]]

    def _weigh(self, words: frozenset[str]) -> float:
        return sum(self._weight.get(word, 1.0) for word in sorted(words))


def _most_words(shared: int, size: int) -> float:
    """How many words a text can have that shares so many with one of `size` words and is still near it."""
    return 2 * shared / _SHARE - size


def _mask(rows: Sequence[int]) -> int:
    """Rows as the bits of one number, so that a whole index is counted in a few steps."""
    bits = bytearray(rows[-1] // 8 + 1)
    for at in rows:
        bits[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(bits, "little")


def _most_shared(masks: Sequence[int], least: int) -> Iterator[tuple[int, int]]:
    """Counts from the highest down to `least`, each with a mask of the rows that stand in so many of the masks."""
    planes: list[int] = []  # the count of each row in binary, one number for each digit
    anywhere = 0
    for mask in masks:
        anywhere |= mask
        carry = mask
        for digit, plane in enumerate(planes):
            planes[digit], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    most = (1 << len(planes)) - 1  # no row stands in more than its digits can tell
    for count in range(min(len(masks), most), max(least, 1) - 1, -1):
        rows = anywhere
        for digit, plane in enumerate(planes):
            rows &= plane if count >> digit & 1 else ~plane
        if rows:
            yield count, rows


def _bits(rows: int, most: int) -> list[int]:
    """The places of the bits that are set, at most so many, the lowest first."""
    found: list[int] = []
    if rows.bit_count() <= _FEW:
        while rows and len(found) < most:
            lowest = rows & -rows
            found.append(lowest.bit_length() - 1)
            rows ^= lowest
        return found
    digits = bin(rows)
    last = len(digits) - 1
    at = digits.rfind("1")
    while at >= 0 and len(found) < most:
        found.append(last - at)
        at = digits.rfind("1", 0, at)
    return found


def _claim_key(item: Candidate | MemoryRecord) -> str:
    """Structured claims meet on their claim key across reaches that overlap; the reach is for `match`."""
    return f"{norm(item.profile)}\x1f{item.claim.key}" if item.claim else ""
