"""The exceptions of Fathom: reasons why an operation was refused.

Every exception derives from `FathomError` and has a `code`, the name of the refusal in snake case, and the numbers of
the refusal as attributes: `error.needed_bits`, `error.left_bits`. Messages state the values, the bound and what to
change. No exception contains a secret value.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "DivisionError",
    "FathomError",
    "ForkError",
    "InternalError",
    "Interrupted",
    "KeyMismatchError",
    "KindError",
    "LevelError",
    "MissingKeyError",
    "NoServerError",
    "NoiseError",
    "ParamsError",
    "QueryError",
    "RangeError",
    "ResourceError",
    "ShapeError",
    "WireError",
]


class FathomError(Exception):
    """The base of all refusals.

    Attributes:
        code: The name of the refusal in snake case.
        details: The numbers and names of the refusal, each of which is an attribute too.
    """

    code: str
    details: dict[str, Any]

    def __init__(self, message: str, *, code: str = "other", **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details

    def __getattr__(self, name: str) -> Any:
        details = self.__dict__.get("details", {})
        if name in details:
            return details[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), str(self), self.code, self.details)


def _again(kind: type[FathomError], message: str, code: str, details: dict[str, Any]) -> FathomError:
    """Returns the exception that was pickled."""
    return kind(message, code=code, **details)


class NoiseError(FathomError):
    """The noise or the error of a result would be too large: take parameters of greater depth or precision."""


class LevelError(FathomError):
    """Operands have levels, scales or components that do not fit together."""


class KeyMismatchError(FathomError):
    """Operands belong to different secret keys or parameters."""


class MissingKeyError(FathomError):
    """An evaluation key is missing: request it when the keys are made."""


class RangeError(FathomError, ValueError):
    """A value, or a value that a result could have, is out of range."""


class ShapeError(FathomError, ValueError):
    """Operands have lengths or dimensions that do not fit together."""


class KindError(FathomError, TypeError):
    """An operand has a type or a scheme that the operation does not take."""


class ParamsError(FathomError, ValueError):
    """There are no such parameters, or they would be insecure."""


class QueryError(FathomError, ValueError):
    """A table of encrypted columns does not serve a query, or nothing does: the error names the part and a remedy."""


class WireError(FathomError, ValueError):
    """Bytes are damaged, cut, of another version, or no object of the expected kind."""


class DivisionError(FathomError, ZeroDivisionError):
    """The divisor is zero."""


class ResourceError(FathomError, OSError):
    """The operating system refused threads, files or random numbers."""


class NoServerError(FathomError):
    """An operation needs evaluation keys, and no server is bound to the operands."""


class ForkError(FathomError, RuntimeError):
    """An object with threads is used in a process that was forked from the one that made it."""


class Interrupted(FathomError):
    """The operation was cancelled."""


class InternalError(FathomError, RuntimeError):
    """A defect of Fathom. Please report it."""
