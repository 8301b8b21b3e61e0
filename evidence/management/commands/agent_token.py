"""`manage.py agent_token AGENT […]`: issue a credential for an agent and print it, as the one line on standard output."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from evidence.models import Agent
from evidence.rules.vocab import Access, Door, Right, Trust, TrustClass
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.tokens import DEFAULT_DAYS, ensure_agent, issue_agent_token


class Command(BaseCommand):
    help = "Issue a token for an agent (made if there is none of that name). Prints one line: the token, which is shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("agent", help="the agent's name, as scopes and sources use it")
        parser.add_argument("--namespace", help="whose claims it files and recalls (default: the agent's own)")
        parser.add_argument(
            "--project", action="append", default=[], metavar="P", help="a project it may read; repeatable"
        )
        parser.add_argument("--rights", default=",".join(Right), help=f"comma-separated, of: {', '.join(Right)}")
        parser.add_argument("--channel", default=str(Trust.INTERNAL), choices=[str(word) for word in Trust])
        parser.add_argument("--max-access", default=str(Access.PRIVATE), choices=[str(word) for word in Access])
        parser.add_argument(
            "--trust-ceiling", default="", help=f"the best trust class it may claim: {', '.join(TrustClass)}"
        )
        parser.add_argument("--days", type=int, default=DEFAULT_DAYS, help="until it expires (default %(default)s)")

    def handle(self, *, agent: str, **options: object) -> None:
        actor = Actor.system(Door.COMMAND)
        namespace = str(options["namespace"] or "") or _namespace_of(agent)
        try:
            with transaction.atomic():
                ensure_agent(agent_id=agent, namespace=namespace, actor=actor)
                issued = issue_agent_token(
                    agent_id=agent, namespace=namespace, actor=actor, projects=options["project"],  # type: ignore[arg-type]
                    rights=[word.strip() for word in str(options["rights"]).split(",") if word.strip()],
                    channel_class=str(options["channel"]), max_access=str(options["max_access"]),
                    trust_ceiling=str(options["trust_ceiling"]), days=options["days"],  # type: ignore[arg-type]
                )  # fmt: skip
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(issued.secret)


def _namespace_of(agent_id: str) -> str:
    return Agent.objects.filter(pk=agent_id[:200]).values_list("namespace", flat=True).first() or "default"
