"""The language follows the browser until a person chooses one. Nobody could choose before."""

from django.db import migrations, models


def follow_the_browser(apps, schema_editor):
    apps.get_model("evidence", "User").objects.filter(language="en").update(language="")


class Migration(migrations.Migration):
    dependencies = [
        ("evidence", "0004_clusters"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.RunPython(follow_the_browser, migrations.RunPython.noop),
    ]
