"""Text that repeats what its filer was served is no evidence of it (contract 6): knowing such a text again.

A repeat is a text whose words all stand in runs that what was served has too; in front of it, and only there, may be some words
of the filer's own ("According to my notes, …"). A text with another value, name or number in it says something of its own and
is none, and neither is one that adds a sentence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from evidence.rules.tokens import language_of, pieces
from evidence.rules.words import is_stop

RUN = 3
"""Words in a run: enough to tell one sentence from another, few enough to survive a changed beginning."""
FRAME_SHARE = 0.3
"""At most so much of a repeat may be the filer's words in front."""
FEWEST = 2
"""Words that carry meaning: a bare value says too little to be anybody's words."""
MOST_WORDS = 4_000
MOST_RUNS = 400
_HEX = 12


def runs_of(text: str, most: int = MOST_RUNS) -> tuple[str, ...]:
    """Hashes of the runs of words of a text that is served, in its order; a text of fewer words is one run."""
    return tuple(dict.fromkeys(_runs(pieces(text)[:MOST_WORDS])))[:most]


def repeats(text: str, served: Collection[str]) -> bool:
    """Whether the text says nothing but what texts with these runs say."""
    words = pieces(text)[:MOST_WORDS]
    language = language_of(text)
    if not served or sum(not is_stop(word, language) for word in words) < FEWEST:
        return False
    known = _known(words, served)
    if True not in known:
        return False
    first = known.index(True)
    if first > FRAME_SHARE * len(words) or any(word[:1].isdigit() for word in words[:first]):
        return False
    return all(known[first:])


def _known(words: Sequence[str], served: Collection[str]) -> list[bool]:
    """Per word whether it stands in a run that was served."""
    known = [False] * len(words)
    for start, run in enumerate(_runs(words)):
        if run in served:
            known[start : start + RUN] = [True] * len(known[start : start + RUN])
    return known


def _runs(words: Sequence[str]) -> list[str]:
    if len(words) < RUN:
        return [_hashed(words)] if words else []
    return [_hashed(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


def _hashed(words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:_HEX]
