"""The models that turn texts into points. Loaded when first needed; none of them ever asks a network for anything.

`wordllama` carries its weights in the package: 256 numbers for a text, from a table of 32,000 pieces of words, mostly English.
Without that package there is `hashed-ngrams`, which knows no meaning at all: it finds other spellings of the same words.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from evidence.backends.port import BackendFailed

LONGEST = 4_000
"""Characters of a text that are looked at: a point stands for what a text is about, and more words only blur it."""
_loading = threading.Lock()


class TextModel(Protocol):
    """`name` is part of what is kept: points of different models are never compared. `nearest`: less alike is no answer."""

    name: str
    nearest: float

    def points(self, texts: Sequence[str]) -> Any:
        """One row of length 1 for each text, of zeros where the model knows nothing of it; 32-bit numbers."""
        ...


class WordLlamaModel:
    name = "wordllama-l2-256"
    nearest = 0.28

    def __init__(self) -> None:
        import wordllama

        # Its own folder stands in for the cache into which it would otherwise download what is already there.
        here = Path(wordllama.__file__).parent
        self._model = wordllama.WordLlama.load(dim=256, cache_dir=here, disable_download=True)

    def points(self, texts: Sequence[str]) -> Any:
        # Half a surrogate pair is no text to it.
        clean = [text[:LONGEST].encode("utf-8", "replace").decode() for text in texts]
        rows = unit(self._model.embed([text or "." for text in clean], norm=False))
        for row, text in zip(rows, clean, strict=True):
            if not text.strip():
                row[:] = 0.0
        return rows


class HashedNgrams:
    """Counts of the pieces of words, thrown into 512 numbers by a hash."""

    name = "hashed-ngrams-512"
    nearest = 0.3
    _size = 512

    def points(self, texts: Sequence[str]) -> Any:
        import numpy

        rows = numpy.zeros((len(texts), self._size), dtype=numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for piece in _pieces(text[:LONGEST]):
                number = int.from_bytes(
                    hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=4).digest(), "big"
                )
                row[number % self._size] += 1.0 if number >> 31 else -1.0
        return unit(rows)


@lru_cache(maxsize=1)
def _made() -> TextModel:
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise BackendFailed("the packages of the extra `vector` are not installed") from error
    try:
        return WordLlamaModel()
    except ImportError:
        return HashedNgrams()


def text_model() -> TextModel:
    """The model of this installation, loaded once. Raises `BackendFailed` without the packages."""
    with _loading:
        return _made()


def unit(rows: Any) -> Any:
    """Each row with length 1; what the model knows nothing of stays zero."""
    import numpy

    rows = numpy.nan_to_num(numpy.asarray(rows, dtype=numpy.float32))
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows / numpy.where(lengths > 0, lengths, 1.0)


def _pieces(text: str) -> list[str]:
    from evidence.rules.tokens import pieces

    found: list[str] = []
    for word in pieces(text):
        padded = f"<{word}>"
        found += [word, *(padded[start : start + 3] for start in range(len(padded) - 2))]
    return found
