"""What comes next: inside the search, without what waits for somebody else."""

from __future__ import annotations

import pytest
from django.utils import timezone

from evidence.selectors.items import first_of_two, supersede_plan
from evidence.selectors.planning import situation_of
from evidence.selectors.queue import QueueFilter, next_candidate
from tests.services import make

pytestmark = pytest.mark.django_db


def test_a_search_for_words_stays_a_search_for_words():
    make.proposal(statement="Backups run at two.")
    wanted = make.proposal(statement="The label printer is called quail.")
    reviewer, now = make.reviewer(), timezone.now()
    assert next_candidate(reviewer, QueueFilter(q="printer"), now) == wanted
    assert next_candidate(reviewer, QueueFilter(q="scanner"), now) is None


def test_replacing_a_record_says_when_it_takes_two_people():
    old = make.fact("Backups run weekly on Sundays at the old site.")
    held = make.proposal(**make.risky())
    first, second = make.reviewer(), make.reviewer("reviewer2")
    kinds = [effect.kind for effect in supersede_plan(held, first, timezone.now(), [old.record_id]).effects]
    assert kinds[0] == "first_approval"
    assert "supersede_record" in kinds
    make.approve(held, second)
    held.refresh_from_db()
    assert first_of_two(situation_of(held, user=first, now=timezone.now())) == ()
