"""What programs may ask how often, and the keys that sign receipts of recalls."""

from __future__ import annotations

from reviewapp.settings.env import env, number

__all__ = ["RATE_LIMITS", "RECEIPT_KEYS"]

# `id:hex,id:hex`, the first one signs; empty: a file of the data folder.
RECEIPT_KEYS: str = env.str("RECEIPT_KEYS", default="")

# Requests a minute for each token, by what is asked; 0: no limit.
RATE_LIMITS: dict[str, int] = {
    "recall": number("RATE_RECALL", 1_200),
    "file": number("RATE_FILE", 600),
    "bulk": number("RATE_BULK", 60),
    "other": number("RATE_OTHER", 1_200),
}
