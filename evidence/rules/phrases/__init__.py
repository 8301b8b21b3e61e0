"""Tables of phrases that the signals look for, one file per concern; English and other languages apart.

Patterns are written for folded text (lower case, no accents, plain quotes). Adding a phrase never needs new code.
"""
