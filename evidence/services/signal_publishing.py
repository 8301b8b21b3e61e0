"""Publishing signals: an agent to other agents of its namespace, and the desk to the agent that something was decided for.

A signal is no record: it is never recalled, changes no label, and permits nothing. Its numbers are given under the lock of the
namespace's head, so that whoever reads on from a number misses none that is committed later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from evidence.models import AgentSignal, AgentSignalTag, SignalHead, Token
from evidence.rules.hidden_reasoning import Hidden
from evidence.rules.signals import signals as attempts_in
from evidence.rules.vocab import ActorKind, Trust
from evidence.services.errors import Refused
from evidence.services.hidden import TOO_DEEP, Words, check_nothing_hidden
from evidence.services.signal_shapes import SignalDraft
from evidence.services.texts import CONTENT_MAX, NAME_MAX, SUMMARY_MAX, check_tags, check_texts

_HIDDEN: Words = {
    Hidden.REASONING: (
        "hidden_reasoning", "would hold hidden reasoning or a conversation; a signal says what is to be done",
    ),
    Hidden.RECEIPT: ("hidden_reasoning", "holds a receipt; who takes the signal recalls for itself"),
    Hidden.TOO_DEEP: TOO_DEEP,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Origin:
    """Who speaks, and what makes the signal one that is told once: `key`, or its id where it came from."""

    kind: ActorKind
    publisher: str = ""
    key: str | None = None
    system: str = ""
    foreign_id: str = ""


def publish_signal(*, token: Token, draft: SignalDraft, now: datetime | None = None) -> AgentSignal:
    """Publish one in the token's namespace, in its agent's name. Raises `Refused`: invalid_text, too_large, secret_detected,
    hidden_reasoning, and not_your_scope for a credential of an outside channel that speaks to others.
    """
    agent = token.agent_id or ""
    if token.channel_class == Trust.EXTERNAL and draft.recipient != agent:
        # What comes from outside waits for a person everywhere else; it does not speak to other agents past them.
        detail = "A credential of an outside channel can signal its own agent only."
        raise Refused("not_your_scope", detail, field="to")
    check_draft(draft)
    with transaction.atomic():
        return store_signal(
            namespace=token.namespace, draft=draft, origin=Origin(ActorKind.AGENT, agent), now=now or timezone.now()
        )


def check_draft(draft: SignalDraft) -> None:
    """Storable texts, no secret, no receipt, no hidden reasoning in what is JSON."""
    texts = {
        "content": (draft.content, CONTENT_MAX), "title": (draft.title, SUMMARY_MAX), "to": (draft.recipient, NAME_MAX),
        "correlation_id": (draft.correlation_id, NAME_MAX),
    }  # fmt: skip
    check_texts(texts)
    check_tags(draft.tags)
    said: dict[str, object] = {name: text for name, (text, _) in texts.items()}
    check_nothing_hidden(said | {"tags": list(draft.tags)}, _HIDDEN)


def store_signal(
    *, namespace: str, draft: SignalDraft, origin: Origin, now: datetime, about: Mapping[str, object] | None = None
) -> AgentSignal:
    """The next signal of the namespace, in the caller's transaction; the one that is there where its key was told before."""
    SignalHead.objects.get_or_create(namespace=namespace)
    head = SignalHead.objects.select_for_update().get(pk=namespace)
    if origin.key is not None:
        told = AgentSignal.objects.filter(namespace=namespace, key=origin.key).first()
        if told is not None:
            return told
    head.sequence += 1
    head.save(update_fields=["sequence"])
    found = attempts_in(f"{draft.title}\n{draft.content}")
    row = AgentSignal(
        namespace=namespace, sequence=head.sequence, key=origin.key, publisher=origin.publisher,
        publisher_kind=origin.kind, recipient=draft.recipient, title=draft.title, content=draft.content,
        tags=list(draft.tags), correlation_id=draft.correlation_id, about=dict(about or {}),
        flags=[str(one) for one in found], claim_required=draft.claim_required, created_at=now, free_at=now,
        expires_at=draft.expires_at, origin_system=origin.system, origin_id=origin.foreign_id,
    )  # fmt: skip
    row.save(force_insert=True)
    AgentSignalTag.objects.bulk_create(AgentSignalTag(signal=row, tag=tag) for tag in dict.fromkeys(draft.tags))
    return row
