"""docs/agents.md says what is so: it names every tool, its examples are taken, its settings are those of the first page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evidence.mcp import resources
from evidence.mcp.prompts import NAME
from evidence.mcp.server import TOOLS
from evidence.web.snippets import snippets

PAGE = (Path(__file__).parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^### `(\w+)`\n.*?```json\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))


def test_every_tool_has_its_example() -> None:
    assert list(EXAMPLES) == list(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_an_example_is_taken_by_its_tool(tool: str) -> None:
    TOOLS[tool].takes.model_validate(json.loads(EXAMPLES[tool]))


def test_the_settings_are_those_of_the_first_page() -> None:
    written = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if "mcpServers" in text]
    (shown,) = [one.text for one in snippets("http://127.0.0.1:8000/", "eda_…", "ada") if one.id == "mcp"]
    assert json.loads(shown) in written


def test_resources_and_the_prompt_are_named() -> None:
    named = [str(one.uri) for one in resources.LISTED] + [resources.RECORD, resources.TASK, NAME]
    assert [one for one in named if one not in PAGE] == []
