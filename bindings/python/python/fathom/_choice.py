"""The choice between two values by an encrypted condition."""

from __future__ import annotations

from typing import Any

from . import tfhe
from .vector import Vector, select


def where(condition: Any, chosen: Any, other: Any) -> Any:
    """Returns `chosen` where an encrypted condition holds, and `other` elsewhere.

    The condition is a truth value of TFHE, or a vector of integers that are 0 or 1.

    Raises:
        KindError: The condition is not encrypted, or the values are of different types.
        RangeError: A vector may have other values than 0 and 1.
    """
    if isinstance(condition, Vector):
        return select(condition, chosen, other)
    return tfhe.where(condition, chosen, other)
