"""Markdown of agents as markup that does nothing: the one function by which any page shows the text of an article (S15).

No raw HTML, no picture, no address but http, https and mailto, and each of those with its host beside it. What is hidden is
shown by name. Two walls: the tokens are rendered here, one by one, and what came out passes an allowlist. A text that would
cost too much, or of which something would be left out, is shown as it was written, and said to be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from evidence.rules.characters import reveal
from evidence.web.texts import revealed

LONGEST = 64 * 1024
MOST_NESTED = 24
MOST_CELLS = 4_000
MOST_TOKENS = 40_000
# Longer paragraphs are shown as they are: what inline rules cost grows faster than the text.
LONGEST_PARAGRAPH = 8_000
LONGEST_ADDRESS = 2_000
SCHEMES = frozenset({"http", "https", "mailto"})
HEADINGS = 6

_TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "span": {"title"}, "div": {"tabindex", "role", "aria-label"}}
_CLASSES = {
    "span": {"hidden-char", "aside", "no-image"},
    "div": {"table-scroll"},
    "td": {"left", "center", "right"},
    "th": {"left", "center", "right"},
}
_RULER = re.compile(r"[-+*>\d.) \t]*[|:\- \t]+")
_ALIGNED = re.compile(r"text-align:(left|center|right)")


@dataclass(frozen=True, slots=True)
class Rendered:
    """`problem`: why the text is shown as it was written; empty where it was rendered."""

    html: SafeString
    problem: str = ""


def render(text: str, shift: int = 2) -> Rendered:
    """The text as safe markup. `shift`: how many levels its headings go down, below those of the page."""
    return _render(text, shift, get_language())


@lru_cache(maxsize=128)
def _render(text: str, shift: int, language: str | None) -> Rendered:
    if len(text) > LONGEST:
        return Rendered(_as_written(text[:LONGEST]), "too_long")
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if _cells_at_most(lines) > MOST_CELLS:
        return Rendered(_as_written(text), "too_wide")
    try:
        env: dict[str, Any] = {"shift": shift}
        tokens = _PARSER.parse(lines, env)
    except RecursionError:
        return Rendered(_as_written(text), "too_deep")
    problem = _problem(tokens)
    if problem:
        return Rendered(_as_written(text), problem)
    html = _PARSER.renderer.render(tokens, _PARSER.options, env)
    return Rendered(_clean(html + _definitions(lines, env)))


def is_safe_address(address: str) -> bool:
    """Whether a link may lead there: http or https with a host, or a mail address; nothing hidden, nothing relative."""
    if len(address) > LONGEST_ADDRESS or any(run.name for run in reveal(address)) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return "@" in parts.path
    return parts.scheme in SCHEMES and bool(host)


def host_of(address: str) -> str:
    """Where a link leads, in letters that cannot be mistaken: the host as the network writes it, or the mail address."""
    try:
        parts = urlsplit(address)
        if parts.scheme == "mailto":
            return parts.path[:200]
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    try:
        return host.encode("idna").decode() + port
    except UnicodeError:
        return host + port


def _as_written(text: str) -> SafeString:
    return format_html("<pre>{}</pre>", revealed(text))


def _clean(html: str) -> SafeString:
    """The second wall: what is not in the list is not there, whatever the first let through."""
    cleaned = nh3.clean(
        html, tags=_TAGS, attributes=_ATTRIBUTES, allowed_classes=_CLASSES, url_schemes=set(SCHEMES),
        link_rel="noopener noreferrer nofollow ugc", strip_comments=True,
    )  # fmt: skip
    return mark_safe(cleaned)  # noqa: S308 - this is what makes it safe


def _definitions(text: str, env: dict[str, Any]) -> str:
    """Definitions of addresses as they were written: the rendered text hides them, and anything can be written there."""
    found = [*env.get("references", {}).values(), *env.get("duplicate_refs", ())]
    places = sorted({tuple(one["map"]) for one in found})
    lines = text.split("\n")
    written = "\n".join("\n".join(lines[start:end]) for start, end in places)
    return format_html("<pre>{}</pre>", revealed(written)) if written else ""


def _cells_at_most(text: str) -> int:
    """How many cells the tables can have, before they are built: a wide head over many rows makes cells out of nothing."""
    cells, columns = 0, 0
    for line in text.split("\n"):
        if not line.strip(" \t>"):
            columns = 0
        elif columns:
            cells += columns
        elif "-" in line and "|" in line and _RULER.fullmatch(line):
            columns = line.count("|") + 1
    return cells


def _problem(tokens: Sequence[Token]) -> str:
    """Why these tokens are not rendered: beyond the deepest level the parser leaves text out, and nothing may be left out."""
    number = 0
    for token in tokens:
        number += 1 + len(token.children or ())
        deepest = max((child.level for child in token.children or ()), default=0)
        if token.level >= MOST_NESTED - 1 or deepest >= MOST_NESTED - 1:
            return "too_deep"
    return "too_long" if number > MOST_TOKENS else ""


def _inline(state: StateCore) -> None:
    """As the parser's own rule, but for paragraphs that are too long for it."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if len(token.content) > LONGEST_PARAGRAPH:
            token.children.append(Token("text", "", 0, content=token.content))
        else:
            state.md.inline.parse(token.content, state.md, state.env, token.children)


class _Renderer(RendererHTML):
    """Markup from tokens; every text through `revealed`."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return revealed(tokens[idx].content)

    def code_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return format_html("<code>{}</code>", revealed(tokens[idx].content))

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """With the words behind the fence: others hide them."""
        words = tokens[idx].info.strip()
        about = format_html('<span class="aside">{}</span>\n', revealed(words)) if words else ""
        return about + self.code_block(tokens, idx, options, env)

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return format_html("<pre><code>{}</code></pre>\n", revealed(tokens[idx].content))

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Nothing is fetched: its words, and where it would have come from."""
        token = tokens[idx]
        words = self.renderInlineAsText(token.children, options, env) or gettext("picture")
        where = " ".join(str(token.attrGet(name) or "") for name in ("src", "title")).strip()
        return format_html('<span class="no-image">{} ({})</span>', revealed(words), revealed(where))

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return format_html('<a href="{}">', str(tokens[idx].attrGet("href") or ""))

    def link_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        opened = next((token for token in reversed(tokens[:idx]) if token.type == "link_open"), None)
        address, title = (str(opened.attrGet(name) or "") if opened else "" for name in ("href", "title"))
        where = f"{host_of(address)}: {title}" if title else host_of(address)
        return format_html('</a> <span class="aside">({})</span>', revealed(where))

    def heading_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<{_heading(tokens[idx], env)}>"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"</{_heading(tokens[idx], env)}>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return format_html(
            '<div class="table-scroll" tabindex="0" role="group" aria-label="{}"><table>\n', gettext("Table")
        )

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return _cell("th", tokens[idx])

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return _cell("td", tokens[idx])

    def html_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return revealed(tokens[idx].content)

    html_block = html_inline


def _heading(token: Token, env: EnvType) -> str:
    return f"h{min(HEADINGS, int(token.tag[1]) + int(env['shift']))}"


def _cell(tag: str, token: Token) -> str:
    """Alignment as a class: a style attribute is inline style, which the pages do not allow."""
    found = _ALIGNED.search(str(token.attrGet("style") or ""))
    return f'<{tag} class="{found[1]}">' if found else f"<{tag}>"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MOST_NESTED}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"]).disable(["html_block", "html_inline"])
    parser.validateLink = is_safe_address  # type: ignore[assignment,method-assign]
    parser.core.ruler.at("inline", _inline)
    return parser


_PARSER = _parser()
