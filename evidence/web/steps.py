"""The steps of an answer's plan as sentences of the page: translated, what people and agents wrote isolated in them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from evidence.rules.answer_steps import AnswerPlan, Step
from evidence.rules.permissions import Refusal
from evidence.rules.planning import LabelPreview
from evidence.selectors.inquiries import Offered
from evidence.web.tags import agent_text
from evidence.web.wording import plain

# Gaps that hold a word of the vocabulary or of the sentences themselves, not a text that somebody wrote.
_WORD = "word_label"
_SENTENCE = frozenset({"everybody", "the readers you name"})


@dataclass(frozen=True, slots=True)
class ShownStep:
    words: SafeString
    label: LabelPreview | None


@dataclass(frozen=True, slots=True)
class ShownPlan:
    steps: tuple[ShownStep, ...]
    refusal: Refusal | None
    digest: str


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    word: str
    digit: str
    plan: ShownPlan


def shown_answer(offer: Offered) -> ShownAnswer:
    return ShownAnswer(offer.word.value, offer.digit, shown_plan(offer.plan))


def shown_plan(plan: AnswerPlan) -> ShownPlan:
    return ShownPlan(tuple(ShownStep(said(step), step.label) for step in plan.steps), plan.refusal, plan.digest)


def said(step: Step) -> SafeString:
    """The sentence, escaped, with each text in it isolated."""
    texts = {name: _said(name, text) for name, text in step.texts.items()}
    return mark_safe(conditional_escape(gettext(step.template)) % texts)  # noqa: S308 - both are escaped


def _said(name: str, text: str) -> str:
    if name == _WORD:
        return str(conditional_escape(plain(text)))
    return str(conditional_escape(gettext(text))) if text in _SENTENCE else str(agent_text(text))
