"""Sources that say otherwise than a claim (contract 8.1): a denial, an opposite, another thing in its place, the same turned.

Judged sentence by sentence. A source that merely speaks of more or of something else says nothing against: it must say the
claim's own thing with one part turned, and no source may say it straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidence.rules.antonyms import opposite_pair
from evidence.rules.claimed_names import names_of
from evidence.rules.denials import asserted, negated
from evidence.rules.entities import NAMED_VERBS
from evidence.rules.frames import Frame, frames_of
from evidence.rules.met_denials import all_denials, refusals
from evidence.rules.opposition import Opposition, oppose
from evidence.rules.rivals import instead, other_in_place
from evidence.rules.synonyms import meaning_of
from evidence.rules.wordings import Wordings, is_among
from evidence.rules.words import stem

_SAME_SENTENCE: Final = 0.6
_MOST: Final = 0.5
_VERBS: Final = NAMED_VERBS | frozenset(
    """are were be been can could did do have had may might must shall should will would ist sind war waren wird werden wurde
    wurden hat haben muss müssen darf dürfen soll sollen kann können est sont ont doit está están zijn worden wordt""".split()
)
_KINDS_OF_THINGS: Final = frozenset({"name", "object", "identifier", "antonym"})
_NAMES: Final = frozenset({"name", "object", "identifier"})
_ORDERING: Final = frozenset(
    "before after until from then vor nach von avant après antes después de prima dopo da voor na van до после из".split()
)
_PAIR: Final = 4
"""Words that two sentences may differ in and still be one with one thing turned: bounds what is compared closely."""


def said_otherwise(statement: str, texts: Sequence[str], language: str, said: Wordings) -> Opposition | None:
    """What a text says against the claim where none says it straight; `said` holds the words of the texts."""
    claim = frames_of(statement, language)
    sources = [frame for text in texts for frame in frames_of(text, language)]
    for frame in claim:
        near = [source for source in sources if len(source.everything & frame.everything) > 1 or len(claim) == 1]
        likest = [source for source in near if _says_most(frame, source)]
        against = _denied(frame, near) or _opposite(frame, likest, said) or other_in_place(frame, likest, said)
        if against is not None:
            return against
    return _turned(statement, texts, language)


def _denied(claim: Frame, sources: Sequence[Frame]) -> Opposition | None:
    """What the claim says of its subject stands in the sources only under a denial."""
    if any(token.role == "denial" for token in claim.tokens) or refusals(claim):
        return None  # whether its own denial is met is for `missing_denials`
    said = predicate(claim) & asserted(claim)
    under = [(source, denial) for source in sources for denial in all_denials(source)]
    if not said or not under:
        return None
    open_words = frozenset[str]().union(
        *(source.everything - frozenset().union(*(d.scope for d in all_denials(source))) for source in sources)
    )
    found = {word for word in said if is_among(word, open_words)}
    for _, denial in under:
        denied = {word for word in said - found if is_among(word, denial.scope)}
        if opposite_pair(claim.content, denial.scope):
            continue  # "unreachable" against "not reachable"
        if denied and len(denied) >= _SAME_SENTENCE * len(denied | found):
            word = min(denied, key=lambda stem: _place(claim, stem))
            thing = claim.spoken[word]
            return Opposition(denial.cue, f"it denies “{thing}” (“{denial.cue}”)", (thing, f"{denial.cue} {thing}"))
    return None


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
        if pair and (pair[0] in negated(claim)) == (pair[1] in negated(source)):
            words = claim.spoken[pair[0]], source.spoken[pair[1]]
            return Opposition("antonym", instead(*words), words)
    return None


def _has_particle(frame: Frame, at: int) -> bool:
    """ "cut off", "run over": the verb means something else."""
    return at + 1 < len(frame.tokens) and frame.tokens[at + 1].form in {"off", "out", "over", "through"}


def _says_most(claim: Frame, source: Frame) -> bool:
    return len(claim.everything & source.everything) >= _MOST * (len(claim.everything) - 1)


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
        opposed = opposed or (against and _told(against))
    return opposed


def _told(against: Opposition) -> Opposition:
    """What a source says, beside the claim; of two texts of one rank the matcher speaks."""
    ours, theirs = against.pair
    if not _is_denial(against):
        reason = against.reason if against.cue == "order" else instead(ours, theirs)
    elif len(ours) > len(theirs):
        reason = f"it says “{theirs}”, which the claim denies (“{against.cue}”)"
    else:
        reason = f"it denies “{ours}” (“{against.cue}”)"
    return Opposition(against.cue, reason, against.pair)


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
    if _is_denial(against):
        return _is_denied(statement, text, against, language)
    if against.cue == "order":
        small, other = _small(statement, language), _small(text, language)
        # A rewording may put the same words in other places.
        is_same = small == other or not _ORDERING.isdisjoint(small & other)
        return is_same and _likest(statement, text, frozenset(), language) >= _SAME_SENTENCE
    if against.cue in _NAMES and set(ours.split()) <= _names(statement, language):
        return False  # whether a name is given is for `missing_names`
    return _likest(statement, text, pair, language) >= _SAME_SENTENCE


def _is_denied(statement: str, text: str, against: Opposition, language: str) -> bool:
    """Whether it is one sentence, denied on one side only, also not by another word ("unable", "delete")."""
    ours, theirs = against.pair
    claim, source = frames_of(statement, language), frames_of(text, language)
    verb = meaning_of(stem(against.cue, language))
    if len(ours) > len(theirs):
        is_met = any(verb in map(meaning_of, frame.content) for frame in source)
    else:
        is_met = any(refusals(frame) for frame in claim)
    return not is_met and _likest(statement, text, frozenset(), language) >= _SAME_SENTENCE


def _names(statement: str, language: str) -> frozenset[str]:
    return frozenset(part for name in names_of(statement, language) for part in (*name.parts, name.opener))


def _small(text: str, language: str) -> frozenset[str]:
    return frozenset(
        token.form for frame in frames_of(text, language) for token in frame.tokens if token.role == "stop"
    )


def _is_denial(against: Opposition) -> bool:
    ours, theirs = against.pair
    return ours.endswith(theirs) or theirs.endswith(ours)


def _same_order(statement: str, text: str, against: Opposition) -> bool:
    """ "X before Y" against "X after Y": the word stands inside both sentences and does not open one of them."""
    return all(
        side.casefold() in whole.casefold()[1:] for side, whole in zip(against.pair, (statement, text), strict=True)
    )


def _likest(statement: str, text: str, apart: frozenset[str], language: str) -> float:
    """How much of the two likest sentences is shared, the words aside that set them apart: 0 to 1."""
    ours = [frame.everything - apart for frame in frames_of(statement, language)]
    theirs = [frame.everything - apart for frame in frames_of(text, language)]
    return max((len(one & other) / max(len(one | other), 1) for one in ours for other in theirs), default=0.0)
