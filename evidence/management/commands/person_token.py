"""`manage.py person_token USER`: issue a credential for a person and print it, as the one line on standard output."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.models import User
from evidence.rules.vocab import Door
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.tokens import DEFAULT_DAYS, issue_person_token


class Command(BaseCommand):
    help = "Issue a token for a person, with the roles that the person has. Prints one line: the token, which is shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="the user name")
        parser.add_argument("--days", type=int, default=DEFAULT_DAYS, help="until it expires (default %(default)s)")

    def handle(self, *, user: str, days: int, **_: object) -> None:
        person = User.objects.filter(username=user).first()
        if person is None:
            raise CommandError(f"There is no user {user!r}.")
        try:
            issued = issue_person_token(user=person, actor=Actor.system(Door.COMMAND), days=days)
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(issued.secret)
