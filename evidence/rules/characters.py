"""Invisible and direction-changing characters: which there are, what they are called, and where they are at home.

Pages show `reveal(text)`, the signals and the secret scan read `hidden_marks` and `strip_hidden`. Nothing here knows
of signals, pages or risk. A joiner inside an emoji or an Indic word is at home and is no finding (contract 12.15).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex  # type: ignore[import-untyped]


class MarkKind(StrEnum):
    """What a hidden character does to its reader."""

    INVISIBLE = "invisible"
    BIDI = "bidi"
    MARK = "direction_mark"
    CONTROL = "control"
    LAYOUT = "layout"


@dataclass(frozen=True, slots=True)
class Mark:
    """One hidden character: its place in the text (code points), its short name, its kind, and whether it belongs there."""

    index: int
    name: str
    kind: MarkKind
    at_home: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a text: visible when `name` is none, else one hidden character (or a run of equal ones) to show boxed."""

    text: str
    name: str | None = None


_NAMED: dict[int, str] = {
    0x00AD: "SHY", 0x034F: "CGJ", 0x061C: "ALM", 0x115F: "HANGUL CHOSEONG FILLER", 0x1160: "HANGUL JUNGSEONG FILLER",
    0x17B4: "KHMER INHERENT AQ", 0x17B5: "KHMER INHERENT AA", 0x180B: "FVS1", 0x180C: "FVS2", 0x180D: "FVS3",
    0x180E: "MVS", 0x180F: "FVS4", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM",
    0x2028: "LINE SEPARATOR", 0x2029: "PARAGRAPH SEPARATOR", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF",
    0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ", 0x2061: "FUNCTION APPLICATION", 0x2062: "INVISIBLE TIMES",
    0x2063: "INVISIBLE SEPARATOR", 0x2064: "INVISIBLE PLUS", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
    0x2069: "PDI", 0x2800: "BRAILLE BLANK", 0x3164: "HANGUL FILLER", 0xFEFF: "BOM", 0xFFA0: "HALFWIDTH HANGUL FILLER",
    0xFFF9: "INTERLINEAR ANCHOR", 0xFFFA: "INTERLINEAR SEPARATOR", 0xFFFB: "INTERLINEAR TERMINATOR",
    0xE0001: "LANGUAGE TAG", 0xE007F: "CANCEL TAG",
}  # fmt: skip
_CONTROL_NAMES = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB "
    "ESC FS GS RS US"
).split()
_BIDI = frozenset({0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069})
_DIRECTION_MARKS = frozenset({0x061C, 0x200E, 0x200F})
# Layout is shown to a reviewer (CR and LS can fold a line over another) but is ordinary in text and never a finding.
_LAYOUT = frozenset({0x09, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029})

# One class of everything that is looked at more closely; a text without a hit costs one scan.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SHOWN = re.compile(_HIDDEN.pattern[:-1] + "\t\x0b\x0c\r\x85\u2028\u2029]")
_RTL = re.compile("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_BRAILLE = re.compile("[\u2801-\u28ff]")

# Scripts whose spelling uses ZWJ and ZWNJ, and those written without spaces, where ZWSP separates words.
_JOINING = re.compile(
    "[\u0600-\u0dff\u0f00-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010fff\U00011000-\U00011fff]"
)
_UNSPACED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\ua9e0-\ua9ff\uaa00-\uaa7f]")
_MONGOLIAN = re.compile("[\u1820-\u18aa]")
_IDEOGRAPH = re.compile("[\u2e80-\u2fdf\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff]")
_FLAG_TAGS = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,15}\U000e007f")
_PICTURE = regex.compile(r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]")
_SYMBOL_BASE = regex.compile(r"[\p{Emoji}\p{S}\p{P}\p{N}]")


def mark_name(char: str) -> str:
    """The short name that a page shows in the box, for a character of any kind."""
    code = ord(char)
    if code < 0x20:
        return _CONTROL_NAMES[code]
    if code in _NAMED:
        return _NAMED[code]
    if 0xFE00 <= code <= 0xFE0F:
        return f"VS{code - 0xFE00 + 1}"
    if 0xE0100 <= code <= 0xE01EF:
        return f"VS{code - 0xE0100 + 17}"
    if 0xE0020 <= code <= 0xE007E:
        return f"TAG {chr(code - 0xE0000)}" if code != 0xE0020 else "TAG SPACE"
    return "NEL" if code == 0x85 else "DEL" if code == 0x7F else f"U+{code:04X}"


def _kind(code: int) -> MarkKind:
    if code in _LAYOUT:
        return MarkKind.LAYOUT
    if code in _BIDI:
        return MarkKind.BIDI
    if code in _DIRECTION_MARKS:
        return MarkKind.MARK
    return MarkKind.CONTROL if code < 0x20 or 0x7F <= code <= 0x9F else MarkKind.INVISIBLE


@lru_cache(maxsize=4096)
def _is_picture(char: str) -> bool:
    return bool(_PICTURE.match(char)) and not char.isascii()


