"""Counters that the operator reads at `/metrics`: what was refused and what was dropped, by kind, never with a text."""

from __future__ import annotations

from prometheus_client import Counter

SECRETS_REFUSED = Counter(
    "evidence_secrets_refused",
    "Submissions refused because they held something shaped like a secret.",
    ["door", "kind"],
)
HITS_DROPPED = Counter("evidence_recall_hits_dropped", "Hits of backends that the gate dropped.", ["reason"])
SOURCES = Counter("evidence_recall_sources", "Answers of backends to recalls.", ["backend", "status"])
