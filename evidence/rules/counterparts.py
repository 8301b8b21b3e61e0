"""Denials of a claim that no source meets, and sources that say otherwise (contract 8.1, 12.11).

Judged sentence by sentence. A source that merely speaks of more or of something else is no counterpart: it must be the
claim's own sentence with one thing turned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evidence.rules.denials import Denial, denials_of
from evidence.rules.frames import Frame, frames_of
from evidence.rules.opposition import Opposition, oppose
from evidence.rules.wordings import begins_alike
from evidence.rules.words import stem

_SAME_SENTENCE: Final = 0.6
_FEW: Final = 2
_KINDS_OF_THINGS: Final = frozenset({"name", "object", "identifier", "antonym"})


def missing_denials(claim: Iterable[Frame], sources: Sequence[Frame]) -> tuple[str, ...]:
    """Cues of the claim's negations that no denial of a source meets in the same frame, whatever its word."""
    missing = [
        denial.cue
        for frame in claim
        for denial in _negations(frame)
        if not any(_meets(denial, frame, source) for source in sources)
    ]
    return tuple(dict.fromkeys(missing))


def _negations(frame: Frame) -> list[Denial]:
    """Denials by a negation word; a pair that cancels out ("cannot run without") is none."""
    spoken = {token.cue for token in frame.tokens if token.role == "denial"}
    denials = [denial for denial in denials_of(frame) if denial.cue in spoken]
    if not denials and sum(token.role == "denial" for token in frame.tokens) == 1:
        # "not ... until": nothing is denied for good, but the negation must be found all the same.
        return [Denial(cue, "", frame.content, True, frame.everything) for cue in spoken]
    return denials


def _meets(denial: Denial, claim: Frame, source: Frame) -> bool:
    """Whether the source's sentence denies something of the same thing."""
    theirs: frozenset[str] = frozenset().union(*(other.scope | other.answer for other in denials_of(source)))
    if not theirs:
        if not any(token.role in ("denial", "contrast") for token in source.tokens):
            return False
        theirs = source.everything
    wanted = denial.scope or claim.content
    return any(mine in theirs or any(begins_alike(mine, other) for other in theirs) for mine in wanted)


def said_otherwise(statement: str, texts: Sequence[str], language: str) -> Opposition | None:
    """The first text that is the claim's sentence with one thing turned, where no other text says it straight."""
    opposed: Opposition | None = None
    for text in texts:
        against = oppose(statement, text)
        if against is not None and not _is_turned(statement, text, against, language):
            continue
        against = against or _other_name(statement, text, language)
        if against is None and _likest(statement, text, frozenset(), language) >= _SAME_SENTENCE:
            return None
        opposed = opposed or against
    return opposed


def _other_name(statement: str, text: str, language: str) -> Opposition | None:
    """The claim's sentence with another name or value in the place of one of its names."""
    for claim in frames_of(statement, language):
        for source in frames_of(text, language):
            ours, theirs = claim.everything - source.everything, source.everything - claim.everything
            mine = sorted(name for name in set(claim.names) - set(source.names) if stem(name, language) in ours)
            rivals = sorted(name for name in set(source.names) - set(claim.names) if stem(name, language) in theirs)
            rivals += [source.spoken[key] for key in sorted(theirs) if ":" in key and key in source.spoken]
            shared = len(claim.everything & source.everything)
            if mine and rivals and len(ours) <= _FEW and shared >= _SAME_SENTENCE * len(claim.everything):
                return Opposition("name", f"another name: “{mine[0]}” and “{rivals[0]}”", (mine[0], rivals[0]))
    return None


def _is_turned(statement: str, text: str, against: Opposition, language: str) -> bool:
    ours, theirs = (side.casefold() for side in against.pair)
    if against.cue in _KINDS_OF_THINGS and (theirs in statement.casefold() or ours in text.casefold()):
        return False  # a name or word that both texts hold is not what sets them apart
    pair = frozenset(stem(word, language) for side in against.pair for word in side.casefold().split())
    if pair & {"before", "after"} and not _same_order(statement, text, against):
        return False
    # A denial's pair is the thing that both speak of; any other pair is what sets them apart.
    without = frozenset[str]() if _is_denial(against) else pair
    return _likest(statement, text, without, language) >= _SAME_SENTENCE


def _is_denial(against: Opposition) -> bool:
    ours, theirs = against.pair
    return ours.endswith(theirs) or theirs.endswith(ours)


def _same_order(statement: str, text: str, against: Opposition) -> bool:
    """ "X before Y" against "X after Y": the word stands inside both sentences and does not open one of them."""
    return all(
        side.casefold() in whole.casefold()[1:] for side, whole in zip(against.pair, (statement, text), strict=True)
    )


def _likest(statement: str, text: str, without: frozenset[str], language: str) -> float:
    """How much of the two likest sentences is shared, the opposed words aside: 0 to 1."""
    ours = [frame.everything - without for frame in frames_of(statement, language)]
    theirs = [frame.everything - without for frame in frames_of(text, language)]
    return max((len(one & other) / max(len(one | other), 1) for one in ours for other in theirs), default=0.0)
