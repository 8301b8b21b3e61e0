"""What a sentence denies: each denial with its cue, its focus and its scope, double negation taken out (contract 12.7).

Reads one frame alone. A *strong* denial ("do not", "never") denies its clause from there on; a *narrow* one ("instead of",
"without", ", not ...") only the thing named behind it; a *passive* one ("X is deprecated") the subject before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evidence.rules.antonyms import CLOSED_CUES, DENYING_STATES, DENYING_VERBS
from evidence.rules.frames import Frame, Token
from evidence.rules.scenes import goes_on
from evidence.rules.words import is_unspaced

_BE: Final = frozenset("is are was were be been being am get gets got wird werden wurde est sont es son".split())
_NARROW_WORDS: Final = 4
_NARROW_PAIRS: Final = 2
_PAST: Final = frozenset("was were been got has had".split())
_TURNED: Final = _BE | frozenset("turned switched stays stay remains kept set".split())
_STATES: Final = DENYING_STATES | frozenset("deprecated disable forbid prohibit ban retire deny".split())
_PREPOSITIONS: Final = frozenset(
    """to in on at by with from for into onto of as through via against before after during while when where which who that if
    because since until under over between within without per about und oder or and then so than zum zur im am mit von aus bei
    für als avec dans pour par sur con en para por com em para""".split()
)
_DETERMINERS: Final = frozenset(
    "the a an any its their our your his her my this that these those all each every more same own other and".split()
)
_BEFORE_NOUN: Final = frozenset(
    "the a an any all every each this that these those our its of with for to in on every".split()
)
_SCOPE_OPENERS: Final = frozenset("with from for on in at as to by through via the a an any using into".split())
_JOINING: Final = frozenset({"and", "und", "et", "y", "e", "en"})
_PERMISSIVE: Final = frozenset(
    """allow permit possibl support recommend fine ok okay accept valid true case happen entitl abl author
    erlaubt möglich""".split()
)
_WHOLE_CLAUSE: Final = frozenset({"de", "nl"})
_CONCORD: Final = frozenset({"es", "it", "pt", "fr", "ru"})
_CANCELLING: Final = frozenset({"unless", "until", "till"})
_SUBJECTS: Final = frozenset(
    "do don't cannot none nobody nothing neither nor niemand nadie nessuno personne ninguém".split()
)
"""Negations that open a clause of their own, with a verb to follow."""
_DEEDS: Final = frozenset("remove drop replace stop".split())
"""What may also be done to a thing before one's eyes: "is removing the lid" denies no lid."""
_BOUNDS: Final = frozenset("than before after".split())
_NEGATING: Final = frozenset("avoid discourage prevent forbid prohibit stop".split())


@dataclass(frozen=True, slots=True)
class Denial:
    cue: str
    focus: str
    """The stem that the denial leans on: what must not be asserted; empty where it is the whole clause, or a subject."""
    scope: frozenset[str]
    narrow: bool
    answer: frozenset[str]
    """What of the sentence stands under the denial when another text's denial looks for an equal one."""
    is_state: bool = False
    """A passive that tells of a state ("is deprecated", "was removed"): it denies every use of its subject."""


@lru_cache(maxsize=32768)
def denials_of(frame: Frame) -> tuple[Denial, ...]:
    """The denials of a sentence that are left when pairs that cancel each other are out."""
    found = _uncancelled(frame, _denials(frame))
    return tuple(denial for at, denial in found if denial.narrow or not _lifted(frame, at)) if found else ()


@lru_cache(maxsize=32768)
def lifted_denials(frame: Frame) -> tuple[tuple[str, Denial], ...]:
    """Denials up to a condition, with its word ("not ... until June"): they deny where the other text has the same condition."""
    found = _uncancelled(frame, _denials(frame))
    return tuple((word, denial) for at, denial in found if not denial.narrow and (word := _lifted(frame, at)))


def _denials(frame: Frame) -> list[tuple[int, Denial]]:
    """All denials with their places, also those that cancel each other."""
    if _DENYING.isdisjoint(frame.forms) and all(token.role not in _CUES for token in frame.tokens):
        return []
    return [denial for at in range(len(frame.tokens)) if (denial := _denial(frame, at))]


_CUES: Final = frozenset({"denial", "contrast"})
_DENYING: Final = DENYING_STATES.union(DENYING_VERBS)


def asserted(frame: Frame) -> frozenset[str]:
    """Stems and values that the sentence says outright: not under any denial left in it."""
    under = frozenset().union(*(denial.answer for denial in denials_of(frame)))
    return frame.everything - under


