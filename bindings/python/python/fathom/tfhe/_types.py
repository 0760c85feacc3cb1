"""The names of types of integers."""

from __future__ import annotations

from typing import Any

from .._layout import is_list
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
    try:
        view = memoryview(values)
    except TypeError:
        if not is_list(values):
            name = type(values).__name__
            raise KindError(f"expected a sequence, got {name}", code="type_mismatch", got=name) from None
        listed, dtype = list(values), None
    else:
        if view.ndim != 1:
            raise ShapeError(f"expected one dimension, got {view.ndim}", code="dimensions", got=view.ndim)
        listed, dtype = view.tolist(), _dtype_of(view)
    if not listed:
        raise ShapeError("there are no values to encrypt", code="empty")
    if dtype is None and isinstance(listed[0], bool):
        dtype = "bool"
    return listed, dtype


def _dtype_of(view: memoryview) -> str | None:
    """Returns the type of the elements of a buffer; none if they are no integers."""
    letter = view.format[-1]
    if letter == "?":
        return "bool"
    sign = "i" if letter in "bhilqn" else "u" if letter in "BHILQN" else None
    return None if sign is None else f"{sign}{8 * view.itemsize}"
