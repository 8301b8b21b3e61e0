"""The MCP door on standard input and output, for an agent on the same machine. Nothing but the protocol goes out there."""

from __future__ import annotations

import asyncio

from mcp.server.stdio import stdio_server

from evidence.mcp.caller import Caller, caller
from evidence.mcp.server import server


def serve(secret: str) -> None:
    """Until standard input ends."""
    asyncio.run(_serve(secret))


async def _serve(secret: str) -> None:
    caller.set(Caller(secret, owns_connection=True))
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
