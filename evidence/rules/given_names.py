"""Which names of a claim no cited text gives (contract 8.1; "named entities of the claim must be present").

A name is there in any case and form: a part of it ("Kowalska" for "Marta Kowalska"), its initials, a joined name in parts.
The name that a claim is about may be a pronoun in what was cited, or "the film": excerpts are cut out of longer texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidence.rules.claimed_names import PARTS, Name, may_stand_before, names_of
from evidence.rules.entities import NAMED_VERBS, entity_spans
from evidence.rules.frames import Frame, Token, frames_of
from evidence.rules.wordings import Wordings, wording_of
from evidence.rules.words import is_unspaced, lower, plain, spelt, stem

_BE: Final = NAMED_VERBS | frozenset("are were have had do did can could must should will would may might".split())
_OPENING: Final = 5
_ENOUGH: Final = 2
_SHORTEST: Final = 3
_LONGEST: Final = 6
_SPELT_OUT: Final = {
    "ci": "continuous integration",
    "cd": "continuous delivery",
    "qa": "quality assurance",
    "pr": "pull request",
    "ui": "user interface",
    "vm": "virtual machine",
    "eu": "european union",
    "uk": "united kingdom",
}
"""Two letters stand anywhere in a text as the beginnings of two words: only known ones count."""
_ARTICLES: Final = frozenset("the this that these those".split())
_PERSONS: Final = frozenset(
    "he she they his hers her theirs him them er sie ihr ihre il elle ils elles él ella ellos ellas lui lei loro".split()
)
_PRONOUNS: Final = _PERSONS | frozenset("it its their this that these es sein seine".split())
_PEOPLES: Final = tuple(
    frozenset(row.split())
    for row in """britain british / canada canadian / china chinese / czechia czech / denmark danish / england english / finland
    finnish / france french / greece greek / ireland irish / netherlands dutch holland / norway norwegian / poland polish /
    portugal portuguese / scotland scottish / spain spanish / sweden swedish / switzerland swiss / turkey turkish / wales welsh
    """.split("/")
)
"""Countries whose adjective does not begin as their name does."""


def missing_names(statement: str, texts: Sequence[str], language: str, said: Wordings) -> tuple[tuple[int, int], ...]:
    """Spans (in the plain text) of the claim's names that are not given, in order. `said`: the words of the texts."""
    names = names_of(statement, language)
    clear = plain(statement)
    missing = [
        name
        for name in names
        if not _is_given(name, texts, language, said) and not _is_written(clear[name.start : name.end], texts)
    ]
    if len(missing) == 1 and missing[0] is names[0]:
        is_partly_there = any(_holds(part, texts, language, said) for part in names[0].parts)
        missing = (
            [] if _is_spoken_of(statement, texts, language, _PERSONS if is_partly_there else _PRONOUNS) else missing
        )
    return tuple((name.start, name.end) for name in missing)


def _is_written(name: str, texts: Sequence[str]) -> bool:
    """Letter by letter, whatever the rules make of its signs."""
    pattern = re.compile(rf"(?<!\w){re.escape(lower(name))}(?!\w)")
    is_plain = name.replace(" ", "").isalpha() and not any(map(is_unspaced, name))
    return not is_plain and any(pattern.search(lower(plain(text))) for text in texts)


def _is_given(name: Name, texts: Sequence[str], language: str, said: Wordings) -> bool:
    found = [part for part in name.parts if _holds(part, texts, language, said)]
    may_be_longer = bool(name.opener) and not _holds(name.opener, texts, language, said)
    if len(found) == len(name.parts) and (name.is_identifier or not may_be_longer):
        return True
    if not name.is_identifier:
        parts = (name.opener, *name.parts)
        known = [name.opener] if name.opener and _is_named(name.opener, texts, language) else []
        if any(_stands_alone(part, parts, texts, language) for part in (*found, *known)):
            return True
    return _has_initials(name, texts, language)


def _is_named(word: str, texts: Sequence[str], language: str) -> bool:
    return any(entity.name == word for text in texts for entity in entity_spans(text, language))


