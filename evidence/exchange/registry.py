"""The formats that can be imported, by name. A format is one reader; adding one is adding a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evidence.exchange import (
    agents_md,
    agentx,
    basic_memory,
    bridge,
    chatgpt,
    claude_memory,
    csv_rows,
    jsonl,
    mcp_memory,
    mem0,
    pi,
)
from evidence.exchange.items import Read

Reader = Callable[[Path], Iterator[Read]]


@dataclass(frozen=True, slots=True)
class Format:
    """`read` raises `CorruptSource` before it gives the first item, or not at all. `takes` says what PATH is.

    `own_namespaces`: its entries say whose claims they are, and go there unless the operator names one namespace for all.
    """

    name: str
    takes: str
    read: Reader
    own_namespaces: bool = False


FORMATS: Mapping[str, Format] = {
    one.name: one
    for one in (
        Format("jsonl", "a file of lines, or a folder of such files", jsonl.read),
        Format("csv", "a table with a header of documented column names", csv_rows.read),
        Format("agentx", "a checkout that holds .agentx, or that folder", agentx.read),
        Format("mcp-memory", "the memory file of the MCP memory server", mcp_memory.read),
        Format("claude-memory", "a memory folder of Claude Code, a project's, or a folder of such", claude_memory.read),
        Format("basic-memory", "a project's folder of notes, one note, or the database", basic_memory.read),
        Format("mem0", "an export or a history of mem0, or a folder of such files", mem0.read),
        Format(
            "agents-md", "a repository's folder with AGENTS.md, CLAUDE.md or rules, or one such file", agents_md.read
        ),
        Format("chatgpt", "memory.json of an export, its folder, or a list with one memory a line", chatgpt.read),
        Format("bridge", "the database of Agent Memory Bridge, schema 12", bridge.read, own_namespaces=True),
        Format("pi", "the root of a store of pi-persistent-intelligence", pi.read, own_namespaces=True),
    )
}
