"""From text to words: tokens, content words, stems (contract 12.10, 12.18), in any script.

The floor of the text rules; knows nothing of numbers, negation, opposition or likeness. Every function takes any text
and never fails. Import these through `tokens`.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import regex  # type: ignore[import-untyped]
import snowballstemmer

from evidence.rules.lexicon import ALIASES, NEGATIONS, STOP_WORDS

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc"
_LETTER: Final = rf"[[\w]--[{_UNSPACED}]]"
TOKEN: Final = regex.compile(
    rf"[{_UNSPACED}]+"  # scripts without spaces: one run
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|\d+(?:[:.,]\d+)+"  # 20,000  3.12  03:30
    rf"|{_LETTER}+(?:[-'.]{_LETTER}+)*(?:\+\+|\#)?",  # words, held together by - ' . inside them; c++, c#
    flags=regex.VERSION1,
)
"""One token of a *plain* text (see `plain`)."""
_ASCII_TOKEN: Final = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|\d+(?:[:.,]\d+)+|\w+(?:[-'.]\w+)*(?:\+\+|\#)?", re.ASCII
)
"""`TOKEN` for a text of ASCII letters, in a third of the time."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_RUN: Final = regex.compile(rf"[{_UNSPACED}]")
_NUMERIC: Final = re.compile(r"v?\d[\d.:,/-]*")
_JOINERS: Final = re.compile(r"[-.'_]+")
_PLAIN: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u00b4\u2032\uff07", "'")
    | dict.fromkeys("\u2010\u2011", "-")
    | dict.fromkeys("\u00ad\u200b\u2060\ufeff", None)
)
_STEMMERS: Final = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch",
    "ru": "russian",
}  # fmt: skip
_local: Final = threading.local()


def plain(text: str) -> str:
    """NFC, plain apostrophes and hyphens, invisible joints out, case kept. Spans of the rules count in this text."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_PLAIN)


def lower(plain_text: str) -> str:
    """Lower case of the same length, so that spans stay true (a few letters, such as `İ`, would grow)."""
    low = plain_text.lower()
    if plain_text.isascii() or len(low) == len(plain_text):
        return low
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in plain_text)


@lru_cache(maxsize=65536)
def fold(token: str) -> str:
    """The form in which tokens are compared: plain, casefolded; NFC again because casefolding may undo it."""
    return unicodedata.normalize("NFC", plain(token).casefold())


class Spelt(NamedTuple):
    """A token as it stands in the plain text."""

    form: str
    """Folded."""
    start: int
    end: int


def spelt(text: str) -> tuple[Spelt, ...]:
    """The tokens of a text in order, runs without spaces whole, with their spans in the plain text."""
    return tuple(map(Spelt._make, cut(text)))


@lru_cache(maxsize=16384)
def cut(text: str) -> tuple[tuple[str, int, int], ...]:
    """As `spelt`, as bare tuples: made in a third of the time, and nothing for the garbage collector to walk through."""
    if text.isascii():
        return tuple([(found[0], *found.span()) for found in _ASCII_TOKEN.finditer(text.lower())])
    return tuple([(fold(found[0]), *found.span()) for found in TOKEN.finditer(plain(text))])


@lru_cache(maxsize=4096)
def letter_runs(text: str) -> frozenset[str]:
    """The runs of letters of a text in lower case: tells at once that a pattern which opens with a word finds nothing."""
    return frozenset(_LETTERS.findall(lower(plain(text))))


def words(text: str) -> tuple[str, ...]:
    """Tokens in order (contract 12.10): folded, no punctuation, joined words whole and in parts, bigrams where needed."""
    found: list[str] = []
    for token in _tokens(text):
        found.append(token)
        parts = parts_of(token)
        if parts != (token,):
            found.extend(parts)
    return tuple(found)


def pieces(text: str) -> tuple[str, ...]:
    """As `words`, but a joined word gives its parts only, so that `pre-commit` and `pre commit` read the same."""
    return tuple(part for token in _tokens(text) for part in parts_of(token))


def _tokens(text: str) -> Iterator[str]:
    for form, _, _ in cut(text):
        if is_unspaced(form):
            yield from bigrams(form)
        elif "," in form and _GROUPED.fullmatch(form):
            yield form.replace(",", "")
        else:
            yield form


_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def is_unspaced(token: str) -> bool:
    """Whether a token is a run of a script that puts no spaces between words."""
    return token[:1] >= "\u0e00" and _RUN.match(token) is not None


def bigrams(run: str) -> list[str]:
    """Such a run cut into overlapping pairs; a single sign stands alone (contract 12.10)."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=65536)
def parts_of(token: str) -> tuple[str, ...]:
    """The parts of a joined word; numbers, versions and contractions stay whole, a possessive loses its ending."""
    if is_contraction(token) or _NUMERIC.fullmatch(token):
        return (token,)
    return tuple(part for part in _JOINERS.split(token.removesuffix("'s")) if part) or (token,)


