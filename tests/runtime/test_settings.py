"""What the environment decides, and what happens on a fresh machine where it says nothing."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reviewapp.settings.env import secret_key
from tests.runtime.programs import ROOT

ASK = "from django.conf import settings; print({})"


def ask(expression: str, **environ: str) -> str:
    """What a new process finds in the settings when its environment holds just this."""
    env = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "reviewapp.settings", **environ}
    command = [sys.executable, "-c", ASK.format(expression)]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout.strip()


def test_a_key_is_made_once_and_only_its_user_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    folder = tmp_path / "data"
    with ThreadPoolExecutor(8) as pool:  # as processes that start at once
        keys = set(pool.map(lambda _: secret_key(folder), range(32)))
    assert len(keys) == 1
    assert len(keys.pop()) >= 64
    assert (folder / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret_key"]  # no draft stays behind


def test_a_key_that_is_given_wins_and_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "k" * 50)
    assert secret_key(tmp_path) == "k" * 50
    assert list(tmp_path.iterdir()) == []


def test_a_fresh_machine_serves_itself_only_and_shows_no_tracebacks(tmp_path: Path) -> None:
    found = ask("(settings.DEBUG, settings.ALLOWED_HOSTS, settings.ACCOUNT_SIGNUP_ENABLED)", DATA_DIR=str(tmp_path))
    assert found == "(False, ['localhost', '127.0.0.1', '[::1]'], False)"


def test_behind_tls_every_cookie_is_secure(tmp_path: Path) -> None:
    asked = "(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT)"
    assert ask(asked, DATA_DIR=str(tmp_path), HTTPS="1") == "(True, True, True)"
    assert ask(asked, DATA_DIR=str(tmp_path)) == "(False, False, False)"


def test_mail_is_kept_in_files_until_a_server_is_named(tmp_path: Path) -> None:
    asked = "(settings.EMAIL_BACKEND.split('.')[-2], settings.EMAIL_HOST)"
    assert ask(asked, DATA_DIR=str(tmp_path)) == "('filed_mail', 'localhost')"
    assert ask(asked, DATA_DIR=str(tmp_path), EMAIL_URL="smtp://u:p@mail.example:25") == "('smtp', 'mail.example')"


def test_a_relative_data_folder_does_not_depend_on_where_the_command_is_given() -> None:
    assert (
        ask("settings.DATA_DIR.relative_to(settings.BASE_DIR)", DATA_DIR="some/where", SECRET_KEY="k" * 50)
        == "some/where"
    )
