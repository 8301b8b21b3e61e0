"""Source names (contract 1): taking them apart, and whose they are (contract 13, `not_your_source`).

Knows the schemes and who may file under which; not tokens, not records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Schemes whose next part is an agent; under `session:` it may be a namespace instead.
_OWNED = frozenset({"wiki", "entry", "memory", "task", "run", "session"})
_SESSION = "session"
_WIKI = "wiki"
# Where articles lie (contract 1): the same path in two folders is two articles.
FOLDERS = ("graph", "unified", "flat")
# How agents name the texts that they write about a session when it ends, rotates or is compacted; `memory` is none of them.
_SUMMARY = re.compile("summar|recap|compact|memo(?!r)", re.IGNORECASE)
# Only the desk itself files under these (contract 13).
RESERVED = frozenset({"fact", "proposal", "backend"})


@dataclass(frozen=True, slots=True)
class SourceName:
    """A source id in parts: `wiki:ada/graph/a.md` is ("wiki", "ada", "graph/a.md").

    `owner` is the agent (or namespace of a session); empty for reserved and unknown schemes and where no owner is named.
    """

    scheme: str
    owner: str
    rest: str

    @property
    def thread(self) -> str:
        """The thread of a session source, else the empty text."""
        return self.rest.split("/", 1)[0] if self.scheme == _SESSION else ""

    @property
    def is_session_summary(self) -> bool:
        """Whether it is what was written *about* a session, not a piece of it: by the name of its source kind."""
        parts = self.rest.split("/", 2)
        return self.scheme == _SESSION and len(parts) > 1 and bool(_SUMMARY.search(parts[1]))


def source_name(source_id: str) -> SourceName:
    """The parts of any source id; text without a colon has no scheme."""
    scheme, colon, rest = source_id.partition(":")
    if not colon:
        return SourceName("", "", source_id)
    owner, slash, path = rest.partition("/")
    if scheme not in _OWNED or not slash:
        return SourceName(scheme, "", rest)
    return SourceName(scheme, owner, path)


def may_file(source_id: str, *, agent: str, namespace: str) -> bool:
    """Whether a credential of this agent and namespace may file under the source (contract 13); names compare exactly.

    Only a session can belong to a namespace: under the other schemes that name would be another agent's. An article path
    with empty, `.` or `..` steps is nobody's: written back to files it could leave its owner's folder.
    """
    name = source_name(source_id)
    if not name.owner or not name.rest:
        return False
    if name.scheme == _WIKI and not _stays_inside(name.rest):
        return False
    return name.owner == agent or (name.scheme == _SESSION and name.owner == namespace)


def names_article(source_id: str) -> bool:
    """Whether an article may be written there: `wiki:<agent>/<folder>/<path>`, in letters that everybody sees."""
    name = source_name(source_id)
    folder, slash, path = name.rest.partition("/")
    plain = path.isprintable() and "\\" not in path and path == path.strip()
    return name.scheme == _WIKI and bool(name.owner and slash) and folder in FOLDERS and plain and _stays_inside(path)


def _stays_inside(path: str) -> bool:
    return all(step not in ("", ".", "..") for step in path.split("/"))
