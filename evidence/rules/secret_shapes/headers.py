"""Keys in armour, authorisation headers and addresses that carry a password.

Prose that names a header or an armour line without a body is none (contract 9).
"""

from __future__ import annotations

import base64
import binascii
import re

from evidence.rules.secret_shapes.randomness import (
    is_mask,
    is_mixed,
    is_placeholder,
    is_reference,
    is_wordy,
    is_written,
    looks_drawn,
)

_ARMOUR = re.compile(r"-{2,5} ?BEGIN ((?:[A-Z0-9]{2,12} ){0,4})PRIVATE KEY(?: BLOCK)? ?-{2,5}", re.IGNORECASE)
_ARMOUR_END = re.compile(r"-{2,5} ?END (?:[A-Z0-9]{2,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{2,5}", re.IGNORECASE)
_BODY = re.compile(r"[A-Za-z0-9+/=]{20,}")
# What may stand between the armour line and the first line of the body: line ends, quotes, `Proc-Type: 4,ENCRYPTED`.
_BODY_START = re.compile(
    r"(?:[\s\"'+,>|*#]|\\[nr]|[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,80}(?:\n|\\n)){0,40}([A-Za-z0-9+/=]{16,})"
)
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d: [\s\S]{0,4000}?Private-Lines: \d")
_JWK = re.compile(r"\bkty\b[\\\"']{0,2}\s{0,4}:")
_JWK_SECRET = re.compile(
    r"(?<![\w-])[\\\"']{0,2}(?:d|k)[\\\"']{0,2}\s{0,4}:\s{0,4}[\\\"']{0,2}(?P<b>[A-Za-z0-9_-]{20,})"
)

_BEARER = re.compile(r"(?i)\bbearer[\s:=]{1,4}[\"'`]?(?P<b>[A-Za-z0-9._~+/-]{16,}={0,2})")
_SCHEME = re.compile(
    r"(?i)\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:token|apikey|api-key|key|digest|oauth|negotiate|"
    r"bot|sso-key)\s{1,4}[\"']?(?P<b>[A-Za-z0-9._~+/=:-]{16,})"
)
_BASIC = re.compile(
    r"(?i)\b(?:authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?)?basic\s{1,4}(?P<b>[A-Za-z0-9+/]{12,}={0,2})"
)
_SESSION = re.compile(
    r"(?i)\b(?:set-)?cookie[\"']?:\s{0,4}[^\n]{0,300}?\b[\w.-]{0,30}(?:sess(?:ion)?|sid|auth|token|jwt)[\w.-]{0,12}="
    r"(?P<b>[A-Za-z0-9._~+/%-]{20,})"
)
_CURL_USER = re.compile(
    r"(?:\s|^)(?:-u\s?|--(?:proxy-)?user[\s=]{1,4})[\"']?(?P<user>[^\s:\"'$<{/]{1,64}):(?P<b>[^\s\"'/][^\s\"']{5,})"
)

_URL = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s/?#@:\"'<>]{0,128})"
    r":(?P<b>[^\s/?#\"'<>]{1,256}|<[^\s<>@]{0,60}>)@(?=(?P<host>[A-Za-z0-9\[$<{*_-][\w.-]{0,60}))"
)
# A password written into an address with its slashes, hashes and question marks as they are.
_LOOSE_URL = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s/?#@:\"'<>]{1,128})"
    r":(?!\d{1,5}[/?#])(?P<b>[^\s\"'<>@/?#]{1,100}[/?#][^\s\"'<>@]{1,100})@(?=[A-Za-z0-9][\w.-]{0,100}(?::\d|[/\s?]|$))"
)
_HOST_LIKE = re.compile(r"localhost|[\w.-]+\.[\w-]+")
_PASSWORD_PLACE = re.compile(
    r"change_?me|placeholder|redacted|(?:your|my|the|replace|insert|enter|put)[_-]|^example$|\$\{|[_-](?:password|here)$",
    re.IGNORECASE,
)
_USER_STAND_INS = frozenset(
    {"user", "username", "usr", "name", "login", "user_name", "myuser", "youruser", "me", "u", "foo", "someone"}
)
_PASSWORD_STAND_INS = frozenset(
    {
        "password",
        "pass",
        "passwd",
        "pw",
        "pwd",
        "secret",
        "mypassword",
        "yourpassword",
        "token",
        "p",
        "bar",
        "my-password",
        "xxx",
        "xx",
        "x-oauth-basic",
    }
)


