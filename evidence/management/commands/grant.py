"""`manage.py grant NAME ROLE [--agent A] [--deputy] [--end]`: give a role, or take it back; new accounts get a password."""

from __future__ import annotations

import getpass
import os
import secrets
import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.rules.vocab import Door, Role
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.members import Granted, grant_role, revoke_role, set_first_password


class Command(BaseCommand):
    help = "Give a person a role, for one agent or for all. Makes the account where it is missing and asks for its password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="the user name")
        parser.add_argument("role", choices=[role.value for role in Role])
        parser.add_argument("--agent", default="", help="only for this agent (default: for all)")
        parser.add_argument(
            "--deputy", action="store_true", help="an owner's stand-in, asked when the owner does not answer"
        )
        parser.add_argument("--end", action="store_true", help="take the role back")

    def handle(self, *, user: str, role: str, agent: str, end: bool, deputy: bool, **_: object) -> None:
        actor = Actor.system(Door.COMMAND)
        try:
            if end:
                done = revoke_role(username=user, role=role, actor=actor, agent_id=agent)
                self.stdout.write(f"{user} is no longer {role}" if done else f"{user} is not {role}")
                return
            granted = grant_role(username=user, role=role, actor=actor, agent_id=agent, deputy=deputy)
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        where = f" of {agent}" if agent else " for all agents"
        self.stdout.write(f"{user} is {role}{where}" + ("" if granted.created else " already"))
        self._first_password(granted)

    def _first_password(self, granted: Granted) -> None:
        """From NEW_PASSWORD, else asked for where somebody can answer, else made up and printed."""
        person = granted.membership.user
        if person.has_usable_password():
            return
        chosen = os.environ.get("NEW_PASSWORD", "")
        if not chosen and sys.stdin.isatty():
            chosen = getpass.getpass(f"Password for {person.username} (empty: make one up): ")
        made_up = not chosen
        chosen = chosen or secrets.token_urlsafe(12)
        try:
            set_first_password(user=person, password=chosen)
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        if made_up:
            self.stdout.write(f"the password is {chosen}")
