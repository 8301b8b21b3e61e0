"""Every tool: what it does, what it refuses, and that nobody learns from it what they may not read."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.utils import timezone

from evidence.mcp.server import TOOLS
from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Tally, Token
from evidence.rules.vocab import (
    Access,
    Answer,
    AuditAction,
    Door,
    InquiryStatus,
    Kind,
    Review,
    Right,
    Role,
    State,
)
from evidence.services.answering import answer_inquiry
from evidence.services.batching import flush_all
from evidence.services.tokens import revoke_token
from tests.api.bodies import CLAIM, SECRET, evidence, proposal
from tests.builders import COMMAND, a_person, a_person_token, a_record, a_token, an_agent
from tests.mcp.conftest import Agent
from tests.services import make

RECORD = "e-0123456789abcdef0123456789abcdef"
UNKNOWN = "00000000-0000-7000-8000-000000000000"
LEAST: dict[str, dict[str, Any]] = {
    "recall": {"query": "kestrel"},
    "browse": {},
    "stats": {},
    "export": {},
    "feedback": {"receipt": "v1.none.none", "record": RECORD, "rank": 1, "outcome": "helpful"},
    "store": evidence(),
    "propose": proposal(),
    "proposal_status": {"proposal": UNKNOWN},
    "withdraw": {"proposal": UNKNOWN},
    "revise": {"record": RECORD, "statement": "It is not so.", "evidence": [evidence()],
               "trust_class": "agent_inference", "durability": "project"},
    "promote": {"record": RECORD, "rule_type": "workflow"},
    "annotate": {"record": RECORD, "tags": ["a"]},
    "forget": {"record": RECORD},
    "open_questions": {},
    "begin_run": {"workspace_key": "project:kestrel", "goal": "Restore the database."},
    "record_run_event": {"run_id": UNKNOWN, "event_type": "observation", "summary": "It was so."},
    "get_run": {"run_id": UNKNOWN},
    "complete_run": {"run_id": UNKNOWN, "outcome": "failed", "evaluator_type": "agent"},
    "publish_signal": {"content": "Rebuild the index."},
    "poll_signals": {},
    "claim_signal": {"signal": UNKNOWN},
    "extend_signal_lease": {"signal": UNKNOWN},
    "ack_signal": {"signal": UNKNOWN},
}  # fmt: skip


def an_observation(of: str = "ada", **columns: Any) -> Evidence:
    given = {"kind": Kind.OBSERVATION, "source_id": f"entry:{of}/notes/{Evidence.objects.count()}", "scope_owner": of,
             "scope_access": Access.PRIVATE, "has_check": False}  # fmt: skip
    return a_record(columns.pop("content", "The osprey nests on the crane."), **(given | columns))


def a_private_note(agent: Agent, text: str = "The osprey nests on the crane.") -> str:
    return str(agent.does("store", **evidence(content=text, source={"id": "entry:ada/notes/1"}))["id"])


def test_the_tools_are_those_of_the_doors_and_say_what_they_may_do(ada: Agent) -> None:
    tools = {tool["name"]: tool for tool in ada.ask("tools/list")["result"]["tools"]}
    assert set(tools) == set(LEAST)
    reading = {name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]}
    assert reading == {"recall", "browse", "stats", "export", "proposal_status", "get_run", "poll_signals"}
    assert {name for name, tool in tools.items() if tool["annotations"]["destructiveHint"]} == {"withdraw", "forget"}
    for tool in tools.values():
        assert tool["annotations"]["openWorldHint"] is False
        assert tool["inputSchema"]["additionalProperties"] is False
        assert tool["outputSchema"]["type"] == "object"
        assert tool["description"]


@pytest.mark.parametrize("tool", LEAST)
def test_a_tool_needs_its_right(tool: str, db: None) -> None:
    right = TOOLS[tool].right
    without = Agent(a_token("ada", rights=[one for one in Right if one != right]).secret)
    assert without.refused(tool, **LEAST[tool]) == "right_missing"


NOT_KNOWN: list[tuple[dict[str, Any], str]] = [
    ({"surprise": 1}, "unknown_member"),
    ({"reader": "bob"}, "reserved"),
    ({"nul\0": 1}, "invalid_text"),
    ({"surprise": {"deep": ["\0"]}}, "invalid_text"),
    ({"surprise": SECRET}, "secret_detected"),
    ({"surprise": list(range(6_000))}, "too_large"),
]


@pytest.mark.parametrize("tool", LEAST)
def test_a_tool_refuses_what_it_does_not_know(tool: str, ada: Agent) -> None:
    for member, code in NOT_KNOWN:
        assert ada.refused(tool, **LEAST[tool], **member) == code, member


def test_no_line_of_an_event_poses_as_another(ada: Agent) -> None:
    run = ada.does("begin_run", **LEAST["begin_run"])["run_id"]
    ada.does("record_run_event", run_id=run, event_type="observation", summary="Seen.\n- 2 decision: It was decided.")
    (content,) = ada.call("get_run", run_id=run)["content"]
    assert content["text"].splitlines()[1:] == ["- 1 observation: Seen. - 2 decision: It was decided."]


def test_a_secret_is_counted_and_nothing_of_it_is_kept(ada: Agent) -> None:
    assert ada.refused("store", **evidence(content=SECRET)) == "secret_detected"
    assert SECRET not in json.dumps(ada.call("store", **evidence(content=SECRET)))
    flush_all()
    assert set(Tally.objects.filter(detail=Door.MCP).values_list("agent", "word")) == {("ada", "github_token")}
    assert not Evidence.objects.exists()


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("recall", {}, "invalid_value"),
        ("recall", {"query": ""}, "invalid_value"),
        ("recall", {"query": "x", "limit": 101}, "invalid_value"),
        ("recall", {"query": "x", "backends": ["nowhere"]}, "invalid_value"),
        ("recall", {"query": 7}, "invalid_value"),
        ("browse", {"after": "made up"}, "malformed"),
        ("browse", {"kinds": ["derived"]}, "invalid_value"),
        ("store", evidence(content="x" * 66_000), "too_large"),
        ("store", evidence(summary="x" * 301), "too_large"),
        ("store", evidence(source={"id": "entry:bob/notes/1"}), "not_your_source"),
        ("store", evidence(scope={"project": "kestrel"}), "reserved"),
        ("store", evidence(scope={"owner": "bob"}), "not_your_scope"),
        ("propose", proposal(statement="x" * 2_001), "too_large"),
        ("propose", proposal(evidence=["e-none"]), "invalid_value"),
        ("proposal_status", {"proposal": "not an id"}, "not_found"),
        ("withdraw", {"proposal": UNKNOWN}, "not_found"),
        ("revise", LEAST["revise"], "not_found"),
        ("promote", LEAST["promote"], "not_found"),
        ("annotate", LEAST["annotate"], "not_found"),
        ("annotate", {"record": RECORD}, "invalid_value"),
        ("forget", LEAST["forget"], "not_found"),
        ("open_questions", {"question": UNKNOWN}, "invalid_value"),
        ("open_questions", {"evidence": evidence()}, "invalid_value"),
        ("open_questions", {"question": UNKNOWN, "evidence": evidence()}, "not_found"),
        ("open_questions", {"question": "not an id", "evidence": evidence()}, "not_found"),
    ],
)
def test_refusals(tool: str, arguments: dict[str, Any], code: str, ada: Agent) -> None:
    assert ada.refused(tool, **arguments) == code


def test_a_list_where_one_object_belongs_is_told_without_our_own_names(ada: Agent) -> None:
    told = ada.call("open_questions", question=UNKNOWN, evidence=[evidence()])["structuredContent"]
    assert (told["code"], told["detail"]) == ("invalid_value", "evidence has to be one object.")


def test_a_proposal_from_filing_to_decision(ada: Agent, bob: Agent) -> None:
    mine = ada.does("propose", **proposal(claim=CLAIM))
    assert (mine["status"], mine["verification"]["status"]) == ("waiting", "pending")
    again = ada.does("propose", **proposal(claim=CLAIM))
    assert again["id"] == mine["id"]
    assert bob.refused("proposal_status", proposal=mine["id"]) == "not_found"
    assert bob.refused("withdraw", proposal=mine["id"]) == "not_found"
    assert HeldRecord.objects.get().filed_by == "ada"
    assert Decision.objects.filter(door=Door.MCP, actor_id="ada").exists()
    held = HeldRecord.objects.get()
    make.approve(held, make.reviewer(), checked_at="now")
    told = ada.does("proposal_status", proposal=mine["id"])
    assert (told["status"], told["grants"]) == ("approved", [])
    (found,) = [
        one for one in ada.does("recall", query="kestrel Tuesdays")["results"] if one["record"]["kind"] == "fact"
    ]
    assert found["record"]["id"] == told["record_id"]


def test_a_version_that_moved_on_is_not_withdrawn(ada: Agent) -> None:
    mine = ada.does("propose", **proposal())
    assert ada.refused("withdraw", proposal=mine["id"], version=mine["version"] + 1) == "version_conflict"
    assert ada.does("withdraw", proposal=mine["id"], version=mine["version"])["status"] == "withdrawn"
    assert ada.refused("withdraw", proposal=mine["id"]) == "closed"


def test_filing_twice_changes_nothing(ada: Agent) -> None:
    first, second = ada.does("store", **evidence()), ada.does("store", **evidence())
    assert (first["created"], second["created"], first["id"]) == (True, False, second["id"])


def test_a_finding_is_told_only_about_what_may_be_read(ada: Agent) -> None:
    a_record(claim=make.claim("Friday", "kestrel", "deploy day"), scope_access=Access.PUBLIC, scope_owner="bob")
    filed = ada.does("store", **evidence(claim=CLAIM))
    assert filed["finding"]["outcome"] in ("conflict", "keep")


def test_revising_proposes_to_replace(ada: Agent) -> None:
    record = a_record("Deploy day is Friday.", claim=make.claim("Friday", "kestrel", "deploy day"))
    body = LEAST["revise"] | {"record": record.record_id, "value": "Tuesday"}
    mine = ada.does("revise", **body)
    held = HeldRecord.objects.get(pk=mine["id"])
    assert (held.claim_subject, held.claim_value, held.supersedes) == ("kestrel", "Tuesday", [record.record_id])
    record.refresh_from_db()
    assert record.state == State.ACTIVE
    assert ada.refused("revise", **body, claim=CLAIM) == "invalid_value"


def test_an_article_is_not_revised_past_its_review(ada: Agent) -> None:
    article = a_record("# Kestrel", kind=Kind.ARTICLE, source_id="wiki:ada/graph/kestrel.md")
    assert ada.refused("revise", **LEAST["revise"] | {"record": article.record_id}) == "reviewed_article"


def test_promoting_an_observation(ada: Agent) -> None:
    note = a_private_note(ada)
    fact = ada.does("promote", record=note, rule_type="workflow", durability="project")
    held = HeldRecord.objects.get(pk=fact["id"])
    assert (held.kind, held.rule_type, held.durability) == ("fact_proposal", "workflow", "project")
    assert [link.evidence.record_id for link in held.links.all()] == [note]
    target = {"path": "graph/osprey.md", "base_version": "", "title": "Osprey", "content": "# Osprey\n"}
    article = ada.does("promote", record=note, target=target)
    assert HeldRecord.objects.get(pk=article["id"]).kind == "promotion_proposal"
    assert ada.refused("promote", record=note) == "invalid_value"
    assert ada.refused("promote", record=a_record().record_id, rule_type="workflow") == "invalid_value"


def test_annotating_changes_tags_and_title_and_nothing_else(ada: Agent, bob: Agent) -> None:
    note = a_private_note(ada)
    before = Evidence.objects.get()
    told = ada.does("annotate", record=note, tags=["bird", "crane", "bird"], title="Nests")
    assert (told["record"]["tags"], told["record"]["summary"]) == (["bird", "crane"], "Nests")
    after = Evidence.objects.get()
    assert (after.content, after.content_hash, after.record_id) == (before.content, before.content_hash, note)
    assert after.version == before.version + 1
    assert [one["record"]["id"] for one in ada.does("browse", tags=["crane"])["items"]] == [note]
    row = Decision.objects.get(action=AuditAction.EDIT)
    assert (row.target_id, row.actor_id, row.door) == (str(after.pk), "ada", Door.MCP)
    assert ada.does("store", **evidence(content=before.content, source={"id": "entry:ada/notes/1"}))["created"] is False
    ada.does("annotate", record=note, tags=["bird", "crane"])
    assert Decision.objects.filter(action=AuditAction.EDIT).count() == 1
    assert bob.refused("annotate", record=note, tags=["x"]) == "not_found"


def test_only_ones_own_observations_are_annotated(ada: Agent) -> None:
    assert ada.refused("annotate", record=a_record().record_id, tags=["x"]) == "not_your_source"
    assert (
        ada.refused("annotate", record=an_observation("bob", scope_access="public").record_id, tags=["x"])
        == "not_your_source"
    )
    only_title = an_observation(content="", summary="All there is.")
    assert ada.refused("annotate", record=only_title.record_id, title="Another thing.") == "invalid_value"
    assert ada.refused("annotate", record=only_title.record_id, title=SECRET) == "secret_detected"


def test_ones_own_private_note_is_forgotten_at_once(ada: Agent) -> None:
    note = a_private_note(ada)
    assert ada.does("forget", record=note) == {"id": note, "forgotten": True, "question": None, "grants": []}
    row = Evidence.objects.get()
    assert (row.state, row.content, row.tags, row.content_hash) == (State.DELETED, "", [], "")
    assert ada.does("recall", query="osprey crane")["results"] == []
    assert ada.refused("forget", record=note) == "not_found"
    same = evidence(content="The osprey nests on the crane.", source={"id": "entry:ada/notes/1"})
    assert ada.refused("store", **same) == "tombstoned"
    deleted = Decision.objects.get(action=AuditAction.DELETE)
    assert (deleted.commitments, deleted.actor_id) == ({}, "ada")


@pytest.mark.parametrize("why", ["public", "another's", "a fact", "cited"])
def test_of_anything_else_its_owner_is_asked(why: str, ada: Agent) -> None:
    an_agent("bob")
    owner = make.user("olga", Role.OWNER)
    made = {
        "public": lambda: an_observation(scope_access=Access.PUBLIC),
        "another's": lambda: an_observation("bob", scope_access=Access.PUBLIC),
        "a fact": a_record,
        "cited": an_observation,
    }[why]()
    if why == "cited":
        ada.does("propose", **proposal(evidence=[made.record_id]))
    told = ada.does("forget", record=made.record_id, reason="It moved.")
    again = ada.does("forget", record=made.record_id, reason="Something else.")
    assert (told["forgotten"], again["question"]) == (False, told["question"])
    made.refresh_from_db()
    assert made.state == State.ACTIVE
    inquiry = Inquiry.objects.get(kind="question")
    assert (inquiry.agent_id, inquiry.touches, inquiry.assigned_to) == (made.scope_owner, 1, owner)
    assert "It moved." in inquiry.question
    assert (told["question"] is None) is (why == "another's")
    answer_inquiry(
        inquiry_id=inquiry.pk,
        seen_version=inquiry.version,
        answer=Answer.NEITHER,
        actor=make.person(owner),
        reason="Gone.",
        idempotency_key="k",
    )
    made.refresh_from_db()
    inquiry.refresh_from_db()
    assert (made.state, inquiry.status) == (State.REVOKED, InquiryStatus.ANSWERED)


def test_a_question_is_answered_with_evidence(ada: Agent, bob: Agent) -> None:
    asked = Inquiry.objects.create(
        kind="question", severity="medium", agent=an_agent("ada"), namespace="default", question="Is it so?", twin_key="k",
        evidence_asked_at=timezone.now(), evidence_wanted="A log line.",
    )  # fmt: skip
    (item,) = ada.does("open_questions")["items"]
    assert (item["id"], item["wanted"]) == (str(asked.pk), "A log line.")
    assert bob.does("open_questions")["items"] == []
    mine = evidence(source={"id": "session:bob/t1/summary/1"})
    assert bob.refused("open_questions", question=str(asked.pk), evidence=mine) == "not_found"
    came = ada.does("open_questions", question=str(asked.pk), evidence=evidence())
    assert (came["attached"], came["question"]["came_at"] is not None) == (True, True)
    assert ada.does("open_questions")["items"] == []


HIDDEN: dict[str, dict[str, Any]] = {
    "another's private": {"scope_owner": "bob", "scope_access": Access.PRIVATE},
    "shared with a third": {"scope_owner": "bob", "scope_access": Access.SHARED, "scope_shared_with": ["cyd"]},
    "of a project": {"scope_project": "kestrel"},
    "elsewhere": {"namespace": "elsewhere"},
    "held": {"scope_owner": "bob", "review": Review.HELD},
    "rejected": {"scope_owner": "bob", "review": Review.REJECTED},
    "superseded": {"scope_owner": "bob", "state": State.SUPERSEDED},
}
KEY = {"subject": "kestrel", "attribute": "day"}
ABOUT_A_RECORD = ("revise", "promote", "annotate", "forget")


@pytest.mark.parametrize("what", HIDDEN)
def test_what_may_not_be_read_is_like_nothing(what: str, ada: Agent) -> None:
    """The same answers, byte for byte but for the time, with the record and without it."""

    def answers(record_id: str) -> list[str]:
        told = [ada.call(tool, **LEAST[tool]) for tool in ("recall", "browse", "stats", "export")]
        told += [
            ada.call("export", format="markdown"),
            ada.call("recall", query="", claim={"subject": "kestrel", "attribute": "day"}),
        ]
        told += [ada.call(tool, **LEAST[tool] | {"record": record_id}) for tool in ABOUT_A_RECORD]
        told += [ada.call("propose", **proposal(evidence=[record_id]))]
        told += [ada.ask("resources/read", uri=f"evidence://record/{record_id}").get("error")]  # type: ignore[list-item]
        told += [ada.ask("resources/read", uri="evidence://context/startup")["result"]]
        for one in told:
            one.get("structuredContent", {}).pop("receipt", None)  # it is signed with the time
        return [re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "T", json.dumps(one)) for one in told]

    before = answers(RECORD)
    hidden = an_observation(content="The kestrel deploys on Sundays.", **{"scope_access": Access.PUBLIC} | HIDDEN[what],
                            claim=make.claim("Sunday", "kestrel", "day"))  # fmt: skip
    assert answers(hidden.record_id) == before
    assert not HeldRecord.objects.exists()
    assert not Inquiry.objects.exists()


def test_feedback_about_what_was_shown(ada: Agent, bob: Agent) -> None:
    record = a_record()
    shown = ada.does("recall", query="kestrel")
    word = {"receipt": shown["receipt"], "record": record.record_id, "rank": 1}
    first = ada.does("feedback", **word, outcome="helpful")
    assert (first["created"], first["outcome"]) == (True, "helpful")
    assert ada.does("feedback", **word, outcome="helpful")["created"] is False
    assert ada.refused("feedback", **word, outcome="not_used") == "version_conflict"
    mended = ada.does(
        "feedback", **word, outcome="outdated", reason="It moved.", type="correction", supersedes=first["id"]
    )
    assert mended["supersedes"] == first["id"]
    assert ada.refused("feedback", **word | {"rank": 2}, outcome="helpful") == "invalid_value"
    assert ada.refused("feedback", **LEAST["feedback"]) == "invalid_value"
    assert [one["record"]["id"] for one in ada.does("recall", query="kestrel")["results"]] == [record.record_id]


def test_what_is_shared_is_read_by_those_it_is_shared_with(ada: Agent, bob: Agent) -> None:
    row = an_observation("bob", content="The osprey is shared.", scope_access=Access.SHARED, scope_shared_with=["ada"])
    for agent in (ada, bob):
        assert [one["record"]["id"] for one in agent.does("recall", query="osprey")["results"]] == [row.record_id]
    assert Agent(a_token("cyd").secret).does("recall", query="osprey")["results"] == []


def test_a_revoked_token_ends_at_once(ada: Agent) -> None:
    ada.does("stats")
    revoke_token(token_id=Token.objects.get().pk, actor=COMMAND)
    assert ada.post(b"{}").status_code == 401


def test_a_persons_token_is_refused(db: None) -> None:
    answer = Agent(a_person_token(a_person("rita")).secret).post(b"{}")
    assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (403, "right_missing")
