"""Where each door hangs. It names the doors' own URL modules and no view."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("evidence.web.urls")),
    path("api/v1/", include("evidence.api.urls")),
    path("", include("evidence.mcp.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
