"""Bearer tokens: every wrong one is the same 401, and what a right one may do stands in it (doors "Credentials")."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from evidence.models import Token
from evidence.services.tokens import revoke_token
from tests.api.conftest import PROBLEM, Door, refusal
from tests.builders import COMMAND, a_person, a_person_token, a_token

PATHS = [("POST", "evidence"), ("POST", "proposals"), ("GET", "proposals/x"), ("POST", "proposals/x/withdraw"),
         ("POST", "recall"), ("GET", "records/x"), ("POST", "runs"), ("GET", "runs/x"), ("POST", "runs/x/events"),
         ("POST", "runs/x/complete")]  # fmt: skip


def wrong_headers() -> dict[str, str]:
    live = a_token("ada")
    revoked = a_token("ada")
    revoke_token(token_id=revoked.token.pk, actor=COMMAND)
    expired = a_token("ada")
    Token.objects.filter(pk=expired.token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    blocked = a_person("gone")
    gone = a_person_token(blocked)
    blocked.is_active = False
    blocked.save()
    return {
        "none": "", "another scheme": f"Basic {live.secret}", "no secret": "Bearer", "empty": "Bearer ",
        "unknown": "Bearer eda_" + "x" * 43, "revoked": f"Bearer {revoked.secret}", "expired": f"Bearer {expired.secret}",
        "of a blocked person": f"Bearer {gone.secret}", "cut": f"Bearer {live.secret[:-1]}",
        "as a person's": f"Bearer {live.secret.replace('eda_', 'edp_')}", "without its prefix": f"Bearer {live.secret[4:]}",
        "its hash": f"Bearer {live.token.secret_hash}", "its hint": f"Bearer {live.token.hint}",
        "very long": "Bearer eda_" + "x" * 60_000, "odd letters": "Bearer eda_ÿ\x7f",
    }  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_every_wrong_credential_is_the_same_401(db: None, method: str, path: str) -> None:
    answers = set()
    for header in wrong_headers().values():
        answer = Client(raise_request_exception=False).generic(
            method, f"/api/v1/{path}", b"{}" if method == "POST" else b"", content_type="application/json",
            headers={"Authorization": header} if header else {},
        )  # fmt: skip
        assert refusal(answer) == (401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.headers["Content-Type"] == PROBLEM
        answers.add(answer.content)
    assert len(answers) == 1


def test_the_credential_is_looked_at_before_the_body(db: None) -> None:
    assert refusal(Door("eda_wrong").post("evidence", {"colour": 1})) == (401, "unauthenticated")
    reader = Door(a_token("ada", rights=["recall"]).secret)
    assert refusal(reader.post("evidence", {"colour": 1})) == (403, "right_missing")


def test_a_secret_is_stored_nowhere(db: None) -> None:
    issued = a_token("ada")
    row = Token.objects.filter(pk=issued.token.pk).values().get()
    assert issued.secret.startswith("eda_")
    assert len(issued.secret) == 4 + 43
    assert issued.secret not in str(row)
    assert row["hint"] == issued.secret[-4:]


def test_the_start_needs_no_token(db: None) -> None:
    body = Door().get("").json()
    assert body == {"name": "Evidence Desk", "api": "v1", "openapi": "/api/v1/openapi.json", "docs": "/api/v1/docs"}
