"""What is said about articles and the proposals for their text."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

TEMPLATES: tuple[str, ...] = (
    # a proposal and its base
    _("The article that this changes is gone; the proposal expires."),
    _("The article that it changes is gone: %(text)s"),
    _("The version that this text was written against is not here: bring the text onto what stands now."),
    _("An article was written there since: bring this text onto it."),
    _("The article changed since this text was written against it: bring the text onto it."),
    _("The article changed again while you brought the text onto it."),
    # what cannot be saved
    _("A conflict is left in the text: keep one side, and remove the lines that mark it."),
    _("An article needs a title."),
    _("An article needs a text."),
    _("An article needs a title and a content."),
    _("target.path has to be <folder>/<path> of a wiki article; folders: %(text)s."),
    _("Only an article proposal has an article to edit."),
    _("No reviewed article stands against this item."),
    # all that nobody reviewed
    _("Nobody reviewed the listed articles of %(text)s. Should they all count as reviewed?"),
    _("Only an owner of the agent may count its articles as reviewed."),
    _("Every article of this agent was reviewed, or none may be shown."),
    _("There is no such agent."),
    _("This question was not answered."),
    # what expires
    _("All its evidence is gone."),
)
