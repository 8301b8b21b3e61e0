"""The German catalogue: nothing missing, nothing doubtful, gaps and markup as in the English, and compiled as it stands.

Read without gettext's programs: those are a developer's tools (`make messages`).
"""

from __future__ import annotations

import ast
import enum
import gettext
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation.template import templatize

from evidence.rules import answer_steps, planning, vocab
from evidence.web.vocabulary import WORDS

ROOT = Path(settings.BASE_DIR)
FOLDER = ROOT / "locale" / "de" / "LC_MESSAGES"
CALLS = frozenset(
    f"{context}{number}gettext{end}" for context in ("", "p") for number in ("", "n") for end in ("", "_lazy", "_noop")
)
CONTEXT = "\x04"


@dataclass(slots=True)
class Entry:
    msgid: str = ""
    context: str = ""
    plural: str = ""
    flags: str = ""
    said: dict[int, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.context}{CONTEXT}{self.msgid}" if self.context else self.msgid

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """English beside German; a plural form is held against the plural."""
        return [(self.plural if self.plural and number else self.msgid, text) for number, text in self.said.items()]


LINE = re.compile(r'(?P<name>msgctxt|msgid_plural|msgid|msgstr)(?:\[(?P<number>\d)\])? (?P<text>".*")')


def entries() -> list[Entry]:
    blocks = (FOLDER / "django.po").read_text(encoding="utf-8").split("\n\n")
    return [entry for block in blocks if (entry := _entry(block))]


def _entry(block: str) -> Entry | None:
    joined = re.sub(r'"\n"', "", block)
    entry, seen = Entry(), False
    for line in joined.splitlines():
        if line.startswith("#,"):
            entry.flags = line
        if found := LINE.fullmatch(line):
            seen = True
            text = ast.literal_eval(found["text"])
            match found["name"]:
                case "msgctxt":
                    entry.context = text
                case "msgid":
                    entry.msgid = text
                case "msgid_plural":
                    entry.plural = text
                case _:
                    entry.said[int(found["number"] or 0)] = text
    return entry if seen else None


ENTRIES = entries()


def test_there_is_a_catalogue() -> None:
    assert len(ENTRIES) > 1000
    assert len({entry.key for entry in ENTRIES}) == len(ENTRIES)


def test_nothing_is_untranslated_or_fuzzy() -> None:
    assert [entry.key for entry in ENTRIES if "fuzzy" in entry.flags] == []
    assert [entry.key for entry in ENTRIES if not entry.said or not all(entry.said.values())] == []
    assert [entry.key for entry in ENTRIES if entry.plural and len(entry.said) != 2] == []


def test_gaps_are_those_of_the_english() -> None:
    gap = re.compile(r"%\(\w+\)[sd]|\{\}|%[sd]|#[\w-]+")
    wrong = [
        pair
        for entry in ENTRIES[1:]
        for pair in entry.pairs
        # The singular may do without its number: "a question" for "1 question".
        if sorted(gap.findall(pair[0])) != sorted(gap.findall(pair[1]))
    ]
    assert wrong == []


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")


def tags_in(text: str) -> list[object]:
    tags = Tags()
    tags.feed(text)
    return tags.found


def test_markup_is_that_of_the_english() -> None:
    assert [pair for entry in ENTRIES[1:] for pair in entry.pairs if tags_in(pair[0]) != tags_in(pair[1])] == []


def test_blanks_and_ends_are_those_of_the_english() -> None:
    """A sentence ends as one, and what is put together of parts keeps its blanks."""
    wrong = []
    for entry in ENTRIES[1:]:
        for english, german in entry.pairs:
            ends = english.rstrip()[-1:] in ".:" and english.rstrip()[-1:] != german.rstrip()[-1:]
            if ends or english[:1].isspace() != german[:1].isspace() or english[-1:].isspace() != german[-1:].isspace():
                wrong.append((english, german))
    assert wrong == []


def test_the_compiled_catalogue_is_the_written_one() -> None:
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    written: dict[object, str] = {}
    for entry in ENTRIES[1:]:
        for number, text in entry.said.items():
            written[(entry.key, number) if entry.plural else entry.key] = text
    assert {key: text for key, text in compiled.items() if key} == written


def _calls(tree: ast.AST, called: dict[str, str]) -> Iterator[str]:
    """Keys of what is marked in a module. `called`: what its own names for the functions stand for."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        real = called.get(name, name)
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if real not in CALLS or not texts:
            continue
        if real.startswith(("pgettext", "npgettext")):
            if len(texts) > 1:
                yield f"{texts[0]}{CONTEXT}{texts[1]}"
        else:
            yield texts[0]


def _in_python(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("django.utils.translation")
        for alias in node.names
        if alias.asname
    }
    return set(_calls(tree, called))


def _in_template(path: Path) -> set[str]:
    """Django turns a template into calls for xgettext; here they are read as Python."""
    found = set()
    for call in re.finditer(
        r"\b(?:gettext|ngettext|pgettext|npgettext|_)\(", code := templatize(path.read_text("utf-8"))
    ):
        end, depth, quoted = call.end(), 1, ""
        while depth and end < len(code):
            letter = code[end]
            if quoted:
                if letter == "\\":
                    end += 1
                elif code.startswith(quoted, end):
                    end += len(quoted) - 1
                    quoted = ""
            elif letter in "'\"":
                quoted = letter * 3 if code.startswith(letter * 3, end) else letter
                end += len(quoted) - 1
            else:
                depth += (letter == "(") - (letter == ")")
            end += 1
        found |= set(_calls(ast.parse(code[call.start() : end]), {"_": "gettext"}))
    return found


@pytest.mark.parametrize("kind", ["python", "templates"])
def test_everything_that_is_marked_is_in_the_catalogue(kind: str) -> None:
    known = {entry.key for entry in ENTRIES}
    if kind == "python":
        marked = set().union(*(_in_python(path) for path in sorted((ROOT / "evidence").rglob("*.py"))))
    else:
        marked = set().union(*(_in_template(path) for path in sorted((ROOT / "templates").rglob("*.html"))))
    assert len(marked) > 400
    assert sorted(marked - known) == [], "run `make messages` and translate what came"


def test_every_word_of_the_vocabulary_can_be_said() -> None:
    enums = [kind for kind in vars(vocab).values() if isinstance(kind, type) and issubclass(kind, enum.StrEnum)]
    words = {word.value for kind in (*enums, planning.EffectKind, answer_steps.StepKind) for word in kind}
    assert sorted(word for word in words - {"L1", "L2"} if word.replace("_", " ").replace("-", " ") not in WORDS) == []
