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
from evidence.rules.antonyms import opposite_pair
from evidence.rules.contrasts import Difference
from evidence.rules.denials import asserted, denials_of, lifted_denials, negated
from evidence.rules.denied import is_denied, left_out
from evidence.rules.frames import Frame, frames_of
from evidence.rules.relations import relations_of, swapped
from evidence.rules.scenes import goes_on, is_scene, objects_are
from evidence.rules.slots import slot_of
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


_norm: Final = lru_cache(maxsize=1024)(norm)


@lru_cache(maxsize=4096)
def oppose(incoming: str, existing: str) -> Opposition | None:
    """The first opposition between two texts, or none. Found or not found the same way round whichever comes first."""
    if _norm(incoming) == _norm(existing):
        return None
    language = language_of(incoming, existing)
    for one, other in _pairs(frames_of(incoming, language), frames_of(existing, language)):
        for check in _CHECKS:
            if found := check(one, other):
                return found
    return None


_FEWEST: Final = 2


def _pairs(ones: tuple[Frame, ...], others: tuple[Frame, ...]) -> Iterator[tuple[Frame, Frame]]:
    """Sentences that share a word, each only with those of the other text that say the most alike.

    Where a text has several, one word is too little to say that two of them speak of the same thing.
    """
    if len(ones) == len(others) == 1:
        one, other = ones[0], others[0]
        if not one.everything.isdisjoint(other.everything) and one.wording != other.wording:
            yield one, other
        return
    # A sentence that both texts say word for word is held against no other.
    said = {frame.wording for frame in ones} & {frame.wording for frame in others}
    if said:
        ones = tuple(frame for frame in ones if frame.wording not in said)
        others = tuple(frame for frame in others if frame.wording not in said)
    shared = [[len(one.everything & other.everything) for other in others] for one in ones]
    best_of_other = [max(counts) for counts in zip(*shared, strict=True)]
    ranked = sorted(
        (-count, i, j) for i, counts in enumerate(shared) for j, count in enumerate(counts) if count >= _FEWEST
    )
    for count, i, j in ranked:
        if -count == max(shared[i]) or -count == best_of_other[j]:
            yield ones[i], others[j]


def _by_denial(one: Frame, other: Frame) -> Opposition | None:
    """Negation or a cue on one side only, about what the other side asserts."""
    if not (denials_of(one) or denials_of(other) or lifted_denials(one) or lifted_denials(other)):
        return None
    for denier, sayer, denies_incoming in ((one, other, True), (other, one, False)):
        both = {word for word, _ in lifted_denials(sayer)} | {"than"}
        lifted = [denial for word, denial in lifted_denials(denier) if word in sayer.forms and word not in both]
        for denial in (*denials_of(denier), *lifted):
            if is_denied(denial, denier, sayer):
                thing = _spoken(denier, denial.scope & sayer.everything)
                pair = (f"{denial.cue} {thing}", thing)
                side = "the new text" if denies_incoming else "the existing text"
                reason = f"{side} denies “{thing}” (“{denial.cue}”), the other one says it"
                return Opposition(denial.cue, reason, pair if denies_incoming else pair[::-1])
    return None


_ORDER: Final = {stem("before", "en"), stem("after", "en")}


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
    if not contrasts.same_frame(one, other, without=words) or _of_other_things(one, other, pair):
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
    return bool(left_out(one) & other.everything) != bool(left_out(other) & one.everything)


_HOW_FAR: Final = frozenset(stem(word, "en") for word in "all every some must may".split())


def _of_other_things(one: Frame, other: Frame, pair: tuple[str, str]) -> bool:
    """Whether "all" and "some", "must" and "may" are said of different things, or in sentences that say more besides."""
    if pair[0] not in _HOW_FAR:
        return False
    if slot_of(one, {pair[0]}).right != slot_of(other, {pair[1]}).right:
        return True
    return not contrasts.same_frame(one, other, without=frozenset(pair), least=1.0)


def _has_order(frame: Frame) -> bool:
    return any(relation.name == "order" for relation in relations_of(frame))


def _parts_of(frame: Frame, word: str) -> frozenset[str]:
    """A verb with the particles that go with it in the sentence, whichever of the two makes the opposite."""
    verb = word.partition("_")[0]
    joined = [stem.partition("_") for stem in contrasts.phrasals(frame)]
    return frozenset({verb}.union(*({head, particle} for head, _, particle in joined if head == verb)))


def _as_said(frame: Frame, stem: str) -> str:
    verb, _, particle = stem.partition("_")
    return f"{_spoken(frame, {verb})} {particle}".strip()


def _by_value(one: Frame, other: Frame) -> Opposition | None:
    return _of_facts(one, other, contrasts.other_value) if one.values and other.values else None


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
