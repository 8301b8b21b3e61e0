"""The SDK's own client against the real door: over HTTP to a served desk, over standard input and output to the command.

Both look at one SQLite file in a data folder of its own. Both generations of the protocol are spoken.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

import evidence_client
from evidence.mcp.server import TOOLS
from reviewapp.runtime.ports import LOOPBACK, free_port
from tests.api.bodies import CLAIM, evidence, proposal
from tests.runtime.programs import ROOT, wait_for

# What the tests read, and the tokens that they use. In a process of its own: the served desk has settings of its own.
PREPARE = """
import django, json
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.builders import a_person, a_person_token, a_record, a_token
a_record("The kestrel deploys on Tuesdays.")
secret = a_record("The kestrel's budget is bob's secret.", scope_owner="bob", scope_access="private")
print(json.dumps({"ada": a_token("ada").secret, "bob": a_token("bob").secret,
                  "ops-agent": a_token("ops-agent").secret, "rita": a_person_token(a_person("rita")).secret,
                  "hidden": secret.record_id}))
"""
MODES = ("legacy", "auto")


@dataclass
class Desk:
    """A served desk."""

    port: int
    env: dict[str, str]
    known: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/mcp"

    @asynccontextmanager
    async def over_http(self, who: str, mode: str = "auto") -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.known[who]}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as link,
            Client(streamable_http_client(self.url, http_client=link), mode=mode) as client,
        ):
            yield client

    @asynccontextmanager
    async def over_stdio(self, who: str, mode: str = "auto") -> AsyncIterator[Client]:
        env = self.env | {"EVIDENCE_TOKEN": self.known[who]}
        command = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp"], env=env, cwd=str(ROOT))
        async with Client(stdio_client(command), mode=mode) as client:
            yield client


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder: Path = tmp_path_factory.mktemp("mcp")
    env = {
        "PATH": "/usr/bin:/bin", "DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "reviewapp.settings",
        "PYTHONPATH": str(ROOT), "LOG_LEVEL": "WARNING",
    }  # fmt: skip
    made = subprocess.run(
        [sys.executable, "-c", PREPARE], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    served = Desk(free_port(), env, json.loads(made.stdout.splitlines()[-1]))
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--host", LOOPBACK]
    command += ["--port", str(served.port), "--workers", "1", "--blocking-threads", "8", "reviewapp.wsgi:application"]
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        wait_for(lambda: _answers(served.port), seconds=60)
        yield served
    finally:
        process.terminate()
        process.wait(timeout=20)


def _answers(port: int) -> bool:
    link = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        link.request("GET", "/health/live")
        return link.getresponse().status == 200
    except OSError:
        return False
    finally:
        link.close()


async def _tour(client: Client, who: str, hidden: str) -> None:
    """What a client does in a working day: it looks at what there is, recalls, files, proposes, withdraws, reads."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == list(TOOLS)
    assert all(tool.annotations and tool.annotations.open_world_hint is False for tool in tools)
    found = await client.call_tool("recall", {"query": "kestrel deploys"})
    assert not found.is_error
    assert found.structured_content["results"][0]["record"]["content"] == "The kestrel deploys on Tuesdays."
    assert "(verified) The kestrel deploys on Tuesdays." in found.content[0].text
    source = {"id": f"session:ada/{who}/summary/1"}
    filed = (await client.call_tool("store", evidence(source=source, claim=CLAIM))).structured_content
    mine = (
        await client.call_tool("propose", proposal(statement=f"Ada met {who}.", evidence=[filed["id"]]))
    ).structured_content
    assert mine["status"] == "waiting"
    gone = (await client.call_tool("withdraw", {"proposal": mine["id"], "version": mine["version"]})).structured_content
    assert gone["status"] == "withdrawn"
    refused = await client.call_tool("recall", {"query": "x", "reader": "bob"})
    assert refused.is_error
    assert refused.structured_content["code"] == "reserved"
    read = await client.read_resource(f"evidence://record/{filed['id']}")
    assert json.loads(read.contents[0].text)["record"]["source"]["id"] == source["id"]
    start = await client.read_resource("evidence://context/startup")
    assert "The kestrel deploys on Tuesdays." in start.contents[0].text
    for uri in (f"evidence://record/{hidden}", "evidence://record/e-none"):
        with pytest.raises(Exception, match="not_found: There is no such record"):
            await client.read_resource(uri)
    assert len((await client.list_resources()).resources) == 2
    assert len((await client.list_resource_templates()).resource_templates) == 2
    (prompt,) = (await client.list_prompts()).prompts
    told = await client.get_prompt(prompt.name, {"learned": "It rained."})
    assert "What you learned: It rained." in told.messages[0].content.text


