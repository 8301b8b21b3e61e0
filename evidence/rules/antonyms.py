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
tie / untie
zip zip_up / unzip
plug plug_in / unplug
load / unload
fold / unfold
encrypt encrypted / decrypt plaintext unencrypted
increase raise grow rise climb go_up / decrease reduce lower shrink fall cut go_down
lift raise hoist pick_up / lower drop put_down
up / down
upload / download
import / export
push / pull
read / write
send / receive
connect / disconnect
install / uninstall
subscribe sign_up / unsubscribe
log_in sign_in log_on / log_out sign_out log_off
opt_in / opt_out
turn_on switch_on power_on put_on / turn_off switch_off power_off shut_down take_off
turn_up / turn_down
get_on get_in board / get_off get_out
scale_up scale_out / scale_down scale_in
roll_out / roll_back
phase_in / phase_out
zoom_in / zoom_out
move_in / move_out
check_in / check_out
clock_in / clock_out
set_up spin_up bring_up / tear_down spin_down bring_down take_down
speed_up accelerate / slow_down decelerate
put_in / take_out
take_off / land
stand_up get_up / sit_down lie_down
wake_up / fall_asleep
create / delete destroy
show display / hide conceal
visible / hidden invisible
public / private
internal / external
inner / outer
domestic / foreign international
inbound incoming ingress / outbound outgoing egress
local / remote
synchronous / asynchronous
sync / async
parallel / sequential serial
manual manually / automatic automatically automated
explicit / implicit
required mandatory compulsory / optional voluntary
always / never
often frequently usually / rarely seldom never
success succeed succeeds pass passed passes / failure fail failed fails
successful / unsuccessful failed
healthy / unhealthy degraded down broken ill sick
available released shipped live / planned unavailable upcoming missing
done finished completed complete / pending unfinished incomplete open
present / absent missing
earliest / latest
old older oldest / new newer newest
old elderly / young
early earlier / late later
above over exceeding / below under
more / less fewer
most / least fewest
many / few
maximum / minimum
largest biggest / smallest
majority / minority
major / minor
senior / junior
high higher highest / low lower lowest
tall / short
fast faster quickly quick rapid / slow slower slowly
big large bigger larger huge / small little smaller tiny
long longer lengthen / short shorter shortest
wide wider broad / narrow narrower
thick thicker / thin thinner
deep deeper / shallow
hot / cold
warm / cool cold
heat / cool
light bright / dark
loud noisy / quiet silent
full crowded packed / empty deserted
fill fill_up / empty drain
dry / wet damp
clean / dirty
sharp / blunt dull
smooth / rough
sweet / bitter sour salty savoury
sunny sun / shady shade
fresh / stale rotten
raw / cooked
strong stronger / weak weaker
heavy heavier / light lighter
hard / soft
hard difficult / easy
cheap cheaper / expensive
rich / poor
safe / unsafe dangerous
valid / invalid
true / false
correct right / wrong incorrect
good better best / bad worse worst poor
formal / informal
positive / negative
fixed / variable floating
same identical / different
single / multiple several
odd / even
left / right
top / bottom
upper / lower
upstairs / downstairs
inside indoors indoor / outside outdoors outdoor
towards toward / away
enter go_in come_in / leave exit go_out come_out
arrive / depart leave
join / leave
sit sitting / stand standing
awake / asleep sleeping
alive / dead
happy / sad
laugh smile / cry weep frown
win / lose
buy / sell
lend / borrow
deposit / withdraw
hire / fire dismiss
promote / demote
merge / split
expand / shrink contract
double doubled / halve halved
love / hate
support / oppose
praise / criticise criticize
remember / forget
gain profit / loss
surplus / deficit
tighten / loosen
melt / freeze
ascending / descending
horizontal / vertical
strict / lenient loose
mutable / immutable
stateful / stateless
static / dynamic
temporary / permanent
relative / absolute
eager / lazy
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
benign / malignant
acute / chronic
"""
_FOREIGN_ROWS: Final = {
    "de": """
aktiv aktiviert eingeschaltet angeschaltet / inaktiv deaktiviert ausgeschaltet abgeschaltet gesperrt
aktivieren einschalten anschalten / deaktivieren ausschalten abschalten
erlaubt zulässig / verboten untersagt unzulässig
erlauben zulassen / verbieten untersagen
öffentlich / privat
intern / extern
immer / nie niemals
manuell / automatisch
steigt steigen erhöht erhöhen / sinkt sinken gesenkt senken fällt
offen geöffnet / geschlossen
öffnen / schließen
öffnet / schließt
angenommen / abgelehnt
kauft kaufen / verkauft verkaufen
groß größer / klein kleiner
hoch höher / niedrig niedriger
schnell schneller / langsam langsamer
alt älter / neu neuer
lang länger / kurz kürzer
hell / dunkel
warm heiß / kalt
nass / trocken
voll / leer
gewinn / verlust
pflicht verpflichtend / freiwillig optional
verschlüsselt / unverschlüsselt
drinnen / draußen
""",
    "fr": """
