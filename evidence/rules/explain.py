"""Any rule from untyped input: what `manage.py explain RULE` answers (contract 11), one mapping in, one mapping out.

Pure; reads no file and no clock. The command only moves lines. A line it cannot take is an error answer, whatever it holds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping

from evidence.rules.access import readable
from evidence.rules.eligibility import judge
from evidence.rules.errors import INVALID_VALUE, MALFORMED, BadInput
from evidence.rules.gate import gate
from evidence.rules.identity import BACKEND, record_id
from evidence.rules.labels import label
from evidence.rules.matching import match
from evidence.rules.members import Members
from evidence.rules.parsing import (
    candidate_from,
    evidence_from,
    hit_from,
    memory_record_from,
    reader_from,
    record_from,
    scope_from,
    source_from,
    tombstone_from,
)
from evidence.rules.records import MemoryRecord
from evidence.rules.rendering import record_as_dict
from evidence.rules.resolving import resolve
from evidence.rules.secrets import secret_kinds
from evidence.rules.signals import signals
from evidence.rules.usability import usable
from evidence.rules.verifier import verify

Rule = Callable[[Mapping[str, object]], dict[str, object]]


def explain_line(rule: str, line: bytes) -> tuple[dict[str, object], bool]:
    """The answer to one JSON line, and whether the line could be taken.

    Taken: `{"case", ...result}`; not taken: `{"case", "error"}`. The answer is always writable as JSON, and an error
    names what is wrong and where, never the value: it may be a secret.
    """
    case: object = None
    try:
        data = _decoded(line)
        case = data.get("case")
        answer, taken = EXPLAIN[rule](data), True
    except BadInput as error:
        answer, taken = {"error": error.detail, "code": error.code, "field": error.field}, False
    except RecursionError:
        answer, taken = {"error": "nested too deeply", "code": MALFORMED, "field": None}, False
    except Exception as error:  # noqa: BLE001 - one line that meets a defect must not cost the answers to the others
        answer, taken = {"error": f"the rule failed: {type(error).__name__}", "code": "failed", "field": None}, False
    return {"case": _echo(case), **{name: jsonable(value) for name, value in answer.items()}}, taken


def jsonable(value: object) -> object:
    """The value with nothing that JSON lacks: no NaN or infinity (null), no lone surrogates (U+FFFD), no other types (text)."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(jsonable(str(name))): jsonable(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(member) for member in value]
    return value if value is None or isinstance(value, bool | int) else str(value)


def _decoded(line: bytes) -> Mapping[str, object]:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput(MALFORMED, "the line is not UTF-8") from error
    except ValueError as error:
        # Also a whole number with more digits than Python reads.
        raise BadInput(MALFORMED, "the line is not JSON") from error
    if not isinstance(data, dict):
        raise BadInput(MALFORMED, "the line is not a JSON object")
    return data


def _echo(case: object) -> object:
    try:
        return jsonable(case)
    except RecursionError:
        return None


def _identity(line: Mapping[str, object]) -> dict[str, object]:
    source = source_from(line.get("source"))
    # An empty version is one "as given" (12.17); with none at all there is no content here to compute it from.
    if not source.id.startswith(BACKEND):
        Members(line["source"], "source").present_text("version")
    return {"id": record_id(source)}


def _label(line: Mapping[str, object]) -> dict[str, object]:
    return {"label": label(record_from(line.get("record")), Members(line).readable_time("now"))}


def _resolve(line: Mapping[str, object]) -> dict[str, object]:
    current, incoming = record_from(line.get("current"), "current"), record_from(line.get("incoming"), "incoming")
    found = resolve(current, incoming, Members(line).readable_time("now"))
    return {"outcome": found.outcome, "reason": found.reason, "refreshes_check": found.refreshes_check}


def _usable(line: Mapping[str, object]) -> dict[str, object]:
    found = usable(record_from(line.get("record")))
    return {"usable": found.usable, "reason": found.reason}


def _access(line: Mapping[str, object]) -> dict[str, object]:
    _present(line, "scope", "reader")
    return {"allowed": readable(scope_from(line["scope"]), reader_from(line["reader"]))}


def _gate(line: Mapping[str, object]) -> dict[str, object]:
    _present(line, "store", "hits", "reader")
    members = Members(line)
    store = [record_from(item, f"store[{n}]") for n, item in enumerate(members.raw_list("store"))]
    hits = [hit_from(item, f"hits[{n}]") for n, item in enumerate(members.raw_list("hits"))]
    now = members.readable_time("now")
    answer = gate({record.id: record for record in store}, hits, reader_from(line["reader"]), now)
    return {
        "results": [
            {
                "id": result.record.id,
                "record": record_as_dict(result.record),
                "label": result.label,
                "conflicts_with": result.conflicts_with,
                "score": result.score,
            }
            for result in answer.results
        ],
        "dropped": [{"id": dropped.id, "reason": dropped.reason} for dropped in answer.dropped],
    }


def _eligibility(line: Mapping[str, object]) -> dict[str, object]:
    members = Members(line)
    found = judge(
        trust_class=members.present_word("trust_class"),
        durability=members.present_word("durability"),
        layer=members.present_word("layer"),
        independent_sources=members.whole_number("independent_sources"),
        verification_status=members.word("verification_status"),
    )
    return {"eligibility": found.eligibility, "poisoning_risk": found.risk, "weight": found.weight}


def _match(line: Mapping[str, object]) -> dict[str, object]:
    _present(line, "candidate", "records")
    members = Members(line)
    found = match(
        candidate_from(line["candidate"]),
        _memory_records(members),
        same_key=members.flag("same_key"),
        now=members.readable_time("now") if members.has("now") else None,
    )
    return {"kind": found.kind, "matched": found.matched, "key": found.key, "cues": found.cues}


def _verify(line: Mapping[str, object]) -> dict[str, object]:
    _present(line, "candidate", "evidence", "tombstones")
    members = Members(line)
    found = verify(
        candidate_from(line["candidate"]),
        [evidence_from(item, f"evidence[{n}]") for n, item in enumerate(members.raw_list("evidence"))],
        [tombstone_from(item, f"tombstones[{n}]") for n, item in enumerate(members.raw_list("tombstones"))],
        _memory_records(members) if members.has("records") else None,
        now=members.readable_time("now") if members.has("now") else None,
    )
    return {
        "status": found.status,
        "reasons": found.reasons,
        "checks": [check.as_dict() for check in found.checks],
    }


def _secrets(line: Mapping[str, object]) -> dict[str, object]:
    return {"kinds": secret_kinds(Members(line).present_text("text"))}


def _signals(line: Mapping[str, object]) -> dict[str, object]:
    return {"signals": signals(Members(line).present_text("text"))}


def _memory_records(members: Members) -> list[MemoryRecord]:
    return [memory_record_from(item, f"records[{n}]") for n, item in enumerate(members.raw_list("records"))]


def _present(line: Mapping[str, object], *names: str) -> None:
    for name in names:
        if line.get(name) is None:
            raise BadInput(INVALID_VALUE, f"{name} is required", name)


EXPLAIN: Mapping[str, Rule] = {
    "identity": _identity,
    "label": _label,
    "resolve": _resolve,
    "usable": _usable,
    "access": _access,
    "gate": _gate,
    "eligibility": _eligibility,
    "match": _match,
    "verify": _verify,
    "secrets": _secrets,
    "signals": _signals,
}
