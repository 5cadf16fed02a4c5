"""Asks Warrant over HTTP before a tool of an agent runs."""

from .answering import PrivateKey
from .answers import Decision, Reason, Terms
from .client import Warrant
from .errors import AlreadyRan, Denied, Pending, Problem, Unreachable, WarrantError
from .waiting import AsyncWarrant

__all__ = [
    "AlreadyRan",
    "AsyncWarrant",
    "Decision",
    "Denied",
    "Pending",
    "PrivateKey",
    "Problem",
    "Reason",
    "Terms",
    "Unreachable",
    "Warrant",
    "WarrantError",
]
