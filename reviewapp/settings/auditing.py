"""The key that seals audit rows, where the state of the chains is written down outside the database, who may read metrics."""

from __future__ import annotations

from reviewapp.settings.env import DATA_DIR, env

__all__ = ["AUDIT_ANCHOR_FILE", "AUDIT_ANCHOR_URL", "AUDIT_KEYS", "METRICS_TOKEN"]

# Hex of 32 bytes, older ones behind it, with commas; empty: a file of the data folder.
AUDIT_KEYS: str = env.str("AUDIT_KEYS", default="")
# Best on another disk, or sent to an address of yours as well.
AUDIT_ANCHOR_FILE: str = env.str("AUDIT_ANCHOR_FILE", default="") or str(DATA_DIR / "audit-anchors.jsonl")
AUDIT_ANCHOR_URL: str = env.str("AUDIT_ANCHOR_URL", default="")

# Sent as a bearer token by who reads /metrics; empty: only programs on this machine read it.
METRICS_TOKEN: str = env.str("METRICS_TOKEN", default="")
