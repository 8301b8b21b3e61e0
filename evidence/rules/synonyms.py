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
accusation allegation
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
assault attack
assist help aid
assistance help
attempt try
author writer
automatic automated
automatically automated
bag handbag purse
beach shore
beautiful pretty
begin start commence
beside alongside
bicyclist cyclist
big large huge
biggest largest
blaze fire
brook creek
bug defect
build construct
buy purchase acquire
calculate compute
calm peaceful
car automobile
cash money
cautiously carefully
celebrate party
chair seat
chat talk speak
check verify
choose select pick
clothes clothing apparel
colleague coworker
collect gather
company firm
competition contest
conceal hide
construct build
contractor freelancer
cop policeman
correct fix
country nation
create make produce
cry weep
cut slice chop dice
damp moist
delete remove erase
demonstrate show display
difficulty trouble
dirt soil
dirty filthy
disclose reveal
discuss talk
doctor physician
draw sketch
edge border
embrace hug
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
fridge refrigerator
frighten scare
garbage trash rubbish
gasoline petrol
get receive obtain
gift present
glad happy
glossy shiny
goal aim target
group bunch crowd
grow increase rise climb
guideline rule
halt stop
happen occur
happy glad
hazard danger
highway motorway
hike trek
hit strike beat
hold keep
holiday vacation
house home
hurt injure wound
ill sick
illness disease sickness
incorrect wrong
infant baby
inform notify tell
instructor teacher
intelligent clever smart
invoice bill
jacket coat
jail prison
jobless unemployed
journey trip
jump leap hop
kill murder slay
lad boy
large big
lawmaker legislator
lawyer attorney
leader head chief
little small tiny
location place
look watch stare gaze
loud noisy
luggage baggage
maintain keep
manufacture produce
marry wed
mend repair fix
merchant trader
mic microphone
mince chop
mix stir blend
motorcyclist biker
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
pan skillet
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
prawn shrimp
predict forecast expect
prohibit ban
promise pledge
pull drag tug
pupil student
push shove
put place
quickly fast
quiet silent
quit resign
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
shatter smash
ship boat vessel
shipment delivery
shop store
sick ill
silent quiet
similar alike
singer vocalist
skateboarder skater
skilled experienced
slay kill
smile grin
snooze sleep nap
soil earth dirt
speak talk
spectator viewer audience
stairs staircase stairway
stay remain
stop halt cease
story tale
stroll walk
stunt trick
subway metro
suggest propose
sum total
supervisor manager
supply provide
suspend pause
taxi cab
terrible awful
throw toss hurl
town city
trousers pants
unveil reveal
use utilise utilize employ
usually generally
vacant empty
vanish disappear
veterinarian vet
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


_KIND_ROWS: Final = """
animal: dog cat horse cow sheep goat pig rabbit monkey lion tiger elephant bear deer panda kangaroo squirrel
bird: duck goose eagle owl parrot pigeon seagull swan
boat: ship canoe kayak ferry yacht
child: boy girl toddler baby
clothes: shirt coat jacket trousers dress hat
dog: puppy terrier poodle dachshund bulldog collie
fish: salmon tuna trout shark
fruit: apple banana orange lemon melon pineapple
furniture: chair table sofa bed desk
instrument: guitar flute piano violin drum trumpet harp cello
meat: beef pork chicken ham steak
sport: football tennis basketball baseball hockey rugby
vegetable: potato onion carrot tomato cucumber broccoli pepper cabbage garlic
vehicle: car truck bus van motorcycle tractor
weapon: gun pistol rifle sword knife
"""


def _kinds() -> dict[str, frozenset[str]]:
    rows = (row.split(":") for row in _KIND_ROWS.strip().splitlines())
    return {
        meaning_of(stem(general)): frozenset(meaning_of(stem(word)) for word in words.split())
        for general, words in rows
    }


KINDS: Final = _kinds()
"""What is said of the general word is said of each of its kinds: by meaning. The reverse does not hold."""


@lru_cache(maxsize=32768)
def meanings(frame: Frame) -> frozenset[str]:
    """The words and values of an English sentence, each by what it says."""
    return frozenset(map(meaning_of, frame.everything)) if frame.language == "en" else frame.everything
