"""Numbers as the reader's language writes them."""

from __future__ import annotations

from django.utils.formats import get_format, number_format


def grouped(number: int) -> str:
    """12,345 or 12.345."""
    return str(number_format(number, decimal_pos=0, use_l10n=True, force_grouping=True))


def point() -> str:
    return str(get_format("DECIMAL_SEPARATOR", use_l10n=True))


def percent(share: float | None) -> str:
    return "" if share is None else f"{share * 100:.0f}\u00a0%"
