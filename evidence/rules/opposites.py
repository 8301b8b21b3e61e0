"""Tables of opposite words, for `antonyms`: words on one side of a `/` are opposites of those on the others. Data only.

A verb with its particle is written with a joint: `turn_off`.
"""

from __future__ import annotations

from typing import Final

ROWS: Final = """
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
all every / some
must / may
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
FOREIGN_ROWS: Final = {
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
CLASS_ROWS: Final = """
first / last / second / third / fourth
morning mornings / evening evenings / afternoon afternoons
red / green / blue / yellow / black / white / orange / purple / pink / brown / gray
production / staging / preview / sandbox
north / south / east / west
day / night
male / female
"""
