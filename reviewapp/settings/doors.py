"""What programs may ask how often, the keys that sign receipts of recalls, and the memory backends that a recall searches."""

from __future__ import annotations

from reviewapp.runtime.address import FILESYSTEM, client_url
from reviewapp.settings.env import env, number
from reviewapp.settings.queue import REDIS_URL

__all__ = [
    "HINDSIGHT_API_KEY",
    "HINDSIGHT_URL",
    "MEMORY_BACKENDS",
    "RATE_LIMITS",
    "RATE_URL",
    "RECEIPT_KEYS",
    "SIGNAL_KEEP_DAYS",
]

# `id:hex,id:hex`, the first one signs; empty: a file of the data folder.
RECEIPT_KEYS: str = env.str("RECEIPT_KEYS", default="")

# How long signals between agents are kept once they were acknowledged or have expired.
SIGNAL_KEEP_DAYS: int = number("SIGNAL_KEEP_DAYS", 30)

# In the order in which their answers count among equals: sql, vector, hindsight, hybrid, or what an installed package announces.
MEMORY_BACKENDS: tuple[str, ...] = tuple(
    name for word in env.str("MEMORY_BACKENDS", default="sql").split(",") if (name := word.strip())
)

# The server of the backend `hindsight`.
HINDSIGHT_URL: str = env.str("HINDSIGHT_URL", default="")
HINDSIGHT_API_KEY: str = env.str("HINDSIGHT_API_KEY", default="")

# Where requests are counted, in the redis client's words; without a Valkey nothing is counted, and nobody refused.
RATE_URL: str = "" if REDIS_URL.startswith(FILESYSTEM) else client_url(REDIS_URL)

# Requests a minute for each token, by what is asked; 0: no limit.
RATE_LIMITS: dict[str, int] = {
    "recall": number("RATE_RECALL", 1_200),
    "file": number("RATE_FILE", 600),
    "bulk": number("RATE_BULK", 60),
    "runs": number("RATE_RUNS", 60_000),
    "signals": number("RATE_SIGNALS", 12_000),
    "other": number("RATE_OTHER", 1_200),
}
