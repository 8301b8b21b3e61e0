"""What every model file shares: ids, choices and constraints built from the rules' enums. Knows no table."""

from __future__ import annotations

import uuid
from enum import StrEnum

from django.db import models
from uuid_utils.compat import uuid7

NAMESPACE_LENGTH = 200
WORD_LENGTH = 40
NAME_LENGTH = 200
SOURCE_LENGTH = 600


def new_id() -> uuid.UUID:
    """A UUIDv7: sorts by creation time, needs no sequence."""
    return uuid7()


def choices_of(enum: type[StrEnum]) -> list[tuple[str, str]]:
    return [(member.value, member.value.replace("_", " ").replace("-", " ")) for member in enum]


def word_field(enum: type[StrEnum], **options: object) -> models.CharField[str, str]:
    """A column for one word of an enumeration; pair it with `one_of` so that the database refuses other words."""
    return models.CharField(max_length=WORD_LENGTH, choices=choices_of(enum), **options)  # type: ignore[arg-type]


def one_of(table: str, field: str, enum: type[StrEnum], *, blank: bool = False) -> models.CheckConstraint:
    words = [member.value for member in enum] + ([""] if blank else [])
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": words}), name=f"{table}_{field}_word")
