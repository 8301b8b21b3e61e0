"""What the rules read out of a text, in one place: words, stems, negations, quantities, entities (contract 12.10).

A door only; the work is done in `words`, `negation`, `quantities` and `entities`.
"""

from __future__ import annotations

from evidence.rules.entities import Entity, entities, entity_spans
from evidence.rules.negation import Negation, negation_spans, negations
from evidence.rules.quantities import FoundQuantity, Quantity, agree, missing, quantities, quantity_spans
from evidence.rules.words import content_words, fold, language_of, pieces, plain, stem, stems, words

__all__ = [
    "Entity",
    "FoundQuantity",
    "Negation",
    "Quantity",
    "agree",
    "content_words",
    "entities",
    "entity_spans",
    "fold",
    "language_of",
    "missing",
    "negation_spans",
    "negations",
    "pieces",
    "plain",
    "quantities",
    "quantity_spans",
    "stem",
    "stems",
    "words",
]
