"""`manage.py tokens [--user U | --agent A] [--revoke ID]`: list credentials, and end one. The secrets are not stored."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from evidence.models import Token
from evidence.rules.characters import visible
from evidence.rules.times import to_iso
from evidence.rules.vocab import Door
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.tokens import revoke_token

MOST = 1_000


class Command(BaseCommand):
    help = "List tokens, newest first: id, end of the secret, whose, until when, last use. Or end one at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="only of this person")
        parser.add_argument("--agent", default="", help="only of this agent")
        parser.add_argument("--ended", action="store_true", help="revoked and expired ones too")
        parser.add_argument("--revoke", default="", metavar="ID", help="end this token; twice changes nothing")

    def handle(self, *, user: str, agent: str, ended: bool, revoke: str, **_: object) -> None:
        if revoke:
            self._revoke(revoke)
            return
        rows = Token.objects.all() if ended else Token.objects.live()
        rows = rows.filter(user__username=user) if user else rows
        rows = rows.filter(agent_id=agent) if agent else rows
        for row in rows.select_related("user").order_by("-created_at")[:MOST]:
            whose = f"agent {row.agent_id}" if row.agent_id else f"person {row.user}"
            state = f"revoked {_when(row.revoked_at)}" if row.revoked_at else f"until {_when(row.expires_at)}"
            self.stdout.write(f"{row.pk}  …{row.hint}  {visible(whose)}  {state}  used {_when(row.last_used_at)}")

    def _revoke(self, token_id: str) -> None:
        try:
            token = revoke_token(token_id=token_id, actor=Actor.system(Door.COMMAND))
        except (Refused, ValidationError) as error:
            raise CommandError("There is no such token.") from error
        self.stdout.write(f"{token.pk} revoked")


def _when(at: datetime | None) -> str:
    return to_iso(at) if at else "never"