@pytest.mark.parametrize("mode", MODES)
def test_a_working_day_over_http(mode: str, desk: Desk) -> None:
    async def day() -> None:
        async with desk.over_http("ada", mode) as client:
            await _tour(client, f"http-{mode}", desk.known["hidden"])

    asyncio.run(day())


@pytest.mark.parametrize("mode", MODES)
def test_a_working_day_over_standard_input(mode: str, desk: Desk) -> None:
    async def day() -> None:
        async with desk.over_stdio("ada", mode) as client:
            await _tour(client, f"stdio-{mode}", desk.known["hidden"])

    asyncio.run(day())


def test_the_small_client_of_rest_does_as_its_page_says(desk: Desk) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "agents.md").read_text(encoding="utf-8"), re.DOTALL)
    address = desk.url.removesuffix("/mcp")
    found: dict[str, Any] = {"url": address, "token": desk.known["ops-agent"]}
    exec(code, found)
    assert found["waiting"] is True
    assert [result.record.id for result in found["known"].results] == [found["seen"].id]
    door: evidence_client.Desk = found["desk"]
    assert door.record(found["seen"].id).label == "unverified"
    assert door.withdraw(found["proposal"].id, version=1).status == "withdrawn"
    assert found["seen"].id not in door.context()
    assert f"- [{found['seen'].id}] (unverified)" in door.context(task="restore staging")
    with pytest.raises(evidence_client.DeskError) as refused:
        evidence_client.Desk(address, desk.known["bob"]).status(found["proposal"].id)
    assert (refused.value.status, refused.value.code) == (404, "not_found")
    with pytest.raises(evidence_client.Unreachable):
        evidence_client.Desk(f"http://{LOOPBACK}:{free_port()}", "eda_x", timeout=1).recall("x")


def test_thirty_recalls_at_once(desk: Desk) -> None:
    async def ask(client: Client, number: int) -> Any:
        return await client.call_tool("recall", {"query": "kestrel deploys", "limit": 1 + number % 3})

    async def all_of_them(who: str) -> list[Any]:
        async with desk.over_http(who) as client:
            return await asyncio.gather(*(ask(client, number) for number in range(30)))

    for answer in asyncio.run(all_of_them("bob")):
        assert not answer.is_error, answer
        assert len(answer.structured_content["results"]) >= 1


def test_a_call_that_is_given_up_harms_no_other(desk: Desk) -> None:
    async def impatient() -> Any:
        async with desk.over_stdio("ada") as client:
            calls = [asyncio.create_task(client.call_tool("recall", {"query": "kestrel"})) for _ in range(8)]
            await asyncio.sleep(0)
            for call in calls[:4]:
                call.cancel()
            rest = await asyncio.gather(*calls, return_exceptions=True)
            return rest, await client.call_tool("stats", {})

    rest, after = asyncio.run(impatient())
    assert all(not answer.is_error for answer in rest[4:])
    assert not after.is_error


def test_lines_that_are_no_messages_end_nothing_and_only_the_protocol_comes_out(desk: Desk) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "stats", "arguments": {}}}
    hostile = [b"not json", b"\xff\xfe\x00", b'{"jsonrpc":"2.0","id":9,"method":"\\ud800"}', b"[" * 3000, b"{}"]
    lines = [json.dumps(hello).encode(), json.dumps(ready).encode(), *hostile, json.dumps(call).encode()]
    with subprocess.Popen(
        [sys.executable, "manage.py", "mcp"], cwd=ROOT, env=desk.env | {"EVIDENCE_TOKEN": desk.known["ada"]},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        answers = []
        while not any(answer.get("id") == 2 for answer in answers):
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        process.wait(timeout=30)
        assert process.stdout.read() == b""
    (last,) = [answer for answer in answers if answer.get("id") == 2]
    assert last["result"]["structuredContent"]["agent"] == "ada"