def is_contraction(token: str) -> bool:
    """Whether an English auxiliary with `n't` ("don't", "isn't")."""
    return token.endswith("n't")


def language_of(*texts: str) -> str:
    """The language whose small words the texts use most, `en` when nothing tells; it decides stop words and stemmer."""
    if len(texts) == 2 and (one := _language(texts[0])) == _language(texts[1]):  # as nearly always, at once
        return one or LANGUAGES[0]
    spoken = {code for text in texts if (code := _language(text))}
    if len(spoken) == 1:
        return spoken.pop()
    if not spoken:
        return LANGUAGES[0]
    hits = tuple(map(sum, zip(*map(_hits, texts), strict=True)))
    return LANGUAGES[hits.index(max(hits))]


@lru_cache(maxsize=32768)
def _language(text: str) -> str:
    """The language of one text, empty when nothing tells."""
    hits = _hits(text)
    most = max(hits)
    return LANGUAGES[hits.index(most)] if most else ""


LANGUAGES: Final = tuple(STOP_WORDS)
_SMALL: Final[dict[str, tuple[int, ...]]] = {
    word: tuple(at for at, code in enumerate(LANGUAGES) if word in STOP_WORDS[code] or word in NEGATIONS[code])
    for word in frozenset().union(*STOP_WORDS.values(), *NEGATIONS.values())
}
_ELISIONS: Final = {"l'": ("fr", "it"), "d'": ("fr",), "n'": ("fr",), "c'": ("fr",), "s'": ("fr",), "j'": ("fr",)}


@lru_cache(maxsize=32768)
def _hits(text: str) -> tuple[int, ...]:
    """Small words of a text by language; Cyrillic letters count for Russian where no small word tells."""
    counts = [0] * len(LANGUAGES)
    for token, _, _ in cut(text):
        for at in _SMALL.get(token, ()):
            counts[at] += 1
        if token[1:2] == "'":
            for code in _ELISIONS.get(token[:2], ()):
                counts[LANGUAGES.index(code)] += 1
        elif _is_cyrillic(token):
            counts[-1] += 1
    return tuple(counts)


def _is_cyrillic(token: str) -> bool:
    return "\u0400" <= token[0] <= "\u04ff"


def is_stop(word: str, language: str) -> bool:
    """Whether a folded word carries no content in this language; negations and single letters carry none either."""
    if len(word) == 1:
        return word.isascii() and word.isalpha()
    return word in STOP_WORDS[language] or word in NEGATIONS[language] or is_contraction(word)


class Piece(NamedTuple):
    """One part of a token, as the rules read it in a language."""

    form: str
    stem: str
    is_stop: bool


@lru_cache(maxsize=131072)
def readings(token: str, language: str) -> tuple[Piece, ...]:
    """The parts of a folded token (see `parts_of`), each with its stem."""
    return tuple(Piece(part, stem(part, language), is_stop(part, language)) for part in parts_of(token))


def content_words(text: str, language: str | None = None) -> tuple[str, ...]:
    """Words that say something, in order: stop words and negations of the text's language out, joined words in parts."""
    code = language or language_of(text)
    return tuple(piece.form for token in _tokens(text) for piece in readings(token, code) if not piece.is_stop)


@lru_cache(maxsize=131072)
def stem(word: str, language: str | None = None) -> str:
    """The stem of one word: short forms spelt out, then snowball (by default English; Russian for Cyrillic letters)."""
    token = fold(word)
    if not token or not token[0].isalpha():
        return token
    code = "ru" if _is_cyrillic(token) else language or "en"
    if not token.isascii() and code != "ru" and not unicodedata.name(token[0], "").startswith("LATIN"):
        return token
    token = ALIASES.get(token, token) if code == "en" else token
    return str(_stemmer(code).stemWord(token)) or token


def _stemmer(code: str) -> snowballstemmer.english_stemmer.EnglishStemmer:
    """One stemmer per thread and language: a stemmer keeps the word it works on, so threads must not share it."""
    kept = _local.__dict__.setdefault("stemmers", {})
    if code not in kept:
        kept[code] = snowballstemmer.stemmer(_STEMMERS[code])
    return kept[code]


def stems(text: str, language: str | None = None) -> frozenset[str]:
    """The stems of the content words (contract 12.18)."""
    return _stems(text, language) if language else _own_stems(text)


@lru_cache(maxsize=16384)
def _own_stems(text: str) -> frozenset[str]:
    return _read_stems(text, language_of(text))


@lru_cache(maxsize=4096)
def _stems(text: str, language: str) -> frozenset[str]:
    return _read_stems(text, language)


def _read_stems(text: str, language: str) -> frozenset[str]:
    return frozenset(
        [piece.stem for token in _tokens(text) for piece in readings(token, language) if not piece.is_stop]
    )
