"""The client against a real server, and against answers that no such server gives."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from warrant_client import (
    Decision,
    Denied,
    Pending,
    Problem,
    Reason,
    Terms,
    Unreachable,
    Warrant,
)

from .conftest import PERSON, Server


@pytest.fixture
def warrant(server: Server) -> Iterator[Warrant]:
    with Warrant(server.url, token=server.token) as client:
        yield client


def test_an_allow_and_a_denial_are_decisions(warrant: Warrant) -> None:
    allowed = warrant.ask("read_file", {"path": "a"})
    assert allowed.allowed and allowed.terms is not None
    assert allowed.terms.capability == "read_file"
    denied = warrant.ask("read_fil", {"path": "a"})
    assert not denied.allowed
    assert [one.code for one in denied.reasons] == ["unknown_capability"]
    assert denied.for_model is not None and "was not run" in denied.for_model


def test_the_same_key_is_one_intent(warrant: Warrant) -> None:
    both = [warrant.ask("read_file", {"path": "b"}, key="k1") for _ in range(2)]
    assert both[0] == both[1]
    with pytest.raises(Problem) as refused:
        warrant.ask("read_file", {"path": "c"}, key="k1")
    assert (refused.value.status, refused.value.code) == (422, "request_differs")


def test_contracts_and_standings_are_those_of_the_server(warrant: Warrant) -> None:
    task = {"taskId": "T-1", "objective": "write it", "workspace": "site"}
    with pytest.raises(Problem) as refused:
        warrant.contract("my-agent", task)
    assert (refused.value.status, refused.value.code) == (422, "contract_refused")
    with pytest.raises(Problem) as unclaimed:
        warrant.claim("grader.-.01X", {"status": "failed"})
    assert (unclaimed.value.status, unclaimed.value.code) == (422, "claim_refused")
    with pytest.raises(Problem) as unknown:
        warrant.read("contract", contract="grader.-.01X")
    assert (unknown.value.status, unknown.value.code) == (404, "no_contract")
    assert warrant.read("standing", agent="my-agent")["standing"]["scored"] == 0
    assert warrant.read("contracts", state="ended", limit=5)["rows"] == []


def test_a_guarded_function_runs_once_with_what_was_judged(warrant: Warrant) -> None:
    ran: list[Any] = []

    @warrant.guard("read_file", terms="terms")
    def read_file(path: str, lines: int = 3, *, terms: Terms | None = None) -> str:
        ran.append((path, lines, terms))
        return "text"

    assert read_file("d") == "text"
    assert [one[:2] for one in ran] == [("d", 3)]
    assert ran[0][2].capability == "read_file"


def test_a_guarded_function_does_not_run_on_a_denial(warrant: Warrant) -> None:
    ran: list[str] = []

    @warrant.guard("no_such_tool")
    def act(path: str) -> None:
        ran.append(path)

    with pytest.raises(Denied) as denied:
        act("e")
    assert ran == [] and denied.value.intent.startswith("my-agent.")


def test_an_observing_guard_runs_whatever_is_decided(server: Server, warrant: Warrant) -> None:
    ran: list[Any] = []
    for tool in ("read_file", "wire_money", "no_such_tool"):

        @warrant.guard(tool, terms="terms", enforce=False)
        def act(path: str, *, terms: Terms | None = None) -> str:
            ran.append((path, terms and terms.constraints))
            return path

        assert act(tool) == tool
    assert ran == [("read_file", {}), ("wire_money", {}), ("no_such_tool", {})]
    assert warrant.missed == 0
    stats = server.warrant("stats", "--observed", "--json")
    for tool, would in (("read_file", "allow"), ("wire_money", "ask"), ("no_such_tool", "deny")):
        assert f'"tool":"{tool}","would":"{would}"' in "".join(stats.split())

    @warrant.guard("read_file", enforce=False)
    def fail() -> None:
        raise LookupError("own")

    with pytest.raises(LookupError, match="own"):
        fail()


def test_an_observing_guard_runs_without_a_server() -> None:
    def away(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("gone")

    def busy(_: httpx.Request) -> httpx.Response:
        return httpx.Response(503, headers={"retry-after": "5"})

    for answer in (away, busy):
        client = answering(answer)
        assert client.guard("x", enforce=False)(lambda: 7)() == 7
        assert client.missed == 1


def test_an_observing_guard_passes_on_what_cannot_be_judged() -> None:
    client = answering(lambda _: httpx.Response(200))
    held = threading.Lock()
    assert client.guard("x", enforce=False)(lambda lock: lock)(held) is held
    assert client.missed == 1


def test_its_failure_is_recorded_and_raised(server: Server, warrant: Warrant) -> None:
    @warrant.guard("read_file")
    def fail(path: str) -> None:
        raise FileNotFoundError(path)

    with pytest.raises(FileNotFoundError):
        fail("f")
    assert "FileNotFoundError" in server.warrant("log", "--name", "ownoutcome.>", "--json")


def test_a_warrant_is_started_once(warrant: Warrant) -> None:
    intent = warrant.ask("read_file", {"path": "g"}).intent
    warrant.start(intent)
    with pytest.raises(Problem) as refused:
        warrant.start(intent)
    assert refused.value.code == "warrant_used"
    for _ in range(2):
        warrant.end(intent, "succeeded")
    with pytest.raises(Problem):
        warrant.end(intent, "failed")


def test_people_are_waited_for(server: Server, warrant: Warrant) -> None:
    with pytest.raises(Pending) as pending:
        warrant.ask("wire_money", {"amount": 1})
    intent = pending.value.intent
    assert pending.value.waits["for"] == "people"
    approving = threading.Thread(
        target=lambda: server.warrant("approve", intent, "--key", PERSON, "--yes")
    )
    approving.start()
    decision = warrant.decision(intent, wait=60)
    approving.join()
    assert decision.allowed and decision.confirmed_by == (PERSON,)


def test_a_guard_that_waits_for_people_says_so_before_it_waits(
    server: Server, warrant: Warrant, caplog: pytest.LogCaptureFixture
) -> None:
    def approved() -> None:
        while not (noted := [one.getMessage() for one in caplog.records]):
            time.sleep(0.05)
        intent = noted[0].rsplit(" ", 1)[-1]
        server.warrant("approve", intent, "--key", PERSON, "--yes")

    approving = threading.Thread(target=approved, daemon=True)
    approving.start()
    # The thread answers what was noted, so it ends only if that names the intent.
    assert warrant.guard("wire_money", wait=60)(lambda amount: amount)(amount=3) == 3
    approving.join()
    assert "approval from" in caplog.text and "warrant approve" in caplog.text


def test_what_is_decided_at_once_is_not_noted(
    warrant: Warrant, caplog: pytest.LogCaptureFixture
) -> None:
    assert warrant.guard("read_file")(lambda path: path)(path="noted") == "noted"
    assert caplog.records == []


def test_what_waits_can_be_taken_back(warrant: Warrant) -> None:
    with pytest.raises(Pending) as pending:
        warrant.ask("wire_money", {"amount": 2}, wait=1)
    warrant.withdraw(pending.value.intent, "not needed")
    decision = warrant.decision(pending.value.intent, wait=30)
    assert [one.code for one in decision.reasons] == ["withdrawn"]


def test_a_token_that_does_not_count_is_a_problem(server: Server) -> None:
    with Warrant(server.url, token="wrt_" + "A" * 43) as stranger:
        with pytest.raises(Problem) as refused:
            stranger.ask("read_file")
    assert (refused.value.status, refused.value.reason) == (401, "token_unknown")


def answering(answer: Callable[[httpx.Request], httpx.Response]) -> Warrant:
    return Warrant("http://warrant.test", token="t", transport=httpx.MockTransport(answer))


@pytest.mark.parametrize(
    "body",
    [{}, {"state": "decided"}, {"state": "decided", "outcome": "ALLOW"}, [], "allow", None],
)
def test_what_is_no_verdict_is_no_allow(body: Any) -> None:
    client = answering(lambda _: httpx.Response(200, json=body))
    ran: list[int] = []
    with pytest.raises(Unreachable):
        client.guard("x")(lambda: ran.append(1))()
    assert ran == []


def test_a_server_that_is_not_there_is_named() -> None:
    with Warrant("http://127.0.0.1:9", token="wrt_x") as client:
        with pytest.raises(Unreachable, match="127.0.0.1:9.*warrant up http"):
            client.start("x.-.y")


def test_a_redirect_is_not_followed_with_the_token() -> None:
    client = answering(lambda _: httpx.Response(302, headers={"location": "http://evil.test/"}))
    with pytest.raises(Unreachable):
        client.ask("x")


def test_a_lost_answer_is_asked_for_under_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    keys: list[str] = []

    def lost(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["idempotency-key"])
        if len(keys) == 1:
            raise httpx.ReadError("gone")
        return httpx.Response(503, json={"code": "door_closed", "retry": "soon"})

    with pytest.raises(Problem) as refused:
        answering(lost).ask("x")
    assert refused.value.code == "door_closed"
    assert len(keys) == 4 and len(set(keys)) == 1


def test_a_start_is_never_repeated() -> None:
    asked: list[str] = []

    def lost(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        raise httpx.ReadError("gone")

    with pytest.raises(Unreachable):
        answering(lost).start("a.-.b")
    assert asked == ["/v1/intents/a.-.b/start"]


def test_what_is_denied_for_too_many_open_is_asked_again_as_a_new_intent(
    warrant: Warrant, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = warrant.ask("read_file", {"path": "again"})
    reason = Reason("too_many_open", "wait", {}, "")
    denied = dataclasses.replace(allowed, allowed=False, reasons=(reason,), terms=None)
    answers: list[Decision] = []
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(Warrant, "_ask", lambda *_, **__: answers.pop(0))

    answers[:] = [denied, denied, allowed]
    assert warrant.ask("read_file").allowed
    assert pauses == [1.0, 2.0]

    others: list[dict[str, Any]] = [{"retries": 0}, {"key": "one"}, {"wait": 1.0}]
    for more in others:
        answers[:] = [denied, allowed]
        assert not warrant.ask("read_file", **more).allowed
