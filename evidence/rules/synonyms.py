"""Words that say the same in nearly every sentence (part of the text rules): `purchase` is `buy`, `leap` is `jump`.

A modest curated table. It helps two wordings of one thing to meet; it never makes two texts equal, and words that are
opposites of each other, or kinds of one another, do not stand together here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from evidence.rules.frames import Frame
from evidence.rules.words import stem

_ROWS: Final = """
afraid scared
agreement deal accord
allow permit let
angry furious
announce declare
annual yearly
answer reply respond
append add
approval consent
approximately roughly about around
area region
ask request
assist help aid
assistance help
attempt try
automatic automated
automatically automated
bag handbag purse
beach shore
beautiful pretty
begin start commence
beside alongside
big large huge
blaze fire
bug defect
build construct
buy purchase acquire
calculate compute
calm peaceful
car automobile
cash money
celebrate party
chair seat
chat talk speak
check verify
choose select pick
clothes clothing apparel
colleague coworker
collect gather
company firm
conceal hide
construct build
contractor freelancer
correct fix
create make produce
cry weep
cut slice chop dice
delete remove erase
demonstrate show display
difficulty trouble
dirt soil
disclose reveal
discuss talk
doctor physician
draw sketch
edge border
employ hire
employee worker staff
enormous huge
ensure guarantee
error mistake fault
examine inspect
expire lapse
explosion blast
fast quick rapid
fasten attach
film movie
finish complete
folder directory
forbid prohibit ban
frighten scare
get receive obtain
gift present
glad happy
goal aim target
group bunch crowd
grow increase rise climb
guideline rule
halt stop
happen occur
happy glad
hazard danger
hike trek
hit strike beat
hold keep
holiday vacation
house home
hurt injure wound
ill sick
illness disease sickness
incorrect wrong
inform notify tell
intelligent clever smart
invoice bill
jacket coat
journey trip
jump leap hop
kill murder slay
large big
lawyer attorney
leader head chief
little small tiny
location place
look watch stare gaze
luggage baggage
maintain keep
manufacture produce
marry wed
mend repair fix
merchant trader
mix stir blend
need require
obligatory mandatory compulsory
obsolete outdated
ocean sea
odd strange weird
odour smell
often frequently
opponent rival
optional voluntary
outage downtime
parcel package
password passphrase
path trail
pavement sidewalk
permit allow
photo photograph picture
plan intend
plane aircraft airplane
play perform
postpone defer delay
predict forecast expect
prohibit ban
promise pledge
pull drag tug
pupil student
push shove
put place
quickly fast
quiet silent
rabbit bunny
reduce lower decrease
refuse decline
rest remainder
restart reboot
rich wealthy
road street
rock stone
run jog sprint
salary wage
sale deal
say tell state
schedule timetable
scream yell shout
seller vendor
send transmit
ship boat vessel
shipment delivery
shop store
sick ill
silent quiet
similar alike
skilled experienced
slay kill
smile grin
snooze sleep nap
soil earth dirt
speak talk
spectator viewer audience
stay remain
stop halt cease
stroll walk
subway metro
suggest propose
sum total
supervisor manager
supply provide
suspend pause
terrible awful
throw toss hurl
town city
trousers pants
use utilise utilize employ
usually generally
vacant empty
vanish disappear
victory win
view opinion
wealthy rich
whole entire
woods forest
yearly annual
"""
_TWO_FACED: Final = frozenset(
    """about around let last state place deal work head chief play share close call rest view fix help kind mean store run hit
    watch present party pick cap expect earth fall decline lower cease keep hold fire""".split()
)
"""Words of the table that mean something else as well: they stand in no two rows for it, and join none of them."""


def _table() -> dict[str, str]:
    """Stem -> the first stem of its row; rows that share a word are one."""
    first: dict[str, str] = {}
    for row in _ROWS.strip().splitlines():
        members = [stem(word) for word in row.split() if word not in _TWO_FACED]
        if len(members) < 2:
            continue
        known = next((first[member] for member in members if member in first), members[0])
        for member in members:
            first.setdefault(member, known)
    return first


_FIRST: Final = _table()


def meaning_of(word: str) -> str:
    """One stem for all that say the same; a value or an unknown word stays as it is."""
    return _FIRST.get(word, word)


@lru_cache(maxsize=32768)
def meanings(frame: Frame) -> frozenset[str]:
    """The words and values of an English sentence, each by what it says."""
    return frozenset(map(meaning_of, frame.everything)) if frame.language == "en" else frame.everything
