"""What a person keeps at the desk for themselves: saved views of lists. Decides nothing, shows nothing to others."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence.models.accounts import User
from evidence.models.base import new_id
from evidence.rules.characters import visible


class SavedView(models.Model):
    """A named search of the queue, kept in the words of its address."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=600)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="savedview_name_once")]

    def __str__(self) -> str:
        return visible(self.name)
