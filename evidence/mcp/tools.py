"""One tool: what it is called, what it takes and gives, what it may do, and how a call of it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import mcp_types as types
from pydantic import BaseModel, ValidationError

from evidence.mcp.caller import Call, at_the_desk
from evidence.mcp.errors import as_result
from evidence.rules.vocab import Door, Right
from evidence.services.errors import Refused
from evidence.services.incoming import check_members
from evidence.services.request_errors import refusal
from evidence.services.request_shapes import Shape

Takes = TypeVar("Takes", bound=Shape)
Answer = dict[str, Any]
PROBLEM = {
    "title": "Problem",
    "description": "Of a call that was refused: `code` is stable, `detail` is for people; what else helps is beside them.",
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("type", "title", "code", "detail")}
    | {"status": {"type": "integer"}},
    "required": ["type", "title", "status", "code", "detail"],
}


@dataclass(frozen=True, slots=True)
class Tool(Generic[Takes]):
    """`work` does it for the caller, `says` tells the answer in a few words, for readers of text.

    `reads`: changes nothing. `destroys`: something may be gone afterwards. `again`: the same call twice is as good as once.
    """

    name: str
    title: str
    description: str
    right: Right
    takes: type[Takes]
    gives: type[BaseModel]
    work: Callable[[Call, Takes], Answer]
    says: Callable[[Answer], str]
    reads: bool = False
    destroys: bool = False
    again: bool = True

    def described(self) -> types.Tool:
        hints = types.ToolAnnotations(
            title=self.title, read_only_hint=self.reads, destructive_hint=self.destroys, idempotent_hint=self.again,
            open_world_hint=False,
        )  # fmt: skip
        answer = _or_problem(self.gives.model_json_schema(mode="serialization"))
        return types.Tool(
            name=self.name, title=self.title, description=self.description, annotations=hints,
            input_schema=self.takes.model_json_schema(), output_schema=answer,
        )  # fmt: skip

    async def call(self, arguments: Mapping[str, Any] | None) -> types.CallToolResult:
        try:
            answer = await at_the_desk(
                self.right, lambda call: self.work(call, self._read(call, dict(arguments or {})))
            )
        except Exception as error:  # noqa: BLE001 - the last place where an error can still be answered
            return as_result(error)
        return types.CallToolResult(content=[types.TextContent(text=self.says(answer))], structured_content=answer)

    def _read(self, call: Call, arguments: dict[str, Any]) -> Takes:
        """Texts first, so that nothing with a secret in it is looked at further; then the members. Raises `Refused`."""
        check_members(arguments, agent=call.token.agent_id or "", door=Door.MCP)
        try:
            return self.takes.model_validate(arguments)
        except ValidationError as error:
            raise _refused(error) from None


def _refused(error: ValidationError) -> Refused:
    return refusal([{**one} for one in error.errors(include_url=False, include_input=False)])


def _or_problem(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer or an error: some clients hold what is structured against the schema when the call was refused, too."""
    return {"type": "object", "$defs": answer.pop("$defs", {}), "anyOf": [answer, PROBLEM]}
