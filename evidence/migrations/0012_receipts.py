import django.db.models.deletion
import django.utils.timezone
import evidence.models.base
import evidence.models.receipts
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("evidence", "0011_evidence_lookups"),
    ]

    operations = [
        migrations.AddField(
            model_name="recalllog",
            name="receipt_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.CreateModel(
            name="DeskMark",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("instance", models.CharField(default=evidence.models.receipts.new_mark, max_length=32)),
                ("epoch", models.CharField(default=evidence.models.receipts.new_mark, max_length=32)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="deskmark_only")],
            },
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=evidence.models.base.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("namespace", models.CharField(max_length=200)),
                ("agent", models.CharField(max_length=200)),
                ("subject", models.CharField(max_length=64)),
                ("receipt_hash", models.CharField(max_length=64)),
                ("record_id", models.CharField(max_length=64)),
                ("content_version", models.CharField(max_length=32)),
                ("query_hash", models.CharField(max_length=64)),
                ("mode", models.CharField(max_length=20)),
                ("rank", models.PositiveIntegerField()),
                (
                    "type",
                    models.CharField(
                        choices=[("vote", "vote"), ("correction", "correction"), ("retraction", "retraction")],
                        max_length=40,
                    ),
                ),
                ("outcome", models.CharField(blank=True, max_length=40)),
                ("reason", models.CharField(blank=True, max_length=280)),
                (
                    "supersedes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="evidence.feedback",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "feedback",
                "indexes": [
                    models.Index(fields=["namespace", "record_id", "-at"], name="feedback_by_record"),
                    models.Index(fields=["agent", "-at"], name="feedback_by_agent"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("type__in", ["vote", "correction", "retraction"])),
                        name="feedback_type_word",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outcome__in", ["helpful", "misleading", "outdated", "not_applicable", "not_used", ""])
                        ),
                        name="feedback_outcome_word",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("supersedes__isnull", True)), fields=("subject",), name="feedback_one_root"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("supersedes__isnull", True), ("type", "vote")),
                            models.Q(models.Q(("type", "vote"), _negated=True), ("supersedes__isnull", False)),
                            _connector="OR",
                        ),
                        name="feedback_vote_is_root",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("type", "retraction"), models.Q(("outcome", ""), _negated=True), _connector="OR"
                        ),
                        name="feedback_says_something",
                    ),
                ],
            },
        ),
    ]