@lru_cache(maxsize=4096)
def _is_symbol_base(char: str) -> bool:
    return bool(_SYMBOL_BASE.match(char))


def _neighbour(text: str, index: int, step: int) -> str:
    """The next character in that direction that is no variation selector; empty at the end. Looks at most two further."""
    for place in (index + step, index + 2 * step):
        if not 0 <= place < len(text):
            return ""
        if not 0xFE00 <= ord(text[place]) <= 0xFE0F:
            return text[place]
    return ""


def _joiner_at_home(text: str, index: int) -> bool:
    before, after = _neighbour(text, index, -1), _neighbour(text, index, 1)
    if not before:
        return False
    if text[index] == "\u200d" and _is_picture(before) and after and _is_picture(after):
        return True
    if not _JOINING.match(before):
        return False
    # ZWJ may close an Arabic abbreviation; ZWNJ stands between two letters of the word.
    return text[index] == "\u200d" or bool(after and _JOINING.match(after))


def _selector_at_home(text: str, index: int) -> bool:
    """Variation selectors dress exactly one base character; a chain of them carries data."""
    if index == 0:
        return False
    base, code = text[index - 1], ord(text[index])
    if _IDEOGRAPH.match(base):
        return True
    if code >= 0xE0100:
        return False
    return (code in (0xFE0E, 0xFE0F, 0xFE00) and _is_symbol_base(base)) or bool(_JOINING.match(base))


def _at_home(text: str, index: int) -> bool:
    code = ord(text[index])
    if code in _LAYOUT:
        return True
    if code in (0x200C, 0x200D):
        return _joiner_at_home(text, index)
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return _selector_at_home(text, index)
    if code == 0x200B:
        before, after = text[index - 1 : index], text[index + 1 : index + 2]
        return bool(_UNSPACED.match(before) and _UNSPACED.match(after))
    if 0x180B <= code <= 0x180F:
        return bool(_MONGOLIAN.match(text[index - 1 : index]))
    if code == 0x2800:
        return bool(_BRAILLE.search(text))
    if code in _DIRECTION_MARKS:
        return bool(_RTL.search(text))
    return False


def _flag_places(text: str) -> frozenset[int]:
    """Places inside the flags of England, Scotland, Wales …: tag characters at home."""
    if "\U0001f3f4" not in text:
        return frozenset()
    return frozenset(place for found in _FLAG_TAGS.finditer(text) for place in range(*found.span()))


def _marks(text: str, pattern: re.Pattern[str]) -> Iterator[Mark]:
    flags: frozenset[int] | None = None
    verdicts: dict[str, bool] = {}  # whether a direction mark or Braille blank is at home depends on the text alone
    for found in pattern.finditer(text):
        index, char = found.start(), found.group()
        code = ord(char)
        if code in _DIRECTION_MARKS or code == 0x2800:
            home = verdicts.setdefault(char, _at_home(text, index)) if char not in verdicts else verdicts[char]
        else:
            home = _at_home(text, index)
        if not home and code >= 0xE0000:
            flags = _flag_places(text) if flags is None else flags
            home = index in flags
        yield Mark(index, mark_name(char), _kind(code), home)


def hidden_marks(text: str) -> tuple[Mark, ...]:
    """Every character that a reader cannot see or that turns the reading direction, outside the places it belongs to."""
    return tuple(mark for mark in _marks(text, _HIDDEN) if not mark.at_home)


def strip_hidden(text: str) -> str:
    """The text without any invisible or direction-changing character, at home or not; layout stays (contract 12.5)."""
    if text.isascii() and not _HIDDEN.search(text):
        return text
    kept = _HIDDEN.sub("", text)
    return (
        "".join(char for char in kept if unicodedata.category(char) not in ("Cf", "Cs")) if not kept.isascii() else kept
    )


def reveal(text: str) -> tuple[Run, ...]:
    """The text in runs, for a page: hidden characters alone and named (ZWSP, RLO …), also CR and TAB.

    Joined, the runs give the text back. Characters at home stay in their run, so that emoji and Indic words hold together.
    A run of one repeated hidden character is one run, named once with its count (`ZWSP ×12`).
    """
    runs: list[Run] = []
    last = 0
    shown = [mark for mark in _marks(text, _SHOWN) if not mark.at_home or mark.kind is MarkKind.LAYOUT]
    position = 0
    while position < len(shown):
        mark = shown[position]
        end = mark.index + 1
        position += 1
        while position < len(shown) and shown[position].index == end and text[end] == text[mark.index]:
            end, position = end + 1, position + 1
        if mark.index > last:
            runs.append(Run(text[last : mark.index]))
        count = end - mark.index
        runs.append(Run(text[mark.index : end], mark.name if count == 1 else f"{mark.name} ×{count}"))
        last = end
    if last < len(text):
        runs.append(Run(text[last:]))
    return tuple(runs)


def visible(text: str, left: str = "[", right: str = "]") -> str:
    """The text with every hidden character written out in brackets, for logs, mails and the command line."""
    return "".join(run.text if run.name is None else f"{left}{run.name}{right}" for run in reveal(text))
