"""Signals in a text that was written for a model and not for a colleague (contract 9, 12.15): which, where and why.

A signal raises risk and is shown to the reviewer; none of them is a verdict, and their absence is never the word "safe".
Every text gives an answer, in time linear in its length. A burst from one source is the service's to notice, not this rule's.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from evidence.rules.characters import MarkKind, hidden_marks
from evidence.rules.confusables import confusable_words
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
_SPACED_OUT = re.compile(r"(?<![^\W_])(?:[^\W\d_][ ._*\-/|]{1,3}){4,}[^\W\d_](?![^\W_])")
_DIGIT_IN_WORD = re.compile(r"[a-z@$][0134578@$]|[0134578@$][a-z]")
_LEET_WORD = re.compile(r"(?<![\w@$])(?=[a-z0-9@$]{0,20}[a-z])(?=[a-z]{0,20}[0134578@$])[a-z0-9@$]{3,24}(?![\w@$])")
_LEET = str.maketrans("01345678@$", "oieasgtbas")
_ROT13_CUES = ("vtaber", "vafgehpgvba", "cebzcg", "qvfertneq", "flfgrz", "nffvfgnag", "nccebir")
_REVERSED_CUES = ("erongi", "noitcurtsni", "tpmorp", "dragersid", "metsys", "tnatsissa")


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
_KNOWN: Final = PhraseTable(phrase for phrase, _ in _MEANINGS)


def _phrases(text: str, folded: Folded) -> Iterator[Found]:
    for at, start, end, as_written in _KNOWN.spans(folded.text, text):
        phrase, signal = _MEANINGS[at]
        span = (start, end) if as_written else folded.span(start, end)
        yield Found(signal, *span, phrase.name)


def _disguised(text: str, folded: Folded) -> Iterator[Found]:
    """The same phrases spelt with digits, spaced letters, reversed or by ROT13."""
    plain = folded.text
    for spelt, why in _spellings(plain):
        if spelt != plain and _speaks_to_a_model(spelt) and not _speaks_to_a_model(plain):
            yield Found(Signal.INSTRUCTION_LIKE, 0, len(text), f"speaks to a model in {why}")
    for turned, why in _turned(plain):
        if _speaks_to_a_model(turned):
            yield Found(Signal.ENCODED_PAYLOAD, 0, len(text), f"speaks to a model in {why}")
            yield Found(Signal.INSTRUCTION_LIKE, 0, len(text), f"speaks to a model in {why}")


def _spellings(plain: str) -> Iterator[tuple[str, str]]:
    if _DIGIT_IN_WORD.search(plain):
        yield _LEET_WORD.sub(lambda found: found.group().translate(_LEET), plain), "digits for letters"
    if _SPACED_OUT.search(plain):
        yield _SPACED_OUT.sub(_closed_up, plain), "spaced letters"


def _turned(plain: str) -> Iterator[tuple[str, str]]:
    if any(map(plain.__contains__, _ROT13_CUES)):
        yield codecs.encode(plain, "rot13"), "ROT13"
    if any(map(plain.__contains__, _REVERSED_CUES)):
        yield plain[::-1], "reversed letters"


def _closed_up(found: re.Match[str]) -> str:
    """`i g n o r e   a l l` as two words: a wider gap parts words, a single mark parts letters."""
    return " ".join(re.sub(r"[ ._*\-/|]", "", word) for word in re.split(r"[ ._*\-/|]{2,3}", found.group()))


def _speaks_to_a_model(plain: str) -> bool:
    return any(True for phrase in ENGLISH for _ in phrase.spans(plain))


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
    long_enough = len(run.text) >= 16 or has_decode_hint(text[max(0, run.start - 60) : run.end + 60])
    return long_enough and reads_as_words(run.text)


def _inner_signals(decoded: str) -> tuple[Signal, ...]:
    """What the decoded text says when read itself; encodings inside encodings are not followed."""
    if len(decoded) < 10:
        return ()
    folded = fold(decoded)
    return tuple(sorted({found.signal for finder in _SPOKEN for found in finder(decoded, folded)}))


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
