"""Facts that are there already: from when on their owners are asked, computed as for new ones."""

from django.db import migrations
from django.db.models import Q

from evidence.rules.labels import LabelWindow
from evidence.rules.rechecks import recheck_in, where_checked
from evidence.rules.records import Check, Claim, Record, Scope, Source

BATCH = 1000
COLUMNS = ["recheck_at", "recheck_turns_at", "recheck_key"]


def compute(apps, schema_editor):
    evidence = apps.get_model("evidence", "Evidence")
    ends = Q(label_base="dated", expires_at__isnull=False) | Q(valid_until__isnull=False)
    facts = evidence.objects.filter(ends, kind="fact").exclude(review__in=["held", "rejected"])
    facts = facts.exclude(Q(trust="external") & ~Q(review="approved")).order_by("pk_uuid")
    last = None
    while True:
        rows = list((facts.filter(pk_uuid__gt=last) if last else facts)[:BATCH])
        if not rows:
            return
        for row in rows:
            asked = recheck_in(LabelWindow(row.label_base, row.verified_from, row.expires_at), row.valid_until)
            if asked is not None:
                row.recheck_at, row.recheck_turns_at = asked.due_at, asked.turns_at
                row.recheck_key = where_checked(_record(row), session=row.thread).key
        evidence.objects.bulk_update(rows, COLUMNS, batch_size=100)
        last = rows[-1].pk_uuid


def _record(row):
    claim = Claim(row.claim_subject, row.claim_attribute, row.claim_value) if row.claim_key else None
    return Record(
        id=row.record_id, kind=row.kind, source=Source(row.source_id, row.source_version), claim=claim,
        namespace=row.namespace, check=Check(row.check_at, method=row.check_method), volatility=row.volatility,
        scope=Scope(owner=row.scope_owner),
    )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("evidence", "0008_rechecks"),
    ]

    operations = [
        migrations.RunPython(compute, migrations.RunPython.noop),
    ]
