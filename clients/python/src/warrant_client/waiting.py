"""The same client for programs with an event loop: what waits does so in threads of its own."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import httpx

from .answering import PrivateKey
from .answers import Decision, Terms
from .client import Warrant, _allowed, _args_of, _judged, _may_read_again
from .errors import AlreadyRan
from .joining import TaskJoining, call_key

P = ParamSpec("P")
R = TypeVar("R")

# At so many places one caller may wait at a server.
_WAITS_MAX = 32


class AsyncWarrant:
    """One principal, by its token, at one server. Close it, or use it in an `async with`. Each
    method does what that of `Warrant` does, and the loop goes on meanwhile."""

    def __init__(
        self,
        url: str,
        *,
        token: str,
        session: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._warrant = Warrant(url, token=token, session=session, transport=transport)
        self._threads = ThreadPoolExecutor(_WAITS_MAX, thread_name_prefix="warrant")

    async def __aenter__(self) -> AsyncWarrant:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for what is under way, so that no outcome is lost."""
        await asyncio.to_thread(self._threads.shutdown)
        self._warrant.close()

    @property
    def missed(self) -> int:
        """Calls that were to be observed, and have no verdict."""
        return self._warrant.missed

    async def _run(self, call: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, functools.partial(call, *args, **named))

    async def ask(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        wait: float | None = None,
        key: str | None = None,
        retries: int = 3,
        **intent: Any,
    ) -> Decision:
        return await self._run(
            self._warrant.ask, tool, args, wait=wait, key=key, retries=retries, **intent
        )

    async def decision(self, intent: str, *, wait: float = 0.0) -> Decision:
        return await self._run(self._warrant.decision, intent, wait=wait)

    async def start(self, intent: str) -> Terms:
        return await self._run(self._warrant.start, intent)

    async def end(
        self, intent: str, outcome: str, *, code: str | None = None, detail: str | None = None
    ) -> None:
        await self._run(self._warrant.end, intent, outcome, code=code, detail=detail)

    async def withdraw(self, intent: str, note: str | None = None) -> None:
        await self._run(self._warrant.withdraw, intent, note)

    async def say(
        self, content: str | Mapping[str, Any], *, session: str, receiver: str
    ) -> str:
        return await self._run(self._warrant.say, content, session=session, receiver=receiver)

    async def contract(
        self, worker: str, contract: Mapping[str, Any], *, key: str | None = None
    ) -> str:
        return await self._run(self._warrant.contract, worker, contract, key=key)

    async def claim(
        self, contract: str, completion: Mapping[str, Any], *, key: str | None = None
    ) -> str:
        return await self._run(self._warrant.claim, contract, completion, key=key)

    async def answer(
        self,
        shown: Mapping[str, Any],
        answers: bool | Sequence[bool],
        *,
        key: PrivateKey,
        note: str | None = None,
        instead_of: str | None = None,
        batch: Sequence[str] | None = None,
    ) -> str:
        return await self._run(
            self._warrant.answer,
            shown,
            answers,
            key=key,
            note=note,
            instead_of=instead_of,
            batch=batch,
        )

    async def read(self, name: str, **given: Any) -> Mapping[str, Any]:
        return await self._run(self._warrant.read, name, **given)

    def guard(
        self,
        tool: str,
        *,
        wait: float = 60.0,
        terms: str | None = None,
        enforce: bool = True,
        **intent: Any,
    ) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Coroutine[Any, Any, R]]]:
        """As `guard` of `Warrant`, around an `async def`. A call that is cancelled before it is
        decided does not run; one that is cancelled while it runs is recorded as failed. Equal
        calls at once end when the last of them is cancelled."""
        warrant = self._warrant

        def around(run: Callable[P, Awaitable[R]]) -> Callable[P, Coroutine[Any, Any, R]]:
            signature = inspect.signature(run)
            joining: TaskJoining[R] = TaskJoining()

            @functools.wraps(run)
            async def guarded(*positional: P.args, **named: P.kwargs) -> R:
                judged = _judged(signature, terms, positional, named)
                args = _args_of(judged)

                # One that is cancelled meanwhile starts nothing.
                async def ask(**more: Any) -> Decision:
                    return await self.ask(tool, args, wait=wait, **{**intent, **more})

                async def act(decision: Decision) -> R:
                    try:
                        permitted = await self.start(_allowed(decision).intent)
                    except AlreadyRan as used:
                        if not _may_read_again(used, intent):
                            raise
                        decision = await ask(distinct=True)
                        permitted = await self.start(_allowed(decision).intent)
                    if terms is not None:
                        judged.arguments[terms] = permitted
                    return await self._finished(
                        decision.intent, run(*judged.args, **judged.kwargs)
                    )

                return await joining.call(call_key(args, intent), ask, act)

            @functools.wraps(run)
            async def observed(*positional: P.args, **named: P.kwargs) -> R:
                seen = functools.partial(warrant._seen, tool, signature, terms, intent)
                address = await self._run(seen, positional, named)
                if address is None:
                    return await run(*positional, **named)
                return await self._finished(address, run(*positional, **named), observed=True)

            return guarded if enforce else observed

        return around

    async def _finished(
        self, intent: str, running: Awaitable[R], *, observed: bool = False
    ) -> R:
        note = functools.partial(self._warrant._note, intent, observed=observed)
        try:
            value = await running
        except BaseException as error:
            await self._run(note, "failed", type(error).__name__[:64])
            raise
        await self._run(note, "succeeded")
        return value
