"""`manage.py ask_about_articles [AGENT…] [--again]`: ask owners whether the articles that nobody reviewed count as reviewed."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from evidence.models import Agent, Evidence
from evidence.rules.vocab import Door, Kind, State
from evidence.services.actors import Actor
from evidence.services.article_counting import ask_about_never_reviewed, has_more, listed_in


class Command(BaseCommand):
    help = "Open one yes-or-no question per agent whose articles nobody reviewed. Decides nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("agents", nargs="*", metavar="AGENT", help="only these agents (default: all)")
        parser.add_argument("--again", action="store_true", help="also where the owner said no before")

    def handle(self, *, agents: list[str], again: bool, **_: object) -> None:
        unknown = set(agents) - set(Agent.objects.filter(pk__in=agents).values_list("pk", flat=True))
        if unknown:
            raise CommandError(f"There is no agent {min(unknown)!r}.")
        rows = Evidence.objects.filter(kind=Kind.ARTICLE, state=State.ACTIVE, approval_by="")
        rows = rows.filter(scope_owner__in=agents or Agent.objects.values("pk"))
        places = sorted(set(rows.order_by().values_list("scope_owner", "namespace").distinct()))
        for agent_id, namespace in places:
            asked = ask_about_never_reviewed(
                agent_id=agent_id, namespace=namespace, actor=Actor.system(Door.COMMAND), again=again
            )
            where = agent_id if namespace == "default" else f"{agent_id} ({namespace})"
            if asked.refused_at is not None:
                self.stdout.write(f"{where}: answered with no; --again asks all the same")
            elif asked.inquiry is not None:
                more = "; there are more, to be asked about after these" if has_more(asked.inquiry) else ""
                words = "asked" if asked.made else "is asked already"
                self.stdout.write(f"{where}: {words}, {len(listed_in(asked.inquiry))} articles{more}")
        if not places:
            self.stdout.write("nothing to ask")
