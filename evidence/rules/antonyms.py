"""Opposite words (contract 7: "antonym"), and words that deny what they speak of (contract 12.7: the closed list of cues).

Data with look-ups by stem. Whether two opposites stand in one frame is for `opposition`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from evidence.rules.words import stem

_ROWS: Final = """
enable activate / disable deactivate
enabled active activated on / disabled inactive off deactivated suspended locked closed expired terminated
active running live / suspended paused stopped archived
allow permit grant authorise let / deny forbid prohibit block refuse reject disallow ban
allowed permitted possible / denied forbidden prohibited blocked refused impossible banned disallowed
accept accepted approve approved / reject rejected decline declined refuse refused
grant / revoke
add insert attach / remove delete detach drop
keep retain preserve / remove delete drop discard purge
include includes including / exclude omit
start begin launch / stop end finish terminate
started / stopped
open / close shut
opened opening / closed closing
opens / closes
lock / unlock
encrypt encrypted / decrypt plaintext unencrypted
increase raise grow rise / decrease reduce lower shrink fall cut
up / down
upload / download
import / export
push / pull
read / write
connect / disconnect
install / uninstall
create / delete destroy
show display / hide conceal
visible / hidden invisible
public / private
internal / external
inbound incoming ingress / outbound outgoing egress
local / remote
synchronous / asynchronous
sync / async
manual manually / automatic automatically automated
required mandatory compulsory / optional voluntary
always / never
success succeed succeeds pass passed passes / failure fail failed fails
successful / unsuccessful failed
healthy / unhealthy degraded down broken
available released shipped live / planned unavailable upcoming missing
done finished completed complete / pending unfinished incomplete open
present / absent missing
earliest / latest
old older oldest / new newer newest
early earlier / late later
above over exceeding / below under
more / less fewer
most / least fewest
maximum / minimum
largest biggest / smallest
high higher highest / low lower lowest
fast faster quickly / slow slower slowly
big large bigger larger / small little smaller
long longer longest lengthen / short shorter shortest
hot / cold
warm / cool
light / dark
full / empty
dry / wet
clean / dirty
strong stronger / weak weaker
heavy heavier / light lighter
hard / soft
hard difficult / easy
cheap cheaper / expensive
safe / unsafe dangerous
valid / invalid
true / false
correct right / wrong incorrect
good better best / bad worse worst poor
same identical / different
single / multiple several
odd / even
left / right
top / bottom
upper / lower
inside indoors indoor / outside outdoors outdoor
sit sitting / stand standing
awake / asleep sleeping
alive / dead
happy / sad
win / lose
buy / sell
love / hate
remember / forget
gain / loss
ascending / descending
horizontal / vertical
strict / lenient loose
mutable / immutable
stateful / stateless
static / dynamic
blocking / nonblocking
opt-in / opt-out
allowlist whitelist / denylist blocklist blacklist
before / after
weekday weekdays / weekend weekends
tabs / spaces
primary / replica secondary
uppercase / lowercase
agree / disagree
like / dislike
online / offline
ahead / behind
aktiv aktiviert / inaktiv deaktiviert
erlaubt / verboten
öffentlich / privat
immer / nie niemals
manuell / automatisch
steigt erhöht / sinkt gesenkt
actif activé / inactif désactivé
autorisé permis / interdit
activo activado habilitado / inactivo desactivado deshabilitado
permitido / prohibido
attivo / disattivo disattivato
ativo ativado / inativo desativado
actief / inactief
toegestaan / verboden
"""
_CLASS_ROWS: Final = """
first / last / second / third / fourth
morning mornings / evening evenings / afternoon afternoons
red / green / blue / yellow / black / white / orange / purple / pink / brown / gray
production / staging / preview / sandbox
north / south / east / west
day / night
male / female
"""
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis", "a")

DENYING_VERBS: Final[dict[str, str]] = {
    form: verb
    for verb, forms in {
        "avoid": "avoid avoids avoided avoiding",
        "stop": "stop stops stopped stopping",
        "replace": "replace replaces replaced replacing",
        "deprecated": "deprecate deprecates deprecated deprecating",
        "disable": "disable disables disabled disabling",
        "remove": "remove removes removed removing",
        "deny": "deny denies denied denying",
        "forbid": "forbid forbids forbidden forbade forbidding",
        "prohibit": "prohibit prohibits prohibited prohibiting",
        "prevent": "prevent prevents prevented preventing",
        "refuse": "refuse refuses refused refusing",
        "fail": "fails failed failing fail",
        "lack": "lack lacks lacked lacking",
        "skip": "skip skips skipped skipping",
        "drop": "drop drops dropped dropping",
        "retire": "retire retires retired retiring",
        "ban": "ban bans banned banning",
        "cease": "cease ceases ceased ceasing",
        "vermeiden": "vermeide vermeiden vermeidet",
        "verbieten": "verboten verbietet",
    }.items()
    for form in forms.split()
}
"""Inflected form -> the verb that denies its object (or, in the passive, its subject)."""

DENYING_STATES: Final = frozenset("off inactive unavailable gone obsolete impossible absent".split())
"""Words that, said of a subject ("is off"), deny that it is there."""

CLOSED_CUES: Final = frozenset("avoid stop replace deprecated disable remove forbid".split())
"""The verbs of the contract's own list (12.7); the others deny only with a full frame behind them."""


def _table(rows: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows.strip().splitlines():
        groups = [{stem(word) for word in group.split()} for group in row.split("/")]
        for group in groups:
            others = set().union(*(other for other in groups if other is not group))
            for word in group:
                found.setdefault(word, set()).update(others - group)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITES: Final = _table(_ROWS)
_CLASSES: Final = _table(_CLASS_ROWS)


def opposite_pair(ones: Iterable[str], others: Iterable[str], *, classes: bool = True) -> tuple[str, str] | None:
    """The first pair of opposites with one stem in each, also by prefix ("reachable", "unreachable").

    `classes`: also two of a kind that exclude each other (two colours, two environments).
    """
    there = frozenset(others)
    for word in sorted(ones):
        opposites = _OPPOSITES.get(word, _NONE) | (_CLASSES.get(word, _NONE) if classes else _NONE)
        if facing := opposites & there:
            return word, min(facing)
        for other in there:
            if is_prefixed(word, other) or is_prefixed(other, word):
                return word, other
    return None


_NONE: Final[frozenset[str]] = frozenset()


@lru_cache(maxsize=65536)
def is_prefixed(word: str, other: str) -> bool:
    """Whether `word` is `other` with a denying prefix ("unreach", "reach"), letters long enough to be no accident."""
    if len(other) < 4 or not word.endswith(other):
        return False
    return word[: -len(other)].rstrip("-") in _PREFIXES
