"""Signals in a text that was written for a model and not for a colleague (contract 9, 12.15): which, where and why.

A signal raises risk and is shown to the reviewer; none of them is a verdict, and their absence is never the word "safe".
Every text gives an answer, in time linear in its length. A burst from one source is the service's to notice, not this rule's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from evidence.rules.characters import MarkKind, hidden_marks
from evidence.rules.confusables import confusable_words
from evidence.rules.disguises import Way, readings
from evidence.rules.encodings import Decoded, decoded_runs, has_decode_hint, reads_as_words
from evidence.rules.folding import Folded, fold
from evidence.rules.phrases import links
from evidence.rules.phrases.authority import AUTHORITY
from evidence.rules.phrases.english import ENGLISH, SHOUTED
from evidence.rules.phrases.languages import LANGUAGES
from evidence.rules.phrases.personas import PERSONAS
from evidence.rules.phrases.phrase import PhraseTable
from evidence.rules.phrases.tools import TOOLS
from evidence.rules.vocab import Signal


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: the signal, its place in the text (code points, end exclusive) and, in plain words, what was seen."""

    signal: Signal
    start: int
    end: int
    why: str

    def as_dict(self) -> dict[str, object]:
        return {"signal": self.signal.value, "start": self.start, "end": self.end, "why": self.why}


_Finder = Callable[[str, Folded], Iterator[Found]]

# A link whose name is a templated path of an API is a place for an id, not for the reader's data.
_PICTURE_TYPES = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif|x-icon|bmp)[;,]", re.IGNORECASE)


def _characters(text: str, _folded: Folded) -> Iterator[Found]:
    for mark in hidden_marks(text):
        if mark.kind in (MarkKind.BIDI, MarkKind.MARK):
            yield Found(Signal.BIDI_CONTROLS, mark.index, mark.index + 1, f"{mark.name} turns the reading direction")
        if mark.kind is not MarkKind.BIDI:
            yield Found(Signal.INVISIBLE_CHARACTERS, mark.index, mark.index + 1, f"{mark.name} cannot be seen")


def _confusables(text: str, _folded: Folded) -> Iterator[Found]:
    for start, end in confusable_words(text):
        yield Found(Signal.CONFUSABLE_LETTERS, start, end, "letters that look like those of another script")


_MEANINGS: Final = (
    *((phrase, Signal.INSTRUCTION_LIKE) for phrase in (*ENGLISH, *SHOUTED, *PERSONAS, *LANGUAGES)),
    *((phrase, Signal.EXFILTRATION_LINK) for phrase in links.LINKS),
    *((phrase, Signal.TOOL_DIRECTIVE) for phrase in TOOLS),
    *((phrase, Signal.AUTHORITY_CLAIM) for phrase in AUTHORITY),
)


@cache
def _known() -> PhraseTable:
    return PhraseTable(phrase for phrase, _ in _MEANINGS)


def _phrases(text: str, folded: Folded) -> Iterator[Found]:
    for at, start, end, as_written in _known().spans(folded.text, text):
        phrase, signal = _MEANINGS[at]
        span = (start, end) if as_written else folded.span(start, end)
        yield Found(signal, *span, phrase.name)


def _disguised(text: str, folded: Folded) -> Iterator[Found]:
    """The same phrases in another spelling, where they do not stand in plain letters as well."""
    plain: set[Signal] | None = None
    for reading in readings(text, folded.text):
        if reading.certain:
            yield Found(Signal.ENCODED_PAYLOAD, 0, len(text), f"is written in {reading.why}")
        meant = fold(reading.text) if reading.way is Way.WHOLE else Folded(reading.text, reading.text)
        for found in _phrases(reading.text, meant):
            if plain is None:
                plain = {each.signal for each in _phrases(text, folded)}
            if found.signal in plain:
                continue
            span = reading.span(found.start, found.end, len(folded.text))
            place = (0, len(text)) if reading.way is Way.WHOLE else folded.span(*span)
            yield Found(found.signal, *place, f"{found.why}, in {reading.why}")
            if reading.encoded:
                yield Found(Signal.ENCODED_PAYLOAD, *place, f"speaks to a model in {reading.why}")


