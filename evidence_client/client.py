"""The calls: file, propose, recall, status, withdraw. What is not done for certain is tried again, under the same key."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from evidence_client.answers import Filed, Json, Proposal, Recalled, Result
from evidence_client.errors import DeskError, Unreachable

ATTEMPTS = 3
_AGAIN = frozenset({"in_progress", "unavailable", "rate_limited"})
_LONGEST_WAIT = 10.0


class Desk:
    """A desk as one agent sees it. `url` is the desk's address, `token` the agent's (`eda_…`)."""

    def __init__(self, url: str, token: str, *, timeout: float = 30.0) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("the address of a desk begins with http:// or https://")
        self._root = f"{url.rstrip('/')}/api/v1/"
        self._token = token
        self._timeout = timeout

    def file(self, *, source: str, event_at: str, key: str | None = None, **members: Any) -> Filed:
        """Store evidence: `content`, `excerpt`, `claim` … as in the API. The same source version again changes nothing."""
        version = members.pop("source_version", "")
        named = {"id": source} | ({"version": version} if version else {})
        return Filed.of(self._post("evidence", {"source": named, "event_at": event_at} | members, key))

    def propose(
        self,
        statement: str,
        *,
        evidence: Sequence[str | Json],
        trust_class: str,
        durability: str,
        key: str | None = None,
        **members: Any,
    ) -> Proposal:
        """Ask for something to be believed. `evidence`: ids of what you filed, or evidence as it stands in the API."""
        body = {
            "statement": statement,
            "evidence": list(evidence),
            "trust_class": trust_class,
            "durability": durability,
        }
        return Proposal.of(self._post("proposals", body | members, key))

    def status(self, proposal_id: str) -> Proposal:
        return Proposal.of(self._call("GET", f"proposals/{quote(proposal_id, safe='')}"))

    def withdraw(self, proposal_id: str, *, version: int | None = None) -> Proposal:
        body = {} if version is None else {"version": version}
        return Proposal.of(self._post(f"proposals/{quote(proposal_id, safe='')}/withdraw", body, None))

    def recall(self, query: str, **members: Any) -> Recalled:
        """Ask what is known: `limit`, `kinds`, `labels`, `claim` … as in the API."""
        return Recalled.of(self._call("POST", "recall", {"query": query} | members))

    def record(self, record_id: str) -> Result:
        return Result.of(self._call("GET", f"records/{quote(record_id, safe='')}"))

    def context(self, *, task: str = "", budget: int = 4_000) -> str:
        """What to know at the start, or for a task, as Markdown with ids and labels."""
        asked = f"kind=task&query={quote(task, safe='')}" if task else "kind=startup"
        return self._sent("GET", f"context?{asked}&budget={budget}&format=markdown", None, {}).decode()

    def _post(self, path: str, body: Json, key: str | None) -> dict[str, Any]:
        return self._call("POST", path, body, {"Idempotency-Key": key or uuid.uuid4().hex})

    def _call(
        self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._sent(method, path, body, headers or {}))
        return answer

    def _sent(self, method: str, path: str, body: Json | None, headers: Mapping[str, str]) -> bytes:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._once(method, path, body, headers)
            except DeskError as error:
                if error.code not in _AGAIN or attempt == ATTEMPTS:
                    raise
                time.sleep(min(float(error.members.get("retry_after", attempt)), _LONGEST_WAIT))
            except Unreachable:
                if attempt == ATTEMPTS:
                    raise
                time.sleep(attempt / 2)
        raise AssertionError("every attempt returns or raises")

    def _once(self, method: str, path: str, body: Json | None, headers: Mapping[str, str]) -> bytes:
        given = {"Authorization": f"Bearer {self._token}", "Accept": "*/*"} | dict(headers)
        if body is not None:
            given["Content-Type"] = "application/json"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self._root + path, data=data, headers=given, method=method)  # noqa: S310 - checked above
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                content: bytes = answer.read()
                return content
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: {type(error).__name__}") from error


def _refusal(error: urllib.error.HTTPError) -> DeskError:
    try:
        members = json.loads(error.read())
    except (ValueError, OSError):
        members = {}
    if not isinstance(members, dict):
        members = {}
    members.setdefault("status", error.code)
    wait = error.headers.get("Retry-After", "")
    if wait.isdecimal():
        members.setdefault("retry_after", int(wait))
    return DeskError(members)
