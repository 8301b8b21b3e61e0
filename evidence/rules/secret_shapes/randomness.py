"""Telling a drawn value from a written one: placeholders, words, names, references and masks are no secrets.

Judged by shape alone (contract 12.5); nothing here knows which provider a value could be from.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

_MASKED = re.compile(
    r"x{4,}|X{4,}|\*{3,}|•{2,}|·{4,}|\.{3,}|…|_{4,}|#{3,}|-{4,}|\?{3,}|0{8,}|(?<![A-Za-z])[xX]{3,}(?![A-Za-z])"
)
_REFERENCE = re.compile(
    r"""^(?:
        \$(?![A-Za-z_]\w*[!\#%^&*?~])|\((?=\(|.*\)|[A-Za-z_-]+$)|%[A-Za-z_]\w*%$|%\(\w+\)s|__\w+__$|\{\{|\{[A-Za-z_.]|<|\[|\#\{|@@|@[A-Za-z]+\.|![A-Za-z:./]+$|&[a-z_]+$|\\\$|
        (?:env|vault|secret|secrets|op|ref\+\w+|arn|ssm|sops|keychain|keyring|file|doppler|infisical|projects|akv|gcp-?sm)[:/]|
        ENC\[|ENC\(|AQICAH|Ag[AB][A-Za-z0-9+/]{13}|\{(?:cipher|noop|bcrypt|vault)\}|\$ANSIBLE|sealed:|encrypted:|
        (?:process|os|sys|settings|config|conf|self|this|cls|request|req|ctx|context|app|options|opts|args|kwargs|params|props|state|data|user|env|import|secrets|vars?|local|module|kwargs|creds?|credentials|body|event|cfg|model|client|session|field|fields|models|forms|serializers|z|t|yup|joi|getpass|crypto|uuid|random|bcrypt|faker)\s?(?:\.|\[|\?\.)|
        (?:sha\d{1,3}|md5|bcrypt|argon2\w*|pbkdf2\w*|scrypt|hmac)[:$-]|
        [a-z][a-z0-9+.-]{1,20}://|mailto:|urn:|
        (?:await|new|null|none|nil|true|false|undefined|string|str|bytes|int|bool|optional|required|secretstr|char|text|varchar)(?![\w-])
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CALL = re.compile(r"^[A-Za-z_][\w.:]*[([]")
_EXPRESSION = re.compile(r"^\(?([A-Za-z_][\w.:]*)[([]|^\(?(_*[a-z]+(?:_+[a-z]+)+|[a-z_]+(?:\.[a-z_]+)+)[,;:)]*$")
_TYPE = re.compile(r"^(?:[a-z]\w*\.)?_?[A-Z]\w*(?:Key|Token|Secret|Password|Credentials?|Type|Str)\b")
_DOTTED = re.compile(r"^[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+(?::\d+)?;?$")
_CONSTANT = re.compile(r"^[A-Z][A-Z]*(?:_[A-Z0-9]+)+$")
_PATH = re.compile(r"^(?:~|\.{0,2})/(?:[\w.@-]+/)*[\w.@-]*$|^[A-Za-z]:\\|^[\w.-]+(?:/[\w.-]+)+\.\w{1,6}$|^\.{1,2}/")
_HOST = re.compile(
    r"^(?:[a-z][\w-]*\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?$|^[a-z-]+:\d{2,5}$|^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$"
)
_MAIL = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}$")
_DATE = re.compile(
    r"^\d{4}-\d{2}-\d{2}(?:[T_]?[\d:.Z+-]*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|"
    r"^\d+(?:\.\d+){1,3}(?:[-+.]\w+)?$|^v\d+(?:\.\d+)+"
)
_AMOUNT = re.compile(
    (
        r"^[<>=~]?\d+(?:[.,]\d+)?[-_]?(?:ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|"
        r"years?|bytes?|bits?|[kmgt]i?b|chars?|characters?|"
        r"percent|%|px|times|requests?|tokens?|words?|items?|tage?|stunden?|minuten?|jours?|heures?|dias?|"
        r"horas?)$"
    ),
    re.IGNORECASE,
)

# Words that stand where a value goes. Taken whole or as a part between marks: `my-secret-token`, `changeme123`.
_STAND_INS = re.compile(
    (
        r"change[_-]?(?:me|this|it)|replace[_-]?(?:me|this|with)?|place[_-]?holder|your[_-]?|insert[_-]|"
        r"put[_-]|enter[_-]|fill[_-]?in|"
        r"example|sample|dummy|redact|removed|masked|hidden|censored|not[_-]?(?:a[_-]?)?(?:real|secret|set)|"
        r"goes[_-]?here|[_-]here$|"
        r"^(?:todo|tbd|fixme|n/?a|none|null|nil|unset|empty|undefined|default|secret|password|passwd|token|"
        r"value|string|test(?:ing)?|foo(?:bar)?|bar|baz)\W*$|"
        r"^(?:password|passwd|secret|test\w{0,10}|admin|root|postgres)\d{0,4}$|"
        r"^(?:my|our|the|some|a|any|test|fake|mock|new|old|user|db|api|app|auth|access|client|super|"
        r"top)[_-]?(?:secret|password|passwd|pwd|token|key|api[_-]?key|credential|value)s?\W*$|"
        r"^<.*>$|@@$|lorem|ipsum|deadbeef|^(?:abc|xyz|asdf|qwerty)+\d*$|"
        r"^(?:1password|lastpass|bitwarden|vaultwarden|keepass\w*|dashlane|keychain|passbolt)\b|"
        r"^(?:passwor[dt]|passwords|kennwort|mot de passe|contrase(?:n|ñ)a|palavra-passe|wachtwoord|parolenord|"
        r"losenord|lösenord|adgangskode|salasana|lozinka|passphrase|passcode|geheimnis|schlüssel)$"
    ),
    re.IGNORECASE,
)
_PROSE = frozenset(
    "required optional disabled enabled unchanged rotated expired missing provided generated encrypted fo"
    "rbidden unknown "
    "protected supported deprecated configured mandatory available external internal automatic sensitive "
    "confidential invalid "
    "validated verified accepted rejected refreshed revoked created updated deleted returned included exc"
    "luded expected "
    "authentication authorization authorisation everything something anything nothing whatever whoever so"
    "mewhere "
    "kubernetes terraform vaulted hardware software platform repository environment variables".split()
)
_WORD_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
# Letters first; digits only close the name or a part of it: a numeral within a word is drawn.
_NAME_LIKE = re.compile(r"^(?:[^\W\d_]+\d{0,3}(?:[ _.-]+|$))+$")
_ODD_CASE = re.compile(r"(?<![A-Za-z])[a-z][A-Z]{2,}")
_NAME_OR_PATH = re.compile(r"[A-Za-z]+(?:[/_.-][A-Za-z]+)+")
_JOINTS = re.compile(r"[-_./]")
_SECRET_WORD = re.compile(r"pass(?:word|wd|phrase)?|secret|token|key|credential|auth|pwd", re.IGNORECASE)


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def is_mask(body: str) -> bool:
    """Whether the body of a token is filled in by hand: xxxx, ***, EXAMPLE, one or two characters over and over."""
    letters = [char for char in body if char.isalnum()]
    few = len(set(letters)) <= max(2, len(letters) // 12)
    return (
        few
        or bool(_MASKED.search(body))
        or bool(re.search(r"example|your|redact|placeholder|changeme|dummy|<|>|\{", body, re.IGNORECASE))
    )


def is_reference(value: str) -> bool:
    """A place where the value is to be found (variable, call, path, address), not the value."""
    if _REFERENCE.match(value) or _MAIL.match(value) or _HOST.match(value):
        return True
    if _PATH.match(value):
        return not any(looks_drawn(part) for part in value.split("/") if len(part) > 15)
    if _CONSTANT.match(value) or (_CALL.match(value) and is_wordy(re.split(r"[([]", value, maxsplit=1)[0])):
        return True
    return bool(_DOTTED.match(value)) and all(is_wordy(part) for part in re.split(r"\W+", value) if part)


def is_expression(value: str) -> bool:
    """What code has in a literal's place: a call, a subscript, a lower-case name of several words, a type's name."""
    if _TYPE.match(value):
        return True
    found = _EXPRESSION.match(value)
    head = found and (found.group(1) or found.group(2))
    if not head or not (head.islower() or "_" in head or "." in head):
        return False
    return not any(map(looks_drawn, head.split(".")))


def is_placeholder(value: str) -> bool:
    """Something that stands for a value: contract 12.5's list and its kin."""
    return bool(_STAND_INS.search(value) or _MASKED.search(value)) or len(set(value)) <= 3 or value.casefold() in _PROSE


def is_measure(value: str) -> bool:
    """A date, version, count or duration."""
    return bool(_DATE.match(value) or _AMOUNT.match(value))


def is_wordy(value: str) -> bool:
    """Written in words (camel, snake or kebab case, a numeral or two at the end), as names are and drawn values are not."""
    parts = _WORD_PART.findall(value)
    letters = [part for part in parts if not part.isdigit()]
    if not letters or not _NAME_LIKE.match(value) or _ODD_CASE.search(value):
        return False
    length = sum(map(len, letters))
    vowels = [sum(char in "aeiouyAEIOUY" for char in part) for part in letters]
    clipped = sum(not own and part.istitle() for own, part in zip(vowels, letters, strict=True))
    return (
        length >= 3 * len(letters) and sum(vowels) * 5 >= length and vowels.count(0) * 2 <= len(letters) and clipped < 2
    )


def is_secret_name(value: str) -> bool:
    """A snake or kebab name, or a path, that speaks of a secret (`user_password`): a variable given for a variable."""
    return bool(_NAME_OR_PATH.fullmatch(value)) and bool(_SECRET_WORD.search(value))


def is_written(value: str) -> bool:
    """Three words or more joined by marks, most of them words of a language (`authentication-scheme-of-rfc6750`)."""
    parts = [part for part in _JOINTS.split(value) if part]
    if any(not (part.islower() or part.isupper() or part.isdigit() or part[1:].islower()) for part in parts):
        return False
    return len(parts) >= 3 and sum(len(part) for part in parts if is_wordy(part)) * 2 >= len(value)


def is_mixed(value: str) -> bool:
    """Characters of at least two kinds with a digit or a mark among them: not a word of any language."""
    kinds = (
        any(c.islower() for c in value),
        any(c.isupper() for c in value),
        any(c.isdigit() for c in value),
        any(not c.isalnum() for c in value),
    )
    return sum(kinds) >= 2 and (kinds[2] or kinds[3])


def looks_drawn(value: str) -> bool:
    """Strong evidence that nobody wrote this by hand: long, varied, letters and digits in turns."""
    if len(value) < 12 or is_wordy(value):
        return False
    turns = sum(a.isdigit() != b.isdigit() or a.isupper() != b.isupper() for a, b in pairwise(value))
    return (
        entropy(value) >= 3.0
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and turns >= max(3, len(value) // 8)
    )
