"""Instruction-like English: text that speaks to a model and not to a colleague (contract 9, 12.15), in one tuple.

Team rules are imperatives too ("ignore the generated code", "never push to main"): a phrase counts only when it is about
the model's own instructions, role, prompt, answers or silence, or about passing a review unseen.
"""

from __future__ import annotations

from evidence.rules.phrases.english_leaks import LEAKS
from evidence.rules.phrases.english_nature import NATURE, PRECEDENCE, RATING
from evidence.rules.phrases.english_orders import MARKERS, OVERRIDE, PASSING, PROMPT, SHOUTED
from evidence.rules.phrases.english_output import OUTPUT
from evidence.rules.phrases.english_planted import PLANTED
from evidence.rules.phrases.english_roles import ROLE
from evidence.rules.phrases.english_speech import ADDRESS, ANSWERS, SILENCE
from evidence.rules.phrases.english_tasks import HARM, PRESSURE, TASKS, VOICES
from evidence.rules.phrases.english_voids import VOIDS
from evidence.rules.phrases.markers import POSES
from evidence.rules.phrases.phrase import Phrase

__all__ = ["ENGLISH", "SHOUTED"]

ENGLISH: tuple[Phrase, ...] = (
    *(OVERRIDE, VOIDS, *ROLE, VOICES, PROMPT, LEAKS, SILENCE, *ADDRESS, *ANSWERS, OUTPUT, PLANTED),
    *(PASSING, MARKERS, POSES, TASKS, PRESSURE, HARM, NATURE, RATING, PRECEDENCE),
)
