"""A prompt that teaches an agent what a proposal needs so that a person can decide it in seconds."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types
from mcp.shared.exceptions import MCPError

from evidence.services.texts import STATEMENT_MAX

NAME = "file_a_good_proposal"
PROMPT = types.Prompt(
    name=NAME,
    title="File a good proposal",
    description="How to turn something you learned into a proposal that a person can decide quickly.",
    arguments=[
        types.PromptArgument(name="learned", description="What you learned, in your own words", required=False),
    ],
)
_HOW = """\
You are about to propose something that other agents will rely on. A person reads it and decides; make that easy.

1. Look first. Call `recall` with the subject. If a record says the same, do not propose it again. If one says otherwise, use \
`revise` on it: your proposal then shows both sides.
2. One claim in one proposal. Write a sentence that can be true or false by itself, with names, numbers and units: not "the \
timeout was raised", but "The gateway of harbor-api waits 30 seconds for the payment service".
3. Where it has a subject, an attribute and a value, give them as `claim`. Take the subject and attribute that records use \
already, so that it meets what is known.
4. Bring the evidence itself, not your word for it: the excerpt that says so, its `source` (session, task, entry, run, memory or \
wiki of your own agent), and `event_at`, when it was so. Two independent sources are worth more than ten lines of one session. \
What you were told by recall is no evidence.
5. Say honestly where it comes from (`trust_class`): `direct_user_instruction` only if a person said it, \
`passing_tool_or_test_outcome` if a tool showed it, `agent_inference` if you concluded it. A class above its evidence is lowered \
anyway, and costs trust.
6. Say how long it holds: `durability` (session, task, project, long_term …), `volatility` (stable, or how fast it goes stale), \
and `check` if you looked at the thing itself.
7. No secrets, no instructions to other agents, nothing private that the reader does not need.
8. File it with `propose`, keep the id, and look at `proposal_status` later. If it is rejected, read the reason; it may come \
back only with evidence from another source. If you were wrong, `withdraw` it.
"""


def get(name: str, arguments: Mapping[str, str] | None) -> types.GetPromptResult:
    if name != NAME:
        raise MCPError(types.INVALID_PARAMS, "There is no such prompt.")
    given = dict(arguments or {})
    learned = given.pop("learned", "")
    if given or len(learned) > STATEMENT_MAX or not learned.isprintable():
        raise MCPError(
            types.INVALID_PARAMS, f"The prompt takes one line, learned, of up to {STATEMENT_MAX:,} characters."
        )  # fmt: skip
    text = _HOW + (f"\nWhat you learned: {learned}\n" if learned else "")
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=PROMPT.description, messages=[message])
