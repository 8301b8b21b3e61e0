"""Reading the members of an untyped mapping: strict on types, silent on unknown members.

Knows JSON types and doors' error codes, not what any member means; that is `parsing`. Absent and null are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from evidence.rules.errors import INVALID_TEXT, INVALID_VALUE, BadInput
from evidence.rules.times import Instant, read_time


def clean_text(value: object, path: str) -> str:
    """`value` if it is text that can be stored: a string without NUL and without lone surrogates, else BadInput."""
    if not isinstance(value, str):
        raise BadInput(INVALID_VALUE, f"{path} must be a string", path)
    if "\0" in value:
        raise BadInput(INVALID_TEXT, f"{path} contains a NUL character", path)
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise BadInput(INVALID_TEXT, f"{path} contains a lone surrogate", path) from error
    return value


class Members:
    """The members of one mapping, with the dotted path that errors name."""

    __slots__ = ("_data", "_path")

    def __init__(self, data: object, path: str = "") -> None:
        if not isinstance(data, Mapping):
            raise BadInput(INVALID_VALUE, f"{path or 'the input'} must be an object", path or None)
        self._data: Mapping[object, object] = data
        self._path = path

    def path(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def raw(self, name: str) -> object:
        """The member as it came; none when absent."""
        return self._data.get(name)

    def has(self, name: str) -> bool:
        return self._data.get(name) is not None

    def text(self, name: str, default: str = "") -> str:
        value = self._data.get(name)
        return default if value is None else clean_text(value, self.path(name))

    def optional_text(self, name: str) -> str | None:
        """The text, or none when absent or empty (contract 12.1)."""
        return self.text(name) or None

    def word(self, name: str, default: str = "") -> str:
        """A word of some list as it came. What is no text is a word that no list has, never refused (contract 12.3)."""
        value = self._data.get(name)
        if value is None:
            return default
        return clean_text(value, self.path(name)) if isinstance(value, str) else f"({type(value).__name__})"

    def present_word(self, name: str) -> str:
        """As `word`; BadInput when absent or null."""
        self._present(name)
        return self.word(name)

    def required_text(self, name: str) -> str:
        """The text; BadInput when absent, null or empty."""
        value = self.text(name)
        if not value:
            raise BadInput(INVALID_VALUE, f"{self.path(name)} is required", self.path(name))
        return value

    def present_text(self, name: str) -> str:
        """The text, which may be empty; BadInput when absent or null."""
        self._present(name)
        return self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; absent counts as empty, a single string is refused."""
        return tuple(clean_text(value, path) for value, path in self._listed(name))

    def text_or_texts(self, name: str) -> tuple[str, ...]:
        """One string or a list of them (contract 12.8: `supersedes`); empty strings are none."""
        value = self._data.get(name)
        found = (clean_text(value, self.path(name)),) if isinstance(value, str) else self.texts(name)
        return tuple(text for text in found if text)

    def flag(self, name: str) -> bool:
        value = self._data.get(name)
        if value is not None and not isinstance(value, bool):
            raise BadInput(INVALID_VALUE, f"{self.path(name)} must be true or false", self.path(name))
        return bool(value)

    def whole_number(self, name: str) -> int:
        value = self._data.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInput(INVALID_VALUE, f"{self.path(name)} must be a whole number", self.path(name))
        return value

    def number(self, name: str, default: float = 0.0) -> float:
        value = self._data.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadInput(INVALID_VALUE, f"{self.path(name)} must be a number", self.path(name))
        try:
            return float(value)
        except OverflowError as error:
            raise BadInput(INVALID_VALUE, f"{self.path(name)} is too large", self.path(name)) from error

    def number_or_none(self, name: str) -> int | float | None:
        """A number, or none for anything else: an odd `ttl_days` is ignored, never refused (contract 12.2)."""
        value = self._data.get(name)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def instant(self, name: str) -> Instant:
        """A time as it came. A number is kept as text: unreadable, so no date for any rule (contract 1)."""
        value = self._data.get(name)
        if value is None or isinstance(value, datetime):
            return value
        if isinstance(value, bool | int | float):
            return str(value)
        return clean_text(value, self.path(name))

    def readable_time(self, name: str) -> datetime:
        """An instant that must be readable (contract 12.2), such as `now`; in UTC."""
        found = read_time(self._data.get(name))
        if found is None:
            raise BadInput(INVALID_VALUE, f"{self.path(name)} must be a time with a zone", self.path(name))
        return found

    def members(self, name: str) -> Members | None:
        """A nested object, or none when absent."""
        value = self._data.get(name)
        return None if value is None else Members(value, self.path(name))

    def raw_list(self, name: str) -> list[object]:
        """A list of anything; absent counts as empty."""
        return [value for value, _ in self._listed(name)]

    def _present(self, name: str) -> None:
        if not self.has(name):
            raise BadInput(INVALID_VALUE, f"{self.path(name)} is required", self.path(name))

    def _listed(self, name: str) -> list[tuple[object, str]]:
        value = self._data.get(name)
        if value is None:
            return []
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise BadInput(INVALID_VALUE, f"{self.path(name)} must be a list", self.path(name))
        return [(item, f"{self.path(name)}[{position}]") for position, item in enumerate(value)]
