"""Refusals of requests, as replies carry them."""

from __future__ import annotations

from typing import Any, Literal

Code = Literal["noise_exhausted", "unsupported", "bad_request", "insecure", "internal"]


class Refusal(Exception):
    """A typed error of the protocol: the driver sends it and continues."""

    def __init__(self, code: Code, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def as_json(self) -> dict[str, Any]:
        """Returns the field `error` of a reply."""
        return {"code": self.code, "message": self.message, "details": self.details or None}


def bad_request(message: str) -> Refusal:
    """A request that is malformed, out of order, or has the wrong operands."""
    return Refusal("bad_request", message)


def unsupported(message: str) -> Refusal:
    """A request for something that the library does not support."""
    return Refusal("unsupported", message)
