"""Denials of a claim that no source meets, and sources that say otherwise (contract 8.1, 12.11).

Judged sentence by sentence. A source that merely speaks of more or of something else is no counterpart: it must say the
claim's own thing with one part turned, and no source may say it straight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from evidence.rules.antonyms import DENYING_VERBS, opposite_pair
from evidence.rules.denials import Denial, asserted, denials_of, negated
from evidence.rules.entities import NAMED_VERBS
from evidence.rules.frames import Frame, Token, frames_of
from evidence.rules.opposition import Opposition, oppose
from evidence.rules.wordings import Wordings, begins_alike
from evidence.rules.words import is_unspaced, stem

_SAME_SENTENCE: Final = 0.6
_MOST: Final = 0.5
_VERBS: Final = NAMED_VERBS | frozenset(
    """are were be been can could did do have had may might must shall should will would ist sind war waren wird werden wurde
    wurden hat haben muss müssen darf dürfen soll sollen kann können est sont ont doit está están zijn worden wordt""".split()
)
_REFUSING: Final = frozenset(
    """avoid avoids avoided avoiding refuse refuses refused refusing decline declines declined declining unable incapable
    insufficient unwilling weigert weigerte weigern unfähig außerstande refusent refusé""".split()
)
_REFUSING_PAIRS: Final = frozenset(
    {("yet", "to"), ("fail", "to"), ("fails", "to"), ("failed", "to"), ("gave", "up"), ("gives", "up"), ("give", "up")}
)
_KINDS_OF_THINGS: Final = frozenset({"name", "object", "identifier", "antonym"})
_PAIR: Final = 4
"""Words that two sentences may differ in and still be one with one thing turned: bounds what is compared closely."""


def missing_denials(claim: Iterable[Frame], sources: Sequence[Frame]) -> tuple[str, ...]:
    """Cues of the claim's negations that no denial of a source meets in the same frame, whatever its word."""
    missing = [
        denial.cue
        for frame in claim
        for denial in (*_negations(frame), *_refusals(frame))
        if not any(_meets(denial, frame, source) for source in sources)
    ]
    return tuple(dict.fromkeys(missing))


def _negations(frame: Frame) -> list[Denial]:
    """Denials by a negation word; a pair that cancels out ("cannot run without") is none."""
    spoken = {token.cue for token in frame.tokens if token.role == "denial"}
    if not spoken:
        return []
    denials = [denial for denial in denials_of(frame) if denial.cue in spoken]
    if not denials and sum(token.role == "denial" for token in frame.tokens) == 1:
        # "not ... until": nothing is denied for good, but the negation must be found all the same.
        return [Denial(cue, "", frame.content, True, frame.everything) for cue in spoken]
    return denials


@lru_cache(maxsize=32768)
def _refusals(frame: Frame) -> tuple[Denial, ...]:
    """Denials by a word that says no by itself: "refused to", "is unable to", "has yet to"; of all that follows it."""
    found: list[Denial] = []
    for at, token in enumerate(frame.tokens):
        follower = frame.tokens[at + 1].form if at + 1 < len(frame.tokens) else ""
        if token.form not in _REFUSING and (token.form, follower) not in _REFUSING_PAIRS:
            continue
        scope = frozenset(
            other.stem
            for other in frame.tokens[at + 1 :]
            if other.clause == token.clause and other.role in {"word", "value"}
        )
        if scope:
            found.append(Denial(token.form, "", scope, False, scope))
    return tuple(found)


def _meets(denial: Denial, claim: Frame, source: Frame) -> bool:
    """Whether the source's sentence denies something of the same thing."""
    own_verbs = {DENYING_VERBS.get(token.form, token.form) for token in claim.tokens if token.role == "word"} - {
        denial.cue
    }
    theirs: frozenset[str] = frozenset().union(
        *(other.scope | other.answer for other in _all_denials(source) if other.cue not in own_verbs)
    )
    if not theirs:
        if not any(_may_deny(source, at) for at in range(len(source.tokens))):
            return False
        theirs = source.everything
    wanted = denial.scope or claim.content
    return any(mine in theirs or any(begins_alike(mine, other) for other in theirs) for mine in wanted)


def _all_denials(frame: Frame) -> tuple[Denial, ...]:
    return (*denials_of(frame), *_refusals(frame))


def _may_deny(frame: Frame, at: int) -> bool:
    """A negation or contrast, but not the "No," that only opens an answer."""
    tokens = frame.tokens
    is_answer = at == 0 and len(tokens) > 1 and tokens[1].clause != tokens[0].clause
    return tokens[at].role in {"denial", "contrast"} and not is_answer


def said_otherwise(statement: str, texts: Sequence[str], language: str, said: Wordings) -> Opposition | None:
    """What a text says against the claim where none says it straight; `said` holds the words of the texts."""
    claim = frames_of(statement, language)
    sources = [frame for text in texts for frame in frames_of(text, language)]
    for frame in claim:
        near = [source for source in sources if len(source.everything & frame.everything) > 1 or len(claim) == 1]
        against = _denied(frame, near) or _opposite(frame, near, said) or _exchanged(frame, near, said)
        if against is not None:
            return against
    return _turned(statement, texts, language)


