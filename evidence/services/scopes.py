"""The circle of readers that a person gives a record, checked before it is written (contract 4, 12.5)."""

from __future__ import annotations

from dataclasses import replace

from evidence.rules.records import Scope
from evidence.rules.vocab import Access
from evidence.services.errors import Refused
from evidence.services.texts import NAME_MAX, check_text, check_word

MOST_READERS = 200


def checked_scope(scope: Scope, *, own: Scope, field: str) -> Scope:
    """The scope with its texts checked and the project that the record has: that one only an administrator sets."""
    check_word(f"{field}.access", scope.access, list(Access))
    if len(scope.shared_with) > MOST_READERS:
        raise Refused("too_large", f"More than {MOST_READERS} readers.", field=f"{field}.shared_with")
    for name in (scope.owner, *scope.shared_with):
        check_text(field, name, longest=NAME_MAX)
        if not name.strip():
            raise Refused("invalid_value", "A reader's name is empty.", field=field)
    if scope.project not in (None, "", own.project):
        raise Refused("reserved", "A record's project is set by an administrator.", field=f"{field}.project")
    return replace(scope, project=own.project)
