"""The records and the queries of `bench.recall`: plain functions of a number, so that another program can store the same texts.

A record has words that all have, words that one in some hundreds has, and one of its own. The queries are published here, by how
many records have their words; none of them was chosen by its time.
"""

from __future__ import annotations

from random import Random

SITES = [
    f"{place}{number}" for place in ("eastgate", "harbour", "northfield", "westend", "summit") for number in range(60)
]
SERVICES = [
    f"{name}-{part}"
    for name in ("kestrel", "quail", "falcon", "heron", "osprey", "plover", "curlew", "wren", "swift", "rook")
    for part in ("api", "web", "worker", "store", "mail", "import", "search", "audit")
]
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
REASONS = (
    "because the night shift reads the counters", "after the backup has ended", "unless a release is open",
    "as the owner of the label printers asked", "so that invoices leave on the same day", "while the depot is closed",
    "when the queue is shorter than a hundred parcels", "until the contract with the carrier ends",
)  # fmt: skip


def statement(number: int) -> str:
    """The text of the record of this number."""
    chance = Random(number)
    return (
        f"The service {chance.choice(SERVICES)} at {chance.choice(SITES)} is deployed on {chance.choice(DAYS)} at"
        f" {chance.randrange(24):02}:{chance.randrange(60):02} {chance.choice(REASONS)}; its ticket is case{number}."
    )


# What it is called, and what is asked.
QUERIES: tuple[tuple[str, str], ...] = (
    ("rare", "case77"),
    ("rare", "what is ticket case512 about"),
    ("rare", "kestrel-api harbour7 tuesday carrier"),
    ("middling", "harbour7"),
    ("middling", "falcon-mail deployed at summit3"),
    ("middling", "osprey-store backup"),
    ("common", "deployed"),
    ("common", "service deployed on tuesday"),
    ("common", "when is a service deployed, and why so late in the night"),
    ("phrase", '"after the backup has ended"'),
    ("beginning", "northf"),
    ("absent", "zeppelin"),
)
