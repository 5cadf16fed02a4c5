"""A person's answer to a review: what it says, and the signature of a key that stays here."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any, Protocol

from .errors import WarrantError


class PublicKey(Protocol):
    def public_bytes_raw(self) -> bytes: ...


class PrivateKey(Protocol):
    """An Ed25519 key, such as `load_pem_private_key` of `cryptography` reads it."""

    def sign(self, data: bytes, /) -> bytes: ...

    def public_key(self) -> PublicKey: ...


def signed_answer(
    shown: Mapping[str, Any],
    caller: Mapping[str, Any],
    answers: bool | Sequence[bool],
    key: PrivateKey,
    more: Mapping[str, Any],
) -> Mapping[str, Any]:
    """The body of `POST /v1/decisions`; an error for a review that shows what it does not bind."""
    review, person = shown["review"], str(caller["principal"])
    if _digest_of(review) != review["digest"]:
        raise WarrantError("the review shows something else than its digest covers: not answered")
    each = [answers] * len(review["questions"]) if isinstance(answers, bool) else list(answers)
    said = {
        "answers": each,
        "confirmer": person,
        "digest": review["digest"],
        "intent": review["intent"],
        "review": shown["name"],
        **more,
    }
    place = f"{caller['realm']}.{caller['era']}.decision"
    name = f"{place}.{review['intent']['address']}.{review['number']}.{_token(person)}"
    signed = {"data": said, "log": review["log"], "name": name}
    public = f"ed25519:{_text64(key.public_key().public_bytes_raw())}"
    signature = {
        "format": "ed25519",
        "key": _text64(sha256(public.encode()).digest()[:12]),
        "value": _text64(key.sign(_canonical(signed).encode())),
    }
    return {"name": name, "data": {**said, "signature": signature}}


def _digest_of(review: Mapping[str, Any]) -> str:
    """Of all that a yes permits."""
    covered = {"agent": review["intent"]["agent"], "log": review["log"], "terms": review["terms"]}
    for name in ("gaps", "policies", "questions", "values"):
        if name in review:
            covered[name] = sorted((_canonical(entry) for entry in review[name]), key=_units)
    return f"sha256:{sha256(_canonical(covered).encode()).hexdigest()}"


def _canonical(value: object) -> str:
    """By RFC 8785, which orders and writes some keys and numbers in another way than `json`."""
    if isinstance(value, Mapping):
        members = sorted(value.items(), key=lambda member: _units(member[0]))
        return f"{{{','.join(f'{_canonical(key)}:{_canonical(of)}' for key, of in members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _units(text: str) -> bytes:
    return text.encode("utf-16-be")


def _number(value: float) -> str:
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return re.sub(r"e([+-])0", r"e\1", repr(value))


def _token(name: str) -> str:
    """As the names of facts have it."""
    if re.fullmatch(r"[A-Za-z0-9-][A-Za-z0-9_-]{0,63}", name):
        return name
    return f"_{_text64(sha256(name.encode()).digest()[:16])}"


def _text64(some: bytes) -> str:
    return base64.urlsafe_b64encode(some).decode().rstrip("=")
