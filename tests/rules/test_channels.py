"""How far an arrival channel is trusted (contract 1)."""

from __future__ import annotations

import pytest

from evidence.rules.vocab import INTERNAL_CHANNELS, OPERATOR_CHANNELS, TRUST_ORDER, Trust, trust_of_channel


@pytest.mark.parametrize(
    ("channel", "trust"),
    [
        *((channel, "operator") for channel in sorted(OPERATOR_CHANNELS)),
        *((channel, "internal") for channel in sorted(INTERNAL_CHANNELS)),
        ("CLI", "operator"),
        ("cli@node-7", "operator"),
        ("Slack@ops@node-7", "internal"),
        ("web-chat", "external"),
        ("public-api", "external"),
        ("webhook", "external"),
        ("e-mail", "external"),
        ("", "external"),
        (None, "external"),
        ("@cli", "external"),
        ("web-chat@cli", "external"),
        ("cli-2", "external"),
        ("chat", "external"),
        (" cli", "external"),
        ("cli\n", "external"),
        ("\u0441li", "external"),  # a Cyrillic letter
        ("\u017flack", "external"),  # a long s, which folds to s
        ("slac\u212a", "external"),  # the Kelvin sign, which folds to k
        ("\uff43\uff4c\uff49", "external"),
    ],
)
def test_a_channel_has_its_trust(channel: str | None, trust: str) -> None:
    assert trust_of_channel(channel) == trust


def test_no_channel_is_on_two_lists() -> None:
    assert OPERATOR_CHANNELS.isdisjoint(INTERNAL_CHANNELS)


def test_the_order_of_trust_starts_with_the_weakest() -> None:
    assert TRUST_ORDER == (Trust.EXTERNAL, Trust.INTERNAL, Trust.OPERATOR)
