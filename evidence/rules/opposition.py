"""Whether two texts contradict each other, and by what (contract 7.4, 12.7): the first pair that does, in plain words.

Compares sentence by sentence. Tested before likeness. A cue or negation that stands in both texts is no opposition, and
one that denies what the other text does not say is none either. Rewording, word order and the form of a number are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evidence.rules import contrasts, exchanges
from evidence.rules.antonyms import CLOSED_CUES, DENYING_VERBS, opposite_pair
from evidence.rules.contrasts import Difference
from evidence.rules.denials import (
    Denial,
    asserted,
    cue_stems,
    denials_of,
    lifted_denials,
    negated,
    negations_of,
    verbs_of,
)
from evidence.rules.frames import Frame, frames_of
from evidence.rules.relations import relations_of, swapped
from evidence.rules.scenes import anybody, attributes, doings, goes_on, is_scene, objects_are
from evidence.rules.slots import slot_of
from evidence.rules.synonyms import meaning_of
from evidence.rules.text import norm
from evidence.rules.value_pairs import own_values
from evidence.rules.words import language_of, stem


@dataclass(frozen=True, slots=True)
class Opposition:
    cue: str
    """The cue word, or what differs: `antonym`, `number`, `date`, `name`, `order`, `object` ..."""
    reason: str
    """One sentence for a reviewer that names the pair."""
    pair: tuple[str, str]
    """What the incoming text says, what the existing one says."""


@lru_cache(maxsize=16384)
def oppose(incoming: str, existing: str) -> Opposition | None:
    """The first opposition between two texts, or none. Found or not found the same way round whichever comes first."""
    if norm(incoming) == norm(existing):
        return None
    language = language_of(incoming, existing)
    for one, other in _pairs(frames_of(incoming, language), frames_of(existing, language)):
        for check in _CHECKS:
            if found := check(one, other):
                return found
    return None


def _pairs(ones: tuple[Frame, ...], others: tuple[Frame, ...]) -> Iterator[tuple[Frame, Frame]]:
    """Sentences that share a word, each only with those of the other text that say the most alike.

    Where a text has several, one word is too little to say that two of them speak of the same thing.
    """
    least = 1 if len(ones) == len(others) == 1 else 2
    # A sentence that both texts say word for word is held against no other.
    said = {frame.wording for frame in ones} & {frame.wording for frame in others}
    if said:
        ones = tuple(frame for frame in ones if frame.wording not in said)
        others = tuple(frame for frame in others if frame.wording not in said)
    shared = [[len(one.everything & other.everything) for other in others] for one in ones]
    best_of_other = [max(counts) for counts in zip(*shared, strict=True)]
    ranked = sorted(
        (-count, i, j) for i, counts in enumerate(shared) for j, count in enumerate(counts) if count >= least
    )
    for count, i, j in ranked:
        if -count == max(shared[i]) or -count == best_of_other[j]:
            yield ones[i], others[j]


def _by_denial(one: Frame, other: Frame) -> Opposition | None:
    """Negation or a cue on one side only, about what the other side asserts."""
    for denier, sayer, denies_incoming in ((one, other, True), (other, one, False)):
        both = {word for word, _ in lifted_denials(sayer)} | {"than"}
        lifted = [denial for word, denial in lifted_denials(denier) if word in sayer.forms and word not in both]
        for denial in (*denials_of(denier), *lifted):
            if _denied(denial, denier, sayer):
                thing = _spoken(denier, denial.scope & sayer.everything)
                pair = (f"{denial.cue} {thing}", thing)
                side = "the new text" if denies_incoming else "the existing text"
                reason = f"{side} denies “{thing}” (“{denial.cue}”), the other one says it"
                return Opposition(denial.cue, reason, pair if denies_incoming else pair[::-1])
    return None


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
_ORDER: Final = {stem("before", "en"), stem("after", "en")}
_WEAK_CUES: Final = frozenset(DENYING_VERBS.values()) - CLOSED_CUES
"""Verbs that deny only where nearly all the rest is the same."""
_REMOVING: Final = frozenset("remove drop".split())
_REMOVED: Final = frozenset("take_off take_out take_down turn_off".split())
_SAME_THING: Final = 0.34
_ENOUGH: Final = 0.6
_SOME: Final = 3
_MANY: Final = 4
_FULL: Final = 0.75


def _denied(denial: Denial, denier: Frame, sayer: Frame) -> bool:
    """Whether the sayer asserts, in the same frame, what the denial denies."""
    said, twins = asserted(sayer), denials_of(sayer)
    if any(twin.cue == denial.cue and twin.scope & denial.scope for twin in twins):
        return False  # the cue stands in both
    if any(denial.cue in family and family & verbs_of(sayer) for family in _FAMILIES):
        return False
    if denial.cue in _REMOVING and contrasts.phrasals(sayer) & _REMOVED:
        return False
    both = frozenset[str]().union(
        *(twin.scope for twin in twins if any(twin.cue == own.cue for own in denials_of(denier)))
    )
    if denial.narrow and denial.scope <= _left_out(denier) and _are_opposite(denier, sayer):
        return False  # "open except Monday", "closed on Mondays"
    if goes_on(denier):
        return denial.cue in negations_of(denier) and _is_denied_scene(denier, sayer)
    scope = denial.scope - both
    hits = scope & said
    if not hits or (denial.focus in sayer.everything and denial.focus not in said):
        return False
    ours, theirs = denier.everything - cue_stems(denier), sayer.everything - cue_stems(sayer)
    shared = ours & theirs
    overlap = len(shared) / max(min(len(ours), len(theirs)), 1)
    if overlap < _SAME_THING or (len(shared) < 2 and len(ours | theirs) > 2):
        return False
    if denial.cue in _WEAK_CUES and 2 * len(shared) < _ENOUGH * (len(ours) + len(theirs)):
        return False
    coverage = len(hits) / len(scope)
    if denial.narrow:
        has_context = bool(shared - scope) or overlap == 1 or (denial.is_state and len(hits) >= 2)
        return coverage > 0.5 and (not denial.focus or denial.focus in said) and has_context
    if denial.focus in said:
        return coverage >= _ENOUGH or (len(shared) / max(len(theirs), 1) >= _FULL and coverage >= 0.3)
    return coverage >= _FULL and (len(hits) >= 2 or ours == theirs) and overlap >= 0.5


def _are_opposite(one: Frame, other: Frame) -> bool:
    ours, theirs = contrasts.polar_stems(one), contrasts.polar_stems(other)
    return opposite_pair(ours - theirs, theirs - ours, classes=False) is not None


def _is_denied_scene(denier: Frame, sayer: Frame) -> bool:
    """Whether all of a denied scene is asserted.

    Missing may be a word that only says of which sort a thing is, and another word for what is done with all the rest.
    """
    denied = (denial.answer for denial in denials_of(sayer) if denial.cue in negations_of(sayer))
    wanted = frozenset(map(meaning_of, denier.everything - anybody(denier)))
    there = frozenset(map(meaning_of, sayer.everything.difference(*denied)))
    missing, more = wanted - there, there - wanted
    if len(missing) != 1:
        return not missing
    if missing <= frozenset(map(meaning_of, doings(denier))):
        return len(wanted) >= _MANY and len(more) == 1 and more <= frozenset(map(meaning_of, doings(sayer)))
    return not more and len(wanted) >= _SOME and missing <= frozenset(map(meaning_of, attributes(denier)))


def _by_opposite(one: Frame, other: Frame) -> Opposition | None:
    """Two words of opposite meaning in one frame; where one of them is negated they say the same."""
    ours, theirs = contrasts.polar_stems(one), contrasts.polar_stems(other)
    ours, theirs = ours - theirs, theirs - ours
    is_unnamed = is_scene(one) or is_scene(other)
    if is_unnamed:
        ours, theirs = ours & objects_are(one), theirs & objects_are(other)
    pair = opposite_pair(ours, theirs, classes=not is_unnamed)
    if pair is None:
        return None
    words = frozenset(pair) | _parts_of(one, pair[0]) | _parts_of(other, pair[1])
    if not contrasts.same_frame(one, other, without=words):
        return None
    if (pair[0] in negated(one)) != (pair[1] in negated(other)) or _is_turned_back(one, other, pair):
        return None
    said = _as_said(one, pair[0]), _as_said(other, pair[1])
    return Opposition("antonym", f"opposites: “{said[0]}” and “{said[1]}”", said)


def _is_turned_back(one: Frame, other: Frame, pair: tuple[str, str]) -> bool:
    """Whether what the opposites say is turned round a second time.

    "A is heavier than B" and "B is lighter than A"; "A before B" and "B after A"; "open except Monday", "closed on Mondays".
    """
    ours, theirs = slot_of(one, {pair[0]}), slot_of(other, {pair[1]})
    if ours.left and ours.right and (ours.left, ours.right) == (theirs.right, theirs.left):
        return True
    if set(pair) == _ORDER and all(_has_order(frame) for frame in (one, other)):
        return swapped(one, other) is None
    return bool(_left_out(one) & other.everything) != bool(_left_out(other) & one.everything)


def _has_order(frame: Frame) -> bool:
    return any(relation.name == "order" for relation in relations_of(frame))


def _left_out(frame: Frame) -> frozenset[str]:
    """What a sentence excepts: "every day except Monday"."""
    contrasts_said = {token.cue for token in frame.tokens if token.role == "contrast"}
    return frozenset().union(*(denial.scope for denial in denials_of(frame) if denial.cue in contrasts_said))


def _parts_of(frame: Frame, word: str) -> frozenset[str]:
    """A verb with the particles that go with it in the sentence, whichever of the two makes the opposite."""
    verb = word.partition("_")[0]
    joined = [stem.partition("_") for stem in contrasts.phrasals(frame)]
    return frozenset({verb}.union(*({head, particle} for head, _, particle in joined if head == verb)))


def _as_said(frame: Frame, stem: str) -> str:
    verb, _, particle = stem.partition("_")
    return f"{_spoken(frame, {verb})} {particle}".strip()


def _by_value(one: Frame, other: Frame) -> Opposition | None:
    return _of_facts(one, other, contrasts.other_value)


def _by_name(one: Frame, other: Frame) -> Opposition | None:
    return _of_facts(one, other, exchanges.other_name)


def _of_facts(one: Frame, other: Frame, compare: Callable[[Frame, Frame], Difference | None]) -> Opposition | None:
    """What differs between two facts; what one of them only denies ("not on Jenkins") leaves the other one its own."""
    if is_scene(one) or is_scene(other):
        return None
    if _others(one, other):
        return None
    found = compare(one, other)
    if found is None or found.stems[0].isdisjoint(asserted(one)) != found.stems[1].isdisjoint(asserted(other)):
        return None
    said = (found.ours, found.theirs)
    return Opposition(found.kind, f"another {found.kind}: “{found.ours}” and “{found.theirs}”", said)


def _others(one: Frame, other: Frame) -> bool:
    """Another name *and* another value: another occasion or another thing, of which both may be true."""
    return bool(
        own_values(one, other)
        and own_values(other, one)
        and exchanges.own_names(one, other)
        and exchanges.own_names(other, one)
    )


def _by_place(one: Frame, other: Frame) -> Opposition | None:
    """Two things that changed places; of two deeds that go on, both may be ("is helping")."""
    pair = None if goes_on(one) or goes_on(other) else swapped(one, other)
    return Opposition("order", f"“{pair[0]}” and “{pair[1]}” have changed places", pair) if pair else None


_CHECKS: Final[tuple[Callable[[Frame, Frame], Opposition | None], ...]] = (
    _by_opposite,
    _by_denial,
    _by_value,
    _by_place,
    _by_name,
)


def _spoken(frame: Frame, stems: frozenset[str] | set[str]) -> str:
    """Stems as the sentence says them, in its order."""
    seen: list[str] = []
    for token in frame.tokens:
        if token.stem in stems and (word := frame.spoken[token.stem]) not in seen:
            seen.append(word)
    return " ".join(seen)