@lru_cache(maxsize=32768)
def negated(frame: Frame) -> frozenset[str]:
    """Stems that stand behind an odd number of plain negations, cancelled or not: decides the sign of an opposite word."""
    counts: dict[str, int] = {}
    for at, token in enumerate(frame.tokens):
        if token.role == "denial" or (token.role == "word" and DENYING_VERBS.get(token.form) in _NEGATING):
            for stem in set(_forward(frame, at, narrow=token.cue == "without")) or set(_clause(frame, at)):
                counts[stem] = counts.get(stem, 0) + 1
    return frozenset(stem for stem, count in counts.items() if count % 2)


@lru_cache(maxsize=32768)
def negations_of(frame: Frame) -> frozenset[str]:
    """The plain forms of the negation words of a sentence; denying verbs are not among them."""
    return frozenset(token.cue for token in frame.tokens if token.role == "denial")


@lru_cache(maxsize=32768)
def verbs_of(frame: Frame) -> frozenset[str]:
    """The denying verbs of a sentence in plain form, unless denied themselves ("dropped charges", "the ban")."""
    taken_back = negated(frame)
    return frozenset(
        verb for token in frame.tokens if (verb := DENYING_VERBS.get(token.form)) and token.stem not in taken_back
    )


@lru_cache(maxsize=32768)
def cue_stems(frame: Frame) -> frozenset[str]:
    """Stems of the denying verbs of a sentence: they are its cues, not what it speaks of."""
    return frozenset(
        token.stem for token in frame.tokens if token.role == "word" and DENYING_VERBS.get(token.form) in CLOSED_CUES
    )


def _denial(frame: Frame, at: int) -> tuple[int, Denial] | None:
    token = frame.tokens[at]
    if token.role == "contrast":
        return _narrow(frame, at, token.cue)
    if token.role == "denial":
        if token.cue == "without" or _is_contrast(frame, at):
            return _narrow(frame, at, token.cue)
        return _strong(frame, at, token.cue)
    if (
        token.form in DENYING_STATES
        and at > 0
        and frame.tokens[at - 1].form in _TURNED
        and not _next_is_value(frame, at)
    ):
        return _passive(frame, at, token.form, [other for other in frame.tokens[:at] if other.clause == token.clause])
    verb = DENYING_VERBS.get(token.form)
    if verb is None or token.role != "word" or (verb in _DEEDS and goes_on(frame)):
        return None
    return _verb(frame, at, verb)


def _is_contrast(frame: Frame, at: int) -> bool:
    """ "..., not as spreadsheets", "..., never from the primary": a negation that opens a clause after another one."""
    tokens = frame.tokens
    if at == 0 or tokens[at].form in _SUBJECTS:
        return False
    if tokens[at - 1].clause == tokens[at].clause and tokens[at - 1].form not in _JOINING:
        return False
    following = [token for token in tokens[at + 1 :] if token.clause == tokens[at].clause]
    return 0 < sum(token.role in {"word", "value"} for token in following) <= 4


def _strong(frame: Frame, at: int, cue: str) -> tuple[int, Denial] | None:
    clause = _clause(frame, at)
    ahead = [] if frame.language in _WHOLE_CLAUSE else _forward(frame, at)
    scope = ahead or clause
    if not scope:
        return None
    said = [stem for stem in scope if stem not in _PERMISSIVE]  # "is not allowed to deploy" denies that it deploys
    scope = said or [stem for stem in clause if stem not in _PERMISSIVE] or scope
    focus = next((stem for stem in scope if ":" not in stem), scope[0]) if ahead else ""
    return at, Denial(cue, focus, frozenset(scope), False, frozenset(clause) | frozenset(scope))


def _narrow(frame: Frame, at: int, cue: str) -> tuple[int, Denial] | None:
    scope = _forward(frame, at, narrow=True)
    if not scope:
        return None
    return at, Denial(cue, scope[-1], frozenset(scope), True, frozenset(scope))


