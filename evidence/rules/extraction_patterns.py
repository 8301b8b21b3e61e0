"""The plain sentences of which `extraction` knows what they claim: English first, simple German ones too.

Data only: a form by name, how it reads, and where subject, attribute and value stand in it. The first form that fits counts.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Form(NamedTuple):
    name: str
    language: str
    pattern: re.Pattern[str]
    """Groups `subject` and `value`, `attribute` where the sentence names it, `no` where it is denied."""
    attribute: str = ""
    """What the attribute is called where the sentence does not name it; one word for every language."""
    value: str = ""
    """The value where the sentence's form tells it."""


_X, _Z = r"(?P<subject>.+?)", r"(?P<value>.+)"
_THE = r"(?:the |our )?"
_IS = r"(?:is|are) (?P<no>not )?"
_IS_SET = rf"{_IS}(?:(?:called|named|set to) )?"
_NO = r"(?:(?P<no>does not|do not|doesn't|don't) )?"
_AT = r"(?:in|on|at|under)"
_DER = r"(?:(?:der|die|das|unser|unsere) )?"
_IST = r"(?:ist|sind) (?P<no>nicht )?"
_NICHT = r"(?P<no>nicht )?"

_ROWS: Final[tuple[tuple[str, str, str, str, str], ...]] = (
    ("X's Y is Z", "en", rf"{_THE}{_X}'s (?P<attribute>.+?) {_IS_SET}{_Z}", "", ""),
    ("the Y of X is Z", "en", rf"{_THE}(?P<attribute>.+?) of {_X} {_IS_SET}{_Z}", "", ""),
    ("default X is Y", "en", rf"{_THE}default {_X} {_IS_SET}{_Z}", "default", ""),
    ("X defaults to Y", "en", rf"{_X} {_NO}defaults? to {_Z}", "default", ""),
    (
        "X listens on port N",
        "en",
        rf"{_X} {_NO}(?:is listening|(?:listen|answer|run)s?) on port (?P<value>\d+)",
        "port",
        "",
    ),
    ("X is owned by Y", "en", rf"{_X} {_IS}owned by {_Z}", "owner", ""),
    ("X belongs to Y", "en", rf"{_X} {_NO}belongs? to {_Z}", "owner", ""),
    ("Y owns X", "en", rf"(?P<value>.+?) {_NO}owns? (?P<subject>.+)", "owner", ""),
    ("X is maintained by Y", "en", rf"{_X} {_IS}maintained by {_Z}", "maintainer", ""),
    ("X lives in Y", "en", rf"{_X} {_NO}(?:lives?|resides?) {_AT} {_Z}", "location", ""),
    ("X is hosted in Y", "en", rf"{_X} {_IS}(?:hosted|located) {_AT} {_Z}", "location", ""),
    ("X is stored in Y", "en", rf"{_X} {_IS}(?:stored|kept) {_AT} {_Z}", "stored in", ""),
    ("X runs on Y", "en", rf"{_X} {_NO}runs? on {_Z}", "runs on", ""),
    ("X is written in Y", "en", rf"{_X} {_IS}written in {_Z}", "written in", ""),
    ("X is called Y", "en", rf"{_X} {_IS}(?:called|named) {_Z}", "name", ""),
    ("X is used for Y", "en", rf"(?P<value>.+?) {_IS}used for (?P<subject>.+)", "tool", ""),
    ("we use X for Y", "en", rf"(?:we |please )?{_NO}use (?P<value>.+?) for (?P<subject>.+)", "tool", ""),
    ("always do X", "en", r"(?:we )?always (?P<subject>.+)", "rule", "always"),
    ("never do X", "en", r"(?:(?:we )?never|(?:please )?(?:do not|don't)) (?P<subject>.+)", "rule", "never"),
    ("X is Y", "en", rf"{_X} {_IS_SET}{_Z}", "", ""),
    ("the Y of X is Z", "de", rf"{_DER}(?P<attribute>.+?) von {_X} {_IST}{_Z}", "", ""),
    ("X listens on port N", "de", rf"{_X} (?:lauscht|hört|läuft) {_NICHT}auf port (?P<value>\d+)", "port", ""),
    ("X belongs to Y", "de", rf"{_X} gehört {_NICHT}(?:zu |zum |zur )?{_Z}", "owner", ""),
    ("X lives in Y", "de", rf"{_X} (?:liegt|liegen|befindet sich) {_NICHT}(?:in|im|auf|unter) {_Z}", "location", ""),
    ("X runs on Y", "de", rf"{_X} (?:läuft|laufen) {_NICHT}auf {_Z}", "runs on", ""),
    ("X is called Y", "de", rf"{_X} (?:heißt|heisst|heißen) {_NICHT}{_Z}", "name", ""),
    ("we use X for Y", "de", r"(?:wir )?(?:(?:be)?nutzen?|verwenden?) (?P<value>.+?) für (?P<subject>.+)", "tool", ""),
    ("always do X", "de", r"immer (?P<subject>.+)", "rule", "always"),
    ("never do X", "de", r"(?:niemals|nie) (?P<subject>.+)", "rule", "never"),
    ("X is Y", "de", rf"{_X} {_IST}{_Z}", "", ""),
)

