"""What the environment says, read once: the data folder, the secret key, switches. Knows nothing of Django's apps.

Nothing here fails on a missing variable; a fresh machine needs none of them.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent.parent

env = environ.Env()

DEBUG: bool = env.bool("DEBUG", default=False)
# Relative to where the command was given would make two data folders out of one; relative to the project does not.
DATA_DIR: Path = (BASE_DIR / Path(env.str("DATA_DIR", default="var")).expanduser()).resolve()


def number(name: str, default: int) -> int:
    """A whole number from the environment, 0 or more. Raises ImproperlyConfigured, naming the variable."""
    text = os.environ.get(name, "") or str(default)
    if not text.isdecimal():
        raise ImproperlyConfigured(f"{name}={text} is no whole number.")
    return int(text)


def one_of(name: str, allowed: tuple[str, ...], default: str) -> str:
    """One of a few words. Raises ImproperlyConfigured, naming them."""
    word = os.environ.get(name, "") or default
    if word not in allowed:
        raise ImproperlyConfigured(f"{name}={word} is none of {', '.join(allowed)}.")
    return word


def from_url(name: str, read: Callable[[], Any]) -> dict[str, Any]:
    """What `read` makes of the address in `name`. Its own complaints may quote the address, and so a password."""
    try:
        return dict(read())
    except (ImproperlyConfigured, ValueError, KeyError, TypeError) as error:
        raise ImproperlyConfigured(f"{name} is no address that can be used here.") from error


def secret_key(data_dir: Path) -> str:
    """The key given in SECRET_KEY, else one that is made once and kept in `data_dir/secret_key` (mode 0600).

    Two processes that start at once must agree on it: the file appears complete or not at all (link, not write).
    """
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    file = data_dir / "secret_key"
    try:
        if not file.exists():
            _create_once(file, secrets.token_urlsafe(64))
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"the data folder {data_dir} cannot be used ({error.strerror}). Set DATA_DIR to a folder that you may write."
        ) from error


def _create_once(file: Path, text: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(text + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        pass  # the other process was first, and its key counts
    finally:
        draft.unlink()
