"""BadInput carries its code, field and kinds, also across a process border."""

from __future__ import annotations

import pickle

from evidence.rules.errors import BadInput


def test_survives_pickling() -> None:
    error = BadInput("secret_detected", "content holds a secret", "content", ("jwt",))

    again = pickle.loads(pickle.dumps(error))

    assert (again.code, again.detail, again.field, again.kinds) == (error.code, error.detail, error.field, error.kinds)
    assert str(again) == "content holds a secret"
