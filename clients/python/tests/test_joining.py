"""Equal guarded calls at once: one run, and each caller gets what came of it."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from warrant_client import AlreadyRan, AsyncWarrant, Pending, Problem, Warrant
from warrant_client.joining import Joining, call_key

from .conftest import PERSON, Server


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Counts the calls of threads that asked or were joined."""
    counted = threading.Semaphore(0)
    begin = Joining._begun

    def count(self: Joining[Any], key: str, own: Future[Any]) -> Future[Any]:
        before = begin(self, key, own)
        counted.release()
        return before

    monkeypatch.setattr(Joining, "_begun", count)
    return counted


class Used(httpx.HTTPTransport):
    """As if another process redeemed the first warrant right before this one."""

    used = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/start") and not self.used:
            self.used = True
            super().handle_request(request).read()
        return super().handle_request(request)


WHY = "the user asked for it today, in their own words, and waits for it"


def approve(server: Server, tool: str, args: dict[str, Any]) -> None:
    server.warrant("approve", waiting(server, tool, args), "--key", PERSON, "--yes")


def waiting(server: Server, tool: str, args: dict[str, Any]) -> str:
    """The intent of an equal call that people are asked about, once the server knows it."""
    with Warrant(server.url, token=server.token) as one:
        while True:
            try:
                codes = [reason.code for reason in one.ask(tool, args, justification=WHY).reasons]
            except Pending as found:
                return found.intent
            assert codes == ["duplicate_request"]


def test_equal_calls_of_threads_run_once(server: Server, begun: threading.Semaphore) -> None:
    ran: list[int] = []
    with Warrant(server.url, token=server.token) as warrant, ThreadPoolExecutor(4) as threads:

        @warrant.guard("wire_money", justification=WHY)
        def wire_money(n: float) -> list[int]:
            ran.append(int(n))
            return [int(n)]

        equal: list[float] = [301, 301.0, 301]
        calls = [threads.submit(wire_money, n) for n in equal]
        calls.append(threads.submit(wire_money, 302))
        for _ in calls:
            begun.acquire()
        approve(server, "wire_money", {"n": 301})
        approve(server, "wire_money", {"n": 302})
        assert [call.result() for call in calls] == [[301], [301], [301], [302]]
    assert sorted(ran) == [301, 302]


