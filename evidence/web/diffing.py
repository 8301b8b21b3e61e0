"""Word differences between two texts, on grapheme clusters (scenarios S12, S14). Pure: no request, no markup.

A joined emoji or a letter with its marks is one cluster and is never cut; an invisible character is a piece of its own, so
that a change nobody could see is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex
from diff_match_patch import diff_match_patch

_CLUSTERS = regex.compile(r"\X")
_WORDLIKE = regex.compile(r"[\p{L}\p{N}\p{M}_]")
# Scripts written without spaces: every cluster stands for itself there, or one changed sign would mark a whole sentence.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FIRST_CODE, _SURROGATES, _LAST_CODE = 0x100, range(0xD800, 0xE000), 0x10FFFF


class Op(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


_OP_OF = {-1: Op.REMOVED, 0: Op.SAME, 1: Op.ADDED}


@dataclass(frozen=True, slots=True)
class Piece:
    op: Op
    text: str


def tokens(text: str) -> list[str]:
    """The text cut into words, gaps and single clusters; joined they give it back."""
    found: list[str] = []
    in_word = False
    for cluster in _CLUSTERS.findall(text):
        wordlike = bool(_WORDLIKE.match(cluster)) and not _UNSPACED.match(cluster)
        if _joins_a_number(found, cluster):
            joint, found[-1:] = found[-1], []
            found[-1] += joint + cluster
        elif wordlike and in_word:
            found[-1] += cluster
        else:
            found.append(cluster)
        in_word = wordlike
    return found


def _joins_a_number(found: list[str], cluster: str) -> bool:
    """4.18.2, 20,000 and 14:30 are one word each: half a number says nothing."""
    return cluster.isdigit() and len(found) > 1 and found[-1] in (".", ",", ":") and found[-2][-1:].isdigit()


@lru_cache(maxsize=512)
def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """What was removed and added to make `new` of `old`, in reading order. Without a change: one piece, or none."""
    codes: dict[str, str] = {}
    differ = diff_match_patch()
    differ.Diff_Timeout = 0.25
    coded = differ.diff_main(_encode(tokens(old), codes), _encode(tokens(new), codes), False)
    differ.diff_cleanupSemantic(coded)
    words = {code: token for token, code in codes.items()}
    return tuple(Piece(_OP_OF[op], "".join(words[code] for code in run)) for op, run in coded if run)


def changed(pieces: tuple[Piece, ...]) -> bool:
    return any(piece.op is not Op.SAME for piece in pieces)


def _encode(parts: list[str], codes: dict[str, str]) -> str:
    """One private character per different word, so that the algorithm cannot cut inside one."""
    for part in parts:
        if part not in codes:
            number = _FIRST_CODE + len(codes)
            number = number if number < _SURROGATES.start else number + len(_SURROGATES)
            if number > _LAST_CODE:
                raise ValueError("more different words than a text of this size can have")
            codes[part] = chr(number)
    return "".join(codes[part] for part in parts)
