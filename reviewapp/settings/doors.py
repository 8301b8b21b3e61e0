"""What programs may ask how often, and the keys that sign receipts of recalls."""

from __future__ import annotations

from reviewapp.runtime.address import FILESYSTEM, client_url
from reviewapp.settings.env import env, number
from reviewapp.settings.queue import REDIS_URL

__all__ = ["RATE_LIMITS", "RATE_URL", "RECEIPT_KEYS"]

# `id:hex,id:hex`, the first one signs; empty: a file of the data folder.
RECEIPT_KEYS: str = env.str("RECEIPT_KEYS", default="")

# Where requests are counted, in the redis client's words; without a Valkey nothing is counted, and nobody refused.
RATE_URL: str = "" if REDIS_URL.startswith(FILESYSTEM) else client_url(REDIS_URL)

# Requests a minute for each token, by what is asked; 0: no limit.
RATE_LIMITS: dict[str, int] = {
    "recall": number("RATE_RECALL", 1_200),
    "file": number("RATE_FILE", 600),
    "bulk": number("RATE_BULK", 60),
    "runs": number("RATE_RUNS", 60_000),
    "other": number("RATE_OTHER", 1_200),
}
