"""The choice between two values by an encrypted condition."""

from __future__ import annotations

from typing import Any

from . import tfhe
from ._ranges import Range
from .errors import KindError, RangeError
from .vector import Vector, leveled, product


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


def select(condition: Vector, chosen: Any, other: Any) -> Vector:
    """Returns `chosen` where a vector of zeros and ones has a one, and `other` where it has a zero.

    It costs a product. One of both values may be clear.

    Raises:
        RangeError: The condition may be other than 0 and 1.
        KindError: The condition is one of real numbers.
    """
    if not condition._params.is_exact:
        raise KindError("where takes a condition of integers, which are exactly 0 or 1", code="no_comparison")
    if condition._range is None or not Range(0, 1).contains(condition._range):
        low, high = condition.range or (None, None)
        raise RangeError(
            f"where takes a condition of 0 and 1, this one may be {low} to {high}: encrypt it with range=(0, 1)",
            code="condition",
            low=low,
            high=high,
        )
    if not isinstance(chosen, Vector) and not isinstance(other, Vector):
        chosen, other = condition * chosen, (1 - condition) * other
        return Vector.__add__(chosen, other)
    if isinstance(chosen, Vector) and isinstance(other, Vector):
        chosen, other = leveled(chosen, other)
    switched = product(condition, chosen - other)
    if not isinstance(other, Vector):
        return switched._sum("add", other)
    result = Vector.__add__(*leveled(switched, other))
    if not isinstance(chosen, Vector) or not chosen._range or not other._range:
        return result
    # The value is one of both, although the formula could give more.
    return result._with(result._parts, chosen._range.joined(other._range))
