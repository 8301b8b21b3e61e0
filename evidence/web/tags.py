"""Template tags: text from agents made safe to look at, differences, badges, times. A builtin of every template.

Whatever an agent wrote goes through `agent_text` or `word_diff`: escaped, isolated, hidden characters named (scenario S12).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.template.defaultfilters import date as format_date
from django.utils import timezone
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy, pgettext

from evidence.rules.characters import reveal
from evidence.rules.characters import visible as written_out
from evidence.rules.records import Scope
from evidence.rules.vocab import Access
from evidence.web import numbers, sentences, wording
from evidence.web.diffing import Op, changed, word_diff
from evidence.web.texts import Mark, difference, revealed, with_marks

register = template.Library()


@register.simple_tag
def agent_text(value: object, marks: Sequence[Mark] = ()) -> SafeString:
    """Text that an agent or a stranger wrote. `marks`: stretches of it to mark, each with what it is."""
    text = "" if value is None else str(value)
    return format_html('<bdi class="agent-text">{}</bdi>', with_marks(text, marks) if marks else revealed(text))


@register.simple_tag(name="word_diff")
def word_diff_tag(old: str, new: str) -> SafeString:
    """The change from `old` to `new`, both in one text: removed struck through, added underlined."""
    return format_html('<bdi class="agent-text diff">{}</bdi>', difference(old or "", new or "", keep=frozenset(Op)))


@register.simple_tag
def new_side(old: str, new: str, marks: Sequence[Mark] = ()) -> SafeString:
    """Only `new`, with what is new in it marked, where it is a variation of `old`; else with `marks`."""
    old, new = old or "", new or ""
    kept = sum(len(piece.text) for piece in word_diff(old, new) if piece.op is Op.SAME) if old else 0
    if kept * 2 < len(new):
        return agent_text(new, marks)
    return format_html(
        '<bdi class="agent-text diff">{}</bdi>', difference(old, new, keep=frozenset({Op.SAME, Op.ADDED}))
    )


@register.filter
def has_hidden(text: str) -> bool:
    """Whether `agent_text` would show a hidden character."""
    return any(run.name for run in reveal(text or ""))


@register.filter
def visible(text: object) -> str:
    """As `agent_text`, where no markup can stand: a title, a tooltip, an option of a list."""
    return written_out("" if text is None else str(text))


@register.filter
def differs(old: str, new: str) -> bool:
    return changed(word_diff(old or "", new or ""))


@register.simple_tag
def badge(word: str, kind: str = "") -> SafeString:
    """A word with its shape. `kind` is label, risk or status, where the word alone does not say which."""
    shapes = wording.SHAPES | wording.LABEL_SHAPES if kind == "label" else wording.SHAPES
    shape = shapes.get(word, "")
    name = wording.plain(f"{word} risk" if kind == "risk" else word)
    return format_html(
        '<span class="badge {}-{}"><span class="shape" aria-hidden="true">{}</span>{}</span>', kind or "word", word, shape, name
    )  # fmt: skip


@register.filter
def in_words(word: str, table: str = "") -> str:
    """A word of the vocabulary as people read it; `table` names one of the tables in `wording`."""
    known: dict[str, str] = getattr(wording, table.upper(), {}) if table else {}
    return str(known.get(word) or wording.plain(word))


@register.filter
def told(text: object) -> str:
    """A sentence that a rule or a service made, in the language of the page."""
    return sentences.told(text)


@register.filter
def cut_words(text: str) -> list[str]:
    """ "a b" as a list, for loops over fixed names."""
    return text.split()


@register.filter
def entry(mapping: dict[str, Any] | None, key: str) -> Any:
    return (mapping or {}).get(key)


@register.simple_tag
def moment(value: datetime | None, form: str = "") -> SafeString | str:
    """An instant in the person's zone. `ago`: in words, the full date on hover; `day`: the date alone."""
    if value is None:
        return ""
    local = timezone.localtime(value)
    moment_format = pgettext("format of a date with its time", "j M Y, H:i")
    full = format_date(local, f"{moment_format} T")
    shown = _short(value, local, form) or format_date(local, moment_format)
    return format_html('<time datetime="{}" title="{}">{}</time>', value.isoformat(), full, shown)


def _short(value: datetime, local: datetime, form: str) -> str:
    """A page holds dozens of instants, so only the form that is asked for is made."""
    if form == "ago":
        return ago(value)
    if form == "in":
        return until(value)
    return _day(local) if form == "day" else ""


def _day(local: datetime) -> str:
    same_year = local.year == timezone.localtime().year
    if same_year:
        return format_date(local, pgettext("format of a day in this year", "j M"))
    return format_date(local, pgettext("format of a day", "j M Y"))


