"""Takes secrets out of log events. What a secret looks like is a rule (`evidence.rules.secrets`), not a matter of logging."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

MANY_LINES = "private_key"  # its middle lines look like nothing in particular


def redact_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: every text of the event, at any depth, without what looks like a secret.

    A log line must never raise, and what could not be looked at must not be written: such an event is withheld.
    """
    try:
        return {key: _clean(value) for key, value in event.items()}
    except Exception as error:  # noqa: BLE001
        return {"event": f"[withheld: {type(error).__name__} while looking for secrets]"}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, Mapping):
        return {key: _clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_clean(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return redacted(str(value))


def redacted(text: str) -> str:
    """The text itself when it is clean; else without the lines that carry a secret, or without all of it.

    A traceback keeps its other lines; a secret that spans lines (a private key) takes the whole text with it.
    """
    # Imported here: the settings load this module, and log lines exist before any app does.
    from evidence.rules.secrets import secret_kinds

    kinds = secret_kinds(text)
    if not kinds:
        return text
    withheld = f"[redacted: {', '.join(kinds)}]"
    if MANY_LINES in kinds:
        return withheld
    lines = [f"[redacted: {', '.join(found)}]" if (found := secret_kinds(line)) else line for line in text.split("\n")]
    cleaned = "\n".join(lines)
    return withheld if secret_kinds(cleaned) else cleaned
