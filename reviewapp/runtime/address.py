"""Addresses of a broker: how each kind is written, what Celery wants to hear, what the running `up` wrote down.

Pure text and one small file; the settings import it, so it must not import Django.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

FILESYSTEM = "filesystem://"
SOCKET_PATH_LIMIT = 100  # sun_path holds 108 bytes on Linux, 104 on macOS


def socket_path(data_dir: Path) -> Path:
    return data_dir / "broker" / "valkey.sock"


def fits_socket(path: Path) -> bool:
    return len(bytes(path)) <= SOCKET_PATH_LIMIT


def unix_url(path: Path) -> str:
    return f"unix://{quote(str(path))}"


def filesystem_url(data_dir: Path) -> str:
    return f"{FILESYSTEM}{quote(str(data_dir / 'broker' / 'messages'))}"


def broker_file(data_dir: Path) -> Path:
    """Where `up` writes the address of its broker, for commands that run beside it."""
    return data_dir / "run" / "broker"


def current_broker(data_dir: Path) -> str:
    """The address that the running `up` wrote down, else where its embedded broker would listen."""
    try:
        return broker_file(data_dir).read_text(encoding="utf-8").strip() or unix_url(socket_path(data_dir))
    except OSError:
        return unix_url(socket_path(data_dir))


def celery_url(url: str) -> str:
    """The address in Celery's words: `unix:///p?db=0` is `redis+socket:///p?virtual_host=0`, `valkey://` is `redis://`."""
    parts = urlsplit(url)
    if parts.scheme in ("unix", "valkey+unix", "redis+socket"):
        options = parts.query.replace("db=", "virtual_host=")
        return f"redis+socket://{parts.path}" + (f"?{options}" if options else "")
    if parts.scheme in ("valkey", "valkeys"):
        return url.replace("valkey", "redis", 1)
    if url.startswith(FILESYSTEM):
        return f"{FILESYSTEM}localhost"  # the folders go by transport options
    return url


def client_url(url: str) -> str:
    """The address in the words of the redis client: `redis+socket://` and `valkey://` are other names of what it knows."""
    parts = urlsplit(url)
    if parts.scheme in ("redis+socket", "valkey+unix"):
        return "unix://" + url.split("://", 1)[1].replace("virtual_host=", "db=")
    if parts.scheme in ("valkey", "valkeys"):
        return url.replace("valkey", "redis", 1)
    return url


def filesystem_folders(url: str) -> dict[str, str]:
    """Kombu's folder options; one folder is both in and out, since every process here sends and receives."""
    root = Path(unquote(urlsplit(url).path))
    names = {"data_folder_in": "queue", "data_folder_out": "queue", "control_folder": "control"}
    return {option: str(root / name) for option, name in names.items()}


def without_password(url: str) -> str:
    """The address as it may be printed."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    shown = parts.netloc.rsplit("@", 1)[-1]
    return parts._replace(netloc=f"***@{shown}").geturl()
