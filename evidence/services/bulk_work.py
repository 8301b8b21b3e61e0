"""What a worker does when the outbox names a job: prepare its preview, or carry it on. Harmless when repeated."""

from __future__ import annotations

from evidence.models import Job
from evidence.rules.bulk import WORKING, JobStatus
from evidence.services.bulk_freezing import prepare_stretch
from evidence.services.bulk_jobs import TOPIC
from evidence.services.bulk_running import carry_on
from evidence.services.outbox import handles


@handles(TOPIC)
def work_on_job(subject: str) -> bool:
    """One stretch of the job; True while there is more."""
    status = Job.objects.filter(pk=subject).values_list("status", flat=True).first()
    if status == JobStatus.PREPARING:
        return prepare_stretch(subject)
    return carry_on(subject) if status in WORKING else False
