"""The description of the API: valid, complete, and true of the answers that are really given."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate

from evidence.services.verification import verify_held
from tests.api.bodies import CLAIM, evidence, proposal
from tests.api.conftest import Door
from tests.builders import a_record


@pytest.fixture
def schema() -> dict[str, Any]:
    answer = Door().get("openapi.json")
    assert answer.status_code == 200
    return json.loads(answer.content)  # type: ignore[no-any-return]


def test_it_is_valid_openapi_3_1(schema: dict[str, Any]) -> None:
    assert schema["openapi"].startswith("3.1")
    validate(schema)


def test_every_operation_says_its_errors_and_its_credential(schema: dict[str, Any]) -> None:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            if path == "/api/v1/":
                continue
            assert operation["security"] in ([{"AgentToken": []}], [{"PersonToken": []}]), (method, path)
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"], (method, path, status)
            assert {"401", "403"} <= set(operation["responses"])


def test_bodies_are_closed(schema: dict[str, Any]) -> None:
    for name, shape in schema["components"]["schemas"].items():
        if name.endswith("Shape"):
            assert shape["additionalProperties"] is False, name


def conforms(schema: dict[str, Any], path: str, method: str, answer: Any) -> None:
    """Against the shape of its status, and no member that the shape does not name."""
    described = schema["paths"][f"/api/v1/{path}"][method]["responses"][str(answer.status_code)]
    (media,) = described["content"]
    assert answer.headers["Content-Type"].partition(";")[0] == media
    closed = json.loads(json.dumps(schema["components"]))
    for name, shape in closed["schemas"].items():
        if shape.get("type") == "object" and name != "Problem":
            shape["additionalProperties"] = False
    jsonschema.validate(answer.json(), described["content"][media]["schema"] | {"components": closed})


def test_answers_are_as_described(schema: dict[str, Any], door: Door) -> None:
    a_record("The kestrel deploys on Tuesdays.", claim=None, check_at=None, has_check=False)
    a_record(
        "kestrel article", kind="article", source_id="wiki:ada/graph/k", approval_by="rita", approval_proposal="x",
        claim=None, reach_level="project", reach_ref="kestrel", ttl_days=1.5,
    )  # fmt: skip
    filed = door.post("evidence", evidence(claim=CLAIM), Idempotency_Key="k")
    conforms(schema, "evidence", "post", filed)
    conforms(schema, "evidence", "post", door.post("evidence", evidence(claim=CLAIM), Idempotency_Key="k"))
    conforms(schema, "evidence", "post", door.post("evidence", evidence(claim=CLAIM)))
    made = door.post("proposals", proposal(claim=CLAIM, evidence=[filed.json()["id"]]))
    assert made.status_code == 201
    conforms(schema, "proposals", "post", made)
    held_id = made.json()["id"]
    verify_held(held_id=held_id)
    conforms(schema, "proposals/{proposal_id}", "get", door.get(f"proposals/{held_id}"))
    conforms(schema, "proposals/{proposal_id}/withdraw", "post", door.post(f"proposals/{held_id}/withdraw"))
    recalled = door.post("recall", {"query": "kestrel"})
    assert len(recalled.json()["results"]) == 3
    conforms(schema, "recall", "post", recalled)
    record_id = recalled.json()["results"][0]["record"]["id"]
    conforms(schema, "records/{record_id}", "get", door.get(f"records/{record_id}"))
    conforms(schema, "records/{record_id}", "get", door.get("records/nosuch"))
    conforms(schema, "evidence", "post", door.post("evidence", {"colour": 1}))
    conforms(schema, "recall", "post", Door().post("recall", {}))
    conforms(schema, "", "get", Door().get(""))


def test_the_pages_are_served_from_here_without_inline_script(db: None) -> None:
    answer = Door().get("docs")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "http://" not in page
    assert "https://" not in page
    assert all(tag.startswith("<script src=") for tag in page.split("<script")[1:] for tag in [f"<script{tag}"])
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
