"""What is wrong with a search, and what its fields mean (rules/search)."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

TEMPLATES: tuple[str, ...] = (
    _("A search has at most %(text)s characters; what follows is left out."),
    _("A search has at most %(text)s terms; what follows is left out."),
    _("That holds a character that no text may hold."),
    _("The quotation mark is not closed."),
    _("“%(text_field)s:” needs a value right behind it, such as %(text_example)s."),
    _("“%(text_field)s:” takes at most %(text_most)s values."),
    _("“%(text)s” has no letter or digit to look for."),
    _("“%(text_field)s:” is no field; did you mean “%(text_near)s”?"),
    _("“%(text)s:” is no field; put it in quotes to look for it as a word."),
    _("“%(text_field)s:” needs a value, such as %(text_example)s."),
    _("“%(text_field)s:” does not know “%(text_value)s”; did you mean “%(text_one)s” or “%(text_two)s”?"),
    _("“%(text_field)s:” does not know “%(text_value)s”; did you mean “%(text_near)s”?"),
    _("“%(text_field)s:” does not know “%(text_value)s”; it can be %(text_known)s."),
    _("“%(text)s:” takes the id of an item."),
    _("“%(text_field)s:” takes > or <, a number and one of d, h, w, m (minutes), such as %(text_example)s."),
    _("%(text_field)s cannot be “%(text_value)s”; it can be %(words_known)s."),
    # the help
    _("both words, in any order; a word also finds what it begins"),
    _("the words in a row"),
    _("a minus in front: not this"),
    _("waiting unless another is named; any: all of them"),
    _("how much harm it could do"),
    _("how it stands to what is known; conflict: all that disagree"),
    _("fact, article or evidence"),
    _("whose proposal it is"),
    _("how it stands right now; mine: leased to you"),
    _("a warning of the verifier"),
    _("what an approval as of its source’s date would give"),
    _("since when it waits: d, h, w, m (minutes)"),
    _("when its label would turn stale"),
    _("of the channel it came through"),
    _("the trust class of its evidence"),
    _("the beginning of an evidence’s source, or its thread"),
    _("who filed it"),
    _("namespace"),
    _("whether its claim was decided before"),
    _("all that say nearly the same as this item"),
    _("others that say the same as this item"),
)
