"""Readings of a text that is spelt so as to be overlooked: digits for letters, spaced letters, ROT13, backwards, escapes.

A reading is what the writer means to be read. What it says, and whether that matters, is for the callers to find out; nothing
here knows a signal or a phrase. Plain text gives no reading and costs a few searches.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote


class Way(StrEnum):
    """How the places of a reading lie to those of the plain text."""

    SAME = "same"
    MIRRORED = "mirrored"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Reading:
    """The text as meant, in plain words how it is spelt, whether that is an encoding, and how its places lie.

    `certain`: the text is so spelt whatever it says (it has several little words of the language in that spelling).
    """

    text: str
    why: str
    encoded: bool
    way: Way
    certain: bool = False

    def span(self, start: int, end: int, size: int) -> tuple[int, int]:
        """A span of the reading as a span of the plain text, which is `size` long."""
        if self.way is Way.SAME:
            return start, end
        return (size - end, size - start) if self.way is Way.MIRRORED else (0, size)


_MARKS = r"[ ._*\-/|]"
_SPACED_OUT = re.compile(rf"(?<![^\W_])(?:[^\W\d_]{_MARKS}{{1,3}}){{4,}}[^\W\d_](?![^\W_])")
_JOINED_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_](?:([._*\-/|])[^\W\d_](?:\1[^\W\d_])*)+(?![^\W_])")
_DIGIT_IN_WORD = re.compile(r"[a-z@$][0134578@$]|[0134578@$][a-z]")
_LEET_WORD = re.compile(r"(?<![\w@$])(?=[a-z0-9@$]{0,20}[a-z])(?=[a-z]{0,20}[0134578@$])[a-z0-9@$]{3,24}(?![\w@$])")
_LEET = str.maketrans("01345678@$", "oieasgtbas")
_ROT13_CUES = ("vtaber", "vafgehpgvba", "cebzcg", "qvfertneq", "flfgrz", "nffvfgnag", "nccebir")
_ROT13_WORDS = ("gur", "naq", "lbh", "guvf", "gung", "jvgu", "sbe", "abg", "nyy", "lbhe", "ubj", "jung")
_REVERSED_CUES = ("erongi", "noitcurtsni", "tpmorp", "dragersid", "metsys", "tnatsissa")
_REVERSED_WORDS = ("eht", "uoy", "dna", "siht", "taht", "htiw", "rof", "ton", "lla", "ruoy", "woh", "tahw")
_ESCAPE = re.compile(r"%[2-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]|&#x?[0-9a-f]{2,4};", re.IGNORECASE)
_LETTER_ESCAPE = re.compile(r"\\(?:u00|x)([2-7][0-9a-fA-F])")


def readings(text: str, plain: str) -> Iterator[Reading]:
    """What the text (and its plain form, in lower case) may be meant to say; nothing for a text that is spelt as usual."""
    if _DIGIT_IN_WORD.search(plain):
        spelt = _LEET_WORD.sub(lambda found: found.group().translate(_LEET), plain)
        if spelt != plain:
            yield Reading(spelt, "digits for letters", False, Way.SAME)
    if _SPACED_OUT.search(plain):
        yield Reading(_SPACED_OUT.sub(_closed_up, plain), "spaced letters", False, Way.WHOLE)
    certain = _has_words(plain, _ROT13_WORDS)
    if certain or any(map(plain.__contains__, _ROT13_CUES)):
        yield Reading(codecs.encode(plain, "rot13"), "ROT13", True, Way.SAME, certain)
    certain = _has_words(plain, _REVERSED_WORDS)
    if certain or any(map(plain.__contains__, _REVERSED_CUES)):
        yield Reading(plain[::-1], "reversed letters", True, Way.MIRRORED, certain)
    if any(map(text.__contains__, "%\\&")) and _ESCAPE.search(text) and (undone := _undone(text)) != text:
        yield Reading(undone, "escapes for letters", True, Way.WHOLE)


def _has_words(plain: str, words: tuple[str, ...]) -> bool:
    """Whether three of the words stand in the text by themselves, the first few of which hardly any such text lacks."""
    if not any(map(plain.__contains__, words[:4])) or sum(map(plain.__contains__, words)) < 3:
        return False
    return len(set(words).intersection(re.split(r"[^a-z]+", plain))) >= 3


def _closed_up(found: re.Match[str]) -> str:
    """`i g n o r e   a l l` and `i-g-n-o-r-e a-l-l` as two words: the rarer or wider gap parts words, the other letters."""
    run = found.group()
    if " " in run and (tight := _JOINED_LETTERS.findall(run)) and len(tight) > 1:
        return " ".join(re.sub(_MARKS, "", word) for word in run.split(" "))
    return " ".join(re.sub(_MARKS, "", word) for word in re.split(rf"{_MARKS}{{2,3}}", run))


def _undone(text: str) -> str:
    text = _LETTER_ESCAPE.sub(lambda each: chr(int(each.group(1), 16)), text)
    return unquote(html.unescape(text), errors="replace")
