"""What is read once is read once, and no longer than the reading lasts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evidence.models import Membership
from evidence.models.remembered import one_reading
from evidence.models.visibility import agents_of
from evidence.rules.vocab import Role
from evidence.selectors.people import is_reviewer
from evidence.selectors.policy import current_policy
from tests.services import make

pytestmark = pytest.mark.django_db


def test_inside_a_reading_the_database_is_asked_once_and_outside_each_time() -> None:
    who = make.reviewer()
    with CaptureQueriesContext(connection) as queries, one_reading():
        for _ in range(3):
            assert is_reviewer(who, "ops-agent")
            assert agents_of(who) is None
            current_policy()
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        for _ in range(3):
            is_reviewer(who, "ops-agent")
    assert len(queries) == 3


def test_what_changed_meanwhile_counts_in_the_next_reading_also_in_one_inside() -> None:
    who, other = make.reviewer(), make.user("other", Role.OWNER, of=make.agent())
    with one_reading():
        assert is_reviewer(who, "ops-agent")
        assert not is_reviewer(other, "ops-agent")  # one person's roles are not another's
        Membership.objects.filter(user=who).delete()
        with one_reading():
            assert not is_reviewer(who, "ops-agent")
        assert is_reviewer(who, "ops-agent")
    assert not is_reviewer(who, "ops-agent")
