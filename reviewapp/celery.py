"""The Celery application. Tasks are the modules of `evidence.tasks`, found by name; `schedule` there is the timetable."""

from __future__ import annotations

import logging.config
import os
import pkgutil
import warnings
from importlib import import_module
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewapp.settings")

# What it warns of is pickle, which this application does not accept; in a container everybody is root.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

app = Celery("reviewapp")
app.config_from_object("django.conf:settings", namespace="CELERY")


def task_modules() -> list[str]:
    """Every module in `evidence.tasks`, so that a new task module needs no registration."""
    import evidence.tasks

    found = pkgutil.iter_modules(evidence.tasks.__path__, prefix="evidence.tasks.")
    return [module.name for module in found]


app.autodiscover_tasks(task_modules, related_name=None)


@app.on_after_configure.connect  # type: ignore[untyped-decorator]
def load_schedule(sender: Celery, **_: Any) -> None:
    """Read the timetable late: importing it while the settings load would import tasks before the apps are ready."""
    from evidence.tasks.schedule import SCHEDULE

    sender.conf.beat_schedule = SCHEDULE


@setup_logging.connect  # type: ignore[untyped-decorator]
def keep_our_logging(**_: Any) -> None:
    """Without a receiver Celery replaces the root logger, and with it the redaction of secrets."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@worker_init.connect  # type: ignore[untyped-decorator]
def settle_worker(**_: Any) -> None:
    from reviewapp.memory import settle

    _import_every_task()
    settle()


def _import_every_task() -> None:
    """Celery passes over a task module that lacks something, and its worker then throws away what it is sent for it."""
    try:
        app.loader.import_default_modules()
        for name in task_modules():
            import_module(name)
    except ImportError as error:
        # Celery notes what a receiver raises and goes on; this ends the worker, and its supervisor says so.
        raise SystemExit(f"worker: not all of its tasks can be imported: {error}") from error
