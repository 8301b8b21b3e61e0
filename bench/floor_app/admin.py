"""A list with a filter and one action, as Django's tutorial would write them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from bench.floor_app.models import Row


@admin.action(description="Approve")
def approve(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    for row in queryset.filter(status="waiting"):
        row.status = "approved"
        row.save()
        modeladmin.log_change(request, row, "Approved")


@admin.register(Row)
class RowAdmin(admin.ModelAdmin):
    list_display = ("text", "status")
    list_filter = ("status",)
    actions = (approve,)
