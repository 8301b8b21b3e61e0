"""Sentences that tell of a scene: something going on now, done by nobody in particular ("A man is playing a flute").

A scene is no standing fact. Another one beside it takes nothing away, even with another number, name or place; only
the very same scene denied or turned round contradicts it. Reads one frame alone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

from evidence.rules.frames import Frame, Token

_NOW: Final = frozenset("is are am isn't aren't isnt arent there's he's she's it's they're we're i'm you're".split())
_NO_VERBS: Final = frozenset(
    """building buildings morning evening ceiling string spring wing wings king ring thing things something nothing anything
    everything meeting meetings clothing wedding billing staging pending missing existing setting settings string strings
    during according regarding concerning including excluding interesting boring surprising outstanding wiring""".split()
)
_BETWEEN: Final = 3
_ADVERBS: Final = frozenset("not never always still now just also no longer often only all both".split())
_DEFINITE: Final = frozenset("the this that these those our my your his her its their we you they he she it i".split())
_PEOPLE: Final = frozenset("person people human humans somebody someone".split())


@lru_cache(maxsize=32768)
def goes_on(frame: Frame) -> bool:
    """Whether the sentence tells what is being done at the moment: "is playing", "there is no man playing", "being sliced"."""
    if frame.language != "en":
        return False
    tokens = frame.tokens
    for at, token in enumerate(tokens):
        if token.form not in _NOW:
            continue
        if tokens[max(at - 1, 0)].form == "there" or token.form == "there's":
            return any(_is_doing(later.form) for later in tokens[at + 1 :])
        ahead = (later.form for later in tokens[at + 1 : at + 1 + _BETWEEN])
        if _is_doing(next((form for form in ahead if not _may_stand_between(form)), "")):
            return True
    return False


def _may_stand_between(form: str) -> bool:
    return form in _ADVERBS or form.endswith("ly")


def _is_doing(form: str) -> bool:
    return form == "being" or (form.endswith("ing") and len(form) > 4 and form not in _NO_VERBS)


@lru_cache(maxsize=32768)
def is_scene(frame: Frame) -> bool:
    """Whether nobody in particular does it: the sentence goes on and opens with no name and no definite word."""
    first = frame.tokens[0]
    return goes_on(frame) and first.form not in _DEFINITE and first.form not in frame.names


@lru_cache(maxsize=32768)
def attributes(frame: Frame) -> frozenset[str]:
    """Words that stand right beside a thing and say of which sort it is: "young" and "panda" in "a young panda bear"."""
    return frozenset(stem for one, other in _side_by_side(frame) for stem in (one.stem, other.stem))


@lru_cache(maxsize=32768)
def objects_are(frame: Frame) -> frozenset[str]:
    """What is said of the things behind the verb: "full" in "is jumping into a full pool"."""
    verb = next((token.start for token in frame.tokens if token.form in _NOW), 0)
    return frozenset(one.stem for one, _ in _side_by_side(frame) if one.start > verb)


@lru_cache(maxsize=32768)
def doings(frame: Frame) -> frozenset[str]:
    """Stems of what is being done."""
    return frozenset(token.stem for token in frame.tokens if token.role == "word" and _is_doing(token.form))


def _side_by_side(frame: Frame) -> list[tuple[Token, Token]]:
    return [
        (one, other)
        for one, other in pairwise(frame.tokens)
        if one.role == other.role == "word"
        and one.clause == other.clause
        and not (_is_doing(one.form) or _is_doing(other.form))
    ]


def anybody(frame: Frame) -> frozenset[str]:
    """Stems that stand for any person at all: who is denied by them is everybody."""
    return frozenset(token.stem for token in frame.tokens if token.form in _PEOPLE)
