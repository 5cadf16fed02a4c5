"""The client of a Warrant server over HTTP."""

from __future__ import annotations

import copy
import functools
import inspect
import logging
import re
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote

import httpx

from .answering import PrivateKey, signed_answer
from .answers import Decision, Terms, decision_of, terms_of
from .errors import AlreadyRan, Denied, Pending, Problem, Unreachable, WarrantError
from .joining import Joining, call_key
from .reads import READS

P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger("warrant_client")
_WAIT_MAX = 60.0
# What takes longer than this may wait for a person, and is noted before it is waited for.
_FIRST_WAIT = 1.0
_TRIES_MAX = 4
_PAUSE_MAX = 5.0
_RETRIES_MAX = 10
# Of calls that are only observed: they are not kept waiting for long, nor asked about again.
_OBSERVED_WAIT = 3
_OBSERVED_TIMEOUT = httpx.Timeout(2, read=_OBSERVED_WAIT + 1)


class Warrant:
    """One principal, by its token, at one server. Close it, or use it in a `with`."""

    def __init__(
        self,
        url: str,
        *,
        token: str,
        session: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        # Calls that were to be observed, and have no verdict.
        self.missed = 0
        self._session = session
        self._http = httpx.Client(
            base_url=url,
            headers={"authorization": f"Bearer {token}"},
            # A redirect could carry the token to another host.
            follow_redirects=False,
            timeout=httpx.Timeout(10, read=_WAIT_MAX + 10),
            transport=transport,
        )

    def __enter__(self) -> Warrant:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def ask(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        wait: float | None = None,
        key: str | None = None,
        retries: int = 3,
        **intent: Any,
    ) -> Decision:
        """The verdict on a call of the tool. `wait` is in seconds, people and all; without it
        the stages are waited for, and people are not. `key` makes repetitions one intent, and is
        new each time if not given. What is denied since too many of this agent's intents were
        open is asked again, as a new intent and after a growing pause, so often as `retries`
        says; one with a key never is. Raises `Pending`, `Problem` or `Unreachable`."""
        body = {"tool": tool, "args": dict(args or {}), **intent}
        if self._session is not None:
            body.setdefault("session", self._session)
        began = time.monotonic()
        left = wait
        most = min(retries, _RETRIES_MAX) if key is None else 0
        turn = 0
        while True:
            decision = self._ask(body, wait=left, key=key)
            pause = float(2**turn)
            turn += 1
            if turn > most or not _has_too_many_open(decision):
                return decision
            if wait is not None:
                left = wait - (time.monotonic() - began) - pause
                if left <= 0:
                    return decision
            time.sleep(pause)

    def _ask(self, body: Mapping[str, Any], *, wait: float | None, key: str | None) -> Decision:
        first = None if wait is None else {"wait": str(int(min(wait, _FIRST_WAIT)))}
        began = time.monotonic()
        headers = {"idempotency-key": key or uuid.uuid4().hex}
        found = self._send("POST", "/v1/intents", json=body, params=first, headers=headers)
        if found.get("state") != "waiting" or wait is None:
            return _decided(found)
        left = max(0.0, wait - (time.monotonic() - began))
        if left >= 1:
            _note_waiting(body["tool"], found)
        return self.decision(found["intent"], wait=left)

    def decision(self, intent: str, *, wait: float = 0.0) -> Decision:
        """The verdict on an intent that was asked before. Raises as `ask` does."""
        end = time.monotonic() + wait
        while True:
            left = max(0.0, end - time.monotonic())
            params = {"wait": str(int(min(left, _WAIT_MAX)))}
            found = self._send("GET", f"/v1/intents/{quote(intent, safe='')}", params=params)
            if found.get("state") != "waiting" or left < 1:
                return _decided(found)

    def start(self, intent: str) -> Terms:
        """Redeems the warrant, once: run the tool after this and at no other time. It is not
        tried again: where its answer is lost, the tool must not run."""
        path = f"/v1/intents/{quote(intent, safe='')}/start"
        found = self._send("POST", path, tries=1)
        try:
            return terms_of(found["terms"])
        except (KeyError, TypeError) as error:
            raise Unreachable("the server gave an answer that starts nothing") from error

    def end(
        self, intent: str, outcome: str, *, code: str | None = None, detail: str | None = None
    ) -> None:
        """Reports what came of it: `succeeded`, `failed` or `unknown`."""
        self._end(intent, outcome, code=code, detail=detail, observed=False)

    def _end(
        self, intent: str, outcome: str, *, code: str | None, detail: str | None, observed: bool
    ) -> None:
        said = {"outcome": outcome, "code": code, "detail": detail}
        body = {name: value for name, value in said.items() if value is not None}
        path = f"/v1/intents/{quote(intent, safe='')}/outcome"
        self._send("POST", path, json=body, observed=observed)

    def withdraw(self, intent: str, note: str | None = None) -> None:
        body = {} if note is None else {"note": note}
        self._send("POST", f"/v1/intents/{quote(intent, safe='')}/withdraw", json=body)

    def say(self, content: str | Mapping[str, Any], *, session: str, receiver: str) -> str:
        """Says something to an agent in its session; the name of the message."""
        body = {"receiver": receiver, "content": content}
        path = f"/v1/sessions/{quote(session, safe='')}/messages"
        return str(self._send("POST", path, json=body, tries=1)["name"])

    def contract(
        self, worker: str, contract: Mapping[str, Any], *, key: str | None = None
    ) -> str:
        """Gives an agent a task, as an issuer of contracts; the address of the contract."""
        body = {"worker": worker, "contract": contract}
        headers = {"idempotency-key": key or uuid.uuid4().hex}
        return str(self._send("POST", "/v1/contracts", json=body, headers=headers)["address"])

    def claim(
        self, contract: str, completion: Mapping[str, Any], *, key: str | None = None
    ) -> str:
        """Reports on the task of a contract, as its worker; the name of the claim."""
        body = {"completion": completion}
        headers = {"idempotency-key": key or uuid.uuid4().hex}
        path = f"/v1/contracts/{quote(contract, safe='')}/claim"
        return str(self._send("POST", path, json=body, headers=headers)["name"])

    def read(self, name: str, **given: Any) -> Mapping[str, Any]:
        """The answer to what can be asked under that name (docs/reference/asking.md), such as
        `read("contracts", state="ended")`. A `KeyError` for a name that there is not."""
        path, query = READS[name], dict(given)
        for member in re.findall(r"{(\w+)}", path):
            path = path.replace(f"{{{member}}}", quote(str(query.pop(member)), safe=""))
        return self._send("GET", path, params={key: str(value) for key, value in query.items()})

    def answer(
        self,
        shown: Mapping[str, Any],
        answers: bool | Sequence[bool],
        *,
        key: PrivateKey,
        note: str | None = None,
        instead_of: str | None = None,
        batch: Sequence[str] | None = None,
    ) -> str:
        """Answers a review as it was shown to the person whose token this is, signed with their
        `key`; the name of the answer. `shown` is a row of `read("reviews")` or what
        `read("review")` has; `answers` one for all of its questions, or one for each. `instead_of`
        is away; `batch` names all reviews that are answered together."""
        said = {"note": note, "for": instead_of, "batch": None if batch is None else list(batch)}
        more = {name: value for name, value in said.items() if value is not None}
        caller = self._send("GET", "/v1/caller")
        body = signed_answer(shown, caller, answers, key, more)
        return str(self._send("POST", "/v1/decisions", json=body)["name"])

    def guard(
        self,
        tool: str,
        *,
        wait: float = 60.0,
        terms: str | None = None,
        enforce: bool = True,
        **intent: Any,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Runs the function on an allow alone, once, with the arguments that were judged. `terms`
        names a parameter that gets what the allow permits, such as how many rows. Equal calls of
        several threads at once run once, and each gets what came of it. With
        `enforce=False` nothing is stopped and no one is asked: each call is recorded with what
        would have been decided, and runs whatever that is; `missed` counts those that are not."""
        if not enforce:
            _log.warning("observing only: nothing that this guard decides is enforced: %s", tool)

        def around(run: Callable[P, R]) -> Callable[P, R]:
            signature = inspect.signature(run)
            if not enforce:
                return self._observed(tool, run, terms, intent)
            joining: Joining[R] = Joining()

            @functools.wraps(run)
            def guarded(*positional: P.args, **named: P.kwargs) -> R:
                judged = _judged(signature, terms, positional, named)
                args = _args_of(judged)

                def ask(**more: Any) -> Decision:
                    return self.ask(tool, args, wait=wait, **{**intent, **more})

                def act(decision: Decision) -> R:
                    try:
                        permitted = self.start(_allowed(decision).intent)
                    except AlreadyRan as used:
                        if not _may_read_again(used, intent):
                            raise
                        decision = ask(distinct=True)
                        permitted = self.start(_allowed(decision).intent)
                    if terms is not None:
                        judged.arguments[terms] = permitted
                    return self._finished(
                        decision.intent, lambda: run(*judged.args, **judged.kwargs)
                    )

                return joining.call(call_key(args, intent), ask, act)

            return guarded

        return around

    def _observed(
        self, tool: str, run: Callable[P, R], terms: str | None, fields: Mapping[str, Any]
    ) -> Callable[P, R]:
        signature = inspect.signature(run)

        @functools.wraps(run)
        def observed(*positional: P.args, **named: P.kwargs) -> R:
            intent = self._seen(tool, signature, terms, fields, positional, named)
            if intent is None:
                return run(*positional, **named)
            return self._finished(intent, lambda: run(*positional, **named), observed=True)

        return observed

    def _seen(
        self,
        tool: str,
        signature: inspect.Signature,
        terms: str | None,
        fields: Mapping[str, Any],
        positional: tuple[Any, ...],
        named: dict[str, Any],
    ) -> str | None:
        """What is observed of a call: its intent, or None where it has no verdict."""
        try:
            judged = _judged(signature, terms, positional, named)
            decision = self._ask_once(tool, _args_of(judged), {**fields, "observe": True})
        except Exception as error:  # Whatever goes wrong here, the function runs.
            self.missed += 1
            _log.warning("observed: no verdict (%d so far): %s: %s", self.missed, tool, error)
            return None
        finally:
            if terms is not None:
                named.setdefault(terms, Terms(tool, {}, {}, ""))
        if not decision.allowed:
            codes = [one.code for one in decision.reasons]
            _log.warning("observed: would have been refused: %s: %s", tool, codes)
        return decision.intent

    def _ask_once(self, tool: str, args: Mapping[str, Any], intent: Mapping[str, Any]) -> Decision:
        body = {"tool": tool, "args": dict(args), **intent}
        if self._session is not None:
            body.setdefault("session", self._session)
        headers = {"idempotency-key": uuid.uuid4().hex}
        params = {"wait": str(_OBSERVED_WAIT)}
        found = self._send(
            "POST", "/v1/intents", json=body, params=params, headers=headers, observed=True
        )
        return _decided(found)

    def _finished(self, intent: str, run: Callable[[], R], *, observed: bool = False) -> R:
        try:
            value = run()
        except BaseException as error:
            self._note(intent, "failed", type(error).__name__[:64], observed=observed)
            raise
        self._note(intent, "succeeded", observed=observed)
        return value

    def _note(
        self, intent: str, outcome: str, code: str | None = None, *, observed: bool
    ) -> None:
        # It has run: that its outcome could not be recorded must not hide what it returned.
        try:
            self._end(intent, outcome, code=code, detail=None, observed=observed)
        except WarrantError as error:
            _log.error("outcome not recorded: %s: %s", intent, error)

    def _send(
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        tries: int = _TRIES_MAX,
        observed: bool = False,
    ) -> Mapping[str, Any]:
        tries = 1 if observed else tries
        timeout = _OBSERVED_TIMEOUT if observed else httpx.USE_CLIENT_DEFAULT
        for left in range(tries - 1, -1, -1):
            pause = 0.5
            try:
                response = self._http.request(
                    method, path, json=json, params=params, headers=headers, timeout=timeout
                )
            except httpx.HTTPError as error:
                if left == 0:
                    raise Unreachable(self._unreached(error)) from error
            else:
                if response.status_code not in (429, 503) or left == 0:
                    return _body_of(response)
                given = response.headers.get("retry-after", "")
                pause = float(given) if given.isdigit() else pause
            time.sleep(min(pause, _PAUSE_MAX))
        raise Unreachable(self._unreached(None))

    def _unreached(self, error: Exception | None) -> str:
        why = "" if error is None else f": {error}"
        return f"`{self._http.base_url}` cannot be asked{why} (is `warrant up http` running?)"


def _has_too_many_open(decision: Decision) -> bool:
    """Whether nothing else was against it."""
    codes = {reason.code for reason in decision.reasons}
    return not decision.allowed and codes == {"too_many_open"}


def _judged(
    signature: inspect.Signature,
    terms: str | None,
    positional: tuple[Any, ...],
    named: Mapping[str, Any],
) -> inspect.BoundArguments:
    """What is judged is what runs: the caller may change its own objects meanwhile."""
    bound = signature.bind_partial(*positional, **named)
    bound.apply_defaults()
    if terms is not None:
        bound.arguments.pop(terms, None)
    return copy.deepcopy(bound)


def _args_of(bound: inspect.BoundArguments) -> Mapping[str, Any]:
    """By their names; what was gathered as `**rest` counts as if it were named."""
    args: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            args.update(value)
        else:
            args[name] = value
    return args


def _note_waiting(tool: str, found: Mapping[str, Any]) -> None:
    """Says what a call waits for: without a word it would look as if it had stopped."""
    waits, links = found.get("waits") or {}, found.get("links") or {}
    if waits.get("for") == "people":
        how = links.get("approve") or found.get("intent")
        _log.warning("waiting for %s: %s: %s", waits.get("text", "approval"), tool, how)


def _allowed(decision: Decision) -> Decision:
    if not decision.allowed:
        raise Denied(decision)
    return decision


def _may_read_again(used: AlreadyRan, intent: Mapping[str, Any]) -> bool:
    """Another process ran an equal call on the warrant. Under a key it would be the same intent."""
    return used.only_reads and intent.get("key") is None


def _decided(found: Mapping[str, Any]) -> Decision:
    if found.get("state") == "waiting":
        raise Pending(found)
    return decision_of(found)


def _body_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = response.json()
    except ValueError as error:
        raise Unreachable(f"the server answered {response.status_code} without JSON") from error
    if not isinstance(body, dict):
        raise Unreachable(f"the server answered {response.status_code} without an object")
    if not response.is_success:
        kind = AlreadyRan if body.get("code") == "warrant_used" else Problem
        raise kind(response.status_code, body)
    return body
