"""The names of types of integers."""

from __future__ import annotations

from typing import Any

from .._buffers import letter_of, listed, view_of
from ..errors import KindError, RangeError, ShapeError

#: The most bits of a type.
_MOST_BITS = 128


def parsed(dtype: str | None) -> tuple[bool, int]:
    """Returns whether a type has a sign, and its bits.

    Raises:
        KindError: There is no such type.
    """
    letter, digits = str(dtype)[:1], str(dtype)[1:]
    bits = int(digits) if digits.isascii() and digits.isdecimal() and not digits.startswith("0") else 0
    if letter not in ("u", "i") or bits % 2 or not 0 < bits <= _MOST_BITS:
        raise KindError(
            f"no type is named {dtype!r}; take bool, or u or i and an even number of up to {_MOST_BITS} bits, such as "
            "u8 or i32",
            code="type_unknown",
            dtype=str(dtype),
        )
    return letter == "i", bits


def utf8(text: str) -> bytes:
    """Returns the bytes of a text.

    Raises:
        RangeError: It has none: it holds half of a pair of surrogates. The error does not hold the text.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    raise RangeError("the text has no form in UTF-8", code="not_text")


def elements(values: Any) -> tuple[list[Any], str | None]:
    """Returns the elements of a sequence or buffer, and the type that those of a buffer have.

    Raises:
        KindError: It is neither.
        ShapeError: There are none, or several dimensions.
    """
    view = view_of(values)
    if view is not None and view.ndim != 1:
        raise ShapeError(f"expected one dimension, got {view.ndim}", code="dimensions", got=view.ndim)
    found = listed(values)
    if not found:
        raise ShapeError("there are no values to encrypt", code="empty")
    dtype = None if view is None else _dtype_of(view)
    if dtype is None and isinstance(found[0], bool):
        dtype = "bool"
    return found, dtype


def _dtype_of(view: memoryview) -> str | None:
    """Returns the type of the elements of a buffer; none if they are no integers."""
    letter = letter_of(view)
    if letter == "?":
        return "bool"
    sign = "i" if letter in tuple("bhilqn") else "u" if letter in tuple("BHILQN") else None
    return None if sign is None else f"{sign}{8 * view.itemsize}"
