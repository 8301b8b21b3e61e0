"""What differs between two sentences that say nearly the same: a value, a bound, a name, an object (contract 7.4).

Every check is the same whichever sentence comes first. None looks at negation; that is for `denials`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from evidence.rules.denials import cue_stems
from evidence.rules.frames import Frame, Token, key_of
from evidence.rules.quantities import Quantity, agree
from evidence.rules.words import is_stop, stem

_POLAR_WORDS: Final = frozenset(
    """always never up down inside outside most least all none some several both after before same different more less
    immer nie siempre nunca toujours jamais""".split()
)
_SWITCH: Final = frozenset(
    "is are be turn turned turns switch switched set keep kept stays stay default defaults goes comes".split()
)
_LOW: Final = frozenset(
    "above over exceeding beyond least minimum min more than after from since exceeds exceed longer über mindestens".split()
)
_HIGH: Final = frozenset(
    "below under most maximum max less fewer within until before by up shorter unter höchstens maximal".split()
)
_ADDING: Final = frozenset("also too additionally add extend include auch aussi también anche também ook".split())
_SLOTS: Final = frozenset(
    """with on in through via against to from by as under at into for of the a an use uses using is are be mit auf in über von für
    bei avec sur dans par con en por per su""".split()
)
_UNNAMED: Final = frozenset("a an some someone somebody people two three four several there one".split())


class Difference(NamedTuple):
    kind: str
    ours: str
    theirs: str


def polar_stems(frame: Frame) -> frozenset[str]:
    """Stems among which opposites are looked for: content, and small words that have an opposite ("off", "always")."""
    small = {
        stem(token.form, frame.language)
        for at, token in enumerate(frame.tokens)
        if token.role == "stop" and _is_polar(frame, at)
    }
    return frame.content | small


def _is_polar(frame: Frame, at: int) -> bool:
    form = frame.tokens[at].form
    if form in {"on", "off"}:
        return (
            at > 0 and frame.tokens[at - 1].form in _SWITCH and not (at + 1 < len(frame.tokens) and _goes_on(frame, at))
        )
    return form in _POLAR_WORDS


def _goes_on(frame: Frame, at: int) -> bool:
    """ "on the team plan", "on Monday": a place or a time, not a state."""
    following, here = frame.tokens[at + 1], frame.tokens[at]
    return following.clause == here.clause and (following.role != "stop" or following.form in {"the", "a", "an", "its"})


def same_frame(one: Frame, other: Frame, *, without: set[str] = frozenset(), least: float = 0.6) -> bool:  # type: ignore[assignment]
    """Whether two sentences share enough words beside those that differ."""
    ours, theirs = one.content - without - cue_stems(one), other.content - without - cue_stems(other)
    shared = len(ours & theirs)
    if shared < 2:
        return ours == theirs and (shared == 1 or not ours)
    return shared / min(len(ours), len(theirs)) >= least


def other_value(one: Frame, other: Frame) -> Difference | None:
    """A value of one kind on each side that cannot be the same, or the same value with another bound."""
    if not one.values or not other.values or not same_frame(one, other):
        return None
    left, right = own_values(one, other), own_values(other, one)
    for value in left:
        for twin in right:
            if comparable(value, twin, one, other):
                return Difference(_kind(value), one.spoken[key_of(value)], other.spoken[key_of(twin)])
    return _other_bound(one, other)


def own_values(frame: Frame, other: Frame) -> list[Quantity]:
    """Values of a sentence that agree with none of the other's; what an aside mentions is left out."""
    values = [value for value in frame.values if key_of(value) not in frame.asides]
    return [value for value in values if not any(agree(value, twin) for twin in other.values)]


def own_words(frame: Frame, other: Frame) -> frozenset[str]:
    """Content words that only one of two sentences has, beside those of names that only it has."""
    named = {part for name in own_names(frame, other) for part in _stems_of(name, frame.language)}
    return frame.content - other.content - named - frame.asides


def _kind(value: Quantity) -> str:
    if value.kind == "number":
        return "version" if value.is_version else "number"
    return value.kind


def comparable(value: Quantity, twin: Quantity, one: Frame, other: Frame) -> bool:
    """Values of one kind; bare numbers only of the same thing ("3 retries" and "3 regions" are two things)."""
    if value.kind != twin.kind:
        return {value.kind, twin.kind} == {"number", "times"} and len(one.values) == len(other.values) == 1
    if value.kind != "number":
        return True
    ours, theirs = _counted(value, one), _counted(twin, other)
    if ours & theirs:
        return True
    before = [word for word in (value.before, twin.before) if word and not is_stop(word, one.language)]
    if len(before) == 2:
        return stem(before[0], one.language) == stem(before[1], one.language)
    return not ours or not theirs