actif activé / inactif désactivé
autorisé permis / interdit
activer / désactiver
ouvert / fermé
ouvre / ferme
obligatoire / facultatif
public publique / privé privée
manuel manuelle / automatique
augmente / diminue baisse
toujours / jamais
interne / externe
grand grande / petit petite
haut haute / bas basse
rapide / lent lente
chaud chaude / froid froide
plein pleine / vide
avant / après
""",
    "es": """
activo activado habilitado / inactivo desactivado deshabilitado
permitido / prohibido
abierto / cerrado
abre / cierra
obligatorio / opcional
público pública / privado privada
manual / automático automática
aumenta sube / disminuye baja
siempre / nunca
interno interna / externo externa
grande / pequeño pequeña
alto alta / bajo baja
rápido rápida / lento lenta
caliente / frío fría
lleno llena / vacío vacía
antes / después
""",
    "it": """
attivo attivato abilitato / disattivo disattivato disabilitato inattivo
permesso consentito / vietato proibito
aperto / chiuso
apre / chiude
obbligatorio / facoltativo
pubblico pubblica / privato privata
manuale / automatico automatica
aumenta / diminuisce
sempre / mai
interno interna / esterno esterna
grande / piccolo piccola
alto alta / basso bassa
caldo calda / freddo fredda
prima / dopo
""",
    "pt": """
ativo ativado habilitado / inativo desativado desabilitado
permitido / proibido
aberto / fechado
abre / fecha
obrigatório / opcional
público pública / privado privada
manual / automático automática
aumenta sobe / diminui desce
sempre / nunca
interno interna / externo externa
grande / pequeno pequena
alto alta / baixo baixa
quente / frio fria
antes / depois
""",
    "nl": """
actief geactiveerd ingeschakeld / inactief gedeactiveerd uitgeschakeld
toegestaan / verboden
open geopend / dicht gesloten
verplicht / optioneel vrijwillig
openbaar / privé
handmatig / automatisch
stijgt / daalt
altijd / nooit
intern / extern
groot / klein
hoog / laag
snel / langzaam
warm heet / koud
vol / leeg
voor / na
""",
}
"""The same in other languages, as their stemmers cut them."""
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
        "prohibit": "prohibit prohibits prohibited prohibiting prohibition",
        "bar": "barred barring",
        "outlaw": "outlaw outlaws outlawed outlawing",
        "prevent": "prevent prevents prevented preventing",
        "refuse": "refuse refuses refused refusing",
        "fail": "fails failed failing fail",
        "discourage": "discourage discourages discouraged discouraging",
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


def _table(rows: str, language: str = "en") -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in rows.strip().splitlines():
        groups = [{_stemmed(word, language) for word in group.split()} for group in row.split("/")]
        for group in groups:
            others = set().union(*(other for other in groups if other is not group))
            for word in group:
                found.setdefault(word, set()).update(others - group)
    return found


def _stemmed(word: str, language: str) -> str:
    verb, joint, particle = word.partition("_")
    return f"{stem(verb, language)}{joint}{particle}"


def _merged(*tables: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    words = frozenset().union(*tables)
    return {word: frozenset().union(*(table.get(word, ()) for table in tables)) for word in words}


_OPPOSITES: Final = _merged(_table(_ROWS), *(_table(rows, language) for language, rows in _FOREIGN_ROWS.items()))
_CLASSES: Final = _merged(_table(_CLASS_ROWS))
PARTICLES: Final[dict[str, frozenset[str]]] = {
    verb: frozenset(word.partition("_")[2] for word in _OPPOSITES if word.startswith(f"{verb}_"))
    for verb in {word.partition("_")[0] for word in _OPPOSITES if "_" in word}
}
"""Stem of a verb -> the particles with which it stands in the table (`turn` -> on, off, up, down): `turn_off`."""


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
    """Whether `word` is `other` with a denying prefix ("unreach", "reach"), or with the one that faces the other's."""
    if len(other) >= 4 and word.endswith(other):
        return word[: -len(other)].rstrip("-") in _PREFIXES
    return any(
        word.startswith(prefix) and other.startswith(facing) and _same_rest(word[len(prefix) :], other[len(facing) :])
        for prefix, facing in _FACING
    )


def _same_rest(one: str, other: str) -> bool:
    return one == other and len(one) >= 3


_FACING: Final = (("over", "under"), ("up", "down"), ("in", "out"), ("on", "off"), ("pre", "post"), ("max", "min"))
"""Beginnings that turn a word round: "overpaid" and "underpaid", "upstream" and "downstream"."""
