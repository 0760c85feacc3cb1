"""The names of types of integers."""

from __future__ import annotations

import re
from typing import Any

from ..errors import KindError, ShapeError

#: The names of types: `u` or `i`, and an even number of bits.
_TYPE = re.compile(r"([ui])([1-9][0-9]{0,2})")

#: The most bits of a type.
_MOST_BITS = 128


def parsed(dtype: str | None) -> tuple[bool, int]:
    """Returns whether a type has a sign, and its bits.

    Raises:
        KindError: There is no such type.
    """
    found = _TYPE.fullmatch(str(dtype))
    if found is None or int(found[2]) % 2 or int(found[2]) > _MOST_BITS:
        raise KindError(
            f"no type is named {dtype!r}; take bool, or u or i and an even number of up to {_MOST_BITS} bits, such as "
            "u8 or i32",
            code="type_unknown",
            dtype=str(dtype),
        )
    return found[1] == "i", int(found[2])


def elements(values: Any) -> tuple[list[Any], str | None]:
    """Returns the elements of a sequence or buffer, and the type that those of a buffer have.

    Raises:
        ShapeError: There are none, or several dimensions.
    """
    try:
        view = memoryview(values)
    except TypeError:
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