FORMS: Final[tuple[Form, ...]] = tuple(
    Form(name, language, re.compile(pattern, re.IGNORECASE), attribute, value)
    for name, language, pattern, attribute, value in _ROWS
)

NEITHER: Final = frozenset(
    """probably maybe perhaps possibly likely apparently seemingly supposedly allegedly presumably roughly approximately almost
    nearly currently temporarily temporary today yesterday tomorrow soon recently lately formerly previously sometimes often
    mostly typically normally occasionally rarely seldom eventually instead mainly partly reportedly anymore longer etc
    everything everybody everyone something nothing
    vermutlich wahrscheinlich vielleicht möglicherweise eventuell angeblich ungefähr etwa circa fast derzeit aktuell momentan
    heute gestern morgen bald kürzlich früher manchmal oft meist meistens selten statt alles""".split()
)
"""Words of doubt and of passing time: a sentence with one of them is no plain claim. Small words are refused as it is."""
CLAUSES: Final = frozenset(
    """if when whenever unless until till while during before after since once except without because so that which who whose
    where but than as although though and or then otherwise like whether via wenn falls sobald bevor nachdem während solange außer
    ohne weil damit dass aber als und oder seit bis""".split()
)
"""Words that open a condition, a time or another thought; an order ("never ...") may hold other small words."""
NO_ATTRIBUTES: Final = frozenset(
    """rest part parts majority half kind sort case way reason point thing purpose goal idea example number lot amount set list
    need lack use teil rest art grund ziel beispiel anzahl""".split()
)
"""Nouns before "of" that name no attribute of what follows."""
STATES: Final[dict[str, str]] = {
    word: attribute
    for attribute, words in {
        "status": """active inactive suspended paused archived deprecated locked unlocked frozen blocked retired abandoned aktiv
            inaktiv gesperrt archiviert veraltet eingefroren""",
        "switch": "enabled disabled on off aktiviert deaktiviert eingeschaltet ausgeschaltet abgeschaltet",
        "visibility": "public private internal external visible hidden öffentlich privat",
        "requirement": "required mandatory optional erforderlich",
        "permission": "allowed forbidden permitted prohibited erlaubt verboten",
        "approval": "approved rejected accepted declined",
        "availability": "available unavailable live online offline verfügbar",
        "encryption": "encrypted unencrypted verschlüsselt",
        "mode": "manual automatic manuell automatisch",
        "timing": "synchronous asynchronous",
        "health": "healthy unhealthy",
        "signature": "signed unsigned",
        "support": "supported unsupported",
        "mutability": "mutable immutable read-only",
    }.items()
    for word in words.split()
}
"""What a thing can be said to be without saying more, and what of it that tells: two states of one row exclude each other."""
OCCASIONS: Final = frozenset(
    """weekend weekends weekday weekdays holiday holidays demand start startup boot push pushes commit commits merge merges
    deploy deploys release releases failure failures request requests schedule call time night nights arrival""".split()
)
"""What follows "runs on" and is no place."""
REMINDERS: Final = frozenset("forget hesitate worry mind bother fail assume expect be".split())
"""Verbs behind "do not" that forbid nothing."""
PARTICIPLES: Final = frozenset(
    """kept run built rebuilt set reset sent written made done taken given held put shut cut read shown known left lost met paid
    sold told found bound broken chosen drawn driven frozen hidden spoken thrown due able ready""".split()
)
"""Forms without an ending by which to tell them; with words behind them they say what happens, not what is."""
