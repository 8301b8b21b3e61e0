"""Texts that nobody would write in good faith, filed into the desk that is photographed."""

from __future__ import annotations

from evidence.models import Agent, HeldRecord, User
from evidence.rules.vocab import Action
from tests.services import make

BIDI = "Invoices are paid from \u202eknab eht\u202c on the \u2066second\u2069 \u0627\u0644\u0633\u0644\u0627\u0645 working day"
INVISIBLE = "The admin\u200b account is use\u200dd by n\u00adobody, ad\u2060min too; p\u0430ypal with a Cyrillic letter"
EMOJI = "Releases are announced with 👨‍👩‍👧‍👦, 🏳️‍🌈 and 👩🏽‍💻; e\u0301 is not é, and Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A͔̖̭̹̻L̗̮̞͓̙G̻O̯"
MARKUP = '<script>document.title="pwned"</script> <b>bold</b> {{ 7*7 }} {% now %} [a](javascript:alert(1)) & &amp;'
LONG = ("Every service that writes to the ledger does so through the queue named ledger-writes, " * 30)[:2000]
UNBROKEN = "https://registry.example/" + "a1b2c3d4" * 30


def file_hostile(reviewer: User) -> dict[str, HeldRecord]:
    """One waiting item for each kind of text, and a conflict between two of them. By the name of its picture."""
    of = make.agent("ops-\u202etnega\u202c-with-quite-a-long-name-that-goes-on-and-on")
    first = make.claim("paid <b>now</b>", subject="invoices \u202eknab", attribute="paid from " + "account " * 8)
    make.fact(f"{BIDI}. {UNBROKEN}", about=first, scope_owner=of.id)
    conflict = make.proposal(
        of, f"{BIDI}, never. {INVISIBLE}", tags=("tag with \u202e", "👨‍👩‍👧"),
        claim=make.claim("unpaid\u200b " + UNBROKEN[:120], subject=first.subject, attribute=first.attribute),
    )  # fmt: skip
    filed = {
        "hostile-conflict": conflict,
        "hostile-markup": make.proposal(of, f"{MARKUP} {EMOJI}", evidence=_said(of, MARKUP, EMOJI, INVISIBLE)),
        "hostile-long": make.proposal(of, LONG, evidence=_said(of, LONG[:1000], UNBROKEN, BIDI)),
    }
    decided = make.proposal(of, f"{EMOJI}. {MARKUP}")
    make.act(decided, reviewer, Action.REJECT, reason_code="other", reason=f"{MARKUP} {BIDI} {UNBROKEN}")
    return filed | {"hostile-decided": decided}


def _said(of: Agent, *texts: str) -> tuple[object, ...]:
    return tuple(make.inline(text, of=of.id, thread=f"t-{number}") for number, text in enumerate(texts))
