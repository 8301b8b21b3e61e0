"""Webhooks: made, changed, tried and removed by administrators, each with a row in the system's own audit.

The secret is given out once, when it is made. Where a webhook leads is checked here for its form and at every call for its
address; the audit keeps neither, since an address may be a credential.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from evidence.models import SYSTEM_NAMESPACE, Agent, Delivery, Webhook
from evidence.models.telling import new_salt
from evidence.rules.addresses import Target
from evidence.rules.errors import BadInput
from evidence.rules.telling import HOOK_KINDS, Channel, DeliveryState, HookFormat
from evidence.rules.vocab import AuditAction
from evidence.selectors.people import is_administrator
from evidence.services import audit, sending
from evidence.services.actors import Actor
from evidence.services.calling import target_of
from evidence.services.errors import Refused
from evidence.services.hooking import TEST, secret_for
from evidence.services.outbox import enqueue
from evidence.services.texts import check_shape, check_text, check_word

MOST_WEBHOOKS = 50
MOST_AGENTS = 100
NAME_MAX = 60


@dataclass(frozen=True, slots=True)
class Made:
    """`secret` is shown once and never again."""

    webhook: Webhook
    secret: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What an administrator typed. `target` empty, in a change: as it was."""

    name: str
    target: str
    format: str
    kinds: Sequence[str]
    agents: Sequence[str] = ()


def create_webhook(*, draft: Draft, actor: Actor) -> Made:
    """Raises `Refused`: 403 for who is no administrator, invalid_value with its field."""
    _refuse_others(actor)
    target = _target(draft.target)
    with transaction.atomic():
        if Webhook.objects.count() >= MOST_WEBHOOKS:
            raise Refused("too_large", f"There are {MOST_WEBHOOKS} webhooks already. Remove one first.", field="name")
        row = Webhook(target=draft.target, host=target.host, created_by=actor.name, **_checked(draft))
        _save(row)
        _note(row, actor, "webhook_created")
    return Made(row, secret_for(row))


def change_webhook(*, webhook_id: UUID, draft: Draft, active: bool, actor: Actor) -> Webhook:
    """An empty address leaves the one there is. What waits is sent by what stands there when its time comes."""
    _refuse_others(actor)
    with transaction.atomic():
        row = _locked(webhook_id)
        for name, value in _checked(draft).items():
            setattr(row, name, value)
        if draft.target:
            row.target, row.host = draft.target, _target(draft.target).host
        row.active = active
        _save(row)
        _note(row, actor, "webhook_changed")
    return row


def new_secret(*, webhook_id: UUID, actor: Actor) -> Made:
    """From now on it signs with another secret; the one before signs nothing any more."""
    _refuse_others(actor)
    with transaction.atomic():
        row = _locked(webhook_id)
        row.salt = new_salt()
        row.save(update_fields=["salt"])
        _note(row, actor, "webhook_secret_renewed")
    return Made(row, secret_for(row))


def delete_webhook(*, webhook_id: UUID, actor: Actor) -> None:
    _refuse_others(actor)
    with transaction.atomic():
        row = _locked(webhook_id)
        _note(row, actor, "webhook_removed")
        row.delete()


def test_webhook(*, webhook_id: UUID, actor: Actor) -> Delivery:
    """Have a worker call it with a message that says so; tried once. Another one while that waits is the same."""
    _refuse_others(actor)
    with transaction.atomic():
        row = _locked(webhook_id)
        if not row.active:
            raise Refused("invalid_value", "It is switched off; switch it on first.", field="active")
        now = timezone.now()
        made, _ = Delivery.objects.get_or_create(
            endpoint=f"hook:{row.pk}", lane=TEST, state=DeliveryState.COLLECTING,
            defaults={"channel": Channel.WEBHOOK, "webhook": row, "due_at": now},
        )  # fmt: skip
        enqueue(topic="deliver", subject=str(made.pk), key=f"{made.pk}:test")
    return made


def send_again(*, delivery_id: UUID, actor: Actor) -> None:
    """One more round for a message that did not arrive, or may not have."""
    _refuse_others(actor)
    delivery = Delivery.objects.in_trouble().filter(pk=delivery_id).first()
    if delivery is None or not sending.send_again(delivery):
        raise Refused("not_found", "It is not among those that did not arrive, or somebody sent it again already.")


def _refuse_others(actor: Actor) -> None:
    if actor.user is None or not is_administrator(actor.user):
        raise Refused("right_missing", "Only an administrator decides where the desk calls.")


def _target(text: str) -> Target:
    try:
        return target_of(text.strip())
    except BadInput as bad:
        raise Refused.of(bad) from None


def _checked(draft: Draft) -> dict[str, object]:
    name = " ".join(draft.name.split())
    check_text("name", name, longest=NAME_MAX)
    if not name:
        raise Refused("invalid_value", "Give the webhook a name.", field="name")
    kinds = _known("kinds", draft.kinds, HOOK_KINDS)
    if not kinds:
        raise Refused("invalid_value", "Choose what it is told of.", field="kinds")
    return {
        "name": name, "format": check_word("format", draft.format, list(HookFormat)), "kinds": kinds,
        "agents": _agents(draft.agents),
    }  # fmt: skip


def _agents(names: Sequence[str]) -> list[str]:
    wanted = sorted({name.strip() for name in names if name.strip()})
    if len(wanted) > MOST_AGENTS:
        raise Refused("too_large", f"More than {MOST_AGENTS} agents.", field="agents")
    for name in wanted:
        check_shape("agents", name, longest=200)
    known = set(Agent.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    if set(wanted) - known:
        raise Refused("invalid_value", "One of these agents does not exist.", field="agents")
    return wanted


def _known(field: str, words: Iterable[str], allowed: Iterable[str]) -> list[str]:
    return sorted({str(check_word(field, word, allowed)) for word in words})


def _save(row: Webhook) -> None:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Refused("invalid_value", "There is a webhook of this name already.", field="name") from None


def _locked(webhook_id: UUID) -> Webhook:
    row = Webhook.objects.select_for_update(of=("self",)).filter(pk=webhook_id).first()
    if row is None:
        raise Refused("not_found", "There is no such webhook.")
    return row


def _note(row: Webhook, actor: Actor, what: str) -> None:
    audit.append(
        namespace=SYSTEM_NAMESPACE, actor=actor, action=AuditAction.WEBHOOK, target_kind="webhook",
        target_id=str(row.pk), effects=[{"kind": what, "target_kind": "webhook", "target_id": str(row.pk)}],
    )  # fmt: skip
