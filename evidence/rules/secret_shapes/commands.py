"""Secrets given to a command, a client's file or a statement, where no sign stands between name and value.

`sshpass -p VALUE`, `mysql -pVALUE`, a line of `.netrc` or `.pgpass`, `IDENTIFIED BY 'VALUE'`, a join code of a network.
References to a variable, names and stand-ins are none, as everywhere (contract 12.5).
"""

from __future__ import annotations

import re

from evidence.rules.secret_shapes.assignments import is_harmless
from evidence.rules.secret_shapes.randomness import is_mask, is_mixed, is_wordy, looks_drawn

_BARE = r"(?P<b>[^\s\"'`|;<>$]{8,200})"
_QUOTED = r"(?:'(?P<sq>[^'\n]{8,200})'|\"(?P<dq>[^\"\n]{8,200})\")"
_VALUE = rf"(?:{_QUOTED}|{_BARE})"

# The first of each pair is a cue that must be in the lower-case text.
_PLAIN: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (cue, re.compile(pattern, re.IGNORECASE))
    for cue, pattern in (
        ("sshpass", rf"\bsshpass\s{{1,4}}(?:-[a-z]\s{{1,4}})?-p\s{{0,4}}{_VALUE}"),
        ("redis-cli", rf"\bredis-cli\b[^\n|]{{0,120}}?\s(?:-a|--pass)\s{{1,4}}{_VALUE}"),
        ("login", rf"\blogin\b[^\n|]{{0,120}}?\s(?:-p|--password)[ =]{{1,4}}{_VALUE}"),
        ("net use", rf"\bnet use\b[^\n|]{{0,120}}?/user:\S{{1,80}}\s{{1,4}}{_VALUE}"),
        ("-stdin", rf"\becho\s{{1,4}}(?:-n\s{{1,4}})?{_VALUE}\s{{0,4}}\|[^\n|]{{0,120}}-stdin\b"),
        ("sudo -s", rf"\becho\s{{1,4}}(?:-n\s{{1,4}})?{_VALUE}\s{{0,4}}\|\s{{0,4}}sudo -S\b"),
        ("chpasswd", rf"\becho\s{{1,4}}[\"']?[\w.-]{{1,40}}:{_BARE}[\"']?\s{{0,4}}\|[^\n|]{{0,40}}\bchpasswd\b"),
        (
            "machine",
            rf"\bmachine\s{{1,8}}\S{{1,120}}\s{{1,20}}login\s{{1,8}}\S{{1,120}}\s{{1,20}}password\s{{1,8}}{_VALUE}",
        ),
        ("default", rf"\bdefault\s{{1,8}}login\s{{1,8}}\S{{1,120}}\s{{1,20}}password\s{{1,8}}{_VALUE}"),
        ("identified", rf"\bidentified\s{{1,4}}(?:with\s{{1,4}}\S{{1,40}}\s{{1,4}})?(?:by|as)\s{{1,4}}{_QUOTED}"),
        (
            "password",
            rf"\b(?:with|encrypted|login|(?:role|user)\s{{1,4}}\S{{1,60}})\s{{1,4}}password\s{{1,4}}{_QUOTED}",
        ),
        ("securestring", rf"\bconvertto-securestring\s{{1,4}}(?:-string\s{{1,4}})?{_QUOTED}"),
        ("wifi:", r"\bwifi:[^\n]{0,120}?;p:(?P<b>[^;\s<>$]{8,63});"),
        ("authkey", rf"\b--auth-?key[ =]{{1,4}}{_VALUE}"),
    )
)
# Where other things stand as often, only a value that nobody wrote counts.
_DRAWN: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (cue, re.compile(pattern, re.IGNORECASE))
    for cue, pattern in (
        ("-literal=", r"--from-literal=[\"']?[\w.-]{1,80}=[\"']?(?P<b>[^\s\"'$<>]{8,400})"),
        ("mysql", rf"\bmysql\w{{0,10}}\b[^\n|]{{0,160}}?\s-p{_VALUE}"),
        ("mariadb", rf"\bmariadb\w{{0,10}}\b[^\n|]{{0,160}}?\s-p{_VALUE}"),
        ("snmp", rf"\bsnmp-server community\s{{1,4}}{_BARE}"),
        ("-server", rf"\b(?:radius|tacacs)-server\b[^\n]{{0,60}}?\bkey\s{{1,4}}(?:\d\s)?{_BARE}"),
        ("secret set", rf"\bsecrets? set\b[^\n]{{0,120}}?\s(?:--value|--body|-b)[ =]{{1,4}}{_VALUE}"),
        (
            "config",
            rf"\bconfig(?:ure)? set\b[^\n]{{0,120}}?(?:secret|token|key|password)\w{{0,20}}[ =]{{1,4}}{_VALUE}",
        ),
    )
)
_PGPASS = re.compile(
    r"(?<!\S)(?:[A-Za-z*][\w.-]{0,80}|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{2,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?P<b>[^\s:]{8,200})(?!\S)"
)
_PAIR = re.compile(
    r"(?i)\b(?:log ?in|cred(?:ential)?s?|basic auth|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali)"
    r"[ \t]{0,2}[:=]?[ \t]{1,4}[`\"']?[\w.@+-]{2,64}[`\"']?[ \t]?[:/][ \t]?[`\"']?(?P<b>[^\s\"'`<>$]{8,200})"
)
_PAIR_CUES = ("log", "cred", "auth", "zugang", "anmelde", "identif")


def has_command_secret(text: str) -> bool:
    """Whether a command, a client's file or a statement is given a secret as it stands."""
    lower = text.casefold()
    if any(cue in lower and any(map(_is_given, pattern.finditer(text))) for cue, pattern in _PLAIN):
        return True
    if any(cue in lower and any(map(_is_drawn, pattern.finditer(text))) for cue, pattern in _DRAWN):
        return True
    if text.count(":") > 3 and any(map(_is_given, _PGPASS.finditer(text))):
        return True
    return any(map(lower.__contains__, _PAIR_CUES)) and any(map(_is_drawn, _PAIR.finditer(text)))


def _value(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return groups.get("sq") or groups.get("dq") or (groups.get("b") or "").rstrip(".,;:!?)]}")


def _is_given(found: re.Match[str]) -> bool:
    value = _value(found)
    if is_harmless(value) or is_mask(value) or not is_mixed(value):
        return False
    return any(char.isdigit() for char in value) or not is_wordy(value)


def _is_drawn(found: re.Match[str]) -> bool:
    value = _value(found)
    return not is_harmless(value) and not is_mask(value) and looks_drawn(value)
