"""Words that mean the same in near-duplicates, words that look alike and do not, and small words that bend a claim.

Data with look-ups, for `gists` only: the matcher's likeness knows nothing of them, because it may not guess at meaning.
A row holds words that a note may exchange without saying something else; opposites stand in `antonyms`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from evidence.rules.words import stem

_SAME_EN: Final = """
recalculate recompute refresh rebuild rebuilt regenerate
run execute happen occur perform take
keep kept store save persist retain preserve live reside sit stay remain
send dispatch ship
need require
check verify validate
remove delete erase
drop discard
start begin launch
end finish
show display
create generate
change modify alter
fix repair
choose pick select
notify inform tell
answer respond reply response
fetch retrieve
wide width
high height
long length
deep depth
receive obtain
put place belong
carry contain bear
whole entire
fast quick rapid
large big
small little
allow permit
forbid prohibit ban
folder directory
employee staff
buy purchase
bug defect
split divide
join merge
"""
_SAME_DE: Final = """
erhalten erhält bekommen bekommt kriegen
löschen entfernen gelöscht entfernt
prüfen überprüfen kontrollieren geprüft überprüft
speichern ablegen aufbewahren gespeichert abgelegt aufbewahrt
senden schicken verschicken versenden gesendet verschickt versendet
beginnen starten anfangen
brauchen benötigen braucht benötigt
ändern anpassen geändert angepasst
ausführen durchführen ausgeführt durchgeführt
"""
_EMPTY: Final = {
    "en": "utilise utilize employ interval basis via currently always generally",
    "de": "nutzen nutzt verwenden verwendet benutzen benutzt einsetzen eingesetzt derzeit aktuell uhr",
}
_APART: Final = """
product products / production / productive
intern interns / internal internally / international
import imports imported importing / important importance
author authors / authority authorities / authorise authorize authorised authorized authorisation authorization
active actively / activity activities
rate rates rated / rating ratings
custom / customs
organ organs / organic / organisation organization organisations organizations
univers universal universe / university universities
relation relations / relative relatives relatively
"""
"""Words of one stem that are different things."""

MARKS: Final[dict[str, frozenset[str]]] = {
    "may": frozenset("may can could might optionally darf dürfen kann können könnte".split()),
    "must": frozenset("must shall muss müssen soll sollen".split()),
    "partial": frozenset(
        """some most several many few sometimes usually often rarely mostly partly occasionally seldom einige manche manchmal
        meist meistens oft selten teilweise viele wenige""".split()
    ),
    "condition": frozenset("if unless until till except provided falls sofern solange außer".split()),
    "past": frozenset("was were formerly previously originally war waren wurde wurden früher".split()),
    "future": frozenset("will soon planned plans demnächst bald geplant".split()),
    "choice": frozenset("or oder either entweder".split()),
}
"""Small words by what they do to a claim: what holds sometimes, once, or for some is another claim."""

PARTICLES: Final = frozenset("的了在是会會将將把被由也都就は が を に で の と も へ や".replace(" ", ""))
"""Signs of scripts without spaces that carry no content."""
TURNING: Final = frozenset("非禁停止除外废廢廃无無一二两兩三四五六七八九十百千万萬零半")
"""Signs that must not be what one of two such texts has more: they deny, stop or count."""
ENDINGS: Final = re.compile(r"(?:し?ます|する|です)$")
"""Polite and plain endings of Japanese sentences."""
_HANGUL_ENDS: Final = re.compile(
    r"(?<=[가-힣]{2})(?:합니다|한다|해요|됩니다|된다|하다|되다|에서|으로|부터|까지|은|는|이|가|을|를|에|의|도|와|과|로)$"
)
_AGENT: Final = re.compile(r"(?:er|or)s?$")


def _rows(table: str, language: str) -> dict[str, str]:
    rows = [row.split() for row in table.strip().splitlines()]
    return {stem(word, language): f"={row[0]}" for row in rows for word in row}


_SAME: Final = {"en": _rows(_SAME_EN, "en"), "de": _rows(_SAME_DE, "de")}
_NOTHING: Final = {code: frozenset(stem(word, code) for word in words.split()) for code, words in _EMPTY.items()}
_DIFFERENT: Final = {
    word: f"={part.split()[0]}"
    for row in _APART.strip().splitlines()
    for part in row.split("/")
    for word in part.split()
}


@lru_cache(maxsize=65536)
def plain_word(form: str, stemmed: str, language: str) -> str:
    """What a word counts as when near-duplicates are compared: one form for words of one meaning, empty for none.

    `form` folded, `stemmed` its stem. An agent noun is not its verb (`exporter`, `export`). What starts with `=` or ends
    with `+er` is compared as a whole.
    """
    if language == "en" and form in _DIFFERENT:
        return _DIFFERENT[form]
    if stemmed in _NOTHING.get(language, ()):
        return ""
    if same := _SAME.get(language, {}).get(stemmed):
        return same
    if language == "en" and _AGENT.search(form) and not stemmed.endswith(("er", "or")):
        return f"{stemmed}+er"
    return _HANGUL_ENDS.sub("", stemmed)
