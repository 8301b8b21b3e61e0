"""Whether the sources deny what a claim denies (contract 8.1, 12.11): any negation word by any other, in the same frame.

A claim denies by a negation ("not", "never"), by a word that refuses ("is unable to", "has yet to"), or by a verb of the
contract's cues that no source uses ("replaced", "is deprecated").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from evidence.rules.antonyms import CLOSED_CUES, DENYING_VERBS, opposite_pair
from evidence.rules.denials import Denial, denials_of
from evidence.rules.frames import Frame
from evidence.rules.synonyms import meaning_of
from evidence.rules.wordings import is_among

_REFUSING: Final = frozenset(
    """avoid avoids avoided avoiding refuse refuses refused refusing decline declines declined declining unable incapable
    insufficient unwilling weigert weigerte weigern unfähig außerstande refusent refusé""".split()
)
_REFUSING_PAIRS: Final = frozenset(
    {("yet", "to"), ("fail", "to"), ("fails", "to"), ("failed", "to"), ("gave", "up"), ("gives", "up"), ("give", "up")}
)


def missing_denials(claim: Iterable[Frame], sources: Sequence[Frame]) -> tuple[str, ...]:
    """Cues of the claim's negations that no denial of a source meets in the same frame, whatever its word."""
    missing = [
        denial.cue
        for frame in claim
        for denial in (*_negations(frame), *refusals(frame), *_ends(frame, sources))
        if not any(_meets(denial, frame, source) for source in sources)
    ]
    return tuple(dict.fromkeys(missing))


def _negations(frame: Frame) -> list[Denial]:
    """Denials by a negation word; a pair that cancels out ("cannot run without") is none."""
    spoken = {token.cue for token in frame.tokens if token.role == "denial"}
    if not spoken:
        return []
    denials = [denial for denial in denials_of(frame) if denial.cue in spoken]
    fails = any(DENYING_VERBS.get(token.form) == "fail" for token in frame.tokens)  # "never fails to" says yes
    if not denials and not fails and sum(token.role == "denial" for token in frame.tokens) == 1:
        # "not ... until": nothing is denied for good, but the negation must be found all the same.
        return [Denial(cue, "", frame.content, True, frame.everything) for cue in spoken]
    return denials


@lru_cache(maxsize=32768)
def refusals(frame: Frame) -> tuple[Denial, ...]:
    """Denials by a word that says no by itself: "refused to", "is unable to", "has yet to"; of all that follows it."""
    found: list[Denial] = []
    for at, token in enumerate(frame.tokens):
        follower = frame.tokens[at + 1].form if at + 1 < len(frame.tokens) else ""
        if token.form not in _REFUSING and (token.form, follower) not in _REFUSING_PAIRS:
            continue
        if any(other.role == "denial" and other.clause == token.clause for other in frame.tokens[:at]):
            continue  # "never refuses to": two denials say yes
        scope = frozenset(
            other.stem
            for other in frame.tokens[at + 1 :]
            if other.clause == token.clause and other.role in {"word", "value"}
        )
        if scope:
            found.append(Denial(token.form, "", scope, False, scope))
    return tuple(found)


def _ends(frame: Frame, sources: Sequence[Frame]) -> Iterator[Denial]:
    """Denials by a verb of the contract's list ("replaced", "is deprecated", "stopped using") that no source uses."""
    verbs = {
        verb: token
        for token in frame.tokens
        if token.role == "word" and (verb := DENYING_VERBS.get(token.form)) in CLOSED_CUES
    }
    for denial in denials_of(frame) if verbs else ():
        token = verbs.get(denial.cue)
        if token and not any(meaning_of(token.stem) in map(meaning_of, source.content) for source in sources):
            yield denial


def _meets(denial: Denial, claim: Frame, source: Frame) -> bool:
    """Whether the source's sentence denies something of the same thing."""
    own_verbs = {DENYING_VERBS.get(token.form, token.form) for token in claim.tokens if token.role == "word"} - {
        denial.cue
    }
    theirs: frozenset[str] = frozenset().union(
        *(other.scope | other.answer for other in all_denials(source) if other.cue not in own_verbs)
    )
    if not theirs and any(_may_deny(source, at) for at in range(len(source.tokens))):
        theirs = source.everything
    wanted = denial.scope or claim.content
    return any(is_among(mine, theirs) for mine in wanted) or opposite_pair(denial.scope, source.content) is not None


def all_denials(frame: Frame) -> tuple[Denial, ...]:
    return (*denials_of(frame), *refusals(frame))


def _may_deny(frame: Frame, at: int) -> bool:
    """A negation or contrast, but not the "No," that only opens an answer."""
    tokens = frame.tokens
    is_answer = at == 0 and len(tokens) > 1 and tokens[1].clause != tokens[0].clause
    return tokens[at].role in {"denial", "contrast"} and not is_answer
