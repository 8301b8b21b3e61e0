"""Values given to a variable that is named like a secret (contract 12.5: `assigned_secret`).

The name must end in the secret word (`DEPLOY_TOKEN`, `client-secret`, `dbPassword`); a counter, a path, a policy or a name
of a token is named after something else. Prose has colons too, so a value after `: ` must not read as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence.rules.secret_shapes.names import NAME, NEVER_BEFORE, OTHER_BEFORE, SUFFIX, WEAK, may_name_secret
from evidence.rules.secret_shapes.randomness import (
    is_expression,
    is_measure,
    is_mixed,
    is_placeholder,
    is_reference,
    is_secret_name,
    is_wordy,
    is_written,
    looks_drawn,
)

MINIMUM = 8

_ASSIGNED = re.compile(
    rf"""(?P<name>{NAME}){SUFFIX}
        (?P<quote_name>\\?["'`\]*]{{0,3}})
        (?P<type>\s?:\s?&?(?:'\w{{1,12}}\s)?(?:str|string|String|bytes)(?:\s?\|\s?None)?(?=\s?=))?
        (?P<sep>[^\S\n]{{0,4}}(?:=>|:=|==?|:(?!//)|->|→|⇒)\*{{0,2}}[^\S\n]{{0,6}}|>\s{{0,2}}(?=[^\s<]))
        (?:(?:\(\s?)?(?:[bBrRuUfF]{{1,2}}(?=["']))?)
        (?P<value>\\?"(?P<dq>[^"\n]{{0,600}})"|'(?P<sq>[^'\n]{{0,600}})'|`(?P<bq>[^`\n]{{0,600}})`|(?P<bare>[^\s"'`]{{1,600}}))""",
    re.IGNORECASE | re.VERBOSE,
)
_FLAG = re.compile(
    rf"(?i)(?<!\S)(?:--?[\w-]{{0,30}}?(?:{NAME})|\b(?:ENV|ARG|setenv|set(?:\s-\w{{1,3}})?|"
    rf"setx)\s{{1,4}}\w{{0,40}}?(?:{NAME}){SUFFIX})[^\S\n]{{1,4}}[\"']?(?P<bare>[^\s\"'=-][^\s\"']{{7,400}})"
)
# The rows of plain words that open a wallet; their number is the sign.
_SEED = re.compile(
    r"(?i)(?:(?:seed|recovery|backup|secret)[ _-]?(?:phrase|words)|mnemonic)\s?[:=]\W{0,4}"
    r"(?P<words>[a-z]{3,10}(?: [a-z]{3,10}){11,23})\b"
)
_CUT = re.compile(r"[;&,<](?=\w|$)|</")
_TRAIL = ".,;:!?)]}>"
_PASSWORDS = ("pass", "pwd", "kennwort", "mot", "contrase", "senha", "wachtwoord", "has", "heslo", "parol")
# Words that make several joined words advice about a value and not the value (`generate-with-openssl`).
_ADVICE = frozenset(
    "a an the in of to for with from and or is be by as your my our this that here please set use see ask put add get "
    "make pick fill choose generate generated change replace insert enter paste store stored keep rotate rotated none "
    "password passwd secret token key credential vault env file".split()
)


@dataclass(frozen=True, slots=True)
class Given:
    """A name, what stands before it, the value, and how the two are tied."""

    name: str
    before: str
    value: str
    quoted: bool
    tight: bool  # an equals sign, an arrow, a tag or quotes around the name: code and configuration, not prose
    line_end: bool
    in_call: bool = False  # a keyword argument: a bare word there is another variable


def has_assigned_secret(text: str) -> bool:
    """Whether some variable named like a secret is given a value of eight characters or more that is none of the harmless."""
    if not may_name_secret(text):
        return False
    return any(map(is_secret, _given(text))) or _flag_secret(text) or any(map(_is_seed, _SEED.finditer(text)))


def _given(text: str) -> Iterator[Given]:
    for found in _ASSIGNED.finditer(text):
        name = found.group("name").casefold()
        before = text[max(0, found.start("name") - 24) : found.start("name")]
        if name in ("pass", "pw") and before[-1:].isalpha() and not found.group("name")[:1].isupper():
            continue
        quoted = found.group("bare") is None
        value = found.group("dq") or found.group("sq") or found.group("bq") or found.group("bare") or ""
        sep = found.group("sep")
        after = text[found.end() : found.end() + 40].split("\n", 1)[0]
        if sep.startswith(">") and "</" not in value + after:
            continue
        tail = after.strip(" \t\r,;)}]\"'\\|*`")
        tight = "=" in sep or "->" in sep or sep.startswith(">") or bool(found.group("quote_name").strip("*`"))
        closed = tail.startswith(("#", "//", "--", "&", "</"))
        call = not quoted and (before.rstrip(" \t_.")[-1:] in ("(", ",") or after.lstrip()[:1] in (")", ","))
        yield Given(name, before, value, quoted, tight, not tail or closed, call)


def bare_value(value: str) -> str:
    """An unquoted value without what ends it: the next parameter, a closing tag or mark."""
    return _CUT.split(value, maxsplit=1)[0].rstrip(_TRAIL)


def is_harmless(value: str) -> bool:
    """Too short, a reference, a placeholder, a measure or a name: no secret whatever the variable is called."""
    return (
        len(value) < MINIMUM
        or is_reference(value)
        or is_placeholder(value)
        or is_measure(value)
        or is_secret_name(value)
    )


def is_secret(given: Given) -> bool:
    """Whether the value so given is a secret."""
    value = given.value.strip()
    value = (value if given.quoted else bare_value(value)).strip("\\\"'`")
    if not given.quoted and is_expression(value):
        return False
    if is_harmless(value) or NEVER_BEFORE.search(given.before):
        return False
    if OTHER_BEFORE.search(given.before) and not looks_drawn(value):
        return False
    if given.name in WEAK and not (given.tight and is_mixed(value)):
        return looks_drawn(value) and (given.tight or given.line_end)
    if re.search(r"\s", value):
        return _is_phrase(given, value)
    if value.isdigit():
        return given.name.startswith(("pass", "pwd", "pin")) and (given.tight or given.line_end)
    return _is_value(given, value)


def _is_phrase(given: Given, value: str) -> bool:
    """A value with spaces: a pass phrase has no verb to look for, so only marked ones count, and rows of plain words."""
    words = value.split()
    if given.name.startswith(("passphrase", "seed", "mnemonic")) and (given.quoted or given.line_end):
        plain = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
        return 4 <= len(words) <= 24 and plain == words and not _ADVICE.intersection(words)
    return (
        given.name.startswith(("pass", "secret", "seed", "mnemonic", "pwd"))
        and given.tight
        and given.quoted
        and len(words) <= 4
        and is_mixed(value)
        and any(c.isdigit() for c in value)
    )


def _is_value(given: Given, value: str) -> bool:
    worded = is_wordy(value)
    if given.tight or given.quoted:
        if not worded:
            return given.name.startswith(_PASSWORDS) or not is_written(value)
        if not given.name.startswith(_PASSWORDS):
            return any(char.isdigit() for char in value) and not _is_name_like(value)
        return _is_worded_password(given, value)
    if given.line_end:
        return is_mixed(value) and not worded and not is_written(value)
    return looks_drawn(value)


def _is_worded_password(given: Given, value: str) -> bool:
    """People choose words for passwords: one word or a few in a literal's place, not the name of another variable."""
    if any(char.isdigit() for char in value):
        return True
    if given.in_call:
        return False
    words = re.split(r"[-_.]", value)
    if len(words) > 2 and value.islower():
        return not _ADVICE.intersection(words)
    return given.quoted or not _is_name_like(value)


def _is_name_like(value: str) -> bool:
    """Words joined by marks or capitals, without a digit: an identifier given for the value (`harbor-prod-db`)."""
    return not any(char.isdigit() for char in value) and bool(re.search(r"[a-z][_.-][a-z]|[a-z][A-Z]", value))


def _is_seed(found: re.Match[str]) -> bool:
    words = found.group("words").split()
    return len(words) % 3 == 0 and not _ADVICE.intersection(words) and len(set(words)) > 8


def _flag_secret(text: str) -> bool:
    """`--password VALUE`, `ENV API_KEY VALUE`: no sign between, so only what is plainly drawn."""
    if "-" not in text and " " not in text:
        return False
    return any(
        looks_drawn(value) and not (is_reference(value) or is_placeholder(value))
        for value in (found.group("bare").rstrip(_TRAIL) for found in _FLAG.finditer(text))
    )