def _counted(value: Quantity, frame: Frame) -> frozenset[str]:
    return frozenset(stem(word, frame.language) for word in value.after) & frame.content


def _other_bound(one: Frame, other: Frame) -> Difference | None:
    """ "at least 3" and "at most 3"."""
    ours, theirs = _bounds(one), _bounds(other)
    for key, (bound, words) in ours.items():
        if key in theirs and theirs[key][0] != bound:
            return Difference("bound", words, theirs[key][1])
    return None


def _bounds(frame: Frame) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for at, token in enumerate(frame.tokens):
        if token.role != "value":
            continue
        near = [
            word.form
            for word in frame.tokens[max(0, at - 3) : at]
            if word.clause == token.clause and word.role != "value"
        ]
        low, high = _LOW.intersection(near[-2:]), _HIGH.intersection(near[-2:])
        if token.stem.startswith(("duration", "period")):
            low, high = low - {"after", "from", "since"}, high - {"before", "by", "until"}
        if bool(low) != bool(high):
            found[token.stem] = ("low" if low else "high", " ".join([*near[-2:], token.form]))
    return found


def other_name(one: Frame, other: Frame) -> Difference | None:
    """A named thing on each side that the other side does not have, or one object exchanged in otherwise equal sentences."""
    if (one.forms | other.forms) & _ADDING:
        return None
    ours, theirs = own_names(one, other), own_names(other, one)
    if ours and theirs and len(ours) <= 2 and len(theirs) <= 2:
        without = {part for name in ours | theirs for part in _stems_of(name, one.language)}
        if same_frame(one, other, without=without) and len(own_words(one, other) | own_words(other, one)) <= len(
            one.content & other.content
        ):
            return Difference("name", min(ours), min(theirs))
    return _other_object(one, other)


def _stems_of(name: str, language: str) -> set[str]:
    return {
        stem(part, language) for part in name.replace("/", "-").replace(".", "-").replace("_", "-").split("-") if part
    }


def own_names(frame: Frame, other: Frame) -> set[str]:
    """Names of a sentence none of whose parts the other sentence has, spelt out or as a short form."""
    return {
        name
        for name in frame.names
        if not _stems_of(name, frame.language) & other.everything
        and name not in other.forms
        and not _short_form(name, other)
        and not _stems_of(name, frame.language) <= frame.asides
    }


def _short_form(name: str, other: Frame) -> bool:
    """Initials of words in the other sentence ("CI": continuous integration), or the beginning of one of its words."""
    forms = [token.form for token in other.tokens if token.role == "word"]
    letters = "".join(form[0] for form in forms)
    return (len(name) >= 2 and name.rstrip("s") in letters) or any(
        form.startswith(name) or name.startswith(form) for form in forms if len(form) > 2
    )


def _other_object(one: Frame, other: Frame) -> Difference | None:
    """ "runs on X", "runs on Y": the same words in the same order, one or two exchanged where a thing is named."""
    if _is_scene(one) or _is_scene(other):
        return None
    ours, theirs = _sequence(one), _sequence(other)
    head = 0
    while head < min(len(ours), len(theirs)) and ours[head].stem == theirs[head].stem:
        head += 1
    tail = 0
    while tail < min(len(ours), len(theirs)) - head and ours[-1 - tail].stem == theirs[-1 - tail].stem:
        tail += 1
    left, right = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if not (1 <= len(left) <= 2 and 1 <= len(right) <= 2) or head + tail < 2 or head == 0:
        return None
    if not (_is_thing(one, left) and _is_thing(other, right)) or _alike(left, right):
        return None
    return Difference("object", " ".join(token.form for token in left), " ".join(token.form for token in right))


def _sequence(frame: Frame) -> list[Token]:
    return [token for token in frame.tokens if token.role in {"word", "value"}]


def _is_scene(frame: Frame) -> bool:
    """ "A man is playing a flute": something nobody named, doing something now, is no fact that another scene could change."""
    return frame.tokens[0].form in _UNNAMED and any(token.form.endswith("ing") for token in frame.tokens)


def _is_thing(frame: Frame, segment: list[Token]) -> bool:
    """Whether a segment stands where a thing is named (behind a small word), and is no verb form."""
    at = frame.tokens.index(segment[0])
    before = frame.tokens[at - 1].form if at else ""
    return before in _SLOTS and not any(
        token.role == "value" or token.form.endswith(("ing", "ed", "ly")) for token in segment
    )


def _alike(left: list[Token], right: list[Token]) -> bool:
    """Spellings of one word: one begins the other, or they differ in a letter or two."""
    ours, theirs = " ".join(token.form for token in left), " ".join(token.form for token in right)
    short, long = sorted((ours, theirs), key=len)
    return long.startswith(short[: max(4, len(short) - 2)]) or {token.stem for token in left} <= {
        token.stem for token in right
    }
