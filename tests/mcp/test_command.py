"""`manage.py mcp` says why it does not start. That it works: `test_clients`."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from tests.builders import a_person, a_person_token


@pytest.mark.parametrize(
    ("whose", "said"),
    [("", "Put the token of an agent into EVIDENCE_TOKEN"), ("nobody", "not valid"), ("person", "of a person")],
)
@pytest.mark.django_db
def test_it_needs_the_token_of_an_agent(
    whose: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"": " ", "nobody": "eda_made-up", "person": a_person_token(a_person("rita")).secret}[whose]
    monkeypatch.setenv("EVIDENCE_TOKEN", secret)
    with pytest.raises(CommandError, match=said) as refused:
        call_command("mcp")
    assert not secret.strip() or secret not in str(refused.value)
    assert capsys.readouterr().out == ""
