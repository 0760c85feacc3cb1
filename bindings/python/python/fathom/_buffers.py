"""Clear values in sequences and in buffers of every type, byte order and package."""

from __future__ import annotations

from typing import Any

from ._layout import is_list
from .errors import KindError

#: Prefixes of the type in the format of a buffer: its byte order.
_ORDERS = ("", "@", "=", "<", ">", "!")


def view_of(values: Any) -> memoryview | None:
    """Returns the buffer of an object, or none if it has none, as sequences and arrays of dates."""
    try:
        return memoryview(values)
    except (TypeError, ValueError, BufferError):
        return None


def letter_of(view: memoryview) -> str:
    """Returns the letter of the type of the elements, without their byte order; none if they have several parts."""
    letter = view.format[-1:]
    return letter if view.format[:-1] in _ORDERS else ""


def listed(values: Any) -> list[Any]:
    """Returns the values of a sequence or buffer as objects of Python.

    Raises:
        KindError: It is neither, or Python does not read the elements.
    """
    if not is_list(values) and not isinstance(values, (bytes, bytearray)):
        name = type(values).__name__
        raise KindError(f"expected a sequence, got {name}", code="type_mismatch", expected="numbers", got=name)
    try:
        return list(values.tolist()) if hasattr(values, "tolist") else list(values)
    except NotImplementedError:
        raise KindError(
            "the buffer has elements of another byte order, or of a type that is no number: read it with "
            "numpy.asarray, or make a list of its numbers",
            code="type_mismatch",
            expected="numbers",
        ) from None
