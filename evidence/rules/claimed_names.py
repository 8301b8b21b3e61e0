"""Which names of a claim no cited text gives (contract 8.1; "named entities of the claim must be present").

A name is there in any case and form: a part of it ("Kowalska" for "Marta Kowalska"), its initials, a joined name in parts.
The name that a sentence is about may be a pronoun in what was cited. Where every noun has a capital (German) only a bare
noun behind a preposition or another noun is taken for a name ("auf Walhall", "Frau Petersen").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from evidence.rules.entities import NAMED_VERBS, entity_spans
from evidence.rules.frames import Frame, Token, frames_of
from evidence.rules.quantities import quantity_spans
from evidence.rules.spans import Taken
from evidence.rules.wordings import Wordings, wording_of
from evidence.rules.words import fold, is_stop, plain, spelt, stem

_PARTS: Final = re.compile(r"[^\W_]+")
_HEADLINE: Final = 5
_BE: Final = NAMED_VERBS | frozenset("are were have had do did can could must should will would may might".split())
_OPENING: Final = 5
_ENOUGH: Final = 2
_ARTICLES: Final = frozenset("the this that these those".split())
_PRONOUNS: Final = frozenset(
    """he she it they his her hers its their theirs him them this that these er sie es sein seine ihr ihre il elle ils elles
    él ella ellos ellas lui lei loro""".split()
)
_PEOPLES: Final = {
    word: tuple(other for other in row if other != word)
    for row in (
        line.split()
        for line in """britain british|canada canadian|china chinese|czechia czech|denmark danish|england english|finland finnish
        france french|greece greek|ireland irish|netherlands dutch holland|norway norwegian|poland polish|portugal portuguese
        scotland scottish|spain spanish|sweden swedish|switzerland swiss|turkey turkish|wales welsh""".replace(
            "|", "\n"
        ).splitlines()
    )
    for word in row
}
"""Countries whose adjective does not begin as their name does."""
_GERMAN_BEFORE: Final = frozenset(
    "auf mit bei in von über an durch aus nach für unter per via ohne gegen namens heißt zwischen und oder".split()
)
_GERMAN_NOUN: Final = re.compile(
    r".+(?:ung|ungen|heit|heiten|keit|keiten|schaft|ion|ionen|tät|ment|nis|ling|tag|tage|zeit)"
)


class Name(NamedTuple):
    start: int
    end: int
    """Span in the *plain* text of the claim; several words that stand together are one name."""
    parts: tuple[str, ...]
    """Folded, without small words."""
    is_identifier: bool
    opener: str = ""
    """The word before it where that opens the sentence: it may be part of the name ("Yale University") or not ("Ask Lena")."""


def missing_names(statement: str, texts: Sequence[str], language: str, said: Wordings) -> tuple[tuple[int, int], ...]:
    """Spans (in the plain text) of the claim's names that are not given, in order. `said`: the words of the texts."""
    names = names_of(statement, language)
    missing = [name for name in names if not _is_given(name, texts, language, said)]
    if len(missing) == 1 and missing[0] is names[0] and _is_spoken_of(statement, texts, language):
        return ()
    return tuple((name.start, name.end) for name in missing)


def names_of(statement: str, language: str) -> list[Name]:
    """The names of a claim, in order; not those that are part of a value ("kB", "May")."""
    clear = plain(statement)
    taken = Taken(len(clear))
    for value in quantity_spans(statement, language):
        taken.cover(value.start, value.end)
    if language == "de":
        found = [*_entities(statement, language, taken), *_bare_nouns(statement, taken)]
    elif _is_title(statement, language):
        found = [name for name in _entities(statement, language, taken) if name.is_identifier]
    else:
        found = [*_entities(statement, language, taken), *_owner(statement, language)]
    return _joined(clear, sorted(found))


def _entities(statement: str, language: str, taken: Taken) -> Iterator[Name]:
    clear = plain(statement)
    for entity in entity_spans(statement, language):
        written = clear[entity.start : entity.end]
        if not taken.is_free(entity.start, entity.end) or not (
            entity.sure or _is_singular(written, clear[entity.end :])
        ):
            continue
        is_identifier = not written.isalpha() or not written.istitle()
        parts = tuple(part for part in _PARTS.findall(entity.name) if not is_stop(part, language))
        before = clear[: entity.start].split()
        opener = (
            fold(before[0])
            if len(before) == 1 and before[0].istitle() and not is_stop(fold(before[0]), language)
            else ""
        )
        if parts:
            yield Name(entity.start, entity.end, parts, is_identifier, opener)


