"""A Hindsight server as memory backend, through its own client. Needs the package of the extra `hindsight` and `HINDSIGHT_URL`.

One bank per partition, named by a hash, and the partition once more as a tag of every document, so that neither a wrong bank
nor a wrong tag alone opens a wall. A record is one document of its id, which a second `retain` replaces; our source version, kind
and claim are its metadata. Only memories of our documents are taken: what the server concludes from them is not asked for.
Run it without a language model (docs/operating.md): consolidation would put words of its own in the place of ours.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from django.conf import settings

from evidence.backends import copies
from evidence.backends.fusion import fused
from evidence.backends.port import BackendFailed, BackendHealth, Deadline, DeadlineExceeded, Document, Search
from evidence.rules.records import Hit
from evidence.rules.tokens import pieces

T = TypeVar("T")
LONGEST_QUERY = 1_000
"""A server refuses longer ones; what a query is about is said by then."""
_TOKENS_PER_HIT, _MOST_TOKENS = 800, 60_000
_OWN_WORDS = ["world", "experience"]
_TOGETHER = 8
_LOOK = 0.05


class HindsightBackend:
    """`Backend` on a server elsewhere. Stateless: each operation has a connection of its own."""

    name = "hindsight"
    modes = frozenset({"lexical", "semantic"})
    # A bank holds one partition, so nothing that a server makes of it mixes two; none of it is asked for all the same.
    keeps_text_in_partition = True
    is_local = False

    def __init__(self, url: str = "", api_key: str = "") -> None:
        self._url = url or getattr(settings, "HINDSIGHT_URL", "")
        self._api_key = api_key or getattr(settings, "HINDSIGHT_API_KEY", "")

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        latest = {copies.key_of(document): document for document in documents}
        kept = list(latest.values())
        if not kept:
            return
        deadline.check()
        there = copies.places(self.name, kept)
        # Copies that nobody knows of could not be taken back.
        copies.announce(self.name, kept)
        lost: dict[str, list[str]] = {}
        items: dict[str, list[Document]] = {}
        for document in kept:
            for partition in there.get(copies.key_of(document), frozenset()) - document.partitions:
                lost.setdefault(bank_of(document.namespace, partition), []).append(document.record_id)
            for partition in document.partitions:
                items.setdefault(bank_of(document.namespace, partition), []).append(document)

        async def send(client: Any) -> None:
            await _together([_forgotten(client, bank, one) for bank, ids in lost.items() for one in ids])
            await _together(
                [_retained(client, bank, chunk) for bank, found in items.items() for chunk in copies.chunks(found)]
            )

        self._run(send, deadline)
        copies.settle(self.name, kept)

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        deadline.check()
        query = _clean(search.text)[:LONGEST_QUERY].strip()
        # A server refuses a query without a word in it.
        if not search.partitions or not pieces(query):
            return ()
        banks = [bank_of(search.namespace, partition) for partition in search.partitions]

        async def ask(client: Any) -> list[list[Hit]]:
            return await _together([_recalled(client, bank, query, search) for bank in banks])

        order = fused(self._run(ask, deadline), key=lambda hit: hit.id)
        return tuple(Hit(hit.id, hit.source_version, score) for score, hit in order[: search.limit])

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        deadline.check()
        there = copies.places_of(self.name, namespace, record_ids)
        where = [(bank_of(namespace, partition), one) for one, partitions in there.items() for partition in partitions]

        async def forget(client: Any) -> None:
            await _together([_forgotten(client, bank, one) for bank, one in where])

        # Also where nothing is known: whoever has something deleted wants to hear that the server cannot be reached.
        self._run(forget if where else _alive, deadline)
        copies.forget(self.name, namespace, list(there))

    def health(self, *, deadline: Deadline) -> BackendHealth:
        try:
            deadline.check()
            self._run(_alive, deadline)
        except BackendFailed as error:
            return BackendHealth(False, str(error))
        return BackendHealth(True, "a Hindsight server answers")

    def _run(self, work: Callable[[Any], Awaitable[T]], deadline: Deadline) -> T:
        """On a loop of its own, ended when the time is up or the caller gave up."""
        try:
            from hindsight_client import Hindsight
        except ImportError as error:
            raise BackendFailed("the package of the extra `hindsight` is not installed") from error
        if not self._url:
            raise BackendFailed("HINDSIGHT_URL is not set")

        async def bounded() -> T:
            client = Hindsight(
                self._url, api_key=self._api_key or None, timeout=max(0.1, deadline.remaining), max_attempts=1
            )
            task = asyncio.ensure_future(work(client))
            try:
                while not task.done():
                    await asyncio.wait({task}, timeout=_LOOK)
                    if not task.done() and deadline.over:
                        raise DeadlineExceeded("the time for this source is up")
                return task.result()
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await client.aclose()

        try:
            return asyncio.run(bounded())
        except BackendFailed:
            raise
        except Exception as error:
            # The type only: what a server says may quote what it was sent.
            raise BackendFailed(type(error).__name__) from error


def bank_of(namespace: str, partition: str) -> str:
    """Names hold any character, and namespaces must never meet."""
    return "desk-" + hashlib.sha256(f"{namespace}\0{partition}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _tag(bank: str) -> str:
    return f"partition:{bank}"


async def _retained(client: Any, bank: str, documents: Sequence[Document]) -> None:
    items = [
        {
            "content": _clean(document.text), "document_id": document.record_id, "tags": [_tag(bank)],
            "metadata": {
                "source_version": document.source_version, "kind": document.kind, "claim_key": document.claim_key,
            },
        }
        for document in documents
    ]  # fmt: skip
    answer = await client.aretain_batch(bank, items)
    if not answer.success:
        raise BackendFailed("the server did not keep it")


async def _recalled(client: Any, bank: str, query: str, search: Search) -> list[Hit]:
    """What this bank has, each document once."""
    tokens = min(_MOST_TOKENS, _TOKENS_PER_HIT * search.limit)
    answer = await _or_none(
        client.arecall(bank, query, types=_OWN_WORDS, max_tokens=tokens, tags=[_tag(bank)], tags_match="all_strict")
    )
    hits: dict[str, Hit] = {}
    for result in answer.results if answer is not None else ():
        said = result.metadata or {}
        if result.document_id and _is_asked_for(said, search):
            hits.setdefault(result.document_id, Hit(result.document_id, said.get("source_version", "")))
    return list(hits.values())


def _is_asked_for(said: Mapping[str, str], search: Search) -> bool:
    if search.kinds and said.get("kind") not in search.kinds:
        return False
    return not search.claim_key or said.get("claim_key") == search.claim_key


async def _forgotten(client: Any, bank: str, record_id: str) -> None:
    """Deleted, and looked for afterwards: a count of what was deleted tells nothing of what is left."""
    await _or_none(client.documents.delete_document(bank, record_id))
    left = await _or_none(client.alist_memories(bank, document_id=record_id, limit=1))
    if left is not None and left.items:
        raise BackendFailed("a deleted document is still there")


async def _alive(client: Any) -> None:
    await client.monitoring.health_endpoint_health_get()


async def _or_none(call: Awaitable[T]) -> T | None:
    """None where the bank or the document is not there."""
    from hindsight_client_api.exceptions import NotFoundException

    try:
        return await call
    except NotFoundException:
        return None


async def _together(calls: Sequence[Awaitable[T]]) -> list[T]:
    """All of them, a few at a time; the first failure ends it."""
    done: list[T] = []
    for start in range(0, len(calls), _TOGETHER):
        done += await asyncio.gather(*calls[start : start + _TOGETHER])
    return done


def _clean(text: str) -> str:
    """What JSON and a PostgreSQL elsewhere take: no NUL, no half of a pair."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
