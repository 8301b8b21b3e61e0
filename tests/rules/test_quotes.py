"""Claims that a text says word for word, and sentences that take such words back."""

from __future__ import annotations

import pytest

from evidence.rules.quotes import find_quote
from evidence.rules.words import language_of

CLAIM = "Imports run on Odin"
QUOTED = [
    "Imports run on Odin",
    "imports run on odin.",
    "As agreed: imports run on Odin, see the ticket.",
    "User: “Imports run on Odin”.",
    "They asked. Imports run on Odin! Nothing else was said.",
    "Not that one. Imports run on Odin.",
]
NOT_QUOTED = [
    "Imports run on Odin2",
    "Do imports run on Odin?",
    "It is not true that imports run on Odin.",
    "Nobody said: imports run on Odin.",
    "Tell me whether imports run on Odin.",
    "Imports run on Odin, but no longer.",
    "Imports run on Odin until June.",
    "Imports run on Odin in the tests of the staging area",
    "Reimports run on Odin",
    "",
]


@pytest.mark.parametrize("text", QUOTED)
def test_word_for_word(text: str) -> None:
    found = find_quote(CLAIM, ["Something else.", text], language_of(CLAIM, text))
    assert found is not None
    assert found.at == 1
    assert text[found.start : found.start + len(CLAIM)].casefold() == CLAIM.casefold()


@pytest.mark.parametrize("text", NOT_QUOTED)
def test_not_word_for_word_or_taken_back(text: str) -> None:
    assert find_quote(CLAIM, [text], language_of(CLAIM, text)) is None


@pytest.mark.parametrize("claim", ["", " ", ".", "!"])
def test_nothing_is_quoted_by_nothing(claim: str) -> None:
    assert find_quote(claim, ["Any text."], "en") is None


def test_a_denial_is_quoted_with_its_denial() -> None:
    claim = "Do not run imports on Odin"
    assert find_quote(claim, ["User: do not run imports on Odin."], "en") is not None
    assert find_quote(claim, ["Never do not run imports on Odin."], "en") is None
