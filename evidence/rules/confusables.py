"""Look-alike letters: words that mix scripts so that one reads as another (contract 9, 12.15).

Only words are judged, by the tables of the `confusable_homoglyphs` package; a text in one foreign script, µ and other
symbols of science, Japanese beside Latin, and a foreign ending on a Latin name are ordinary. Knows nothing of signals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

# Scripts whose letters pass for Latin ones. East Asian, Indic and right-to-left scripts stand beside Latin every day.
_DECEIVING = frozenset(
    {
        "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "CANADIAN_ABORIGINAL", "DESERET", "ELBASAN",
        "TIFINAGH", "WARANG_CITI", "RUNIC", "OLD_ITALIC", "CARIAN", "LYCIAN", "MIAO", "OSAGE", "GEORGIAN", "BAMUM",
    }
)  # fmt: skip
# Letters that the tables leave out and that pass for Latin in small type.
_MORE = {"к": "k", "м": "m", "т": "t", "н": "h", "в": "b", "г": "r", "п": "n", "τ": "t", "κ": "k", "η": "n", "ω": "w"}
# A Greek letter that opens a short word is a symbol (αmax, ρCp); the others never are.
_GREEK_SYMBOLS = frozenset("αβγδεζηθκλμνξπρστφχψωΔΓΘΛΞΠΣΦΨΩµϵ")

_WORD = re.compile(r"[^\W\d_]+")
_FOREIGN = re.compile("[\u0370-\u058f\u10a0-\u10ff\u13a0-\u16ff\u1c80-\u1c8f\u1d26-\u1d2b\u2c80-\u2cff\u2d30-\u2d7f"
    "\ua4d0-\ua4ff\ua640-\ua69f\uab70-\uabbf\U00010280-\U0001034f\U00010400-\U0001052f\U00016f00-\U00016f9f"
    "\U000118a0-\U000118ff]")  # fmt: skip
# Letters drawn to look styled: mathematical alphabets, circled, squared and full-width letters.
_STYLED = re.compile("[\U0001d400-\U0001d7cb\u24b6-\u24e9\U0001f110-\U0001f189]{3,}")
_FULL_WIDTH = re.compile("[\uff21-\uff3a\uff41-\uff5a]{3,}")
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SMALL_CAPITALS = re.compile("[a-z\u0251\u0261\u026a\u0262\u0274\u0280\u028f\u0299\u029c\u029f\u1d00-\u1d22]{4,}")
_SMALL_CAPITAL = re.compile("[\u0251\u0261\u026a\u0262\u0274\u0280\u028f\u0299\u029c\u029f\u1d00-\u1d22]")


def _latin_lookalikes() -> dict[str, str]:
    table: dict[str, str] = {}
    for char, likenesses in confusables_data.items():
        if len(char) != 1 or char.isascii() or not char.isalpha():
            continue
        plain = [
            each["c"] for each in likenesses if len(each["c"]) == 1 and each["c"].isascii() and each["c"].isalpha()
        ]
        if plain:
            # The tables give every upright stroke as `l`; a capital is read as an I.
            table[char] = "i" if char.isupper() and plain[0] == "l" else plain[0]
    return table | _MORE | {"\u04cf": "l"}


LOOKALIKES: dict[str, str] = _latin_lookalikes()
"""Letter -> the ASCII letter that it passes for."""

_STRICT = frozenset(LOOKALIKES) - frozenset(_MORE)


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    name: str = alias(char)
    return name


def _blocks(word: str) -> list[tuple[str, str]]:
    """The word cut where its script changes; letters without a script of their own stay with what stands before."""
    blocks: list[tuple[str, str]] = []
    for char in word:
        script = _script(char)
        if script in ("COMMON", "INHERITED") and blocks:
            script = blocks[-1][0]
        if blocks and blocks[-1][0] == script:
            blocks[-1] = (script, blocks[-1][1] + char)
        else:
            blocks.append((script, char))
    return blocks


def _is_suffixed(blocks: list[tuple[str, str]], spoken: bool) -> bool:
    """A Latin name with a foreign ending, as Slavic writers put it: DNSа anywhere, Dockerом in a text of that language."""
    (first, stem), (_, ending) = blocks
    return first == "LATIN" and len(stem) > 1 and ending.islower() and (stem.isupper() or spoken)


def _is_symbol(blocks: list[tuple[str, str]]) -> bool:
    """A Greek symbol with a short index or unit: ΔT, μm, αmax, kΩ."""
    if any(script not in ("GREEK", "LATIN") for script, _ in blocks):
        return False
    greek = "".join(part for script, part in blocks if script == "GREEK")
    latin = sum(len(part) for script, part in blocks if script == "LATIN")
    return set(greek) <= _GREEK_SYMBOLS and len(greek) <= 2 and latin <= 3


def _mixed(word: str, spoken: bool) -> bool:
    blocks = _blocks(word)
    scripts = {script for script, _ in blocks}
    foreign = scripts & _DECEIVING
    if len(scripts) < 2 or not foreign or _is_symbol(blocks):
        return False
    lookalikes = [char for script, part in blocks if script in foreign for char in part if char in LOOKALIKES]
    latin_too = "LATIN" in scripts
    if not latin_too:
        return len(foreign) > 1 and any(char in _STRICT for char in lookalikes)
    if len(blocks) > 2:
        return bool(lookalikes) and (foreign != {"GREEK"} or any(char in _STRICT for char in lookalikes))
    foreign_part = next(part for script, part in blocks if script in foreign)
    latin_part = next(part for script, part in blocks if script == "LATIN")
    if _is_suffixed(blocks, spoken):
        return False
    deceives = all(char in LOOKALIKES for char in foreign_part) and any(char in _STRICT for char in foreign_part)
    # A Latin letter at the edge of a foreign word (cервер) deceives as well.
    lone_latin = len(latin_part) <= 2 < len(foreign_part) and any(char in _FOREIGN_FACES for char in latin_part)
    return deceives or lone_latin


_FOREIGN_FACES = frozenset("aceijopsxyABCEHIKMOPTX")


def _poses(word: str) -> bool:
    """A whole word of a foreign script that reads as Latin (раураӏ)."""
    return len(word) > 3 and all(char in _STRICT for char in word) and not word.isupper()


def _is_true_word(word: str) -> bool:
    """A word of one deceiving script that could not be read as Latin: the text speaks that language."""
    return (
        len(word) > 2
        and all(_script(char) in _DECEIVING for char in word)
        and not all(char in LOOKALIKES for char in word)
    )


def _mixed_words(text: str) -> Iterator[tuple[int, int]]:
    words = [found for found in _WORD.finditer(text) if not found.group().isascii()]
    spoken = any(_is_true_word(found.group()) for found in words)
    for found in words:
        word = found.group()
        if _mixed(word, spoken) or (not spoken and _poses(word)):
            yield found.span()


def _styled_words(text: str) -> Iterator[tuple[int, int]]:
    yield from (found.span() for found in _STYLED.finditer(text))
    if not _EAST_ASIAN.search(text):
        yield from (found.span() for found in _FULL_WIDTH.finditer(text))
    for found in _SMALL_CAPITALS.finditer(text):
        around = text[max(0, found.start() - 1) : found.start()]
        if len(_SMALL_CAPITAL.findall(found.group())) > 1 and around not in ("/", "[", "ˈ"):
            yield found.span()


def confusable_words(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each word whose letters pass for those of another script, in order."""
    if text.isascii():
        return ()
    found = set(_styled_words(text))
    if _FOREIGN.search(text):
        found.update(_mixed_words(text))
    return tuple(sorted(found))


def latin_skeleton(word: str) -> str:
    """The word with every look-alike letter replaced by the Latin letter that it passes for."""
    return "".join(LOOKALIKES.get(char, char) for char in unicodedata.normalize("NFKC", word))
