"""The keys that seal audit rows (Ed25519): from AUDIT_KEYS, else in a file of the data folder that only its owner may read.

The chain shows that nothing was changed in between; a seal shows that whoever wrote a link had the key, which whoever can write
into the database alone has not. The first key seals. Public halves are kept for good, beside it, readable for everybody: what a
retired key sealed goes on counting.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from evidence.rules.chain import seal_parts, sealed_text
from evidence.services.errors import Refused
from evidence.services.key_files import only_for_owner, replace, write_once

KEY_FILE = "audit-key.json"
PUBLIC_FILE = "audit-public-keys.json"
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SealingKey:
    id: str
    private: Ed25519PrivateKey

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes_raw()


_known: dict[object, tuple[SealingKey, ...]] = {}


def seal_of(*, namespace: str, seq: int, digest: str) -> str:
    """The seal of a link; empty when there is no usable key: a decision is not lost for it, and verifying tells of the gap."""
    try:
        key = sealing_key()
    except (OSError, ValueError) as error:
        log.error("audit_key_unusable", file=KEY_FILE, why=type(error).__name__)
        return ""
    return f"{key.id}:{key.private.sign(sealed_text(namespace, seq, digest)).hex()}"


def holds(seal: str, *, namespace: str, seq: int, digest: str, keys: Mapping[str, bytes]) -> bool:
    """Whether one of these public keys (32 bytes, by id) made the seal."""
    name, signature = seal_parts(seal)
    if name not in keys:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(keys[name]).verify(signature, sealed_text(namespace, seq, digest))
    except InvalidSignature:
        return False
    return True


def public_keys() -> dict[str, bytes]:
    """Every key that ever sealed here, 32 bytes by id; the one in use among them."""
    kept: dict[str, bytes] = {}
    try:
        rows = json.loads((Path(settings.DATA_DIR) / PUBLIC_FILE).read_text(encoding="ascii"))["keys"]
        kept = {row["id"]: bytes.fromhex(row["public"]) for row in rows}
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.error("audit_public_keys_unreadable", file=PUBLIC_FILE, why=type(error).__name__)
    try:
        keys = [sealing_key(), *_given()]
    except (OSError, ValueError):
        return kept
    return kept | {key.id: key.public for key in keys}


def rotate_audit_key() -> str:
    """Seal with a new key from now on; its id. The old one's public half is kept, its secret is forgotten."""
    if settings.AUDIT_KEYS:
        raise Refused("invalid_value", "The key is given in AUDIT_KEYS: put a new one in front of it there.")
    sealing_key()
    folder, fresh = Path(settings.DATA_DIR), Ed25519PrivateKey.generate()
    replace(folder / KEY_FILE, _as_text(fresh))
    _publish(_named(fresh))
    return _named(fresh).id


def sealing_key() -> SealingKey:
    """The key in use, made where there is none yet. Raises OSError, ValueError."""
    if settings.AUDIT_KEYS:
        return _given()[0]
    file = Path(settings.DATA_DIR) / KEY_FILE
    if not file.exists():
        write_once(file, _as_text(Ed25519PrivateKey.generate()))
    only_for_owner(file)
    found = file.stat()
    mark = (str(file), found.st_mtime_ns, found.st_ino)
    if mark in _known:
        return _known[mark][0]
    return _known_by(mark, [json.loads(file.read_text(encoding="ascii"))["secret"]])[0]


def _given() -> tuple[SealingKey, ...]:
    """The keys of AUDIT_KEYS, the one in use first. Raises ValueError."""
    return _known_by(settings.AUDIT_KEYS, [part.strip() for part in settings.AUDIT_KEYS.split(",") if part.strip()])


def _known_by(mark: object, secrets: Sequence[str]) -> tuple[SealingKey, ...]:
    """Kept in this process for as long as they are the same: every decision asks."""
    if mark not in _known:
        keys = tuple(_named(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))) for secret in secrets)
        for key in keys:
            _publish(key)
        _known.clear()
        _known[mark] = keys
    return _known[mark]


def _named(private: Ed25519PrivateKey) -> SealingKey:
    """A key's id is made of its public half, so that nobody can give another key its name."""
    return SealingKey(hashlib.sha256(private.public_key().public_bytes_raw()).hexdigest()[:16], private)


def _as_text(private: Ed25519PrivateKey) -> str:
    return json.dumps({"secret": private.private_bytes_raw().hex()}) + "\n"


def _publish(key: SealingKey) -> None:
    file = Path(settings.DATA_DIR) / PUBLIC_FILE
    rows = json.loads(file.read_text(encoding="ascii"))["keys"] if file.exists() else []
    if any(row["id"] == key.id for row in rows):
        return
    text = json.dumps({"keys": [*rows, {"id": key.id, "public": key.public.hex()}]}, indent=1) + "\n"
    replace(file, text)
    file.chmod(0o644)
