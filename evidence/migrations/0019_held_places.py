"""The word index keeps risk, kind and match beside status and agent: what kept the old one goes, and is put back after migrating."""

from django.db import migrations

_SQLITE = [f"DROP TRIGGER IF EXISTS evidence_heldwords_{event}" for event in ("insert", "update", "delete")]
_POSTGRES = [f"DROP FUNCTION IF EXISTS evidence_heldwords_{name} CASCADE" for name in ("keep", "vector")]


def take_away(apps, editor):
    for statement in _POSTGRES if editor.connection.vendor == "postgresql" else _SQLITE:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("evidence", "0018_audit_words")]

    operations = [migrations.RunPython(take_away, migrations.RunPython.noop)]
