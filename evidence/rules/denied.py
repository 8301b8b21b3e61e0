"""Whether one sentence asserts what the other one denies (contract 12.7: "only what the other text asserts in the same frame").

`denials` reads what a single sentence denies; here it is held against another sentence.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from evidence.rules import contrasts
from evidence.rules.antonyms import CLOSED_CUES, DENYING_VERBS, opposite_pair
from evidence.rules.denials import Denial, asserted, cue_stems, denials_of, negations_of, verbs_of
from evidence.rules.frames import Frame, key_of
from evidence.rules.scenes import anybody, attributes, doings, goes_on
from evidence.rules.synonyms import KINDS, meaning_of
from evidence.rules.words import stem

_NO_KINDS: Final = frozenset[str]()
_SAME_THING: Final = 0.34
_ENOUGH: Final = 0.6
_FULL: Final = 0.75
_LITTLE: Final = 0.3
_SOME: Final = 3
_MANY: Final = 4
_NOBODY: Final = frozenset({"nobody", "no one", "no-one"})
_FAMILIES: Final = (
    frozenset("forbid prohibit ban bar outlaw deny prevent refuse".split()),
    frozenset("stop cease".split()),
    frozenset("remove drop retire".split()),
    *(
        frozenset({verb})
        for verb in ("avoid", "replace", "deprecated", "disable", "discourage", "fail", "lack", "skip")
    ),
)
"""Verbs that deny in one way: where one of them stands in either text, both say it."""
_WEAK_CUES: Final = frozenset(DENYING_VERBS.values()) - CLOSED_CUES
"""Verbs that deny only where nearly all the rest is the same."""
_WAYS_OUT: Final = dict.fromkeys(("remove", "drop"), frozenset(map(stem, "delete erase purge discard".split())))
"""What says of a thing in another word that it is gone: it denies it just so."""
_REMOVING: Final = frozenset("remove drop".split())
_REMOVED: Final = frozenset("take_off take_out take_down turn_off".split())


def is_denied(denial: Denial, denier: Frame, sayer: Frame) -> bool:
    """Whether the sayer asserts, in the same frame, what the denial denies."""
    if _say_both(denial, denier, sayer) or _leave_room(denial, denier, sayer):
        return False
    if goes_on(denier):
        return denial.cue in negations_of(denier) and _is_denied_scene(denier, sayer)
    cues = {own.cue for own in denials_of(denier)}
    scope = denial.scope.difference(*(twin.scope for twin in denials_of(sayer) if twin.cue in cues))
    said = asserted(sayer)
    hits = scope & said
    if not hits or (denial.focus in sayer.everything and denial.focus not in said):
        return False
    return _is_covered(denial, denier, sayer, len(hits) / len(scope), len(hits))


def _say_both(denial: Denial, denier: Frame, sayer: Frame) -> bool:
    """Whether both deny it: the cue, a verb of its kind or the exception stands in either."""
    if any(twin.cue == denial.cue and twin.scope & denial.scope for twin in denials_of(sayer)):
        return True
    if any(denial.cue in family and family & verbs_of(sayer) for family in _FAMILIES):
        return True
    if denial.cue in _WAYS_OUT and _WAYS_OUT[denial.cue] & sayer.content:
        return True
    if denial.cue in _REMOVING and contrasts.phrasals(sayer) & _REMOVED:
        return True
    return bool(left_out(sayer) & denier.everything)


def _leave_room(denial: Denial, denier: Frame, sayer: Frame) -> bool:
    """Whether both can be true: something else is meant, or an opposite turns the denial back.

    "not in the afternoon" and "in the morning"; "no direct flights" and flights; "not in the yard, only in the street"
    and in the street; "open except Monday" and "closed on Mondays".
    """
    ours, theirs = contrasts.polar_stems(denier), contrasts.polar_stems(sayer)
    if denial.narrow and denial.scope <= left_out(denier):
        return opposite_pair(ours - theirs, theirs - ours, classes=False) is not None
    unsaid = denial.scope - sayer.everything
    if not unsaid:
        return False
    if ("than" in denier.forms) != ("than" in sayer.forms) and denial.cue in negations_of(denier):
        return True
    if denial.cue == "no" and denial.focus in unsaid & attributes(denier):
        return True
    if opposite_pair(unsaid & ours, theirs - ours) is not None:
        return True
    return bool(_said_instead(denial, denier) & sayer.everything)


def _said_instead(denial: Denial, denier: Frame) -> frozenset[str]:
    """What the sentence asserts in another clause behind a denial: "not in the yard, only in the street"."""
    clauses = {token.clause for token in denier.tokens if token.stem in denial.scope}
    if "only" not in denier.forms or denial.narrow:
        return frozenset()
    later = {token.stem for token in denier.tokens if token.role == "word" and token.clause > max(clauses, default=0)}
    return asserted(denier) & later


@lru_cache(maxsize=16384)
def left_out(frame: Frame) -> frozenset[str]:
    """What a sentence excepts: "every day except Monday"."""
    cues = {token.cue for token in frame.tokens if token.role == "contrast"}
    return frozenset().union(*(denial.scope for denial in denials_of(frame) if denial.cue in cues))


def _is_covered(denial: Denial, denier: Frame, sayer: Frame, coverage: float, hits: int) -> bool:
    """Whether enough of what is denied is asserted (`coverage`: its share), and of the two sentences shared."""
    ours, theirs = denier.everything - cue_stems(denier), sayer.everything - cue_stems(sayer)
    if not _NOBODY.isdisjoint(denier.forms):
        theirs -= anybody(sayer)  # "four people are" says of some what "nobody is" denies of all
    shared = len(ours & theirs)
    overlap = shared / max(min(len(ours), len(theirs)), 1)
    if overlap < _SAME_THING or (shared < 2 and len(ours | theirs) > 2):
        return False
    if denial.cue in _WEAK_CUES and 2 * shared < _ENOUGH * (len(ours) + len(theirs)):
        return False
    said = asserted(sayer)
    if denial.narrow:
        has_context = bool((ours & theirs) - denial.scope) or overlap == 1 or (denial.is_state and hits >= 2)
        return coverage > 0.5 and (not denial.focus or denial.focus in said) and has_context
    if denial.focus in said:
        return coverage >= _ENOUGH or (shared / max(len(theirs), 1) >= _FULL and coverage >= _LITTLE)
    return coverage >= _FULL and (hits >= 2 or ours == theirs) and overlap >= 0.5


def _is_denied_scene(denier: Frame, sayer: Frame) -> bool:
    """Whether all of a denied scene is asserted.

    Missing may be a word that only says of which sort a thing is, and another word for what is done with all the rest.
    """
    denied = (denial.answer for denial in denials_of(sayer) if denial.cue in negations_of(sayer))
    wanted = frozenset(map(meaning_of, denier.everything - anybody(denier)))
    there = frozenset(map(meaning_of, sayer.everything.difference(*denied)))
    missing, more = wanted - there, there - wanted
    kinds = {general: KINDS.get(general, _NO_KINDS) & more for general in missing}
    missing -= {general for general, named in kinds.items() if named}  # "no child" denies a girl, too
    more = more.difference(*kinds.values())
    if len(missing) != 1:
        return not missing
    if missing <= frozenset(map(meaning_of, doings(denier))):
        return len(wanted) >= _MANY and len(more) == 1 and more <= frozenset(map(meaning_of, doings(sayer)))
    more -= frozenset(map(key_of, sayer.values))  # how many do it
    return not more and len(wanted) >= _SOME and missing <= frozenset(map(meaning_of, attributes(denier)))
