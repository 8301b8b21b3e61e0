"""What a list shows, as the parameters of its address (URL = state). Knows no table; each list adds its own members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Self
from urllib.parse import urlencode

LONGEST = 200


@dataclass(frozen=True, slots=True)
class AddressFilter:
    """Members are words with a default; `WORDS` lists what an enumerated member may be.

    A word that does not exist is named in `problems` and otherwise ignored: an old link shows a list, not an error.
    """

    WORDS: ClassVar[Mapping[str, frozenset[str]]] = {}

    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Self:
        taken: dict[str, str] = {}
        problems: list[str] = []
        for name in cls.names():
            word = given.get(name, "").strip()[:LONGEST]
            known = cls.WORDS.get(name)
            if word and known is not None and word not in known:
                problems.append(f"{name} cannot be “{word}”; it can be {', '.join(sorted(known))}.")
            elif word:
                taken[name] = word
        return cls(problems=tuple(problems), **taken)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(part.name for part in fields(cls) if part.name != "problems")

    def address(self, **other: str) -> str:
        """The filter as a query string, defaults left out; `other` replaces members."""
        plain = type(self)()
        mine = {name: getattr(self, name) for name in self.names()} | other
        return urlencode({name: word for name, word in mine.items() if word != getattr(plain, name)})

    @property
    def query(self) -> str:
        return self.address()

    @property
    def words(self) -> tuple[str, ...]:
        """The words looked for in texts, where the list has a member `q`."""
        return tuple(str(getattr(self, "q", "")).split())

    @property
    def narrows(self) -> bool:
        """Whether anything but the defaults is asked for."""
        return bool(self.query)