def test_equal_calls_of_tasks_run_once(server: Server) -> None:
    ran: list[int] = []

    async def main() -> None:
        async with AsyncWarrant(server.url, token=server.token) as warrant:

            @warrant.guard("wire_money", justification=WHY)
            async def wire_money(n: int) -> list[int]:
                ran.append(n)
                return [n]

            calls = [asyncio.create_task(wire_money(n)) for n in (303, 303, 304, 303)]
            await asyncio.sleep(0)
            # The one that asked leaves, and the rest go on.
            calls[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await calls[0]
            for n in (303, 304):
                await asyncio.to_thread(approve, server, "wire_money", {"n": n})
            assert await asyncio.gather(*calls[1:]) == [[303], [304], [303]]

    asyncio.run(main())
    assert sorted(ran) == [303, 304]


def test_what_another_process_ran_is_read_again(server: Server) -> None:
    def read_file(path: str) -> str:
        return path

    with Warrant(server.url, token=server.token, transport=Used()) as warrant:
        assert warrant.guard("read_file")(read_file)("used") == "used"
    with Warrant(server.url, token=server.token, transport=Used()) as warrant:
        # Under a key it would be the same intent again.
        with pytest.raises(AlreadyRan) as found:
            warrant.guard("read_file", key="used")(read_file)("used")
    assert found.value.only_reads


def test_what_another_process_did_is_not_done_again(
    server: Server, begun: threading.Semaphore
) -> None:
    ran: list[str] = []
    with Warrant(server.url, token=server.token, transport=Used()) as warrant:
        with ThreadPoolExecutor(2) as threads:
            guarded = warrant.guard("write_file", justification=WHY)(lambda path: ran.append(path))
            calls = [threads.submit(guarded, "used") for _ in range(2)]
            for _ in calls:
                begun.acquire()
            approve(server, "write_file", {"path": "used"})
            for call in calls:
                with pytest.raises(AlreadyRan, match="409 warrant_used") as found:
                    call.result()
                assert not found.value.only_reads
                assert "has run already" in found.value.for_model
    assert ran == []


def test_a_task_reads_again_what_another_process_ran(server: Server) -> None:
    async def read_file(path: str) -> str:
        return path

    async def main() -> None:
        async with AsyncWarrant(server.url, token=server.token, transport=Used()) as warrant:
            assert await warrant.guard("read_file")(read_file)("again") == "again"

    asyncio.run(main())


def test_each_thread_gets_the_error_of_the_run(begun: threading.Semaphore) -> None:
    joining: Joining[None] = Joining()
    asked, ran = threading.Event(), itertools.count(1)

    def act(_: object) -> None:
        raise LookupError(next(ran))

    with ThreadPoolExecutor(3) as threads:
        calls = [threads.submit(joining.call, "same", asked.wait, act) for _ in range(3)]
        for _ in calls:
            begun.acquire()
        asked.set()
        for call in calls:
            with pytest.raises(LookupError, match="^1$"):
                call.result()


def test_a_call_that_comes_while_an_equal_one_runs_asks_by_itself() -> None:
    joining: Joining[int] = Joining()
    asked = itertools.count(1)
    inner: list[int] = []

    def act(decided: int) -> int:
        if decided == 1:
            inner.append(joining.call("same", lambda: next(asked), act))
        return decided

    assert joining.call("same", lambda: next(asked), act) == 1
    assert inner == [2]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_a_thread_that_is_interrupted_before_the_verdict_leaves_alone(
    begun: threading.Semaphore, interrupt: type[BaseException]
) -> None:
    joining: Joining[str] = Joining()
    joined = threading.Event()

    def interrupted() -> str:
        joined.wait()
        raise interrupt

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(joining.call, "same", interrupted, str)
        begun.acquire()
        second = threads.submit(joining.call, "same", lambda: "own", str)
        begun.acquire()
        joined.set()
        with pytest.raises(interrupt):
            first.result()
        assert second.result() == "own"


def deciding() -> httpx.MockTransport:
    """Allows all, each under an intent of its own."""
    asked = itertools.count(1)

    def answer(request: httpx.Request) -> httpx.Response:
        terms = {"capability": "x", "constraints": {}, "scope": {}, "useBy": ""}
        if request.url.path != "/v1/intents":
            return httpx.Response(200, json={"terms": terms})
        more = {"reasons": [], "confirmedBy": [], "position": 1, "forModel": None}
        body = {"state": "decided", "outcome": "allow", "intent": f"a.-.{next(asked)}"}
        return httpx.Response(200, json={**body, **more, "terms": terms})

    return httpx.MockTransport(answer)


async def with_calls(
    run: Callable[[], Awaitable[str]], then: Callable[[list[asyncio.Task[str]]], Awaitable[None]]
) -> None:
    async with AsyncWarrant("http://warrant.test", token="t", transport=deciding()) as warrant:
        guarded = warrant.guard("x")(run)
        await then([asyncio.create_task(guarded()) for _ in range(3)])


def test_a_run_goes_on_until_the_last_task_has_left() -> None:
    async def main() -> None:
        running, ended = asyncio.Event(), asyncio.Event()
        ran: list[str] = []

        async def run() -> str:
            ran.append("begun")
            running.set()
            try:
                await ended.wait()
            except asyncio.CancelledError:
                ran.append("cancelled")
                raise
            return "done"

        async def one_stays(calls: list[asyncio.Task[str]]) -> None:
            await running.wait()
            for call in calls[:2]:
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            ended.set()
            assert await calls[2] == "done"
            assert ran == ["begun"]

        async def all_leave(calls: list[asyncio.Task[str]]) -> None:
            await running.wait()
            for call in calls:
                assert ran == ["begun"]
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            assert ran == ["begun", "cancelled"]

        await with_calls(run, one_stays)
        for event in (running, ended):
            event.clear()
        ran.clear()
        await with_calls(run, all_leave)

    asyncio.run(main())


def test_each_task_gets_the_error_of_the_run() -> None:
    async def main() -> None:
        ran = itertools.count(1)

        async def run() -> str:
            raise LookupError(next(ran))

        async def all_fail(calls: list[asyncio.Task[str]]) -> None:
            for call in calls:
                with pytest.raises(LookupError, match="^1$"):
                    await call

        await with_calls(run, all_fail)

    asyncio.run(main())


def any_json(of: random.Random, depth: int = 3) -> Any:
    leaves = [0, 1, 1.5, -0.0, 2**53 + 1, True, None, "", "1", "é", "\ud800"]
    if depth == 0 or of.random() < 0.4:
        return of.choice(leaves)
    inner = [any_json(of, depth - 1) for _ in range(of.randrange(3))]
    return inner if of.random() < 0.5 else dict(zip("ab", inner))


def test_calls_are_equal_as_their_json_is() -> None:
    of = random.Random(7)
    for _ in range(2_000):
        one, other = ({"a": any_json(of)} for _ in range(2))
        key = call_key(one, {})
        assert key is not None and key == call_key(json.loads(key), {})
        same = json.dumps(one, sort_keys=True).replace("-0.0", "0")
        is_same = same == json.dumps(other, sort_keys=True).replace("-0.0", "0")
        assert (key == call_key(other, {})) is is_same
    assert call_key({"a": 2.0}, {}) == call_key({"a": 2}, {})
    assert call_key({"b": 1, "a": (1,)}, {}) == call_key({"a": [1], "b": 1}, {})
    for apart in ({"distinct": True}, {"observe": True}):
        assert call_key({}, apart) is None
    for odd in (float("nan"), float("inf"), object()):
        assert call_key({"a": odd}, {}) is None


def test_a_refusal_reaches_each_of_them(begun: threading.Semaphore) -> None:
    joined = threading.Event()

    def refuse(_: httpx.Request) -> httpx.Response:
        joined.wait()
        return httpx.Response(403, json={"code": "door_refused"})

    refusing = httpx.MockTransport(refuse)
    with Warrant("http://warrant.test", token="t", transport=refusing) as warrant:
        guarded = warrant.guard("x")(lambda: None)
        with ThreadPoolExecutor(2) as threads:
            calls = [threads.submit(guarded) for _ in range(2)]
            for _ in calls:
                begun.acquire()
            joined.set()
            for call in calls:
                with pytest.raises(Problem):
                    call.result()
