"""One broker, several ways to write where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewapp.runtime import address


@pytest.mark.parametrize(
    ("given", "celery", "client"),
    [
        ("redis://h:1/2", "redis://h:1/2", "redis://h:1/2"),
        ("rediss://u:p@h:1/2", "rediss://u:p@h:1/2", "rediss://u:p@h:1/2"),
        ("valkey://h:1/2", "redis://h:1/2", "redis://h:1/2"),
        ("valkeys://h:1/2", "rediss://h:1/2", "rediss://h:1/2"),
        ("unix:///a/b.sock", "redis+socket:///a/b.sock", "unix:///a/b.sock"),
        ("unix:///a/b.sock?db=3", "redis+socket:///a/b.sock?virtual_host=3", "unix:///a/b.sock?db=3"),
        ("valkey+unix:///a/b.sock", "redis+socket:///a/b.sock", "unix:///a/b.sock"),
        ("redis+socket:///a?virtual_host=3", "redis+socket:///a?virtual_host=3", "unix:///a?db=3"),
        ("filesystem:///data/x%20y", "filesystem://localhost", "filesystem:///data/x%20y"),
        ("amqp://h//", "amqp://h//", "amqp://h//"),
    ],
)
def test_each_reader_gets_its_own_words(given: str, celery: str, client: str) -> None:
    assert address.celery_url(given) == celery
    assert address.client_url(given) == client


def test_a_folder_with_blanks_survives_the_address(tmp_path: Path) -> None:
    folder = tmp_path / "x y%z"
    folders = address.filesystem_folders(address.filesystem_url(folder))
    assert folders["data_folder_in"] == folders["data_folder_out"] == str(folder / "broker" / "messages" / "queue")


def test_commands_beside_a_running_desk_find_its_broker(tmp_path: Path) -> None:
    assert address.current_broker(tmp_path) == address.unix_url(address.socket_path(tmp_path))
    file = address.broker_file(tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text("redis://127.0.0.1:7777/0\n")
    assert address.current_broker(tmp_path) == "redis://127.0.0.1:7777/0"


def test_a_password_is_not_shown() -> None:
    assert address.without_password("redis://:secret@h:1/0") == "redis://***@h:1/0"
    assert address.without_password("redis://h:1/0") == "redis://h:1/0"
