"""Why a tool did not run. Each of these means that nothing was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answers import Decision


class WarrantError(Exception):
    """The tool did not run."""


class Unreachable(WarrantError):
    """The server could not be asked, or gave no answer that can be understood."""


class Problem(WarrantError):
    """The server refused the request itself (RFC 9457)."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", "unknown"))
        self.reason: str | None = body.get("reason")
        self.retry = str(body.get("retry", "never"))
        super().__init__(f"{status} {self.code}: {body.get('detail', 'no detail')}")


class AlreadyRan(Problem):
    """The warrant was used already: this call, or one equal to it, has run."""

    for_model = (
        "The tool was not run: this call, or one equal to it, has run already. Do not repeat it."
    )

    @property
    def only_reads(self) -> bool:
        """Whether the tool changes nothing, so that it may be asked about again."""
        return self.reason == "only_reads"


class Denied(WarrantError):
    """The verdict is a denial."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.intent = decision.intent
        self.for_model = decision.for_model
        first = decision.reasons[0] if decision.reasons else None
        super().__init__("denied" if first is None else f"{first.code}: {first.text}")


class Pending(WarrantError):
    """There is no verdict yet, such as while people decide; `decision(intent)` will have it."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.intent = str(body["intent"])
        self.waits: Mapping[str, Any] = body["waits"]
        self.for_model = str(body["forModel"])
        super().__init__(f"{self.intent} waits for {self.waits.get('text', 'a verdict')}")
