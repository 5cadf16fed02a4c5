"""Equal calls at once. One approval is one run: while a call has no verdict, an equal one is joined
to it, and each gets what came of it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import CancelledError, Future
from typing import Any, Generic, TypeVar

R = TypeVar("R")
D = TypeVar("D")


def call_key(args: Mapping[str, Any], intent: Mapping[str, Any]) -> str | None:
    """By what calls of one guard are equal, as the server compares them; None where each has a run
    of its own."""
    if intent.get("distinct") or intent.get("observe"):
        return None
    try:
        # A number is the same with and without a fraction of zero.
        plain = json.loads(json.dumps(args, allow_nan=False), parse_float=_number)
        return json.dumps(plain, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        # It cannot be asked about either.
        return None


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() else value


class Joining(Generic[R]):
    """Of threads: the first of them asks and runs, and the others wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking: dict[str, Future[R]] = {}

    def call(self, key: str | None, ask: Callable[[], D], act: Callable[[D], R]) -> R:
        if key is None:
            return act(ask())
        own: Future[R] = Future()
        try:
            while (before := self._begun(key, own)) is not own:
                try:
                    return before.result()
                except CancelledError:
                    # Its caller was interrupted before anything ran: another of them asks.
                    if not before.cancelled():
                        raise
            try:
                decided = ask()
            except Exception as error:
                own.set_exception(error)
                raise
            self._end(key, own)
            try:
                value = act(decided)
            except BaseException as error:
                own.set_exception(error)
                raise
            own.set_result(value)
            return value
        finally:
            self._end(key, own)
            own.cancel()

    def _begun(self, key: str, own: Future[R]) -> Future[R]:
        with self._lock:
            return self._asking.setdefault(key, own)

    def _end(self, key: str, own: Future[R]) -> None:
        """No one is joined to it any more."""
        with self._lock:
            if self._asking.get(key) is own:
                del self._asking[key]


class _Shared(Generic[R]):
    def __init__(self, running: asyncio.Task[R]) -> None:
        self.running = running
        self.callers = 0


class TaskJoining(Generic[R]):
    """Of tasks: what they share is a task of its own, which ends when the last caller has left."""

    def __init__(self) -> None:
        # A task belongs to the loop that it was made on.
        self._asking: dict[tuple[asyncio.AbstractEventLoop, str], _Shared[R]] = {}

    async def call(
        self,
        key: str | None,
        ask: Callable[[], Awaitable[D]],
        act: Callable[[D], Awaitable[R]],
    ) -> R:
        loop = asyncio.get_running_loop()
        place = None if key is None else (loop, key)
        shared = None if place is None else self._asking.get(place)
        if shared is None:

            async def run() -> R:
                try:
                    decided = await ask()
                finally:
                    self._end(place, shared)
                return await act(decided)

            shared = _Shared(loop.create_task(run()))
            # A loop may begin its tasks at once.
            if place is not None and not shared.running.done():
                self._asking[place] = shared
        shared.callers += 1
        try:
            await asyncio.wait([shared.running])
        except asyncio.CancelledError as left:
            shared.callers -= 1
            if shared.callers > 0:
                raise
            self._end(place, shared)
            shared.running.cancel(*left.args)
            return await shared.running
        return shared.running.result()

    def _end(
        self, place: tuple[asyncio.AbstractEventLoop, str] | None, shared: _Shared[R] | None
    ) -> None:
        if place is not None and shared is not None and self._asking.get(place) is shared:
            del self._asking[place]
