"""Fills the floor: rows that wait, and signed-in administrators. Prints a session cookie a line, then the ids of the rows."""

from __future__ import annotations

import sys

import bench.floor  # noqa: F401 - configures Django


def main(items: int, people: int) -> None:
    from django.apps import apps
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    from bench.floor_app.models import Row

    call_command("migrate", verbosity=0)
    with connection.schema_editor() as editor:
        editor.create_model(Row)
    assert apps.is_installed("bench.floor_app")
    Row.objects.bulk_create(
        Row(text=f"Host {number} of the fleet is called quail-{number}.") for number in range(items)
    )
    for number in range(people):
        who = User.objects.create_superuser(f"floor-{number}")
        client = Client()
        client.force_login(who)
        print(f"sessionid={client.cookies['sessionid'].value}")
    print(*Row.objects.order_by("id").values_list("id", flat=True))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
