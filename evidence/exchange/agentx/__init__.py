"""A checkout of AgentX (`.agentx`): ledger, proposals, questions, promotion proposals, held memory. Read-only.

Everything that can make the import fail as a whole is looked at before the first item: a corrupt ledger is never half taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence.exchange.agentx.articles import Wiki
from evidence.exchange.agentx.contributions import load_contributions, read_contributions
from evidence.exchange.agentx.layout import Checkout
from evidence.exchange.agentx.ledger import load_ledger, read_facts, read_proposals
from evidence.exchange.agentx.memory import read_memory
from evidence.exchange.agentx.promotions import read_promotions
from evidence.exchange.agentx.questions import load_questions, read_questions
from evidence.exchange.items import Read

__all__ = ["read"]


def read(path: Path) -> Iterator[Read]:
    """Items of a checkout, or of its `.agentx` folder, in an order in which each finds what it refers to."""
    checkout = Checkout.at(path)
    ledger = load_ledger(checkout)
    questions = load_questions(checkout)
    contributions = load_contributions(checkout)
    for name, file in checkout.memory_files():
        checkout.check_lines(name, file)
    wiki = Wiki(checkout)

    def items() -> Iterator[Read]:
        yield from read_facts(ledger)
        yield from read_promotions(checkout, wiki)
        yield from read_memory(checkout)
        yield from read_proposals(ledger)
        yield from read_questions(questions, ledger)
        yield from read_contributions(contributions)

    return items()
