"""A person answers a review over HTTP, by a key that the server never sees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from warrant_client import Pending, Problem, Warrant, WarrantError

from .conftest import PERSON, Server, command


@pytest.fixture(scope="module")
def key(server: Server) -> Ed25519PrivateKey:
    [file] = (server.folder / "keys").rglob(f"{PERSON}*.pem")
    found = load_pem_private_key(file.read_bytes(), None)
    assert isinstance(found, Ed25519PrivateKey)
    return found


@pytest.fixture(scope="module")
def person(server: Server) -> Iterator[Warrant]:
    file = server.folder / "warrant" / "catalog.json"
    catalog = json.loads(file.read_text())
    [entry] = [one for one in catalog["principals"] if one["id"] == PERSON]
    entry["via"] = ["http"]
    file.write_text(json.dumps(catalog))
    command(server.folder, "apply", "warrant", "--key", PERSON, "--yes")
    token = command(server.folder, "tokens", "create", PERSON)
    with Warrant(server.url, token=token) as client:
        yield client


@pytest.fixture
def agent(server: Server) -> Iterator[Warrant]:
    with Warrant(server.url, token=server.token) as client:
        yield client


def asked(agent: Warrant, person: Warrant, args: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the person is shown of a new request."""
    with pytest.raises(Pending) as waiting:
        agent.ask("wire_money", args)
    rows = person.read("reviews", person=PERSON)["rows"]
    [row] = [one for one in rows if one["intent"] == waiting.value.intent]
    assert isinstance(row, dict)
    return row


def test_a_yes_lets_it_through_and_counts_once(
    agent: Warrant, person: Warrant, key: Ed25519PrivateKey
) -> None:
    row = asked(agent, person, {"amount": 40.5})
    name = person.answer(row, True, key=key, note="as agreed")
    assert agent.decision(row["intent"], wait=10).allowed
    assert f".decision.{row['intent']}." in name
    assert person.answer(row, True, key=key, note="as agreed") == name
    with pytest.raises(Problem) as again:
        person.answer(row, False, key=key)
    assert (again.value.status, again.value.code) == (404, "no_review")


def test_what_is_digested_is_written_as_the_server_writes_it(
    agent: Warrant, person: Warrant, key: Ed25519PrivateKey
) -> None:
    numbers = [1e-7, 1.5e-9, 0.00001, 0.000001, -0.0, 1e21, -2.5e300, 1e20, 100.0, 2**53, True, None]
    texts = {"\ue000": "\x7f", "\U0001f600": '"\\\n\x01', "é": "é", "10": "", "9": ""}
    row = asked(agent, person, {"numbers": numbers, "texts": texts})
    person.answer(row, [True], key=key)
    assert agent.decision(row["intent"], wait=10).allowed
    other = json.loads(json.dumps(row))
    other["review"]["terms"]["args"]["numbers"][0] = 2e-7
    with pytest.raises(WarrantError, match="not answered"):
        person.answer(other, True, key=key)


def test_another_key_and_an_agent_answer_nothing(
    agent: Warrant, person: Warrant, key: Ed25519PrivateKey
) -> None:
    row = asked(agent, person, {"amount": 41})
    with pytest.raises(Problem) as forged:
        person.answer(row, True, key=Ed25519PrivateKey.generate())
    assert (forged.value.status, forged.value.code) == (422, "signature_needed")
    with pytest.raises(Problem) as own:
        agent.answer(row, True, key=key)
    assert (own.value.status, own.value.code) == (422, "signature_needed")
    person.answer(row, False, key=key)
    assert not agent.decision(row["intent"], wait=10).allowed
    with pytest.raises(Problem) as speaking:
        person.ask("read_file", {"path": "a"})
    assert speaking.value.code == "door_refused"
