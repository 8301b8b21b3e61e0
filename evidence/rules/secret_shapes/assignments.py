"""Values given to a variable that is named like a secret (contract 12.5: `assigned_secret`).

The name must end in the secret word (`DEPLOY_TOKEN`, `client-secret`, `dbPassword`); a counter, a path, a policy or a name
of a token is named after something else. Prose has colons too, so a value after `: ` must not read as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence.rules.secret_shapes.randomness import (
    is_measure,
    is_mixed,
    is_placeholder,
    is_reference,
    is_secret_name,
    is_wordy,
    looks_drawn,
)

MINIMUM = 8

_NAME = (
    r"pass(?:words?|wd|phrase|wort|code)|passwd|pwd|kennwort|mot[_-]?de[_-]?passe|contrase(?:n|ñ|ñ)a|"
    r"senha|wachtwoord|haslo|пароль|密码|密碼|パスワード|비밀번호|"
    r"secret(?:[_-]?(?:key|token|base|access[_-]?key))?(?:[_-]?base)?|token|api[_-]?key|apikey|"
    r"app[_-]?key|"
    r"(?:access|private|auth|encryption|signing|master|account|storage|service|license|shared|client|"
    r"deploy|session|webhook|consumer|admin|root|hmac|aes|ssh|gpg|rsa|crypt\w{0,6}|jwt|cipher|"
    r"decrypt(?:ion)?|subscription|functions?|host|integration|server|install\w{0,6})[_-]?key|"
    r"credentials?|connection[_-]?string|bearer|sas[_-]?token|otp|totp[_-]?seed|seed[_-]?phrase|mnemonic|"
    r"auth|salt|pass|pin[_-]?code"
)
_SUFFIX = (
    r"(?:[_-]?(?:\d{1,3}|v\d|prod(?:uction)?|staging|stage|dev|test|live|old|new|current|previous|primary|"
    r"secondary|main|backup|value|b64|base64|hex|raw|plain|string|str|env|local|ci|eu|us))?"
)
_ASSIGNED = re.compile(
    rf"""(?P<name>{_NAME}){_SUFFIX}
        (?P<quote_name>\\?["'`\]]{{0,3}})(?P<type>\s?:\s?(?:str|string|String|bytes))?
        (?P<sep>[^\S\n]{{0,4}}(?:=>|:=|==?|:|->)[^\S\n]{{0,6}}|>\s{{0,2}}(?=[^\s<]))
        (?:(?:\(\s?)?(?:[bBrRuUfF]{{1,2}}(?=["']))?)
        (?P<value>\\?"(?P<dq>[^"\n]{{0,600}})"|'(?P<sq>[^'\n]{{0,600}})'|`(?P<bq>[^`\n]{{0,600}})`|(?P<bare>[^\s"'`]{{1,600}}))""",
    re.IGNORECASE | re.VERBOSE,
)
_FLAG = re.compile(
    rf"(?i)(?<!\S)(?:--?[\w-]{{0,30}}?(?:{_NAME})|\b(?:ENV|ARG|setenv|set|"
    rf"setx)\s{{1,4}}\w{{0,40}}?(?:{_NAME}){_SUFFIX})[^\S\n]{{1,4}}[\"']?(?P<bare>[^\s\"'=-][^\s\"']{{7,400}})"
)
_CUE = re.compile(
    r"(?i)pass|pwd|kennwort|passe|contrase|senha|wachtwoord|haslo|пароль|密码|密碼|パスワード|비밀번호|secret|token|"
    r"key|credential|connection|bearer|otp|seed|mnemonic|auth|salt|pin"
)
# What a name like a secret's also stands for: places in a list, special tokens of a model, what counts or names tokens.
_NOT_SECRET_BEFORE = re.compile(
    r"(?i)(?:max|min|num|total|count|per|page|next|continuation|cursor|sync|pagination|eos|bos|pad|unk|"
    r"sep|cls|mask|stop|special|csrf|xsrf|by|without|prev|first|last|input|output|sub|word|lexer|public|"
    r"primary|foreign|partition|sort|cache|idempotency|routing|no|has|is|need|use|show|hide|reset|forgot|"
    r"confirm|"
    r"of|the|a|an|one|new|each|every|this|that|your|our|their|old|same|wrong)[\s_.-]?$"
)
_WEAK_NAMES = frozenset({"auth", "salt", "otp", "pass", "bearer", "credential", "credentials"})
_TRAIL = ".,;:!?)]}>"


@dataclass(frozen=True, slots=True)
class _Given:
    name: str
    before: str
    value: str
    quoted: bool
    tight: bool  # an equals sign, an arrow, a tag or quotes around the name: code and configuration, not prose
    line_end: bool


def has_assigned_secret(text: str) -> bool:
    """Whether some variable named like a secret is given a value of eight characters or more that is none of the harmless."""
    if not _CUE.search(text):
        return False
    return any(_is_secret(given) for given in _given(text)) or _flag_secret(text)


def _given(text: str) -> Iterator[_Given]:
    for found in _ASSIGNED.finditer(text):
        name = found.group("name").casefold()
        before = text[max(0, found.start("name") - 24) : found.start("name")]
        if name == "pass" and before[-1:].isalpha() and not found.group("name")[:1].isupper():
            continue
        quoted = found.group("bare") is None
        value = found.group("dq") or found.group("sq") or found.group("bq") or found.group("bare") or ""
        sep = found.group("sep")
        tail = text[found.end() : found.end() + 40].split("\n", 1)[0].strip(" \t\r,;)}]\"'\\")
        tight = "=" in sep or "->" in sep or sep.startswith(">") or bool(found.group("quote_name"))
        yield _Given(name, before, value, quoted, tight, not tail or tail.startswith(("#", "//", "--", "&", "</")))


def _is_secret(given: _Given) -> bool:
    value = given.value.strip()
    if not given.quoted:
        value = re.split(r"[;&,<](?=\w|$)|</", value, maxsplit=1)[0].rstrip(_TRAIL)
    value = value.strip("\\\"'`")
    if (
        len(value) < MINIMUM
        or is_reference(value)
        or is_placeholder(value)
        or is_measure(value)
        or is_secret_name(value)
    ):
        return False
    if _NOT_SECRET_BEFORE.search(given.before) and not looks_drawn(value):
        return False
    if re.search(r"(?i)csrf|page_?$|cursor_?$|idempotency_?$|public_?$|sync_?$|continuation_?$", given.before):
        return False
    if given.name in _WEAK_NAMES and not (given.tight and is_mixed(value)):
        return looks_drawn(value) and (given.tight or given.line_end)
    if re.search(r"\s", value):
        return _is_phrase(given, value)
    if value.isdigit():
        return given.name.startswith(("pass", "pwd", "pin")) and (given.tight or given.line_end)
    return _is_value(given, value)


def _is_phrase(given: _Given, value: str) -> bool:
    """A quoted value with spaces: a pass phrase has no verb to look for, so only marked ones count."""
    words = value.split()
    return (
        given.name.startswith(("pass", "secret", "seed", "mnemonic"))
        and given.tight
        and len(words) <= 3
        and is_mixed(value)
        and any(c.isdigit() for c in value)
    )


def _is_value(given: _Given, value: str) -> bool:
    if given.tight or given.quoted:
        return not (is_wordy(value) and _is_name_like(value))
    if given.line_end:
        return is_mixed(value) and not is_wordy(value)
    return looks_drawn(value)


def _is_name_like(value: str) -> bool:
    """Words joined by marks or capitals, without a digit: an identifier given for the value (`harbor-prod-db`)."""
    return not any(char.isdigit() for char in value) and bool(re.search(r"[a-z][_.-][a-z]|[a-z][A-Z]", value))


def _flag_secret(text: str) -> bool:
    """`--password VALUE`, `ENV API_KEY VALUE`: no sign between, so only what is plainly drawn."""
    if "-" not in text and " " not in text:
        return False
    return any(
        looks_drawn(value) and not (is_reference(value) or is_placeholder(value))
        for value in (found.group("bare").rstrip(_TRAIL) for found in _FLAG.finditer(text))
    )
