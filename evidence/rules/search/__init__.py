"""The search language of the queue (DESIGN "Search language"): a text becomes terms, and problems that point at words.

Pure: knows no table, no person and no clock. `parse` never fails, whatever it is given.
"""

from evidence.rules.search.completing import Place, place_at
from evidence.rules.search.fields import FIELDS, Field, Holds
from evidence.rules.search.parsing import parse
from evidence.rules.search.terms import Op, Problem, Query, Span, Term, term_text

__all__ = [
    "FIELDS",
    "Field",
    "Holds",
    "Op",
    "Place",
    "Problem",
    "Query",
    "Span",
    "Term",
    "parse",
    "place_at",
    "term_text",
]
