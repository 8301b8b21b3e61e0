"""The one address of the MCP door. Without a slash at its end: that is the address that clients are given."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    """A credential comes in a header and never in a cookie, so a foreign page can borrow nobody's."""
    # The SDK takes most of a second to load: commands that only look at addresses do not wait for it.
    from evidence.mcp.http import endpoint

    return endpoint(request)


urlpatterns = [path("mcp", mcp, name="mcp")]
