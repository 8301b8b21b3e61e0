"""What a plain admin would keep: a text and a status."""

from __future__ import annotations

from django.db import models


class Row(models.Model):
    text = models.TextField()
    status = models.CharField(max_length=20, default="waiting", db_index=True)

    class Meta:
        app_label = "floor"
