"""The one address of the MCP door. Without a slash at its end: that is the address that clients are given."""

from __future__ import annotations

from django.urls import path

from evidence.mcp.http import endpoint

urlpatterns = [path("mcp", endpoint, name="mcp")]
