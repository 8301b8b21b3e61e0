"""Tables behind `quantities`: number words, units with their factor to a base unit, months, weekdays, currencies.

Data only. Languages as in `lexicon`; a unit's factor is exact (a decimal text), so that 48 h and 2 days meet.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

NUMBER_WORDS: Final[dict[str, dict[str, int]]] = {
    "en": {
        "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
        "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
        "eighty": 80, "ninety": 90, "dozen": 12,
    },
    "de": {
        "null": 0, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
        "elf": 11, "zwölf": 12, "fünfzehn": 15, "zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50,
        "sechzig": 60, "hundert": 100, "eins": 1,
    },
    "fr": {
        "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11,
        "douze": 12, "quinze": 15, "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "cent": 100,
    },
    "es": {
        "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11,
        "doce": 12, "quince": 15, "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "cien": 100,
    },
    "it": {
        "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9, "dieci": 10, "undici": 11,
        "dodici": 12, "quindici": 15, "venti": 20, "trenta": 30, "quaranta": 40, "cinquanta": 50, "sessanta": 60, "cento": 100,
    },
    "pt": {
        "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8, "nove": 9, "dez": 10,
        "onze": 11, "doze": 12, "quinze": 15, "vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "cem": 100,
    },
    "nl": {
        "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8, "negen": 9, "tien": 10, "elf": 11,
        "twaalf": 12, "vijftien": 15, "twintig": 20, "dertig": 30, "veertig": 40, "vijftig": 50, "zestig": 60, "honderd": 100,
    },
    "ru": {
        "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10,
        "двенадцать": 12, "пятнадцать": 15, "двадцать": 20, "тридцать": 30,
    },
}  # fmt: skip

ONES: Final = frozenset("one a an ein eine einem einen einer eines un une una uno um uma een één".split())
"""Words that mean 1 where a unit follows."""

SCALES: Final[dict[str, int]] = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9, "bn": 10**9, "k": 1000, "m": 10**6,
    "mio": 10**6, "mrd": 10**9,
    "tausend": 1000, "mille": 1000, "mil": 1000, "mila": 1000, "duizend": 1000, "millionen": 10**6, "millones": 10**6,
    "dozen": 12,
}  # fmt: skip

_UNIT_ROWS: Final = """
duration s 0.000001: us µs μs microsecond microseconds
duration s 0.001: ms msec millisecond milliseconds millisekunden milliseconde millisecondes milisegundos
duration s 1: s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden секунд секунды
duration s 60: min mins minute minutes minuten minuto minutos minuti minuut минут минуты
duration s 3600: h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren час часа часов
duration s 86400: d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen день дня дней
duration s 86400: night nights nacht nächte nächten nuit nuits noche noches notte notti noite noites
duration s 604800: week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken неделя недели недель
duration s 1209600: fortnight fortnights
duration month 1: month months monat monate monaten mois mes meses mese mesi mês maand maanden месяц месяца месяцев
duration month 3: quarter quarters quartal quartale quartalen trimestre trimestres kwartaal
duration month 12: year years yr yrs jahr jahre jahren an ans année années año años anno anni ano anos jaar год года лет
duration workday 1: workday workdays werktag werktage werktagen werktags arbeitstag arbeitstage arbeitstagen
duration sprint 1: sprint sprints
size bit 1: bit bits
size byte 1: b byte bytes octet octets
size byte 1000: kb kilobyte kilobytes
size byte 1000000: mb megabyte megabytes
size byte 1000000000: gb gigabyte gigabytes gig gigs
size byte 1000000000000: tb terabyte terabytes
size byte 1024: kib kibibyte kibibytes
size byte 1048576: mib mebibyte mebibytes
size byte 1073741824: gib gibibyte gibibytes
size byte 1099511627776: tib tebibyte tebibytes
rate bit/s 1000: kbps kbit/s
rate bit/s 1000000: mbps mbit/s
rate bit/s 1000000000: gbps gbit/s
rate 1/s 1: rps qps tps req/s requests/s ops/s
rate 1/min 1: rpm
frequency hz 1: hz hertz
frequency hz 1000: khz
frequency hz 1000000: mhz
frequency hz 1000000000: ghz
length m 0.001: mm millimeter millimeters millimetre millimetres
length m 0.01: cm centimeter centimeters centimetre centimetres
length m 1: meter meters metre metres
length m 1000: km kilometer kilometers kilometre kilometres
length inch 1: inch inches
length inch 12: ft foot feet
length inch 36: yard yards
length mile 1: mile miles
length px 1: px pixel pixels pixeln
length dpi 1: dpi
weight g 0.001: mg
weight g 1: g gram grams gramme grammes gramm
weight g 1000: kg kilo kilos kilogram kilograms kilogramm
weight oz 16: lb lbs
weight oz 1: oz ounce ounces
weight g 1000000: ton tons tonne tonnes tonnen
percent % 1: % percent percents pct prozent procent
temperature c 1: °c celsius
temperature f 1: °f fahrenheit
volume l 0.001: ml millilitre millilitres milliliter milliliters
volume l 1: litre litres liter liters
volume gallon 1: gallon gallons
volume cup 1: cup cups
speed km/h 1: km/h kmh kph
speed mile/h 1: mph
power w 1: w watt watts
power w 1000: kw
money EUR 1: € eur euro euros
money EUR 0.01: eurocent eurocents
money USD 1: $ usd us$ dollar dollars
money GBP 1: £ gbp pounds
money CHF 1: chf franken
money JPY 1: ¥ jpy yen
money CNY 1: cny rmb yuan
money INR 1: ₹ inr rupees
money cent 1: cent cents
times x 1: times x × mal fois veces volte vezes keer раз раза
"""

UNITS: Final[dict[str, tuple[str, str, Decimal]]] = {
    word: (kind, base, Decimal(factor))
    for row in _UNIT_ROWS.strip().splitlines()
    for kind, base, factor in [row.split(":")[0].split()]
    for word in row.split(":", 1)[1].split()
}
"""Word -> (kind, base unit, factor to the base unit)."""

UNSPACED_UNITS: Final[dict[str, str]] = {
    "秒": "s", "分钟": "min", "分鐘": "min", "分": "min", "小时": "hour", "小時": "hour", "時間": "hour", "个小时": "hour",
    "天": "day", "日": "day", "日間": "day", "周": "week", "週": "week", "週間": "week", "个月": "month", "個月": "month",
    "ヶ月": "month", "か月": "month", "年": "year", "次": "times", "回": "times", "元": "cny", "円": "jpy", "欧元": "eur",
    "ユーロ": "eur",
}  # fmt: skip
"""Units of scripts without spaces -> the unit of `UNITS` that they are."""

SHORT_UNITS: Final = frozenset("s h d b g w x m k".split())
"""Unit signs of one letter: only where they stand at the digits."""

TIME_UNITS: Final = "|".join(
    sorted(
        (word for word, (kind, _, _) in UNITS.items() if kind == "duration" and len(word) > 1), key=len, reverse=True
    )
)
"""The words of the time units, for a pattern."""

PERIODS: Final[dict[str, tuple[str, Decimal]]] = {
    "hourly": ("s", Decimal(3600)), "daily": ("s", Decimal(86400)), "nightly": ("s", Decimal(86400)),
    "weekly": ("s", Decimal(604800)), "biweekly": ("s", Decimal(1209600)), "fortnightly": ("s", Decimal(1209600)),
    "monthly": ("month", Decimal(1)), "quarterly": ("month", Decimal(3)), "yearly": ("month", Decimal(12)),
    "annually": ("month", Decimal(12)), "annual": ("month", Decimal(12)), "stündlich": ("s", Decimal(3600)),
    "täglich": ("s", Decimal(86400)), "nächtlich": ("s", Decimal(86400)), "wöchentlich": ("s", Decimal(604800)),
    "monatlich": ("month", Decimal(1)), "jährlich": ("month", Decimal(12)), "vierteljährlich": ("month", Decimal(3)),
}  # fmt: skip

MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        """january jan januar janvier enero gennaio janeiro januari января
        february feb februar février febrero febbraio fevereiro februari февраля
        march mar märz maerz mars marzo março maart марта
        april apr avril abril aprile апреля
        may mai mayo maggio maio mei мая
        june jun juni juin junio giugno junho июня
        july jul juli juillet julio luglio julho июля
        august aug août agosto augustus августа
        september sep sept septembre septiembre settembre setembro сентября
        october oct oktober octobre octubre ottobre outubro октября
        november nov novembre noviembre novembro ноября
        december dec dezember dez décembre diciembre dicembre dezembro декабря""".splitlines(),
        start=1,
    )
    for name in names.split()
}
"""Name, short name or foreign name of a month -> its number."""

WEEKDAYS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        """monday mondays mon montag montags lundi lunes lunedì segunda-feira maandag понедельник 月曜 周一 星期一
        tuesday tuesdays tue tues dienstag dienstags mardi martes martedì terça-feira dinsdag вторник 火曜 周二 星期二
        wednesday wednesdays wed mittwoch mittwochs mercredi miércoles mercoledì quarta-feira woensdag среда 水曜 周三 星期三
        thursday thursdays thu thurs donnerstag donnerstags jeudi jueves giovedì quinta-feira donderdag четверг 木曜 周四 星期四
        friday fridays fri freitag freitags vendredi viernes venerdì sexta-feira vrijdag пятница 金曜 周五 星期五
        saturday saturdays sat samstag samstags sonnabend samedi sábado sabato zaterdag суббота 土曜 周六 星期六
        sunday sundays sun sonntag sonntags dimanche domingo domenica zondag воскресенье 日曜 周日 星期日""".splitlines(),
        start=1,
    )
    for name in names.split()
}
"""Name or short name of a weekday -> 1 (Monday) to 7."""

ORDINALS: Final[dict[str, int]] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "erste": 1, "ersten": 1, "erster": 1, "zweite": 2, "zweiten": 2, "zweiter": 2, "dritte": 3, "dritten": 3,
    "premier": 1, "première": 1, "deuxième": 2, "troisième": 3, "primero": 1, "primera": 1, "segunda": 2,
    "tercero": 3, "tercera": 3, "eerste": 1, "tweede": 2, "derde": 3,
}  # fmt: skip

PERSONAL: Final = frozenset({"augustus"})
"""Names of months that are written small as such, and are a person's with a capital."""

CASED: Final = frozenset(
    "may mai march mars mar sun sat mon wed fri thu dec jan jun jul sep oct nov aug apr feb mei domingo".split()
)
"""Names that are also other words: a month or weekday only with a capital letter."""
