"""Simulated people over HTTP: each walks the desk as a browser does, reading every form out of the page that came."""

from __future__ import annotations

import http.client
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode, urlsplit

_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_FORM = re.compile(r'<form id="approve-form".*?</form>', re.DOTALL)
_ITEM = re.compile(r'<div id="card" data-item="([0-9a-f-]+)"')
_CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Tally:
    """What one person met: answers by status, seconds per decision, items whose decision was accepted."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)


class Browser:
    """One signed-in person on one connection that stays open."""

    def __init__(self, address: str, cookies: str) -> None:
        self._link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        self._cookies = cookies

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        return self._send("GET", path, None, headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> tuple[int, str]:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self._send("POST", path, urlencode(fields), headers)

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, str]:
        self._link.request(method, path, body, {"Cookie": self._cookies, **headers})
        answer = self._link.getresponse()
        return answer.status, answer.read().decode()


def review(browser: Browser, tally: Tally, most: int) -> None:
    """Approve what comes until nothing comes, or `most` times. A refusal is counted and passed over by Skip."""
    _, page = browser.get("/queue/next/")
    for _ in range(most):
        item, form = _ITEM.search(page), _FORM.search(page)
        if item is None or form is None:
            return
        fields = {name: unescape(value) for name, value in _FIELD.findall(form[0])}
        fields["checked_at"] = "now"
        began = time.perf_counter()
        status, page = browser.post(f"/queue/{item[1]}/decision/", fields, **{"HX-Request": "true"})
        tally.seconds.append(time.perf_counter() - began)
        tally.statuses[status] += 1
        if status == 200:
            tally.accepted.append(item[1])
        else:
            skipped = {"csrfmiddlewaretoken": fields["csrfmiddlewaretoken"]}
            _, page = browser.post(f"/queue/{item[1]}/skip/", skipped, **{"HX-Request": "true"})


def act_in_admin(browser: Browser, tally: Tally, rows: list[str]) -> None:
    """The same work in a plain admin: one action on one row each."""
    _, page = browser.get("/admin/floor/row/?status__exact=waiting")
    token = _CSRF.search(page)
    assert token is not None
    for row in rows:
        fields = {"csrfmiddlewaretoken": token[1], "action": "approve", "_selected_action": row, "index": "0"}
        began = time.perf_counter()
        status, _ = browser.post("/admin/floor/row/?status__exact=waiting", fields)
        browser.get("/admin/floor/row/?status__exact=waiting")  # what the redirect leads to: the list again
        tally.seconds.append(time.perf_counter() - began)
        tally.statuses[status] += 1


def at_once(work: list[Callable[[Tally], None]]) -> tuple[float, Tally]:
    """Everybody at the same time. Seconds from the first to the last, and all tallies in one."""
    tallies = [Tally() for _ in work]
    threads = [threading.Thread(target=one, args=(tally,)) for one, tally in zip(work, tallies, strict=True)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = Tally()
    for tally in tallies:
        whole.statuses += tally.statuses
        whole.seconds += tally.seconds
        whole.accepted += tally.accepted
    return time.perf_counter() - began, whole
