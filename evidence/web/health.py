"""Two questions a supervisor or a load balancer asks: is the process alive, and may it get requests? Decides nothing itself."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from evidence.selectors import health
from evidence.selectors.health import Level


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200 while the process answers. Touches neither database nor broker: a restart would not mend those."""
    return JsonResponse({"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """503 when a request could not be served right; 200 `degraded` when only follow-up work waits.

    Gives levels only: details (addresses, versions) are for the operator, who has `manage.py doctor`.
    """
    findings = health.readiness()
    levels = {finding.level for finding in findings}
    status = "failing" if Level.FAIL in levels else "degraded" if Level.WARN in levels else "ok"
    body = {"status": status, "checks": {finding.name: finding.level for finding in findings}}
    return JsonResponse(body, status=503 if status == "failing" else 200)
