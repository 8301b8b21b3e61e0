"""A person's choices of what they are told, and the administrators' webhooks with what did not arrive."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evidence.rules.telling import HOOK_KINDS, Channel, Choice, HookFormat, NoticeKind, choices_for, default_choice
from evidence.rules.vocab import Door
from evidence.selectors import telling_words
from evidence.selectors.people import is_administrator
from evidence.selectors.telling_settings import all_webhooks, choices_of, hours_of, in_trouble
from evidence.services import webhooks as service
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.telling_choices import choose_telling
from evidence.web.forms import names_in
from evidence.web.gates import DeskRequest, desk_action, desk_page, problem_context

CHANNELS = (Channel.INBOX, Channel.MAIL)
TROUBLE_SHOWN = 50


@require_safe
@desk_page
def choices(request: DeskRequest) -> HttpResponse:
    return _choices_page(request)


@desk_action
def choose(request: DeskRequest) -> HttpResponse:
    data = request.POST
    chosen = {
        (kind, channel): data[f"{kind}.{channel}"]
        for kind in NoticeKind for channel in CHANNELS if f"{kind}.{channel}" in data
    }  # fmt: skip
    times = {name: data.get(name, "") for name in ("quiet_from", "quiet_until", "digest_at")}
    try:
        choose_telling(user=request.user, chosen=chosen, **times)
    except Refused as refused:
        return _choices_page(request, refused)
    return HttpResponseRedirect(f"{reverse('settings-telling')}?saved=1")


def _choices_page(request: DeskRequest, refused: Refused | None = None) -> HttpResponse:
    """What is in force; after a refusal what was typed."""
    user = request.user
    mine = choices_of(user)
    typed = request.POST if refused is not None else QueryDict()
    rows = [
        {
            "kind": kind,
            "name": telling_words.NAMES[kind],
            "cells": [
                {
                    "name": f"{kind}.{channel}",
                    "channel": telling_words.CHANNELS[channel],
                    "now": typed.get(f"{kind}.{channel}") or mine.get((kind, channel), default_choice(kind, channel)),
                    "options": [(choice, _choice_words(choice, channel)) for choice in choices_for(kind, channel)],
                }
                for channel in CHANNELS
            ],
        }
        for kind in NoticeKind
        if kind != NoticeKind.WEBHOOK or is_administrator(user)
    ]
    hours = hours_of(user)
    times = {name: typed.get(name, clock(getattr(hours, name))) for name in ("quiet_from", "quiet_until", "digest_at")}
    context: dict[str, Any] = {
        "rows": rows,
        "times": times,
        "channels": [telling_words.CHANNELS[one] for one in CHANNELS],
    }
    context["saved"] = request.GET.get("saved") == "1"
    if refused is not None:
        context |= problem_context(refused)
    return render(request, "evidence/settings_telling.html", context, status=refused.status if refused else 200)


def _choice_words(choice: Choice, channel: Channel) -> object:
    return (
        telling_words.SHOWN if (choice, channel) == (Choice.AT_ONCE, Channel.INBOX) else telling_words.CHOICES[choice]
    )


def clock(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"


# -- webhooks --


@require_safe
@desk_page
def webhooks(request: DeskRequest) -> HttpResponse:
    _for_administrators(request)
    return _webhooks_page(request)


@desk_action
def webhook_create(request: DeskRequest) -> HttpResponse:
    """The answer is the page itself: the secret is shown once, and in no address."""
    try:
        made = service.create_webhook(draft=_draft(request), actor=_actor(request))
    except Refused as refused:
        return _refused(request, refused)
    return _webhooks_page(request, made=made)


@desk_action
def webhook_change(request: DeskRequest, webhook_id: UUID) -> HttpResponse:
    try:
        service.change_webhook(
            webhook_id=webhook_id,
            draft=_draft(request),
            active=request.POST.get("active") == "1",
            actor=_actor(request),
        )
    except Refused as refused:
        return _refused(request, refused, webhook_id)
    return HttpResponseRedirect(reverse("webhooks"))


@desk_action
def webhook_secret(request: DeskRequest, webhook_id: UUID) -> HttpResponse:
    return _webhooks_page(request, made=service.new_secret(webhook_id=webhook_id, actor=_actor(request)))


@desk_action
def webhook_test(request: DeskRequest, webhook_id: UUID) -> HttpResponse:
    service.test_webhook(webhook_id=webhook_id, actor=_actor(request))
    return HttpResponseRedirect(f"{reverse('webhooks')}?tested={webhook_id}")


@desk_action
def webhook_delete(request: DeskRequest, webhook_id: UUID) -> HttpResponse:
    service.delete_webhook(webhook_id=webhook_id, actor=_actor(request))
    return HttpResponseRedirect(reverse("webhooks"))


@desk_action
def delivery_again(request: DeskRequest, delivery_id: UUID) -> HttpResponse:
    service.send_again(delivery_id=delivery_id, actor=_actor(request))
    return HttpResponseRedirect(f"{reverse('webhooks')}#trouble")


def _for_administrators(request: DeskRequest) -> None:
    if not is_administrator(request.user):
        raise Refused("right_missing", "Only an administrator decides where the desk calls.")


def _actor(request: DeskRequest) -> Actor:
    return Actor.person(request.user, Door.WEB)


def _draft(request: DeskRequest) -> service.Draft:
    data = request.POST
    return service.Draft(
        name=data.get("name", ""), target=data.get("target", "").strip(), format=data.get("format", HookFormat.GENERIC),
        kinds=data.getlist("kinds"), agents=names_in(data.get("agents", "")),
    )  # fmt: skip


def _refused(request: DeskRequest, refused: Refused, webhook_id: UUID | None = None) -> HttpResponse:
    if refused.status in (403, 404):
        raise refused
    return _webhooks_page(request, refused=refused, about=webhook_id)


def _webhooks_page(
    request: DeskRequest, *, made: service.Made | None = None, refused: Refused | None = None,
    about: UUID | None = None,
) -> HttpResponse:  # fmt: skip
    trouble = in_trouble(TROUBLE_SHOWN)
    kinds = [(kind, telling_words.heading(kind, 1)) for kind in HOOK_KINDS]
    why, states = telling_words.error_words, telling_words.STATES
    context: dict[str, Any] = {
        "hooks": [(one, why(one.last_error)) for one in all_webhooks()],
        "made": made,
        "kinds": kinds,
        "formats": list(HookFormat),
        "trouble": [(one, states[one.state], why(one.last_error)) for one in trouble],
        "about": about,
        "typed": request.POST if refused else None,
        "typed_kinds": request.POST.getlist("kinds") if refused else [],
        "tested": request.GET.get("tested", ""),
    }
    if refused is not None:
        context |= problem_context(refused)
    return render(request, "evidence/webhooks.html", context, status=refused.status if refused else 200)