def _holds(part: str, texts: Sequence[str], language: str, said: Wordings) -> bool:
    root = stem(part, language)
    if any(sign.isdigit() for sign in part):
        return said.has(root) or any(part in PARTS.findall(token.form) for text in texts for token in spelt(text))
    people = next((row for row in _PEOPLES if part in row), frozenset[str]())
    return said.holds(part, root) or any(said.has(stem(other, language)) for other in people)


def _stands_alone(part: str, parts: tuple[str, ...], texts: Sequence[str], language: str) -> bool:
    """Whether a part of a name stands somewhere without another name's other part beside it ("Nora Becker")."""
    wanted = stem(part, language)
    for text in texts:
        clear, tokens = plain(text), spelt(text)
        for at, token in enumerate(tokens):
            if part not in token.form.split("'") and stem(token.form, language) != wanted:
                continue
            beside = [other for other in tokens[max(0, at - 1) : at + 2] if other is not token]
            if not any(
                clear[other.start].isupper()
                and abs(other.start - token.end if other.start > token.start else token.start - other.end) == 1
                and other.form not in parts
                and not may_stand_before(other.form, language)
                for other in beside
            ):
                return True
    return False


def _has_initials(name: Name, texts: Sequence[str], language: str) -> bool:
    """ "CI" for "continuous integration", or the other way round."""
    if len(name.parts) > 1:
        short = "".join(part[0] for part in name.parts)
        return any(token.form == short for text in texts for token in spelt(text))
    short = name.parts[0].rstrip("s")
    if spelt_out := _SPELT_OUT.get(short):
        return any(spelt_out in lower(plain(text)) for text in texts)
    if not _SHORTEST <= len(short) <= _LONGEST:
        return False
    return any(short in "".join(word.form[0] for word in wording_of(text, language)) for text in texts)


def _is_spoken_of(statement: str, texts: Sequence[str], language: str, pronouns: frozenset[str]) -> bool:
    """Whether the sentence that says most of the claim speaks of its subject as "she", "its", "the film"."""
    said = frozenset[str]().union(*(frame.everything for frame in frames_of(statement, language)))
    frames = [frame for text in texts for frame in frames_of(text, language)]
    best = max(frames, key=lambda frame: len(frame.everything & said), default=None)
    if best is None or len(best.everything & said) < _ENOUGH:
        return False
    return _opens_with_pronoun(best, pronouns) or _opens_with_thing(best, said, pronouns)


def _opens_with_pronoun(frame: Frame, pronouns: frozenset[str]) -> bool:
    """ "His first album ...", "It listens on ...", "Following her first role ..."; with nothing else before it."""
    for at, token in enumerate(frame.tokens):
        if token.form in pronouns:
            return True
        if token.role != "stop" and (at > 0 or not _is_participle(token)):
            return False
    return False


def _opens_with_thing(frame: Frame, said: frozenset[str], pronouns: frozenset[str]) -> bool:
    """ "The song was ...", "In 2016 she played ...": also behind what only says when or how."""
    tokens = frame.tokens
    starts = [0]
    if tokens[0].role == "stop" or _is_participle(tokens[0]):
        starts += [at for at in range(1, len(tokens)) if tokens[at].clause != tokens[at - 1].clause]
    return any(
        tokens[at].form in pronouns or (tokens[at].form in _ARTICLES and _is_nameless(frame, at + 1, said))
        for at in starts
    )


def _is_participle(token: Token) -> bool:
    return token.form.endswith(("ing", "ed", "ly"))


def _is_nameless(frame: Frame, at: int, said: frozenset[str]) -> bool:
    """A word or more up to a verb, among them no name, and none that the claim has: that would be another part of it."""
    ahead = frame.tokens[at : at + _OPENING]
    verb = next((i for i, token in enumerate(ahead) if token.form in _BE), 0)
    return verb > 0 and all(
        not frame.spoken[token.stem][:1].isupper() and token.stem not in said for token in ahead[:verb]
    )
