"""Whether a port can be had, and by which address a server on it is reached. Never ends what holds a port."""

from __future__ import annotations

import http.client
import socket

LOOPBACK = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}  # noqa: S104 (the names, not a choice to bind)


def reachable_host(host: str) -> str:
    """The address to call when a server is bound to `host` (nobody can call 0.0.0.0)."""
    return EVERYWHERE.get(host, host)


def is_address(host: str) -> bool:
    """Whether a server of this machine can listen there at all, on any port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def port_is_free(host: str, port: int) -> bool:
    """Bind and let go. SO_REUSEADDR, as servers use it: a connection that lingers in TIME_WAIT is no holder."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(host: str = LOOPBACK) -> int:
    """A port that nobody holds at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def answers(host: str, port: int, path: str, *, host_header: str) -> bool:
    """Whether GET `path` gives 200. No proxy, no redirect: the server itself must answer."""
    link = http.client.HTTPConnection(reachable_host(host), port, timeout=2)
    try:
        link.request("GET", path, headers={"Host": host_header})
        return link.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        link.close()
