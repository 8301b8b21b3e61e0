"""What a run may say of something it made: where it lies and how it is named, never the thing itself. Pure.

An address that would run something where it is opened, reads the reader's own files, or carries a password is refused, in the
metadata too. The reference is minted by the desk; a caller names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from evidence.rules.chain import canonical_json
from evidence.rules.characters import strip_hidden
from evidence.rules.errors import BadInput

LONGEST_URI: Final = 2_048
LONGEST_METADATA: Final = 8 * 1024
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_REFUSED = frozenset({"data", "javascript", "vbscript", "file", "blob", "filesystem", "view-source", "jar"})
_OPENED = frozenset({"http", "https"})
_USER = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:[/\\]*[^/\\?#]*@")
_DANGEROUS = re.compile(
    rf"(?<![a-z0-9+.-])(?:{'|'.join(sorted(_REFUSED - {'file', 'data', 'blob', 'jar'}))})\s*:|(?<![a-z0-9+.-])file:[/\\]"
    r"|(?<![a-z0-9+.-])data:[a-z0-9.+-]*[/;,]|(?<![a-z0-9+.-])blob:[a-z]"
)
_EMBEDDED_USER = re.compile(r"[a-z][a-z0-9+.-]*:[/\\]{2}[^/\\?#\s@]*@")
_BINARY = re.compile(r"[A-Za-z0-9+/_-]{400,}={0,2}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(;.{1,100})?", re.IGNORECASE)


def check_artifact(*, digest: str, mime_type: str, uri: str, metadata: dict[str, Any]) -> None:
    """Raises `BadInput` for the first member that cannot stand."""
    if not _DIGEST.fullmatch(digest):
        raise BadInput("invalid_value", "digest has to be a SHA-256: 64 lower-case hex digits.", "payload.digest")
    if len(mime_type) > 255 or not _MIME.fullmatch(mime_type):
        raise BadInput("invalid_value", "mime_type has to be a type and a subtype.", "payload.mime_type")
    check_uri(uri)
    field = "payload.metadata"
    if len(canonical_json(metadata).encode("utf-8", "surrogatepass")) > LONGEST_METADATA:
        raise BadInput("too_large", f"metadata is longer than {LONGEST_METADATA:,} bytes.", field)
    for text in _texts(metadata):
        if _is_dangerous(text):
            raise BadInput("invalid_value", "metadata names an address that nobody may open.", field)
        if _BINARY.search(text):
            raise BadInput("invalid_value", "metadata holds something binary; it stays where it is.", field)


def check_uri(uri: str) -> None:
    """Raises `BadInput` invalid_value or too_large."""
    field = "payload.uri"
    if len(uri.encode("utf-8", "surrogatepass")) > LONGEST_URI:
        raise BadInput("too_large", f"uri is longer than {LONGEST_URI:,} bytes.", field)
    if strip_hidden(uri) != uri or any(char <= " " or char == "\x7f" for char in uri):
        raise BadInput("invalid_value", "uri holds blanks or characters that nobody sees.", field)
    scheme = _SCHEME.match(uri)
    if scheme is None:
        raise BadInput("invalid_value", "uri has to begin with a scheme.", field)
    if scheme[1].lower() in _REFUSED or _is_dangerous(uri):
        raise BadInput("invalid_value", "uri has a scheme that nobody may open.", field)
    if _USER.match(uri) or _USER.match(unquote(uri)):
        raise BadInput("invalid_value", "uri carries a user name or a password.", field)


def needs_a_person_to_open(uri: str) -> bool:
    """Whether it leads out of the house: a program follows it only when a person opens it."""
    scheme = _SCHEME.match(uri)
    return scheme is not None and scheme[1].lower() in _OPENED


def _is_dangerous(text: str) -> bool:
    """Also behind percent codes, in any case, with blanks and invisible characters in it."""
    for said in {text, unquote(text), unquote(unquote(text))}:
        bare = "".join(char for char in strip_hidden(said) if char > " ").lower()
        if _DANGEROUS.search(bare) or _EMBEDDED_USER.search(bare):
            return True
    return False


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield str(key)
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)
