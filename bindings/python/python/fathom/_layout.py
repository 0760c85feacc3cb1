"""The places of the values of a vector in the slots of its ciphertexts.

A vector of up to `N/2` values repeats in all slots with the least power of two that is at least its length as the
period, and zeros between the values and the end of a period. A number is a vector of period 1. A longer vector fills
the slots of several ciphertexts once, with zeros at the end; its period is 0.
"""

from __future__ import annotations

from typing import Any

from .errors import KindError


def period_of(length: int | None, row: int) -> int:
    """Returns the period of a vector of this length, or of a number."""
    if length is None:
        return 1
    return 0 if length > row else 1 << (length - 1).bit_length()


def no_vector(operand: Any) -> KindError:
    """Returns the refusal of an operand of an inner product that is no vector."""
    name = type(operand).__name__
    return KindError(
        f"dot takes a vector, encrypted or clear, got {name}: multiply by a number with `*`, and add up with `sum`",
        code="type_mismatch",
        operation="dot",
        expected="vector",
        got=name,
    )
