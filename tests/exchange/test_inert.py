"""Markdown that is exported does nothing, in programs that let raw HTML through; and what is harmless stays as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from evidence.exchange.writing.inert import inert

# As lenient as a program can be: every address, all of HTML.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
READER.validateLink = lambda _: True  # type: ignore[method-assign]

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=x>bold</b> <!-- hidden --> <?php ?> <![CDATA[x]]>",
    "<div>\n```\n<script>alert(1)</script>\n```\n</div>",
    "[a](javascript:alert(1)) [b](JaVaScRiPt&#58;alert(1)) [c](java&Tab;script:x) [d](javascript\\:x) [e](\n javascript:x)",
    "[a](<javascript:alert(1)>) [b](data:text/html,x) [c](vbscript:x) [d](file:///etc/passwd) [e](&#106;avascript:x)",
    "> [a](\n> javascript:alert(1))",
    "[a][r] [r]\n\n[r]: javascript:alert(1)\n[s]:\n  javascript:x\n> [t]: <data:x>",
    "![remote](https://evil.example/p.png) ![r][r] \\![a](https://evil.example/q.png) ![[embedded]]\n\n[r]: https://evil.example/r.png",
    "<javascript:alert(1)> <https://ok.example/x>",
    "   ```\n```\n<script>alert(1)</script>\n```",
    "- a\n\n  ```\n<script>alert(1)</script>\n  ```",
    "```\nopen\n\n~~~\n<script>alert(1)</script>",
    "```\nx\n    ```\n<img src=x>\n```\n<img src=y>",
    "~~~ `\n<img src=x>\n~~~\n<img src=y>",
    "`` ` ``` \n<img src=x>",
    "```{=html}\n<script>alert(1)</script>\n```",
    "\u202e(javascript:alert(1)) [x\u200b](javascript:alert(1))",
    "|a|b|\n|-|-|\n|<img src=x>|[x](javascript:x)|",
]


def tokens_of(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def assert_does_nothing(text: str) -> None:
    written = inert(text)
    for token in tokens_of(written):
        assert token.type not in ("html_inline", "html_block", "image"), written
        if token.type == "link_open":
            scheme, colon, _ = str(token.attrGet("href")).partition(":")
            assert not colon or scheme.lower() in ("http", "https", "mailto") or "/" in scheme, written
        if token.type == "fence":
            assert token.info.split()[:1] in ([], ["text"]), written


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing(text: str) -> None:
    assert_does_nothing(text)


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from([
            "<b>", "<", "!", "[", "]", "(", ")", ":", "javascript:x", "https://a.example", "```", "~~~", "`", "\n", "\n\n", " ",
            "  ", "    ", "\t", "> ", "- ", "1. ", "\\", "&#58;", "a", "[r]: ", "](", "![", "<!--", "-->", "\u202e",
        ]),
        max_size=30,
    ).map("".join)
)  # fmt: skip
def test_nothing_that_is_put_together_does_anything(text: str) -> None:
    assert_does_nothing(text)


def test_what_is_harmless_stays_as_it_was() -> None:
    text = (
        "# Till\n\nOpens at *nine*, see [the list](https://desk.example/a?b=1&c=2), [next](../next.md#till) or <!>.\n\n"
        "- one\n- two [r]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nif a < b: c[0](d) ![x](y)\n```\n\n"
        '[r]: https://desk.example "R"\n'
    )
    assert inert(text) == text.replace("<!>", "&lt;!>")


def test_the_words_behind_a_fence_name_no_language_that_is_run() -> None:
    assert inert("```dataviewjs\ndv.list()\n```") == "```text dataviewjs\ndv.list()\n```"