def _denied(claim: Frame, sources: Sequence[Frame]) -> Opposition | None:
    """What the claim says of its subject stands in the sources only under a denial."""
    if any(token.role == "denial" for token in claim.tokens) or _refusals(claim):
        return None  # whether its own denial is met is for `missing_denials`
    said = predicate(claim) & asserted(claim)
    under = [(source, denial) for source in sources for denial in _all_denials(source)]
    if not said or not under:
        return None
    open_words = frozenset[str]().union(
        *(source.everything - frozenset().union(*(d.scope for d in _all_denials(source))) for source in sources)
    )
    found = {word for word in said if _is_among(word, open_words)}
    for _, denial in under:
        denied = {word for word in said - found if _is_among(word, denial.scope)}
        if denied and len(denied) >= _SAME_SENTENCE * len(denied | found):
            word = min(denied, key=lambda stem: _place(claim, stem))
            thing = claim.spoken[word]
            return Opposition(denial.cue, f"it denies “{thing}” (“{denial.cue}”)", (thing, f"{denial.cue} {thing}"))
    return None


def _is_among(word: str, others: frozenset[str]) -> bool:
    return word in others or any(begins_alike(word, other) for other in others)


def _place(frame: Frame, stem_: str) -> int:
    return next(at for at, token in enumerate(frame.tokens) if token.stem == stem_)


def predicate(frame: Frame) -> frozenset[str]:
    """Stems of the words behind the first verb that is known as one, a subject before it; all words where there is none."""
    tokens = frame.tokens
    for at, token in enumerate(tokens):
        is_verb = token.form in _VERBS or _is_past(frame, at)
        if is_verb and any(before.role in {"word", "value"} for before in tokens[:at]):
            behind = frozenset(other.stem for other in tokens[at + 1 :] if other.role in {"word", "value"})
            return behind - {other.stem for other in tokens[:at]} or frame.content
    return frame.content


def _is_past(frame: Frame, at: int) -> bool:
    """ "Chatwin performed in ...": a participle behind an article or another small word is none ("the failed uploads")."""
    tokens = frame.tokens
    return frame.language == "en" and tokens[at].form.endswith("ed") and at > 0 and tokens[at - 1].role == "word"


def _opposite(claim: Frame, sources: Sequence[Frame], said: Wordings) -> Opposition | None:
    """A word of the claim is nowhere, and its opposite stands in a sentence that says most of the rest."""
    missing = {
        token.stem
        for at, token in enumerate(claim.tokens)
        if token.role == "word" and not said.holds(token.form, token.stem) and not _has_particle(claim, at)
    }
    for source in sources if missing else ():
        pair = opposite_pair(missing, source.content - claim.content)
        if pair and _says_most(claim, source) and (pair[0] in negated(claim)) == (pair[1] in negated(source)):
            words = claim.spoken[pair[0]], source.spoken[pair[1]]
            return Opposition("antonym", f"opposites: “{words[0]}” and “{words[1]}”", words)
    return None


def _has_particle(frame: Frame, at: int) -> bool:
    """ "cut off", "set up": the verb means something else."""
    return at + 1 < len(frame.tokens) and frame.tokens[at + 1].form in {"off", "out", "over", "up", "through"}


def _says_most(claim: Frame, source: Frame) -> bool:
    return len(claim.everything & source.everything) >= _MOST * (len(claim.everything) - 1)


def _exchanged(claim: Frame, sources: Sequence[Frame], said: Wordings) -> Opposition | None:
    """A word of the claim is nowhere, and another one stands in its place in the sentence that says most of the claim."""
    near = [source for source in sources if _says_most(claim, source)]
    if not near:
        return None
    best = max(near, key=lambda source: len(claim.everything & source.everything))
    for at, token in enumerate(claim.tokens):
        if _is_thing(claim, at) and not said.holds(token.form, token.stem):
            rival = next((other for i, other in enumerate(best.tokens) if _takes_place(claim, at, best, i)), None)
            if rival:
                words = claim.spoken[token.stem], best.spoken[rival.stem]
                return Opposition("name", f"another name: “{words[0]}” and “{words[1]}”", words)
    return None


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
    if not _is_thing(source, i) or _is_among(theirs.stem, claim.everything):
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
    return all(_is_among(stem_, source.everything) for stem_ in claim.everything - {token.stem})


def _beside(frame: Frame, at: int) -> tuple[Token | None, Token | None]:
    """The words next to one in its clause."""
    tokens, clause = frame.tokens, frame.tokens[at].clause
    before = tokens[at - 1] if at and tokens[at - 1].clause == clause else None
    after = tokens[at + 1] if at + 1 < len(tokens) and tokens[at + 1].clause == clause else None
    return before, after


def _last_word(frame: Frame, at: int) -> str:
    """The word that says something before a place in a sentence."""
    return next((token.stem for token in reversed(frame.tokens[:at]) if token.role in {"word", "value"}), "")


def _turned(statement: str, texts: Sequence[str], language: str) -> Opposition | None:
    """The first text that is the claim's sentence with one thing turned, where no other text says it straight."""
    opposed: Opposition | None = None
    for text in texts:
        if not _could_be_turned(statement, text, language):
            continue
        against = oppose(statement, text)
        if against is not None and not _is_turned(statement, text, against, language):
            continue
        if against is None and _likest(statement, text, frozenset(), language) >= _SAME_SENTENCE:
            return None
        opposed = opposed or against
    return opposed


def _could_be_turned(statement: str, text: str, language: str) -> bool:
    return any(
        len(one.everything & other.everything) >= _SAME_SENTENCE * (len(one.everything | other.everything) - _PAIR)
        for one in frames_of(statement, language)
        for other in frames_of(text, language)
    )


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
