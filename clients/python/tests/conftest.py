"""A real server on a log of its own, for all tests."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
USUAL = (
    f"node --conditions=warrant-source --import {ROOT}/node_modules/tsx/dist/loader.mjs"
    f" {ROOT}/services/cli/main.ts"
)


PERSON = "ann"


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "WARRANT_USER": PERSON, "WARRANT_KEYS": str(folder / "keys")}


@dataclass(frozen=True)
class Server:
    url: str
    token: str
    folder: Path

    def warrant(self, *words: str) -> str:
        return command(self.folder, *words)


def command(folder: Path, *words: str) -> str:
    ran = subprocess.run(
        [*shlex.split(os.environ.get("WARRANT_COMMAND", USUAL)), *words],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


ANYTHING = {"argsSchema": {"type": "object"}}
ASKED = {
    **ANYTHING,
    "conditions": [{"name": "ask", "when": "true", "effect": "confirm", "question": "May it?"}],
}
CAPABILITIES = [
    {"id": "read_file", "safetyClass": "READ", **ANYTHING},
    {"id": "wire_money", "safetyClass": "READ", **ASKED},
    {"id": "write_file", "safetyClass": "WRITE", **ASKED},
]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("warrant")
    command(folder, "init")
    file = folder / "warrant" / "catalog.json"
    catalog = json.loads(file.read_text())
    catalog["capabilities"] += CAPABILITIES
    file.write_text(json.dumps(catalog))
    command(folder, "apply", "warrant", "--key", PERSON, "--yes")
    token = command(folder, "tokens", "create", "my-agent")
    child = subprocess.Popen(
        [
            *shlex.split(os.environ.get("WARRANT_COMMAND", USUAL)),
            *["up", "http", "--listen", "0", "--rate", "1000"],
        ],
        cwd=folder,
        env=environment(folder),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    url = None
    for line in child.stderr:
        found = re.search(r'"listen":"(http:[^"]+)".*"msg":"http ready"', line)
        if found is not None:
            url = found[1]
            break
    assert url is not None, "it never was ready"
    # It goes on to be read: a process whose lines no one takes would stand still.
    rest = child.stderr
    threading.Thread(target=lambda: list(rest), daemon=True).start()
    yield Server(url, token, folder)
    child.terminate()
    child.wait(30)
