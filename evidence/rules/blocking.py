"""Which of many records a candidate has to be held against at all, without looking at each (contract 7, 12.18).

An index in memory over records of any profile. What it leaves out would be `new` to `match`; what it gives, `match` judges.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from evidence.rules.matching import match_key, named_ids
from evidence.rules.records import Candidate, MemoryRecord
from evidence.rules.text import norm
from evidence.rules.words import stems

_SHARE: Final = 0.5
"""Dice of content words below which no text counts as near another (see `similarity`)."""
_MOST: Final = 32


class Blocks:
    """Records by id, by key and by word. Build once, ask often; a changed record needs a new index."""

    def __init__(self, records: Sequence[MemoryRecord]) -> None:
        self._records = tuple(records)
        self._by_id: dict[str, list[int]] = defaultdict(list)
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._words: list[frozenset[str]] = []
        for at, record in enumerate(self._records):
            words = stems(record.statement)
            self._words.append(words)
            self._by_id[record.id].append(at)
            self._by_key[_claim_key(record) or match_key(record)].append(at)
            for word in words:
                self._by_word[norm(record.profile), word].append(at)

    def near(self, candidate: Candidate) -> tuple[MemoryRecord, ...]:
        """The records that `match` may find on the candidate's key, superseded by it, or nearly the same; in their order."""
        found = {at for name in named_ids(candidate, self._by_id) for at in self._by_id[name]}
        found.update(self._by_key.get(_claim_key(candidate) or match_key(candidate), ()))
        found.update(self._alike(candidate))
        return tuple(self._records[at] for at in sorted(found))

    def _alike(self, candidate: Candidate) -> list[int]:
        """The records most alike by words. The commonest words are passed over: to share only those is not enough."""
        profile = norm(candidate.profile)
        words = stems(candidate.statement)
        lists = sorted((self._by_word.get((profile, word), []) for word in words), key=len)
        least = math.ceil(len(words) * _SHARE / (2 - _SHARE))
        counts: Counter[int] = Counter()
        for rows in lists[: len(lists) - least + 1]:
            counts.update(rows)
        passed_over = max(least - 1, 0)
        possible = [
            at
            for at, count in counts.items()
            if 2 * (count + passed_over) >= _SHARE * (len(words) + len(self._words[at]))
        ]
        shares = [(2 * len(words & self._words[at]) / (len(words) + len(self._words[at])), -at) for at in possible]
        return [-at for share, at in heapq.nlargest(_MOST, shares) if share >= _SHARE]


def _claim_key(item: Candidate | MemoryRecord) -> str:
    """Structured claims meet on their claim key across reaches that overlap; the reach is for `match`."""
    return f"{norm(item.profile)}\x1f{item.claim.key}" if item.claim else ""
