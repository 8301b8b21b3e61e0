"""Addresses of the pages."""

from __future__ import annotations

from django.urls import path

from evidence.web import audit, bulk, desk, editing, health, inquiries, insights, items, jobs, leases, queue, records, views

urlpatterns = [
    path("", desk.home, name="home"),
    path("queue/", queue.listing, name="queue"),
    path("queue/suggest/", queue.suggest, name="queue-suggest"),
    path("queue/rows/", queue.rows, name="queue-rows"),
    path("queue/views/", views.save, name="view-save"),
    path("queue/views/<uuid:view_id>/", views.rename, name="view-rename"),
    path("queue/views/<uuid:view_id>/delete/", views.delete, name="view-delete"),
    path("queue/bulk/", bulk.create, name="bulk"),
    path("jobs/", jobs.listing, name="jobs"),
    path("jobs/<uuid:job_id>/", jobs.job, name="job"),
    path("jobs/<uuid:job_id>/selection/", jobs.select, name="job-select"),
    path("jobs/<uuid:job_id>/run/", jobs.run, name="job-run"),
    path("jobs/<uuid:job_id>/cancel/", jobs.cancel, name="job-cancel"),
    path("jobs/<uuid:job_id>/again/", jobs.again, name="job-again"),
    path("jobs/<uuid:job_id>/undo/", jobs.undo, name="job-undo"),
    path("queue/next/", items.next_item, name="queue-next"),
    path("queue/next/claim/", leases.claim_next, name="claim-next"),
    path("queue/<uuid:held_id>/", items.item, name="item"),
    path("queue/<uuid:held_id>/decision/", items.decide, name="decide"),
    path("queue/<uuid:held_id>/peek/", items.peek, name="peek"),
    path("queue/<uuid:held_id>/skip/", items.skip, name="skip"),
    path("queue/<uuid:held_id>/lease/", leases.lease, name="lease"),
    path("queue/<uuid:held_id>/edit/", editing.edit, name="edit"),
    path("queue/<uuid:held_id>/candidates/", editing.candidates, name="candidates"),
    path("queue/<uuid:held_id>/supersede-plan/", editing.supersede_plan, name="supersede-plan"),
    path("decisions/<uuid:decision_id>/undo/", items.undo, name="undo"),
    path("inquiries/", inquiries.listing, name="inquiries"),
    path("inquiries/<uuid:inquiry_id>/", inquiries.inquiry, name="inquiry"),
    path("inquiries/<uuid:inquiry_id>/answer/", inquiries.answer, name="inquiry-answer"),
    path("records/", records.listing, name="records"),
    path("records/<str:record_id>/", records.record, name="record"),
    path("records/<str:record_id>/recheck/", records.recheck, name="record-recheck"),
    path("records/<str:record_id>/revoke/", records.revoke, name="record-revoke"),
    path("insights/", insights.insights, name="insights"),
    path("insights/rows/", insights.rows, name="insights-rows"),
    path("audit/", audit.listing, name="audit"),
    path("audit/verify/", audit.verify, name="audit-verify"),
    path("audit/<uuid:decision_id>/", audit.row, name="audit-row"),
    path("agents/<path:agent_id>/", desk.agent, name="agent"),
    path("settings/", desk.settings, name="settings"),
    path("settings/shortcuts/", desk.shortcuts, name="settings-shortcuts"),
    path("settings/time-zone/", desk.time_zone, name="settings-time-zone"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]
