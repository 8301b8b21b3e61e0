"""A word of a claim that no source has, and another one in its place in the sentence that says the claim (contract 8.1).

Judged by the words next to it and before it. In most languages only what has a capital is taken for the other thing, and
any word where it is the only one that a source lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

from evidence.rules.frames import Frame, Token
from evidence.rules.opposition import Opposition
from evidence.rules.synonyms import meaning_of
from evidence.rules.wordings import Wordings, is_among
from evidence.rules.words import is_unspaced


def other_in_place(claim: Frame, sources: Sequence[Frame], said: Wordings) -> Opposition | None:
    """A word of the claim is nowhere, and another one stands in its place in the sentence that says most of the claim."""
    best = max(sources, key=lambda source: len(claim.everything & source.everything), default=None)
    if best is None:
        return None
    for at, token in enumerate(claim.tokens):
        if _is_thing(claim, at) and not said.holds(token.form, token.stem):
            rival = next((other for i, other in enumerate(best.tokens) if _takes_place(claim, at, best, i)), None)
            if rival:
                words = claim.spoken[token.stem], best.spoken[rival.stem]
                return Opposition("name", instead(*words), words)
    return None


def instead(ours: str, theirs: str) -> str:
    """In words, what a source has in the place of something in the claim."""
    return f"“{theirs}” where the claim has “{ours}”"


def _is_thing(frame: Frame, at: int) -> bool:
    """A word that may name something; of a name in several words only the last one."""
    token = frame.tokens[at]
    if token.role != "word" or token.form.endswith(("ing", "ed", "ly")) or is_unspaced(token.form):
        return False
    _, after = _beside(frame, at)
    return not (after and after.form in frame.names and after.start == token.end + 1 and _is_capital(frame, token))


def _is_capital(frame: Frame, token: Token) -> bool:
    return frame.spoken[token.stem][:1].isupper()


def _takes_place(claim: Frame, at: int, source: Frame, i: int) -> bool:
    ours, theirs = claim.tokens[at], source.tokens[i]
    if not _is_thing(source, i) or is_among(theirs.stem, claim.everything):
        return False
    if meaning_of(ours.stem) == meaning_of(theirs.stem):
        return False
    before, after = _beside(claim, at)
    their_before, their_after = _beside(source, i)
    same_before = before is not None and their_before is not None and before.stem == their_before.stem
    same_after = after is not None and their_after is not None and after.stem == their_after.stem
    both_names = _is_capital(claim, ours) and _is_capital(source, theirs)
    is_modifier = after is not None and after.role == "word"
    if same_before and same_after:
        return both_names or (not is_modifier and _only_lacks(source, claim, ours))
    if same_before and before is not None and before.role == "stop":
        return _last_word(claim, at) == _last_word(source, i) != ""
    if same_before:
        return both_names and claim.language == "de"
    return same_after and is_modifier and both_names


def _only_lacks(source: Frame, claim: Frame, token: Token) -> bool:
    return all(is_among(stem_, source.everything) for stem_ in claim.everything - {token.stem})


def _beside(frame: Frame, at: int) -> tuple[Token | None, Token | None]:
    """The words next to one in its clause."""
    tokens, clause = frame.tokens, frame.tokens[at].clause
    before = tokens[at - 1] if at and tokens[at - 1].clause == clause else None
    after = tokens[at + 1] if at + 1 < len(tokens) and tokens[at + 1].clause == clause else None
    return before, after


def _last_word(frame: Frame, at: int) -> str:
    """The word that says something before a place in a sentence."""
    return next((token.stem for token in reversed(frame.tokens[:at]) if token.role in {"word", "value"}), "")
