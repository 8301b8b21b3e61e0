"""`POST proposals/bulk`: a proposal a line in, a result a line out, in order; one bad line harms no other (doors "Proposals")."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from evidence.api import proposal_lines
from evidence.models import HeldRecord
from evidence.services.body_lines import LONGEST_LINE, lines_of
from tests.api.bodies import SECRET, evidence, proposal
from tests.api.conftest import Door, refusal
from tests.builders import a_token

pytestmark = pytest.mark.django_db


def said(text: str, number: int = 1) -> dict[str, Any]:
    source = {"id": f"session:ada/t{number}/summary/1"}
    return proposal(statement=text, evidence=[evidence(source=source, content=text)])


def send(door: Door, lines: list[Any], **headers: str) -> list[dict[str, Any]]:
    raw = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    answer = door.send("POST", "proposals/bulk", raw=raw, content_type="application/x-ndjson", **headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/x-ndjson"), answer.content
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_every_line_has_its_result_in_order_and_a_bad_one_harms_no_other(door: Door) -> None:
    lines = [
        said("The kestrel deploys on Tuesdays."),
        b"{not json",
        said("The finch is idle.", 2) | {"colour": 1},
        said(f"The key is {SECRET}.", 3),
        b"",
        b"[1]",
        b'{"statement": "' + b"x" * LONGEST_LINE + b'"}',
        said("The finch is idle.", 2),
        b'"\xff"',
        b'{"statement": "\\ud800"}',
        said("The wren is red.") | {"evidence": [evidence(source={"id": "session:bob/t/summary/1"})]},
        said("The finch is idle.", 2),
    ]
    results = send(door, lines)
    assert [(one["line"], one["status"], one.get("error", {}).get("code")) for one in results] == [
        (1, 201, None),
        (2, 400, "malformed"),
        (3, 422, "unknown_member"),
        (4, 422, "secret_detected"),
        (6, 400, "malformed"),
        (7, 413, "too_large"),
        (8, 201, None),
        (9, 400, "malformed"),
        (10, 400, "invalid_text"),
        (11, 403, "not_your_source"),
        (12, 200, None),
    ]
    assert results[-1]["proposal"] == results[6]["proposal"]
    assert results[0]["proposal"]["grants"] == []
    assert HeldRecord.objects.count() == 2
    assert SECRET not in json.dumps(results)


def test_a_request_that_was_cut_off_is_sent_again_under_its_key(door: Door) -> None:
    lines = [said("The kestrel deploys on Tuesdays."), said("The finch is idle.", 2)]
    send(door, lines[:1], Idempotency_Key="k")
    again = send(door, lines, Idempotency_Key="k")
    assert [(one["status"], one.get("idempotent_replay", False)) for one in again] == [(201, True), (201, False)]
    other = send(door, [said("Another.", 3)], Idempotency_Key="k")
    assert (other[0]["status"], other[0]["error"]["code"]) == (422, "idempotency_conflict")


def test_results_go_out_while_lines_still_come_in() -> None:
    """The first result is there before the last line was read."""
    lines = [json.dumps(said(f"Host {number} is called quail {number}.", number)).encode() for number in range(200)]
    stream = BytesIO(b"\n".join(lines))

    class Request:
        headers: dict[str, str] = {}

        def read(self, size: int) -> bytes:
            return stream.read(size)

    results = proposal_lines._results(Request(), lambda number, line: {"line": number})  # type: ignore[arg-type]
    assert json.loads(next(results)) == {"line": 1}
    assert stream.tell() < len(stream.getvalue())
    assert len(list(results)) == 199


def test_a_body_without_an_end_and_too_many_lines(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposal_lines, "MOST_LINES", 2)
    results = send(door, [b"{", b"{", b"{", b"{"])
    assert [(one["line"], one["error"]["code"]) for one in results] == [
        (1, "malformed"), (2, "malformed"), (3, "too_large"),
    ]  # fmt: skip
    raw = json.dumps(said("The finch is idle.")).encode()
    answer = door.send("POST", "proposals/bulk", raw=raw, content_type="application/x-ndjson")
    assert json.loads(b"".join(answer.streaming_content))["status"] == 201


def test_who_may_and_what_it_takes(door: Door) -> None:
    raw = json.dumps(said("The finch is idle.")).encode()
    assert refusal(door.send("POST", "proposals/bulk", raw=raw)) == (400, "malformed")
    nobody = Door().send("POST", "proposals/bulk", raw=raw, content_type="application/x-ndjson")
    assert refusal(nobody) == (401, "unauthenticated")
    reader = Door(a_token("ada", rights=["recall"]).secret)
    denied = reader.send("POST", "proposals/bulk", raw=raw, content_type="application/x-ndjson")
    assert refusal(denied) == (403, "right_missing")
    key = {"Idempotency_Key": "x" * 300}
    odd = door.send("POST", "proposals/bulk", raw=raw, content_type="application/x-ndjson", **key)
    assert refusal(odd) == (422, "invalid_value")
    assert not HeldRecord.objects.exists()


@pytest.mark.parametrize("piece", [1, 3, 7, 1000])
def test_lines_are_the_same_whatever_pieces_they_come_in(piece: int) -> None:
    raw = b"one\r\n\ntwo\n" + b"x" * 20 + b"\nthree\n" + b"y" * 25

    class Stream:
        data = BytesIO(raw)

        def read(self, size: int) -> bytes:
            return self.data.read(min(size, piece))

    assert list(lines_of(Stream(), longest=10)) == [b"one", b"", b"two", None, b"three", None]
