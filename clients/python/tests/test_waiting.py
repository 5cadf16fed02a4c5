"""The client for programs with an event loop, against a real server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from warrant_client import AsyncWarrant, Denied, Pending, Problem, Terms, Warrant

from .conftest import PERSON, Server


def test_what_waits_does_not_stop_the_loop(server: Server) -> None:
    async def both() -> None:
        async with AsyncWarrant(server.url, token=server.token) as warrant:
            waiting = asyncio.create_task(warrant.ask("wire_money", {"n": 81}, wait=30, key="loop"))
            allowed = await warrant.ask("read_file", {"path": "loop"})
            assert allowed.allowed and not waiting.done()
            with Warrant(server.url, token=server.token) as one:
                with pytest.raises(Pending) as found:
                    one.ask("wire_money", {"n": 81}, key="loop")
            server.warrant("approve", found.value.intent, "--key", PERSON, "--yes")
            assert (await waiting).allowed

    asyncio.run(both())


def test_a_guarded_coroutine_runs_once_with_what_was_judged(server: Server) -> None:
    ran: list[Any] = []

    async def main() -> None:
        async with AsyncWarrant(server.url, token=server.token) as warrant:

            @warrant.guard("read_file", terms="terms")
            async def read_file(path: list[str], *, terms: Terms | None = None) -> str:
                ran.append((path, terms))
                return "text"

            path = ["a"]
            reading = asyncio.create_task(read_file(path))
            await asyncio.sleep(0)
            path.append("b")
            assert await reading == "text"
            assert ran[0][0] == ["a"] and ran[0][1].capability == "read_file"

            @warrant.guard("read_fil")
            async def misspelt() -> None:
                ran.append("never")

            with pytest.raises(Denied):
                await misspelt()

    asyncio.run(main())
    assert len(ran) == 1


def test_a_call_that_is_cancelled_before_it_is_decided_starts_nothing(server: Server) -> None:
    ran: list[str] = []

    async def main() -> None:
        async with AsyncWarrant(server.url, token=server.token) as warrant:

            @warrant.guard("wire_money", wait=2)
            async def wire_money(n: int) -> None:
                ran.append("sent")

            calling = asyncio.create_task(wire_money(82))
            await asyncio.sleep(0)
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling

    asyncio.run(main())
    assert ran == []


def test_what_fails_or_is_only_observed_is_recorded(server: Server) -> None:
    async def main() -> None:
        async with AsyncWarrant(server.url, token=server.token) as warrant:

            @warrant.guard("read_file")
            async def broken() -> None:
                raise ValueError("no such file")

            with pytest.raises(ValueError):
                await broken()

            @warrant.guard("read_fil", enforce=False)
            async def seen(path: str) -> str:
                return path

            assert await seen("a") == "a"
            assert warrant.missed == 0
            with pytest.raises(Problem):
                await warrant.read("contract", contract="grader.-.01X")
            assert (await warrant.read("contracts", limit=5))["rows"] == []

    asyncio.run(main())
