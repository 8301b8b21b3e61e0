"""What is exchanged between two sentences of one frame: a name, an object, a subject (contract 7.4: "named entity").

Every check is the same whichever sentence comes first. None looks at negation; that is for `denials`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

from evidence.rules.antonyms import opposite_pair
from evidence.rules.contrasts import Difference, same_frame
from evidence.rules.entities import NAMED_VERBS
from evidence.rules.frames import Frame, Token
from evidence.rules.scenes import goes_on
from evidence.rules.slots import same_slot, slot_of
from evidence.rules.synonyms import meaning_of
from evidence.rules.words import stem

_ADDING: Final = frozenset("also too additionally add extend include auch aussi también anche também ook".split())
_FEW: Final = 2
_MORE: Final = 0.5
_SHORT: Final = 9
"""In a longer sentence another word in one place is more often another word for the same thing."""
_BEFORE_NOUN: Final = frozenset("the a an our every each".split())
_ABSTRACT: Final = frozenset("number amount kind sort type thing things way ways part lot total best top".split())
_ARTICLES: Final = frozenset("the a an all every each any no our its".split())
_TAKING: Final = NAMED_VERBS - {"is", "was", "has", "does", "goes", "works", "runs", "lives"} | frozenset(
    "use using with via need require prefer call called named run through write writes in into".split()
)
_SLOTS: Final = frozenset(
    """with on in through via against to from by as under at into for of the a an use uses using is are be only called named mit
    auf über von für bei avec sur dans par con en por per su""".split()
)
_FINITE: Final = NAMED_VERBS | frozenset("are were may must can should will have do".split())


def own_words(frame: Frame, other: Frame) -> frozenset[str]:
    """Content words that only one of two sentences has, beside those of names that only it has."""
    named = {part for name in own_names(frame, other) for part in _stems_of(name, frame.language)}
    return frame.content - other.content - named - frame.asides


def other_name(one: Frame, other: Frame) -> Difference | None:
    """A named thing on each side that the other side does not have, or one object exchanged in otherwise equal sentences."""
    if (one.forms | other.forms) & _ADDING:
        return None
    ours, theirs = own_names(one, other), own_names(other, one)
    if ours and theirs and len(ours) <= _FEW and len(theirs) <= _FEW:
        without = {part for name in ours | theirs for part in _stems_of(name, one.language)}
        more = own_words(one, other) | own_words(other, one)
        if same_frame(one, other, without=without) and len(more) <= _MORE * len(one.content & other.content):
            return _in_one_place(one, other, sorted(ours), sorted(theirs))
    return other_object(one, other)


def _in_one_place(one: Frame, other: Frame, ours: list[str], theirs: list[str]) -> Difference | None:
    """The first two names that stand in one place of their sentences."""
    for name, rival in product(ours, theirs):
        stems = _stems_of(name, one.language), _stems_of(rival, other.language)
        if same_slot(*(slot_of(*pair) for pair in zip((one, other), map(_unmarked, stems), strict=True))):
            return Difference("name", _in_full(one, name, ours), _in_full(other, rival, theirs), stems)
    return None


def _in_full(frame: Frame, name: str, own: list[str]) -> str:
    """A name with those of its parts that stand right beside it ("Ruth Amsel")."""
    parts = [token.form for token in frame.tokens if token.form in own]
    at = [token.form for token in frame.tokens].index(name) if name in parts else -1
    if at < 0:
        return frame.names[name]
    beside = [token.form for token in frame.tokens[max(0, at - 1) : at + 2] if token.form in own]
    return " ".join(frame.names[part] for part in beside)


def _unmarked(stems: frozenset[str]) -> frozenset[str]:
    """As the words of a sentence are read: without the mark of a channel or a person."""
    return frozenset(stem.lstrip("#@") for stem in stems)


@lru_cache(maxsize=32768)
def _stems_of(name: str, language: str) -> frozenset[str]:
    parts = name.replace("/", "-").replace(".", "-").replace("_", "-").split("-")
    return frozenset(stem(part, language) for part in parts if part)


_NONE: Final = frozenset[str]()


@lru_cache(maxsize=512)
def own_names(frame: Frame, other: Frame) -> frozenset[str]:
    """Names of a sentence none of whose parts the other sentence has, spelt out or as a short form."""
    if not frame.names:
        return _NONE
    return frozenset(
        name
        for name in frame.names
        if not _stems_of(name, frame.language) <= other.everything
        and name not in other.forms
        and name.replace(".", "") not in _undotted(other)
        and not _short_form(name, other)
        and not _stems_of(name, frame.language) <= frame.asides
    )


@lru_cache(maxsize=16384)
def _undotted(frame: Frame) -> frozenset[str]:
    return frozenset(name.replace(".", "") for name in frame.names) | frame.forms


def _short_form(name: str, other: Frame) -> bool:
    """Initials of words in the other sentence ("CI": continuous integration), or the beginning of one of its words."""
    if len(name) >= 2 and name.rstrip("s") in other.initials:
        return True
    return any(_begins(name, token.form) for token in other.tokens if token.role == "word")


def _begins(one: str, other: str) -> bool:
    """One word is the beginning of the other, and most of it ("postgres", "postgresql")."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= 4 and long.startswith(short) and 2 * len(short) >= len(long) and "-" not in long


