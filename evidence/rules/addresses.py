"""Where a webhook may lead: which addresses are private, and how a target is written. Pure: resolving is elsewhere."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from evidence.rules.errors import BadInput

LONGEST = 500
_PORTS = {"https": 443, "http": 80}
# Nothing that could end a line or a header, nothing that is written in two ways.
_PLAIN = re.compile(r"[!-~]+")
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?")
# Addresses that carry another one inside, which is the one that counts.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Target:
    """A place that can be called. `path` begins with a slash and holds the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == _PORTS[self.scheme] else f"{name}:{self.port}"


def read_target(text: str, *, plain_http: bool) -> Target:
    """The parts of an address. Raises `BadInput` invalid_value, in words for whoever typed it."""
    if len(text) > LONGEST or not _PLAIN.fullmatch(text) or "\\" in text:
        raise _bad("An address has no blanks and at most 500 characters; letters outside ASCII are written as %-codes.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _bad("This is no address that can be called.") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise _bad("An address begins with https:// and names a host.")
    if parts.scheme == "http" and not plain_http:
        raise _bad("Only https: what is sent could be read on the way.")
    if parts.username is not None or parts.password is not None:
        raise _bad("No user name or password in the address; what is sent is signed instead.")
    if parts.fragment:
        raise _bad("An address that is called has no # part.")
    if port == 0:
        raise _bad("Port 0 is no port.")
    return Target(parts.scheme, _host(parts), port or _PORTS[parts.scheme], _path(parts))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if ":" in host:
        try:
            plain = ipaddress.IPv6Address(host)
        except ValueError:
            raise _bad("This is no address that can be called.") from None
        if plain.scope_id is not None:
            raise _bad("An address of one network card is none of the public network.")
        return str(plain)
    if not _HOST.fullmatch(host) or len(host) > 253:
        raise _bad("This is no name of a host.")
    return host.rstrip(".")


def _path(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public network, also where it hides in another form. What is no address is not."""
    try:
        ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip.is_site_local:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _bad(detail: str) -> BadInput:
    return BadInput("invalid_value", detail, "target")
