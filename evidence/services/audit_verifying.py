"""The audit held against itself, against its seals and against what was written down outside the database. Changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from evidence.rules.errors import BadInput
from evidence.selectors.audit import Anchor, ChainReport, kept_anchors, newest_anchors, verify_chain
from evidence.services.audit_keys import holds, public_keys


def verify_audit(
    *, namespace: str | None = None, anchors: Iterable[Anchor] | None = None, quick: bool = False
) -> ChainReport:
    """Every link, seal and anchor; `quick`: only what came after the newest anchor whose own seal holds.

    `anchors` come from outside (`read_anchors`); without them those count that the database keeps, which whoever changed the
    chain may have changed as well.
    """
    keys = public_keys()

    def seal_holds(seal: str, name: str, seq: int, digest: str) -> bool:
        return holds(seal, namespace=name, seq=seq, digest=digest, keys=keys)

    known = list(kept_anchors() if anchors is None else anchors)
    since: list[Anchor] = []
    if quick:
        since = [one for one in newest_anchors() if seal_holds(one.seal, one.namespace, one.seq, one.digest)]
    return verify_chain(namespace, seal_holds=seal_holds, anchors=known, since=since)


def read_anchors(path: str) -> list[Anchor]:
    """Anchors as `audit_anchor` wrote them, one JSON object a line. Raises BadInput with the line that is none."""
    found = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("invalid_value", f"The file of anchors cannot be read ({type(error).__name__}).") from error
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            found.append(Anchor(str(row["namespace"]), int(row["seq"]), str(row["digest"]), str(row.get("seal", ""))))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInput("invalid_value", f"Line {number} of the file of anchors is no anchor.") from error
    return found