def other_object(one: Frame, other: Frame) -> Difference | None:
    """ "runs on X", "runs on Y": the same words in the same order, one or two exchanged where a thing is named."""
    if max(len(one.order), len(other.order)) > _SHORT or goes_on(one) or goes_on(other):
        return None
    left, right, kept = _exchanged(one, other)
    if not left or not right or _alike(left, right):
        return None
    if not (_is_thing(one, left, kept) and _is_thing(other, right, kept)):
        return None
    stems = frozenset(token.stem for token in left), frozenset(token.stem for token in right)
    return Difference("object", " ".join(token.form for token in left), " ".join(token.form for token in right), stems)


def other_subject(one: Frame, other: Frame) -> bool:
    """Whether two sentences say the same of two subjects: both may be true, unless it is what they do to one thing."""
    left, right, kept = _exchanged(one, other)
    if not left or not right or kept < 2 or _alike(left, right):
        return False
    if opposite_pair({token.stem for token in left}, {token.stem for token in right}, classes=False):
        return False
    return all(_is_subject(frame, part) and not _acts(frame) for frame, part in ((one, left), (other, right)))


def _is_subject(frame: Frame, segment: list[Token]) -> bool:
    """Whether a segment opens the sentence and a verb follows, so that it is no order ("Restart the ...")."""
    at = frame.tokens.index(segment[0])
    following = [token.form for token in frame.tokens[at + len(segment) :]]
    if any(token.role != "stop" for token in frame.tokens[:at]) or any(token.role == "value" for token in segment):
        return False
    return bool(following) and following[0] not in _ARTICLES and not _FINITE.isdisjoint(following)


def _acts(frame: Frame) -> bool:
    """ "Jenkins runs the deploys": the first verb has an object right behind it; "runs on", "is" tell of the subject."""
    verb = next((at for at, token in enumerate(frame.tokens) if at and token.form in NAMED_VERBS), None)
    if verb is None or verb + 1 >= len(frame.tokens) or frame.tokens[verb].form in {"is", "was", "has"}:
        return False
    following = frame.tokens[verb + 1]
    return following.role == "word" or following.form in {"the", "a", "an", "all", "every", "our"}


def _exchanged(one: Frame, other: Frame) -> tuple[list[Token], list[Token], int]:
    """What two sentences do not share between their common head and tail, and how many words those have.

    One or two words of each; empty where it is more, or nothing on one side.
    """
    ours, theirs = one.order, other.order
    short = min(len(ours), len(theirs))
    head = 0
    while head < short and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < short - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    left, right = len(ours) - head - tail, len(theirs) - head - tail
    if not 1 <= left <= _FEW or not 1 <= right <= _FEW:
        return [], [], head + tail
    return list(one.sequence[head : head + left]), list(other.sequence[head : head + right]), head + tail


def _is_thing(frame: Frame, segment: list[Token], kept: int) -> bool:
    """Whether a segment stands where a thing is named: behind a small word or a verb that takes one, with words kept around it.

    At the head of a sentence only as its subject ("Rollbar receives ..."), not as an order ("Restart the ...").
    """
    if any(token.form in _ABSTRACT for token in segment):
        return False
    at = frame.tokens.index(segment[0])
    before = frame.tokens[at - 1].form if at else ""
    is_named = before in _BEFORE_NOUN and at + 1 < len(frame.tokens) and frame.tokens[at + 1].role == "word"
    if any(token.role == "value" or (not is_named and token.form.endswith(("ing", "ed", "ly"))) for token in segment):
        return False
    if before in _TAKING or (before == "only" and kept >= 2):
        return kept >= 1
    if at == 0:
        following = [token.form for token in frame.tokens[len(segment) : len(segment) + 2]]
        return kept >= 2 and not NAMED_VERBS.isdisjoint(following) and following[0] not in _ARTICLES
    return before in _SLOTS and kept >= 2


def _alike(left: list[Token], right: list[Token]) -> bool:
    """Spellings of one word: one begins the other, or they differ in a letter or two."""
    ours, theirs = "".join(token.form for token in left), "".join(token.form for token in right)
    short, long = sorted((ours, theirs), key=len)
    if long.startswith(short[: max(4, len(short) - 2)]):
        return True
    return {meaning_of(token.stem) for token in left} <= {meaning_of(token.stem) for token in right}
