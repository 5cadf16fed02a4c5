"""What the server answers, as values. What is not as expected is an error, never an allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import Unreachable


@dataclass(frozen=True)
class Reason:
    """Why something was denied: a code for programs, and the same in English."""

    code: str
    recover: str
    params: Mapping[str, Any]
    text: str


@dataclass(frozen=True)
class Terms:
    """What an allow permits, once, until `use_by` (RFC 3339)."""

    capability: str
    constraints: Mapping[str, Any]
    scope: Mapping[str, Any]
    use_by: str


@dataclass(frozen=True)
class Decision:
    """The verdict on an intent."""

    intent: str
    allowed: bool
    reasons: tuple[Reason, ...]
    terms: Terms | None
    confirmed_by: tuple[str, ...]
    position: int
    for_model: str | None


def decision_of(body: Mapping[str, Any]) -> Decision:
    """Raises `Unreachable` for what is not the answer of a Warrant server."""
    try:
        if body["state"] != "decided" or body["outcome"] not in ("allow", "deny"):
            raise ValueError("it is not decided")
        return Decision(
            intent=str(body["intent"]),
            allowed=body["outcome"] == "allow",
            reasons=tuple(
                Reason(one["code"], one["recover"], one["params"], one["text"])
                for one in body["reasons"]
            ),
            terms=None if body["terms"] is None else terms_of(body["terms"]),
            confirmed_by=tuple(body["confirmedBy"]),
            position=int(body["position"]),
            for_model=body["forModel"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Unreachable(f"the server gave an answer that is no verdict: {error}") from error


def terms_of(body: Mapping[str, Any]) -> Terms:
    return Terms(
        capability=str(body["capability"]),
        constraints=body["constraints"],
        scope=body["scope"],
        use_by=str(body["useBy"]),
    )
