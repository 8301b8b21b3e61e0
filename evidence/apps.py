"""The one Django app of Evidence Desk; it wires signals and system checks and knows no rule."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class EvidenceConfig(AppConfig):
    name = "evidence"
    verbose_name = "Evidence Desk"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from evidence.models import fulltext, heldwords, tallies, triggers

        # A table rebuild on SQLite drops triggers silently, so they are put back after every migrate.
        post_migrate.connect(
            triggers.reinstall_after_migrate, sender=self, dispatch_uid="evidence.append_only_triggers"
        )
        post_migrate.connect(fulltext.reinstall_after_migrate, sender=self, dispatch_uid="evidence.full_text")
        post_migrate.connect(heldwords.reinstall_after_migrate, sender=self, dispatch_uid="evidence.held_words")
        post_migrate.connect(tallies.reinstall_after_migrate, sender=self, dispatch_uid="evidence.tallies")
        from evidence import checks  # noqa: F401
