"""What hostile Markdown becomes: read back with an HTML parser, it holds only harmless tags, attributes and addresses (S15)."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from evidence.web.markdown import LONGEST, host_of, is_safe_address, render

ALLOWED = {
    "a": {"href", "rel"}, "span": {"class", "title"}, "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"start"}, "td": {"class"}, "th": {"class"},
}  # fmt: skip
PLAIN = {
    "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "p", "pre", "s", "strong", "table",
    "tbody", "thead", "tr", "ul",
}  # fmt: skip


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def read(text: str) -> _Read:
    reader = _Read()
    reader.feed(render(text).html)
    reader.close()
    for tag, attributes in reader.tags:
        assert tag in PLAIN or set(attributes) <= ALLOWED[tag], (tag, attributes)
        assert tag not in PLAIN or not attributes, (tag, attributes)
        if tag == "a":
            assert str(attributes["href"]).split(":")[0] in ("http", "https", "mailto"), attributes
            assert "noopener" in str(attributes["rel"])
    return reader


# ruff: noqa: E501
HOSTILE = [
    "<script>alert(1)</script>", "<ScRiPt src=//evil.example/x.js></ScRiPt>", "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><a href='javascript:x'>", "<style>*{display:none}</style>", "<div style='position:fixed'>x</div>",
    "<!-- hidden --> shown", "<!--><script>alert(1)</script>", "<iframe srcdoc='<script>x</script>'>", "<base href=//evil.example>",
    "<form action=//evil.example><button>ok</button></form>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<details open ontoggle=alert(1)>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a]( javascript:alert(1))", "[a](<javascript:alert(1)>)",
    "[a](&#106;avascript:alert(1))", "[a](&#x6A;avascript:alert(1))", "[a](javascript&colon;alert(1))",
    "[a](java&#10;script:alert(1))", "[a](java&Tab;script:alert(1))", "[a](\\javascript:alert(1))", "[a](%6Aavascript:alert(1))",
    "[a](\u0001javascript:alert(1))", "[a](javascript\u200b:alert(1))", "[a](vbscript:x)", "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](file:///etc/passwd)", "[a](blob:https://x/y)", "[a](//evil.example)", "[a](\\\\evil.example)", "[a](ftp://evil.example)",
    "[a](https:evil.example)", "[a](http:///x)", "[a](https://x\" onclick=\"alert(1))", "[a](https://x 'y\" onclick=alert(1) \"')",
    "[a][r]\n\n[r]: javascript:alert(1)", "[r]\n\n[r]: data:text/html,x", "![p][r]\n\n[r]: javascript:alert(1)",
    "<javascript:alert(1)>", "<data:text/html,x>", "<https://x.example/\"onmouseover=alert(1)>", "<a@b.example>",
    "![x](https://evil.example/p.png)", "![x](javascript:alert(1))", "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x\" onerror=\"alert(1)](https://evil.example)", "[![x](https://evil.example/p.png)](https://evil.example)",
    "`<script>alert(1)</script>`", "```html\n<script>alert(1)</script>\n```", "```\" onload=\"x\ncode\n```", "    <script>",
    "| <img src=x onerror=alert(1)> | [a](javascript:x) |\n|---|:--\" onclick=x|\n| 1 | 2 |", "# <b onclick=x>t</b>",
    "> <script>x</script>", "1. <script>x</script>\n   - <img src=x>", "{{ 7|add:7 }} {% csrf_token %}", "<div hx-get=/queue/ hx-trigger=load>",
    "\u202egnp.exe\u202c", "a\u200bb\u2066c", "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;img src=x onerror=alert(1)&#62;",
    "&NewLine;&nbsp;&#0;&#xD800;", "x" * 20_000, "<" * 5_000, "[" * 5_000, "![" * 3_000, "> " * 3_000 + "x", "- " * 3_000 + "x",
    "*" * 5_000 + "x", "\n".join(" " * n + "- x" for n in range(300)), "|a" * 500 + "\n" + "|-" * 500 + "\n" + "|\n" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_is_inert(text: str) -> None:
    read(text)
    read(f"# Deploys\n\nBefore {text} after\n\n- {text}\n\n> {text}"[:LONGEST])


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "<script>alert(1)</script>",
        "<!-- hidden -->",
        "[a](../other.md)",
        "![p](javascript:x)",
    ],
)
def test_what_is_not_rendered_is_shown_as_written(text: str) -> None:
    assert text in "".join(read(text).said)


def test_a_picture_becomes_its_words_and_its_address() -> None:
    said = "".join(read("![The *map*](https://evil.example/p.png?who=me)").said)
    assert said.strip() == "The map (https://evil.example/p.png?who=me)"


def test_a_link_shows_its_host() -> None:
    reader = read("[our bank](https://bank.example@evil.example:8443/x) and [mail](mailto:a@b.example?subject=x)")
    assert "(evil.example:8443)" in "".join(reader.said)
    assert "(a@b.example)" in "".join(reader.said)
    assert host_of("https://b\u0430nk.example/") == "xn--bnk-6cd.example"


def test_headings_go_below_those_of_the_page() -> None:
    assert [tag for tag, _ in read("# a\n\n## b\n\n###### c").tags] == ["h3", "h4", "h6"]
    assert "<h5>" in render("# a", 4).html


def test_tables_code_lists_quotes_and_strikes_are_rendered() -> None:
    tags = {tag for tag, _ in read("| a |\n|--:|\n| 1 |\n\n```\nx\n```\n\n3. y\n\n> z ~~s~~ **b** *e* `c`\n\n---").tags}
    assert {"table", "pre", "ol", "li", "blockquote", "s", "strong", "em", "code", "hr"} <= tags


def test_hidden_characters_are_named_in_text_code_and_addresses() -> None:
    for text in ("a\u200bb", "`a\u200bb`", "```\na\u200bb\n```", "![a\u200bb](https://x.example)"):
        assert 'class="hidden-char"' in render(text).html, text
    assert not is_safe_address("https://ev\u200bil.example/")
    assert "RLO" in render("\u202eabc").html


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("> " * 60 + "deep", "too_deep"),
        ("\n".join("  " * n + "- x" for n in range(40)), "too_deep"),
        ("|a" * 300 + "\n" + "|-" * 300 + "\n" + "|x\n" * 300, "too_wide"),
        ("x" * (LONGEST + 1), "too_long"),
        ("> " * 5 + "fine", ""),
        ("|a|b|\n|-|-|\n" + "|1|2|\n" * 200, ""),
    ],
)
def test_beyond_the_bounds_the_text_is_shown_as_written_and_said_to_be(text: str, problem: str) -> None:
    made = render(text)
    assert made.problem == problem
    assert made.html.startswith("<pre>") == bool(problem)


def test_nothing_is_left_out() -> None:
    """Every word of a text with every construct is on the page."""
    words = [f"word{n}" for n in range(14)]
    text = (
        "# {}\n\n{}\n: {}\n\n- {}\n  - {}\n\n> {}\n\n| {} | b |\n|---|---|\n| {} | {} |\n\n"
        "```{}\n{}\n```\n\n<b>{}</b> `{}` [{}](https://x.example)"
    ).format(*words)
    said = "".join(read(text).said)
    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize(
    "text",
    [
        "Fine.\n\n[//]: # (word)", "Fine.\n\n[r]: https://x.example 'word'", "[a](https://x.example 'word')",
        "```js word\ncode\n```", "![p](https://x.example 'word')", "[r]: https://x.example\n[r]: https://word.example",
        "Fine. <span hidden>word</span>", "Fine <!-- word -->",
    ],
)  # fmt: skip
def test_what_others_hide_is_shown(text: str) -> None:
    """Whoever reads the source, as agents do, reads these too."""
    assert "word" in "".join(read(text).said)