def _is_singular(word: str, behind: str) -> bool:
    """ "Merrow handles ...": one thing without an article that opens a sentence; "Deploys run ..." and "Testing is ..." are
    none."""
    verb = behind.split(maxsplit=1)[0] if behind.strip() else ""
    return verb.endswith("s") and not word.endswith(("s", "ing", "ion", "ment", "ness", "ity"))


def _owner(statement: str, language: str) -> Iterator[Name]:
    """ "Fabrikam's plan" at the start of a sentence."""
    first = next(iter(spelt(statement)), None)
    if first and first.form.endswith("'s") and plain(statement)[first.start].isupper():
        owner = first.form.removesuffix("'s")
        if owner.isalpha() and not is_stop(first.form, language) and not is_stop(owner, language):
            yield Name(first.start, first.end - 2, (owner,), is_identifier=False)


def _is_title(statement: str, language: str) -> bool:
    """Whether a claim is written like a headline, every word with a capital: then a capital tells nothing."""
    words = wording_of(statement, language)
    clear = plain(statement)
    return len(words) >= _HEADLINE and all(clear[word.start].isupper() for word in words)


def _joined(clear: str, names: Sequence[Name]) -> list[Name]:
    """ "Marta Kowalska": words with capitals that only a space parts are one name."""
    joined: list[Name] = []
    for name in names:
        last = joined[-1] if joined else None
        if last and not last.is_identifier and not name.is_identifier and clear[last.end : name.start] == " ":
            joined[-1] = last._replace(end=name.end, parts=last.parts + name.parts)
        else:
            joined.append(name)
    return joined


def _bare_nouns(statement: str, taken: Taken) -> Iterator[Name]:
    clear = plain(statement)
    for before, word in pairwise(spelt(statement)):
        written = clear[word.start : word.end]
        is_led = before.form in _GERMAN_BEFORE or (clear[before.start].isupper() and before.start > 0)
        is_noun = written.istitle() and written.isalpha() and not _GERMAN_NOUN.fullmatch(word.form)
        if is_noun and is_led and taken.is_free(word.start, word.end) and not is_stop(word.form, "de"):
            yield Name(word.start, word.end, (word.form,), is_identifier=True)


def _is_given(name: Name, texts: Sequence[str], language: str, said: Wordings) -> bool:
    found = [part for part in name.parts if _holds(part, texts, language, said)]
    if len(found) == len(name.parts):
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
    if any(sign.isdigit() for sign in part):
        return any(part in _PARTS.findall(token.form) for text in texts for token in spelt(text))
    root = stem(part, language)
    return said.holds(part, root) or any(said.holds(other, stem(other, language)) for other in _PEOPLES.get(part, ()))


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
                and not is_stop(other.form, language)
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
    if not 3 <= len(short) <= 6:
        return False
    return any(short in "".join(word.form[0] for word in wording_of(text, language)) for text in texts)


def _is_spoken_of(statement: str, texts: Sequence[str], language: str) -> bool:
    """Whether the sentence that says most of the claim speaks of its subject as "she", "its", "the film"."""
    said = frozenset[str]().union(*(frame.everything for frame in frames_of(statement, language)))
    frames = [frame for text in texts for frame in frames_of(text, language)]
    best = max(frames, key=lambda frame: len(frame.everything & said), default=None)
    if best is None or len(best.everything & said) < _ENOUGH:
        return False
    return _opens_with_pronoun(best) or _opens_with_thing(best, said)


def _opens_with_pronoun(frame: Frame) -> bool:
    """ "His first album ...", "It listens on ...", "Following her first role ..."; with nothing else before it."""
    for at, token in enumerate(frame.tokens):
        if token.form in _PRONOUNS:
            return True
        if token.role != "stop" and (at > 0 or not _is_participle(token)):
            return False
    return False


def _opens_with_thing(frame: Frame, said: frozenset[str]) -> bool:
    """ "The song was ...", "In 2016 she played ...": also behind what only says when or how."""
    tokens = frame.tokens
    starts = [0]
    if tokens[0].role == "stop" or _is_participle(tokens[0]):
        starts += [at for at in range(1, len(tokens)) if tokens[at].clause != tokens[at - 1].clause]
    return any(
        tokens[at].form in _PRONOUNS or (tokens[at].form in _ARTICLES and _is_nameless(frame, at + 1, said))
        for at in starts
    )


def _is_participle(token: Token) -> bool:
    return token.form.endswith(("ing", "ed", "ly"))


def _is_nameless(frame: Frame, at: int, said: frozenset[str]) -> bool:
    """A word or more up to a verb, and among them no name that the claim does not have."""
    ahead = frame.tokens[at : at + _OPENING]
    verb = next((i for i, token in enumerate(ahead) if token.form in _BE), 0)
    return verb > 0 and all(not frame.spoken[token.stem][:1].isupper() or token.stem in said for token in ahead[:verb])
