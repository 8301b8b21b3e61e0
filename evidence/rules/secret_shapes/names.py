"""Names that a secret is given under: `DB_PASSWORD`, `client-secret`, `api key`, `пароль`; and what such a name also stands for.

Patterns only; what a value must look like beside such a name is said where they are used.
"""

from __future__ import annotations

import re

# Spaces stand in brackets: some of the patterns that take these in are written with free spacing.
_ABROAD = (
    r"kennwort|mot[ _-]?de[ _-]?passe|contrase(?:n|ñ|ñ)a|senha|wachtwoord|has[lł]o|[sş]ifre|parol[ae]|l[oö]senord|"
    r"heslo|lozinka|zaporka|adgangskode|kodeord|passord|salasana|jelsz[oó]|пароль|密码|密碼|口令|パスワード|暗証番号|"
    r"비밀번호|암호|كلمة[ ](?:المرور|السر)|סיסמ[הא]|m[aậ]t[ ]kh[aẩ]u|kata[ ]?sandi|รหัสผ่าน"
)
NAME = (
    r"pass(?:words?|wd|phrase|wort|code)|passwd|pwd|pw|psk|"
    rf"{_ABROAD}|"
    r"secret(?:[ _-]?(?:key|token|base|access[_-]?key))?(?:[_-]?base)?|token|api[ _-]?key|"
    r"app[_-]?key|"
    r"(?:access|private|auth|encryption|signing|master|account|storage|service|license|shared|pre-?shared|client|"
    r"deploy|session|webhook|consumer|admin|root|hmac|aes|ssh|gpg|rsa|crypt\w{0,6}|jwt|cipher|"
    r"decrypt(?:ion)?|subscription|functions?|host|integration|server|install\w{0,6})[ _-]?key|"
    r"cred(?:ential)?s?|connection[ _-]?string|bearer|sas[_-]?token|otp|totp[_-]?seed|seed[ _-]?phrase|mnemonic|"
    r"auth|salt|pass|pin[_-]?code"
)
SUFFIX = (
    r"(?:[_-]?(?:\d{1,3}|v\d|prod(?:uction)?|staging|stage|dev|test|live|old|new|current|previous|primary|"
    r"secondary|main|backup|value|b64|base64|hex|raw|plain|string|str|env|local|ci|eu|us))?"
)
_CUES = (
    "pass", "pwd", "pw", "psk", "secret", "token", "key", "cred", "connection", "bearer", "otp", "seed", "mnemonic",
    "auth", "salt", "pin", "kennwort", "mot", "contrase", "senha", "wachtwoord", "hasl", "sifre", "parol", "losenord",
    "heslo", "lozinka", "zaporka", "adgangskode", "kodeord", "salasana", "jelsz", "sandi",
)  # fmt: skip
_CUES_ABROAD = (
    "contraseñ", "hasł", "şifre", "lösenord", "пароль", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호",
    "كلمة", "סיסמ", "mật", "รหัสผ่าน",
)  # fmt: skip


def may_name_secret(text: str) -> bool:
    """Whether a secret's name may stand in the text: a few searches, before any pattern runs."""
    lower = text.casefold()
    if any(map(lower.__contains__, _CUES)):
        return True
    return not lower.isascii() and any(map(lower.__contains__, _CUES_ABROAD))


# Names that are words first: only a drawn value makes secrets of them.
WEAK = frozenset({"auth", "salt", "otp", "pass", "bearer", "cred", "creds", "credential", "credentials", "pw", "psk"})
# What a name like a secret's also stands for: places in a list, special tokens of a model, what counts or names tokens.
OTHER_BEFORE = re.compile(
    r"(?i)(?:max|min|num|total|count|per|page|next|continuation|cursor|sync|pagination|eos|bos|pad|unk|"
    r"sep|cls|mask|stop|special|csrf|xsrf|by|without|prev|first|last|input|output|sub|word|lexer|public|"
    r"primary|foreign|partition|sort|cache|idempotency|routing|no|has|is|need|use|show|hide|reset|forgot|"
    r"confirm|"
    r"of|the|a|an|one|new|each|every|this|that|your|our|their|old|same|wrong)[\s_.-]?$"
)
NEVER_BEFORE = re.compile(
    r"(?i)csrf|xsrf|(?:page|cursor|idempotency|public|sync|continuation|next|prev|pagination|publishable)[_-]?$|\S:$"
)
"""Even a drawn value is none after these: a place in a list, half of a pair that is public, a part of an ARN."""
