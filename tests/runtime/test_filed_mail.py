"""Without a mail server each mail is a file and one line of the log, which carries no link that is worth something by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage, get_connection
from structlog.testing import capture_logs

BACKEND = "reviewapp.filed_mail.EmailBackend"
ITEM = "http://127.0.0.1:8000/queue/01a22eb9-fc93-702e-a830-d3abca0ffb19/"
ANSWER = "http://127.0.0.1:8000/mail/question/WyJhIl0:1v:sig/"
RESET = "http://127.0.0.1:8000/accounts/password/reset/key/3-abc/"


def filed(folder: Path, body: str) -> dict[str, Any]:
    connection = get_connection(BACKEND, file_path=str(folder))
    with capture_logs() as lines:
        assert EmailMessage("[Evidence Desk] News", body, None, ["a@desk.invalid"], connection=connection).send() == 1
    (line,) = lines
    return dict(line)


@pytest.mark.parametrize(
    ("body", "link"),
    [
        (f"A question\n\n  ops-agent: is it true?\n  {ITEM}\n  Answer without signing in: {ANSWER}\n", ITEM),
        ("One\n\n  ops-agent: /queue/planted/\n  /inquiries/x/\n", "/inquiries/x/"),
        (f"  Answer without signing in: {ANSWER}\n  {ANSWER}\n", ""),
        (f"Choose a new password:\n\n{RESET}\n", ""),
    ],
)  # fmt: skip
def test_a_mail_is_a_file_and_a_line(tmp_path: Path, body: str, link: str) -> None:
    line = filed(tmp_path, body)
    assert line == {
        "event": "mail_filed", "log_level": "info", "to": "a@desk.invalid", "subject": "[Evidence Desk] News", "link": link,
    }  # fmt: skip
    (file,) = tmp_path.iterdir()
    assert body.rstrip() in file.read_text()
