"""What the answer to a question does, step by step: the sentences of `rules.answer_plans`, as the audit keeps them."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

TEMPLATES: tuple[str, ...] = (
    _("“%(text)s” is confirmed by you, checked now."),
    _("“%(text)s” becomes the fact, confirmed by you."),
    _("“%(text)s” becomes a fact, confirmed by you, for %(who_readers)s."),
    _("“%(text)s” stays, for %(who_readers)s."),
    _("“%(text)s” stays, for the time that you say."),
    _("“%(text)s” (%(word_label)s) becomes superseded."),
    _("“%(text)s” becomes superseded, too."),
    _("“%(text)s” (%(word_label)s) is revoked: its text is emptied and nobody recalls it any more."),
    _("The record “%(text)s” steps back behind the answer."),
    _("The report “%(text)s” steps back behind the answer."),
    _("So does another report of the same, “%(text)s”."),
    _("The text from outside counts as reviewed: it may be shown."),
    _("The item in the queue is approved by this answer."),
    _("The item in the queue is rejected; %(text_agent)s is told why."),
    _("The item is closed: the proposal for the article takes its place."),
    _("Answers another open question about the item."),
    _("A new text for the article is proposed for its review, filled in; a reviewer decides it."),
    _("The article stays as it is: its text changes only through its review."),
    _("The question stays open; %(text_agent)s is asked for evidence and answers through its own door."),
    _("Nothing that agents see changes; the question is closed."),
    # who reads it
    _("everybody"),
    _("the readers you name"),
)