def has_private_key(text: str) -> bool:
    """An armoured private key with something of a body, also in one line or inside JSON; a public key is none."""
    if "KEY" in text or "key-----" in text:
        for found in _ARMOUR.finditer(text):
            end = _ARMOUR_END.search(text, found.end(), found.end() + 8_000)
            first = _BODY_START.match(text, found.end())
            if first and not is_mask(first.group(1)) and not is_wordy(first.group(1)):
                return True
            body = text[found.end() : end.start()] if end else ""
            if any(not is_mask(run) and not is_wordy(run) for run in _BODY.findall(body)):
                return True
            packed = re.sub(r"\\[rn]|[\s\"',+>|]", "", body)
            if end and len(packed) >= 12 and not is_mask(packed) and re.fullmatch(r"[A-Za-z0-9+/=:-]+", packed):
                return True
    if "PuTTY-User" in text and _PUTTY.search(text):
        return True
    return "kty" in text and bool(_JWK.search(text)) and any(map(_is_key_part, _JWK_SECRET.finditer(text)))


def _is_key_part(found: re.Match[str]) -> bool:
    return not is_mask(found.group("b")) and not is_wordy(found.group("b"))


def has_bearer_token(text: str) -> bool:
    """A token in an authorisation header, or after the word Bearer, that nobody wrote by hand."""
    lower = text.casefold()
    if "bearer" in lower and any(_is_token(found.group("b")) for found in _BEARER.finditer(text)):
        return True
    if "authorization" in lower and any(_is_token(found.group("b")) for found in _SCHEME.finditer(text)):
        return True
    if "cookie" in lower and any(looks_drawn(found.group("b")) for found in _SESSION.finditer(text)):
        return True
    return "basic" in lower and any(_is_basic(found.group("b")) for found in _BASIC.finditer(text))


def _is_token(value: str) -> bool:
    value = value.rstrip(".,;:")
    if len(value) < 16 or is_mask(value) or is_placeholder(value) or is_reference(value):
        return False
    if is_wordy(value) or is_written(value):
        return False
    return (
        looks_drawn(value)
        or (any(char.isdigit() for char in value) and any(char.isalpha() for char in value))
        or len(value) >= 32
    )


def _is_basic(value: str) -> bool:
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False
    name, colon, password = plain.partition(":")
    return (
        bool(colon and password)
        and name.isprintable()
        and password.isprintable()
        and not _both_stand_ins(name, password)
    )


def has_url_credentials(text: str) -> bool:
    """`scheme://user:password@host` with a password that is no placeholder; the user may be missing."""
    if "://" in text and "@" in text:
        if any(_is_password(*found.group("user", "b")) and not _is_local(found) for found in _URL.finditer(text)):
            return True
        if any(is_mixed(found.group("b")) and _is_password(*found.groups()) for found in _LOOSE_URL.finditer(text)):
            return True
    if "-u" not in text:
        return False
    return any(
        len(found.group("b")) >= 8 and not found.group("user").isdigit() and _is_password(*found.groups())
        for found in _CURL_USER.finditer(text)
    )


def _is_local(found: re.Match[str]) -> bool:
    """A server's own default on the reader's own machine (`postgres:postgres@localhost`) opens nothing."""
    user, password, host = found.group("user", "b", "host")
    return bool(user) and user == password and host in ("localhost", "127.0.0.1")


def _both_stand_ins(user: str, password: str) -> bool:
    if user == password == "guest":  # the broker's documented default, for its own machine only
        return True
    if not user:  # the form of an address without a user, as documentation shows it
        return password.casefold() in ("password", "passwd", "yourpassword", "mypassword")
    return user.casefold() in _USER_STAND_INS and password.casefold() in _PASSWORD_STAND_INS


def _is_password(user: str, password: str) -> bool:
    if password.startswith(("$", "{", "<", "%(", "[", "#{", "@@")) or (
        password.startswith("%") and password.endswith("%")
    ):
        return False
    if (
        _both_stand_ins(user, password)
        or set(password) <= set("*xX.•_-#?")
        or re.search(r"\*{3,}|[xX]{4,}|\.{3}|…", password)
    ):
        return False
    if password.isdigit() and len(password) <= 5 and _HOST_LIKE.fullmatch(user):
        return False
    return not _PASSWORD_PLACE.search(password)
