"""The one error of the pure rules: input that a rule or a parser cannot take.

The codes are those of the doors (`malformed`, `invalid_text`, `invalid_value`, `unknown_member`, `secret_detected` ...);
which HTTP status a code has, only the doors know. Details never repeat the offending value: it may be a secret.
"""

from __future__ import annotations

MALFORMED = "malformed"
INVALID_TEXT = "invalid_text"
INVALID_VALUE = "invalid_value"


class BadInput(ValueError):
    """Input that cannot be taken: a stable `code`, a plain `detail`, and the `field` (a dotted path) where one is known.

    `kinds` names the kinds of secrets found, for `secret_detected`; never their text (contract 9).
    """

    def __init__(self, code: str, detail: str, field: str | None = None, kinds: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.field = field
        self.kinds = kinds

    def __reduce__(self) -> tuple[type[BadInput], tuple[str, str, str | None, tuple[str, ...]]]:
        """Errors cross process borders (workers); the default would keep the detail only."""
        return type(self), (self.code, self.detail, self.field, self.kinds)
