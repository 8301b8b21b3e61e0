"""The claim of a plain statement, as a suggestion: subject, attribute, value (contract 1, `claim`).

An aid for a person who writes a claim down; nothing is filed by it. Only sentences of a few plain forms are read, and of
those only the ones in which every part is a plain noun phrase: no condition, no time, no doubt, no list, no question, no
second sentence. It would rather say nothing than something odd.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from evidence.rules.characters import strip_hidden
from evidence.rules.confusables import confusable_words
from evidence.rules.entities import entities
from evidence.rules.extraction_patterns import (
    CLAUSES,
    FORMS,
    NEITHER,
    NO_ATTRIBUTES,
    OCCASIONS,
    PARTICIPLES,
    REMINDERS,
    STATES,
    Form,
)
from evidence.rules.negation import negations
from evidence.rules.quantities import quantities
from evidence.rules.records import Claim
from evidence.rules.words import is_stop, language_of, plain

Span = tuple[int, int]
_LONGEST: Final = 200
_WORDS: Final = 6
_WORDS_OF_AN_ATTRIBUTE: Final = 4
_WORDS_OF_A_RULE: Final = 10
_BREAKS: Final = re.compile(
    r"[\n\t,;()\[\]{}<>|!?…“”„\"=*]|:\s|\.\s|\s[-–—/&+]\s|^(?:[-*•#>]|\d+[.)])\s|^\w+:|\b(?:and|or|und|oder)\b"
)
_LEAD: Final = re.compile(r"(?:the|a|an|our|der|die|das|dem|den|ein|eine|einem|einen|unser|unsere)\s+", re.IGNORECASE)
_ONE_OF_A_KIND: Final = re.compile(r"(?:an?|eine?)\s", re.IGNORECASE)
_THE_ONE: Final = re.compile(r"(?:the|our|der|die|das|unser|unsere)\s", re.IGNORECASE)
_OF_THINGS: Final = frozenset({"location", "stored in", "runs on", "tool", "owner", "maintainer"})
_TIMES: Final = frozenset({"weekday", "date", "time", "period", "duration", "worktime"})


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """Parts as written, without an article; spans in the *plain* text (see `words.plain`)."""

    subject: str
    attribute: str
    value: str
    """Of a denied claim with "not" before it, because a claim has no sign of its own."""
    negated: bool
    subject_span: Span
    attribute_span: Span | None
    """None where the form of the sentence tells the attribute."""
    value_span: Span | None
    """None where the form of the sentence tells the value."""
    pattern: str
    """The form that the sentence has, such as `X's Y is Z`."""
    reason: str
    """Why these parts, in one sentence for a person."""

    @property
    def claim(self) -> Claim:
        return Claim(self.subject, self.attribute, self.value)


class _Part(NamedTuple):
    text: str
    start: int
    end: int
    article: str


def extract_claim(statement: str) -> ExtractedClaim | None:
    """The claim that a plain statement makes, or none where there is any doubt. Never fails."""
    text = plain(statement).rstrip().removesuffix(".")
    language = language_of(text)
    if not text.strip() or len(text) > _LONGEST or _BREAKS.search(text.strip()):
        return None
    if strip_hidden(statement) != statement or confusable_words(statement):
        return None  # what a person does not see as it is, nobody should copy into a field
    for form in FORMS:
        if form.language == language and (found := form.pattern.fullmatch(text, len(text) - len(text.lstrip()))):
            return _read(form, found, text, language)
    return None


def _read(form: Form, found: re.Match[str], text: str, language: str) -> ExtractedClaim | None:
    subject = _part(found, "subject")
    value = None if form.value else _part(found, "value")
    attribute = _part(found, "attribute") if "attribute" in form.pattern.groupindex else None
    if not subject or (not form.value and not value) or not _is_subject(subject, form, language):
        return None
    if value and not _is_value(value, form, attribute is not None, language):
        return None
    name = attribute.text if attribute else form.attribute or _kind_of(value, language)
    if not name or (attribute and not _is_attribute(attribute, language)):
        return None
    denied = bool(found.groupdict().get("no"))
    negated = denied or form.value == "never"
    if len(negations(text, language)) != int(negated):
        return None
    said = value.text if value else form.value
    return ExtractedClaim(
        subject=subject.text,
        attribute=name,
        value=f"not {said}" if denied else said,
        negated=negated,
        subject_span=(subject.start, subject.end),
        attribute_span=(attribute.start, attribute.end) if attribute else None,
        value_span=(value.start, value.end) if value else None,
        pattern=form.name,
        reason=f"The sentence has the form “{form.name}”: it says of “{subject.text}” what its {name} is.",
    )


def _part(found: re.Match[str], group: str) -> _Part | None:
    """A group without its article and code marks; none where nothing is left."""
    text = found.string
    start, end = found.span(group)
    article = _LEAD.match(text, start, end)
    start = article.end() if article else start
    while start < end and (text[start] == "`" or text[start].isspace()):
        start += 1
    while start < end and (text[end - 1] == "`" or text[end - 1].isspace()):
        end -= 1
    return _Part(text[start:end], start, end, article.group() if article else "") if start < end else None


def _is_subject(part: _Part, form: Form, language: str) -> bool:
    if form.attribute == "rule":
        words = part.text.casefold().split()
        is_order = words[0] not in REMINDERS and not words[0].endswith("ing")
        return is_order and 2 <= len(words) <= _WORDS_OF_A_RULE and not {*words} & (CLAUSES | NEITHER)
    return _is_phrase(part, _WORDS, language) and not _ONE_OF_A_KIND.match(part.article)


def _is_attribute(part: _Part, language: str) -> bool:
    is_noun = part.text.casefold().split()[0] not in NO_ATTRIBUTES
    return is_noun and _is_phrase(part, _WORDS_OF_AN_ATTRIBUTE, language) and not part.text[0].isdigit()


def _is_value(part: _Part, form: Form, is_named: bool, language: str) -> bool:
    """Whether the part can be what the subject's attribute is; of a plain "is" only what is no passing remark."""
    words = part.text.casefold().split()
    if part.text.casefold() in STATES:
        return not form.attribute
    if not _is_phrase(part, _WORDS, language):
        return False
    if form.attribute in _OF_THINGS and (words[-1] in OCCASIONS or _TIMES & {q.kind for q in quantities(part.text)}):
        return False  # "runs on Mondays", "runs on demand"
    if not form.attribute and len(words) > 1 and not part.article and _happens(words[0]):
        return False
    return is_named or bool(form.attribute) or bool(_kind_of(part, language))


def _happens(word: str) -> bool:
    """Whether a word behind "is" tells what happens to the subject or how ("reset", "rebuilt", "automatically")."""
    return word.endswith(("ing", "ed", "ly")) or word in PARTICIPLES


def _kind_of(value: _Part | None, language: str) -> str:
    """The attribute that a plain "is" tells of: a state, a value, a kind; empty where it could be any remark."""
    if value is None:
        return ""
    if state := STATES.get(value.text.casefold()):
        return state
    if _ONE_OF_A_KIND.match(value.article):
        return "kind"
    is_name = language != "de" and entities(f"it is {value.text}", language)
    return "value" if quantities(value.text, language) or is_name or _THE_ONE.match(value.article) else ""


def _is_phrase(part: _Part, most: int, language: str) -> bool:
    """Some words, none of them small, none of doubt or time; at least one letter or digit."""
    words = part.text.replace("`", "").split()
    if not 1 <= len(words) <= most or not any(sign.isalnum() for sign in part.text):
        return False
    return not any(
        word.casefold() in NEITHER | CLAUSES
        or (is_stop(word.casefold(), language) and not (part.start and word.istitle()))
        for word in words  # "Go" inside a sentence is a name
    )