_STEPS = (
    (
        timedelta(days=365),
        ngettext_lazy("%(n)s year ago", "%(n)s years ago", "n"),
        ngettext_lazy("in %(n)s year", "in %(n)s years", "n"),
    ),
    (
        timedelta(days=30),
        ngettext_lazy("%(n)s month ago", "%(n)s months ago", "n"),
        ngettext_lazy("in %(n)s month", "in %(n)s months", "n"),
    ),
    (
        timedelta(days=1),
        ngettext_lazy("%(n)s day ago", "%(n)s days ago", "n"),
        ngettext_lazy("in %(n)s day", "in %(n)s days", "n"),
    ),
    (
        timedelta(hours=1),
        ngettext_lazy("%(n)s hour ago", "%(n)s hours ago", "n"),
        ngettext_lazy("in %(n)s hour", "in %(n)s hours", "n"),
    ),
    (
        timedelta(minutes=1),
        ngettext_lazy("%(n)s minute ago", "%(n)s minutes ago", "n"),
        ngettext_lazy("in %(n)s minute", "in %(n)s minutes", "n"),
    ),
)


@register.filter
def ago(value: datetime) -> str:
    span = timezone.now() - value
    if span < timedelta(0):
        return until(value)
    for size, past, _to_come in _STEPS:
        if span >= size:
            return str(past % {"n": span // size})
    return _("just now")


@register.filter
def until(value: datetime) -> str:
    span = value - timezone.now()
    if span < timedelta(0):
        return ago(value)
    for size, _past, to_come in _STEPS:
        if span >= size:
            return str(to_come % {"n": span // size})
    return _("in under a minute")


@register.filter
def readers(scope: Scope) -> str:
    """Who may read what has this scope (contract 4), in words."""
    if scope.access == Access.PUBLIC:
        who = _("every agent (public)")
    elif scope.access == Access.SHARED:
        names = [name for name in (scope.owner, *scope.shared_with) if name]
        who = _("%(names)s (shared)") % {"names": ", ".join(dict.fromkeys(names))}
    else:
        who = _("only %(name)s (private)") % {"name": scope.owner} if scope.owner else _("nobody (private)")
    if scope.project:
        return _("%(who)s within project %(project)s") % {"who": who, "project": scope.project}
    return who


@register.filter
def short_id(value: object) -> str:
    """The end of an id: UUIDv7 begin alike when they are made together."""
    text = str(value)
    return text if len(text) <= 14 else f"{text[:2]}…{text[-8:]}"


@register.filter
def share(value: object) -> str:
    """A number of a check's `numbers`, short: shares as ".82", others as they are."""
    if isinstance(value, float):
        text = f"{value:.2f}"
        short = text[1:] if text.startswith("0.") else text.rstrip("0").rstrip(".")
        return short.replace(".", numbers.point())
    return str(value)


@register.simple_tag(takes_context=True)
def here(context: template.Context, prefix: str) -> SafeString:
    """`aria-current` for the navigation."""
    path = context["request"].path
    active = path == prefix if prefix == "/" else path.startswith(prefix)
    return mark_safe('aria-current="page"') if active else mark_safe("")


_FIRST = (
    "statement",
    "question",
    "answer",
    "value",
    "claim",
    "article",
    "evidence",
    "plan",
    "effects",
    "before",
    "after",
)


def _reading_order(entry: tuple[str, object]) -> tuple[int, str]:
    """What a person looks for first comes first; the rest by name."""
    name = entry[0]
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


# Members of a snapshot that hold words of the vocabulary, alone or several, and never what somebody wrote.
_OF_WORDS = frozenset({"action", "answer", "kind", "risk", "status", "polarity", "match", "reasons", "access"})


def _read(name: str, part: object) -> object:
    """What a decision would do was kept in English, and words as the vocabulary has them; the reader gets both in theirs."""
    if isinstance(part, list):
        return [_read(name, one) if isinstance(one, str) else one for one in part]
    if isinstance(part, str) and name == "effects":
        return told(part)
    return wording.plain(part) if isinstance(part, str) and name in _OF_WORDS else part


@register.filter
def as_text(value: object) -> SafeString:
    """A value of a snapshot: text as agent text, lists and mappings as a definition list, all escaped."""
    if isinstance(value, dict):
        rows = (
            (wording.plain(name), as_text(_read(name, part)))
            for name, part in sorted(value.items(), key=_reading_order)
        )
        return format_html('<dl class="facts">{}</dl>', format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows))
    if isinstance(value, list):
        items = format_html_join("", "<li>{}</li>", ((as_text(part),) for part in value))
        return format_html('<ul class="plain-list">{}</ul>', items)
    if value is None or value == "":
        return format_html('<span class="muted">{}</span>', pgettext("no value", "none"))
    return agent_text(value) if isinstance(value, str) else SafeString(conditional_escape(value))
