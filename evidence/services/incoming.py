"""The members of a request from outside, before anything believes them: one reading of the JSON, storable texts, no secrets.

Runs before any schema looks at the members, so that nothing with a secret in it is ever validated, stored, logged or repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import structlog

from evidence.exchange.strict_json import parse
from evidence.rules.errors import BadInput
from evidence.rules.secrets import secret_kinds
from evidence.rules.vocab import Door
from evidence.services.counters import SECRETS_REFUSED
from evidence.services.errors import Refused
from evidence.services.refusals import count_refused
from evidence.services.request_errors import path_of, safe_name

log = structlog.get_logger(__name__)

MOST_VALUES = 5_000
_SHORTEST_SECRET = 8

Path = tuple[str | int, ...]


def read_json(body: bytes) -> Any:
    """The JSON value of a body. Raises `Refused` malformed."""
    try:
        return parse(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        # A lone surrogate that was written as bytes is no UTF-8 either.
        raise Refused("malformed", "The body is not UTF-8.") from error
    except BadInput as error:
        raise Refused("malformed", f"The body cannot be read: {error.detail}.") from error


def read_object(body: bytes, *, agent: str = "", door: Door = Door.API) -> dict[str, Any]:
    """The one JSON object of a body. Raises `Refused`: malformed, invalid_text, too_large, secret_detected."""
    value = read_json(body)
    if not isinstance(value, dict):
        raise Refused("malformed", "The body has to be one JSON object.")
    check_members(value, agent=agent, door=door)
    return value


def check_members(value: dict[str, Any], *, agent: str, door: Door) -> None:
    """Look at every text of an object, names of members too. Raises `Refused`: invalid_text, too_large, secret_detected."""
    _refuse_secrets(list(_texts(value)), agent, door)


def _texts(value: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every text of the body with its path, names of members too; refuses what no member may hold."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    count = 0
    while waiting:
        path, item = waiting.pop()
        count += 1
        if count > MOST_VALUES:
            raise Refused("too_large", f"The body holds more than {MOST_VALUES:,} values.", longest=MOST_VALUES)
        if isinstance(item, str):
            yield path, _storable(path, item)
        elif isinstance(item, dict):
            for name, member in item.items():
                yield (*path, name), _storable((*path, name), name)
                waiting.append(((*path, name), member))
        elif isinstance(item, list):
            waiting.extend(((*path, number), member) for number, member in enumerate(item))


def _storable(path: Path, text: str) -> str:
    if "\0" in text:
        raise Refused("invalid_text", f"{_named(path)} contains a NUL character.", field=path_of(path))
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        detail = f"{_named(path)} contains half of a character (a lone surrogate)."
        raise Refused("invalid_text", detail, field=path_of(path))
    return text


def _refuse_secrets(texts: list[tuple[Path, str]], agent: str, door: Door) -> None:
    found = [(path, kinds) for path, text in texts if len(text) >= _SHORTEST_SECRET and (kinds := secret_kinds(text))]
    if not found:
        return
    names = list(dict.fromkeys(str(kind) for _, each in found for kind in each))
    for name in names:
        SECRETS_REFUSED.labels(str(door), name).inc()
    count_refused(kinds=names, door=door, agent=agent)
    log.warning("secret_refused", door=str(door), kinds=names)
    field = path_of(found[0][0])
    detail = f"{_named(found[0][0])} holds something shaped like a secret; nothing was stored."
    raise Refused("secret_detected", detail, field=field, kinds=names)


def _named(path: Path) -> str:
    return path_of(path) or safe_name("body")
