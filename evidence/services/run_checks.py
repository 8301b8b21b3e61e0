"""What stands before a write to a run: no hidden reasoning, the same request once, what the caller expects, whose run it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.crypto import salted_hmac

from evidence.models import Run, RunState, Token
from evidence.rules.chain import canonical_json
from evidence.rules.hidden_reasoning import Hidden
from evidence.rules.text import sha256_hex
from evidence.services import hidden
from evidence.services.errors import Refused
from evidence.services.idempotency import check_key
from evidence.services.receipts import mark_of_desk
from evidence.services.run_shapes import Asked
from evidence.services.run_states import drifted
from evidence.services.texts import check_text

Row = TypeVar("Row", bound=Model)
_SALT = "evidence.runs"
_WORDS: hidden.Words = {
    Hidden.REASONING: ("hidden_reasoning", "would hold hidden reasoning or a conversation; a run keeps what was done"),
    Hidden.RECEIPT: ("hidden_reasoning", "holds a receipt; receipts belong into memory_attribution"),
    Hidden.TOO_DEEP: hidden.TOO_DEEP,
}


def check_nothing_hidden(members: Mapping[str, Any]) -> None:
    """Raises `Refused` hidden_reasoning for the first member, at whatever depth, that a ledger may not hold."""
    hidden.check_nothing_hidden(members, _WORDS)


def check_said(members: Mapping[str, tuple[str, int]]) -> None:
    """Texts: storable, no secret, no receipt. `members`: field -> (text, longest)."""
    for field, (text, longest) in members.items():
        check_text(field, text, longest=longest)
    check_nothing_hidden({field: text for field, (text, _) in members.items()})


def key_hash(asked: Asked) -> str | None:
    """All that is kept of a key: it lives as long as the run does."""
    if not asked.key:
        return None
    check_key(asked.key)
    return sha256_hex("run-key", asked.key)


def request_hash(asked: Asked) -> str:
    """Keyed: a short request could be guessed from a bare hash."""
    return salted_hmac(_SALT, canonical_json(asked.body), algorithm="sha256").hexdigest() if asked.key else ""


def check_same(known: str, asked: Asked) -> None:
    """A key stands for one request. Raises `Refused` idempotency_conflict."""
    if known != request_hash(asked):
        raise Refused("idempotency_conflict", "This idempotency_key was used for another request.")


def lock_own_run(token: Token, run_id: UUID | None) -> RunState:
    """The state row of one of the token's runs, locked: writers of one run take turns. Raises `Refused` not_found."""
    rows = RunState.objects.select_for_update(of=("self",)).select_related("run")
    found = rows.none() if run_id is None else rows.filter(pk=run_id)
    state = only(found.filter(run__namespace=token.namespace, run__agent=token.agent_id))
    if state is not None:
        return state
    if run_id is not None and Run.objects.own(token.namespace, token.agent_id or "").filter(pk=run_id).exists():
        raise drifted(run_id)
    raise no_such_run()


def only(rows: QuerySet[Row]) -> Row | None:
    """The one row that there can be; cheaper than `first`, which asks for an order."""
    return next(iter(rows[:1]), None)


def no_such_run() -> Refused:
    return Refused("not_found", "There is no such run.")


def check_epoch(asked: Asked) -> None:
    if asked.epoch is not None and asked.epoch != (now := mark_of_desk().epoch):
        detail = "The desk was restored since: look at the run again."
        raise Refused("version_conflict", detail, field="expected_database_epoch", current=now)


def check_expected(asked: Asked, state: RunState) -> None:
    """Raises `Refused`: invalid_value for another workspace, version_conflict with what is so instead."""
    if asked.workspace is not None and asked.workspace != state.run.workspace_key:
        raise Refused("invalid_value", "The run belongs to another workspace.", field="workspace_key")
    check_epoch(asked)
    looks = (
        ("expected_run_generation", asked.generation, state.generation),
        ("expected_last_sequence", asked.last_sequence, state.last_sequence),
    )
    for field, expected, current in looks:
        if expected is not None and expected != current:
            detail = "The run went on since you looked at it."
            raise Refused("version_conflict", detail, field=field, expected=expected, current=current)
