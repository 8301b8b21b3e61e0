"""Judge the search for secrets: on fakes made now from the documented formats, against talk about secrets, and on files.

    python -m bench.judge_secrets [--seed N] [--each N] [--pairs FILE ...] [--misses]

Each form is drawn `--each` times and set into a sentence, some in a disguise. A file has `text TAB label [TAB kind]`; a kind
that begins with `other` lies outside the contract's list (12.5) and is counted apart. Nothing drawn is ever printed.
"""

from __future__ import annotations

import argparse
import base64
import random
import string
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from bench.labelled import read
from bench.scores import Score
from evidence.rules.secrets import secret_kinds
from tests.rules.fake_secrets import ALNUM, ASSIGNMENTS, HEX, ORDINARY, PROVIDERS, Fakes
from tests.rules.secret_forms import COMMANDS, FILES, KEYS, WRAPPED
from tests.rules.secret_prose import PROSE
from tests.rules.secret_talk import TALK

AROUND = (
    "{}",
    "The old value was {} until Monday.",
    "Found in the log of the importer: {}",
    "- {} (ops, please move it to the vault)",
    "Notiz: {} und danach neu starten",
    "steps:\n  1. open the console\n  2. {}\n  3. restart",
    "We still use this on staging.\n\n{}\n\nRotate in March.",
    "```\n{}\n```",
    "> {}",
    "Rhea wrote: {}",
)
OWN_LINE = ("{}", "We still use this on staging.\n\n{}\n\nRotate in March.", "```\n{}\n```")

DISGUISES: dict[str, Callable[[str], str]] = {
    "invisible characters": lambda value: "\u200b".join(value[at : at + 4] for at in range(0, len(value), 4)),
    "full-width letters": lambda value: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in value),
    "entities": lambda value: "".join(f"&#{ord(char)};" for char in value),
    "an address": lambda value: quote(value, safe="").replace("_", "%5F").replace("-", "%2D"),
    "escapes": lambda value: "".join(f"\\u{ord(char):04x}" for char in value),
    "base64": lambda value: base64.b64encode(f"value {value}".encode()).decode(),
    "hex": lambda value: f"value {value}".encode().hex(),
    "look-alikes": lambda value: value.replace("a", "\u0430").replace("e", "\u0435"),
    "two literals": lambda value: f'"{value[:12]}" + "{value[12:]}"',
}


def passwords(fakes: Fakes) -> str:
    """One password in one of the ways in which people and generators make them."""
    word = fakes.random.choice(("Kestrel", "harbour", "Quay", "maple", "Thimble", "cobalt", "Juniper"))
    return fakes.random.choice(
        (
            fakes.password,
            lambda: fakes.draw(ALNUM + "!%^*+=_-", 18).strip("!%^*+=_-") + "7k",
            lambda: fakes.draw(HEX, 32),
            lambda: f"{word}-{fakes.draw(ALNUM, 6)}.x9",
            lambda: f"{word.title()}{fakes.draw(string.digits, 4)}!{fakes.draw(string.ascii_lowercase, 4)}",
        )
    )()


def fakes_by_kind(seed: int, each: int) -> Iterator[tuple[str, str]]:
    """A group's name and a text with a fake in it."""
    for number in range(each):
        fakes = Fakes(seed * 1_000 + number)
        for kind, forms in PROVIDERS.items():
            for form in forms:
                yield kind, fakes.random.choice(AROUND).replace("{}", form(fakes))
        for name, shapes in (("assigned_secret", ASSIGNMENTS), ("a command", COMMANDS), ("a file", FILES)):
            for shape in shapes:
                yield name, fakes.random.choice(OWN_LINE).replace("{}", shape.replace("{}", passwords(fakes)))
        for name, made in (("a pasted key", KEYS), ("something wrapped", WRAPPED)):
            for make in made.values():
                yield name, fakes.random.choice(OWN_LINE).replace("{}", make(fakes))
        for disguise in DISGUISES.values():
            form = PROVIDERS[fakes.random.choice(("github_token", "gitlab_token", "stripe_key", "slack_token"))][0]
            yield "a disguised token", fakes.random.choice(AROUND).replace("{}", disguise(form(fakes)))


def judge_fakes(seed: int, each: int) -> None:
    """Recall per group, and precision of the whole against the talk about secrets, both alone and several lines together."""
    groups: dict[str, Score] = defaultdict(Score)
    for name, text in fakes_by_kind(seed, each):
        groups[name].count(True, bool(secret_kinds(text)))
    talk = (*ORDINARY, *TALK, *PROSE)
    for text in talk:
        groups["talk about secrets"].count(False, bool(secret_kinds(text)))
    drawn = random.Random(seed)
    for _ in range(len(talk)):
        text = "\n\n".join(drawn.sample(talk, 4))
        groups["four such texts together"].count(False, bool(secret_kinds(text)))
    total = Score()
    for name, score in groups.items():
        total.add(score)
        print(score.line(name))
    print(total.line("all of these"))


def judge_file(path: Path, show: bool) -> None:
    """The figures of each half of a file; rows are shown of the half `dev` only."""
    scores: dict[str, Score] = defaultdict(Score)
    for row in read(path):
        found = secret_kinds(row.text)
        group = "outside the list" if row.wanted and row.kind.startswith("other") else "of the contract's kinds"
        scores[f"{row.half}: {group}"].count(row.wanted, bool(found))
        if show and row.half == "dev" and row.wanted != bool(found):
            print("   ", "missed" if row.wanted else "false", row.kind, found, "" if row.wanted else row.text[:100])
    for name, score in sorted(scores.items()):
        print(score.line(f"{path.stem} {name}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument(
        "--misses", action="store_true", help="show the wrong answers of the half dev, without the fakes"
    )
    options = parser.parse_args()
    judge_fakes(options.seed, options.each)
    for path in options.pairs:
        judge_file(path, options.misses)


if __name__ == "__main__":
    main()
