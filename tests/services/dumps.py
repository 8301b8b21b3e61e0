"""Whole tables as values, to prove that something changed nothing at all."""

from __future__ import annotations

from typing import Any

from django.apps import apps


def dump(*leave_out: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of the desk, by model name."""
    return {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for model in apps.get_app_config("evidence").get_models()
        if model.__name__ not in leave_out
    }


def counts() -> dict[str, int]:
    """How many rows each table has; empty ones left out."""
    return {name: len(rows) for name, rows in dump().items() if rows}


def changes(before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]]) -> dict[str, list[Any]]:
    """The rows of only one of two dumps, by model name; empty when nothing changed."""
    found = {}
    for name in before.keys() | after.keys():
        old, new = before.get(name, []), after.get(name, [])
        if old == new:  # nearly all of them; what follows compares each with each
            continue
        differing = [row for row in old if row not in new] + [row for row in new if row not in old]
        if differing or len(old) != len(new):
            found[name] = differing
    return found
