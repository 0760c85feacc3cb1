"""Why a request was refused, as the reply carries it."""

from __future__ import annotations

from typing import Any, Literal

Code = Literal["noise_exhausted", "unsupported", "bad_request", "insecure", "internal"]


class Refusal(Exception):
    """A typed error of the protocol: the driver answers it and goes on."""

    def __init__(self, code: Code, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def as_json(self) -> dict[str, Any]:
        """The field `error` of a reply."""
        return {"code": self.code, "message": self.message, "details": self.details or None}


def bad_request(message: str) -> Refusal:
    """A request that is malformed, out of order, or has the wrong operands."""
    return Refusal("bad_request", message)


def unsupported(message: str) -> Refusal:
    """A request for what the library does not have."""
    return Refusal("unsupported", message)