def _verb(frame: Frame, at: int, verb: str) -> tuple[int, Denial] | None:
    """A denying verb: passive, with a gerund ("avoid mocking ..."), or with an object."""
    tokens, token = frame.tokens, frame.tokens[at]
    before = [other for other in tokens[:at] if other.clause == token.clause]
    if verb == "fail" and not _next_is(frame, at, "to"):
        return None
    if verb == "drop" and not _has_object(frame, at):
        return None  # "dropped to 3 percent": it became less, nothing was left out
    if token.form.endswith(("ed", "en", "pt")) and any(other.form in _BE for other in before[-3:]):
        return _passive(frame, at, verb, before)
    if token.form.endswith(("ed", "en")) and (at == 0 or tokens[at - 1].form in _BEFORE_NOUN):
        return None  # "the deprecated endpoint", "a stopped worker": what is said of it stands elsewhere
    following = next(
        (other for other in tokens[at + 1 :] if other.clause == token.clause and other.role in {"word", "value"}), None
    )
    if following is None:
        return _passive(frame, at, verb, before)
    if verb in {"avoid", "stop", "fail", "cease", "refuse"} and (
        following.form.endswith("ing") or verb in {"fail", "refuse"}
    ):
        scope = _forward(frame, at)
        return at, Denial(verb, scope[0], frozenset(scope), False, frozenset(_clause(frame, at)))
    return _narrow(frame, at, verb)


def _passive(frame: Frame, at: int, verb: str, before: list[Token]) -> tuple[int, Denial] | None:
    """The subject is what is denied. What *was* removed, or *is* disabled, is gone; what *is* removed each time is not."""
    scope = [other.stem for other in before if other.role in {"word", "value"}]
    if verb == "deny":
        scope = _clause(frame, at)
    if not scope:
        return None
    is_state = verb in _STATES or any(other.form in _PAST for other in before[-3:])
    return at, Denial(verb, "", frozenset(scope), True, frozenset(scope), is_state)


def _has_object(frame: Frame, at: int) -> bool:
    """Whether a thing stands right behind a verb, and neither a value nor a small word that tells where or how far."""
    following = next(iter(frame.tokens[at + 1 : at + 2]), None)
    if following is None or following.clause != frame.tokens[at].clause or following.form.endswith("ly"):
        return False
    return following.role == "word" or following.form in _DETERMINERS


def _next_is(frame: Frame, at: int, form: str) -> bool:
    return at + 1 < len(frame.tokens) and frame.tokens[at + 1].form == form


def _next_is_value(frame: Frame, at: int) -> bool:
    """ "off 3 percent" tells how far, not that it is off."""
    return at + 1 < len(frame.tokens) and frame.tokens[at + 1].role == "value"


def _clause(frame: Frame, at: int) -> list[str]:
    clause = frame.tokens[at].clause
    return [
        token.stem
        for i, token in enumerate(frame.tokens)
        if token.clause == clause and token.role in {"word", "value"} and i != at
    ]


def _forward(frame: Frame, at: int, *, narrow: bool = False) -> list[str]:
    """Stems behind a cue, to the end of its clause; narrow: to the end of the thing named next."""
    clause = frame.tokens[at].clause
    found: list[str] = []
    for token in frame.tokens[at + 1 :]:
        if token.clause != clause or token.role == "contrast":
            break
        if narrow and token.role in {"stop", "denial"} and _ends_thing(token, bool(found)):
            break
        if token.role in {"word", "value"}:
            found.append(token.stem)
        if narrow and len(found) >= (_NARROW_PAIRS if is_unspaced(token.form) else _NARROW_WORDS):
            break
    return found


def _ends_thing(token: Token, has_word: bool) -> bool:
    """Whether a small word ends the thing a narrow cue names; before its first word it may open it ("with the ...")."""
    return (
        token.form not in _DETERMINERS if has_word else token.form in _PREPOSITIONS and token.form not in _SCOPE_OPENERS
    )


def _uncancelled(frame: Frame, found: list[tuple[int, Denial]]) -> list[tuple[int, Denial]]:
    """Two denials in one clause, the second under the first, say yes: "cannot run without", "never fails to"."""
    left: list[tuple[int, Denial]] = []
    for at, denial in found:
        clause = frame.tokens[at].clause
        outer = next((item for item in left if frame.tokens[item[0]].clause == clause and not item[1].narrow), None)
        if outer is None:
            left.append((at, denial))
        elif frame.tokens[at].role == "denial" and denial.cue != "without":
            continue  # "no ... nunca", "neither ... nor": one denial in two words
        elif frame.tokens[at].role != "contrast" or frame.tokens[at].form == "but":
            left.remove(outer)  # "nobody but nurses" are only nurses
    return left


def _lifted(frame: Frame, at: int) -> str:
    """ "not ... unless", "not longer than 5 days", "not before 2 am": when or how far something may be, not that it may not."""
    tokens = frame.tokens
    for here in range(at + 1, len(tokens)):
        if tokens[here].role == "stop" and tokens[here].form in _CANCELLING:
            return tokens[here].form
        is_bound = tokens[here].role == "value" and tokens[here - 1].form in _BOUNDS
        if is_bound and tokens[here].clause == tokens[at].clause:
            return tokens[here - 1].form
    return ""
