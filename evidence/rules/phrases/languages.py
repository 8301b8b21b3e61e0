"""Instruction-like text in other languages than English, in one tuple; each family of languages has its own table."""

from __future__ import annotations

from evidence.rules.phrases.asian import ASIAN
from evidence.rules.phrases.french import FRENCH
from evidence.rules.phrases.german import GERMAN
from evidence.rules.phrases.germanic import GERMANIC
from evidence.rules.phrases.others import OTHERS
from evidence.rules.phrases.phrase import Phrase
from evidence.rules.phrases.romance import ROMANCE
from evidence.rules.phrases.slavic import SLAVIC
from evidence.rules.phrases.spanish import SPANISH

LANGUAGES: tuple[Phrase, ...] = (*GERMAN, *FRENCH, *SPANISH, *ROMANCE, *GERMANIC, *SLAVIC, *ASIAN, *OTHERS)
