"""`/metrics` in the text format of Prometheus: requests of this process, and the state of the desk as it is asked for.

Without METRICS_TOKEN only programs on this machine get it; with one, whoever sends it as a bearer token.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from evidence.selectors.metrics import gauges
from evidence.web.middleware import GetResponse

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_LOOPBACK = frozenset({"127.0.0.1", "::1"})
_FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP")
UNKNOWN = "(none)"
UP = "Whether the database answers."

registry = CollectorRegistry()
ProcessCollector(registry=registry)
_answers = Counter(
    "desk_http_requests", "Answers by route, method and status.", ["route", "method", "status"], registry=registry
)
_seconds = Histogram(
    "desk_http_seconds", "Seconds from request to answer, by route.", ["route"], registry=registry,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)  # fmt: skip
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class _Desk(Collector):
    """Asks the database when it is scraped, so that a number is never older than the question."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        try:
            found = gauges(timezone.now())
        except DatabaseError:
            # The web process goes on telling of itself, and that its database is away.
            yield GaugeMetricFamily("desk_database_up", UP, value=0)
            return
        yield GaugeMetricFamily("desk_database_up", UP, value=1)
        for gauge in found:
            names = [name for name, _ in gauge.labels]
            family = families.setdefault(gauge.name, GaugeMetricFamily(gauge.name, gauge.says, labels=names))
            family.add_metric([value for _, value in gauge.labels], gauge.value)
        yield from families.values()


_desk = CollectorRegistry()
_desk.register(_Desk())


class MetricsMiddleware:
    """Counts every answer under the name of its route: an address could hold an id, and there are too many of those."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        route = (match.view_name or match.route or UNKNOWN) if match is not None else UNKNOWN
        method = request.method if request.method in _METHODS else UNKNOWN
        _answers.labels(route, method, str(response.status_code)).inc()
        _seconds.labels(route).observe(time.perf_counter() - began)
        return response


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not _may_read(request):
        return HttpResponse("Metrics are for this machine, or for who sends METRICS_TOKEN.\n", CONTENT_TYPE, status=403)
    return HttpResponse(generate_latest(registry) + generate_latest(_desk), CONTENT_TYPE)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        return hmac.compare_digest(sent.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    came_directly = not any(request.headers.get(name) for name in _FORWARDED)
    return came_directly and request.META.get("REMOTE_ADDR", "") in _LOOPBACK