def _payloads(text: str, _folded: Folded) -> Iterator[Found]:
    for run in decoded_runs(text):
        inner = _inner_signals(run.text)
        if not inner and not _is_payload(text, run):
            continue
        yield Found(Signal.ENCODED_PAYLOAD, run.start, run.end, f"{run.encoding} that decodes to readable text")
        for signal in inner:
            yield Found(signal, run.start, run.end, f"{run.encoding} text: {signal.value.replace('_', ' ')}")


def _is_payload(text: str, run: Decoded) -> bool:
    if run.usual or _PICTURE_TYPES.search(text[max(0, run.start - 40) : run.start]):
        return False
    long_enough = (
        len(run.text) >= 16 or run.encoding == "binary" or has_decode_hint(text[max(0, run.start - 60) : run.end + 60])
    )
    return long_enough and reads_as_words(run.text)


def _inner_signals(decoded: str) -> tuple[Signal, ...]:
    """What the decoded text says when read itself, or when what is encoded in it is decoded once more."""
    if len(decoded) < 10:
        return ()
    met = set(_said(decoded))
    for run in decoded_runs(decoded):
        met.update(_said(run.text))
    return tuple(sorted(met))


def _said(text: str) -> Iterator[Signal]:
    folded = fold(text)
    return (found.signal for finder in _SPOKEN for found in finder(text, folded))


def _exfiltration(text: str, folded: Folded) -> Iterator[Found]:
    plain = folded.text
    if "//" in plain:
        for found in links.IMAGE.finditer(plain):
            target = next(filter(None, found.groups()), "")
            if (
                links.TEMPLATED_QUERY.search(target)
                or links.DATA_HOST.search(target)
                or _loaded(text, folded, found.span())
            ):
                yield Found(
                    Signal.EXFILTRATION_LINK, *folded.span(*found.span()), "an image whose address carries data"
                )
        for found in links.URL.finditer(plain):
            address = found.group()
            if any(pattern.search(address) for pattern in (links.DATA_QUERY, links.DATA_HOST, links.DATA_PATH)):
                yield Found(
                    Signal.EXFILTRATION_LINK, *folded.span(*found.span()), "a link with a place for the reader's data"
                )
            elif _loaded(text, folded, found.span()):
                yield Found(
                    Signal.EXFILTRATION_LINK, *folded.span(*found.span()), "a link that carries an encoded text"
                )


def _loaded(text: str, folded: Folded, span: tuple[int, int]) -> bool:
    """Whether a query value of the link holds an encoded text (case matters, so the original is read)."""
    start, end = folded.span(*span)
    return any(
        reads_as_words(run.text) or len(run.text) >= 24
        for value in links.QUERY_VALUE.finditer(text, start, end)
        for run in decoded_runs(value.group(1))
        if not run.usual and not run.text.lstrip().startswith(("{", "["))
    )


_SPOKEN: tuple[_Finder, ...] = (
    _phrases,
    _exfiltration,
)
_FINDERS: tuple[_Finder, ...] = (_characters, _confusables, *_SPOKEN, _disguised, _payloads)
_ORDER = tuple(Signal)


def findings(text: str) -> tuple[Found, ...]:
    """Every finding with its place and reason, in the order of the places; overlapping ones of a signal come once."""
    folded = fold(text)
    found = sorted(
        (each for finder in _FINDERS for each in finder(text, folded)),
        key=lambda each: (each.start, -each.end, _ORDER.index(each.signal)),
    )
    kept: list[Found] = []
    reach: dict[Signal, int] = {}
    for each in found:
        if each.end > reach.get(each.signal, -1):
            kept.append(each)
            reach[each.signal] = each.end
    return tuple(kept)


def signals(text: str) -> tuple[Signal, ...]:
    """The distinct signals in the text, in the order of the contract's list (12.15)."""
    folded = fold(text)
    met = {each.signal for finder in _FINDERS for each in finder(text, folded)}
    return tuple(signal for signal in _ORDER if signal in met)
