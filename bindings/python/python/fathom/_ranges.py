"""Public ranges of secret integers, which operations carry on so that nothing wraps around unnoticed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _frames
from .errors import RangeError


class Range:
    """The integers that a value may be: a public statement, never taken from the data.

    Attributes:
        low: The least integer.
        high: The greatest integer.
    """

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and (self.low, self.high) == (other.low, other.high)

    def __hash__(self) -> int:
        return hash((self.low, self.high))

    @staticmethod
    def of_bits(bits: int) -> Range:
        """Returns the integers with an absolute value below `2**bits`."""
        return Range(1 - 2**bits, 2**bits - 1)

    @property
    def bits(self) -> int:
        """The bits of the largest absolute value."""
        return max(abs(self.low), abs(self.high)).bit_length()

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Range) -> Range:
        return Range(self.low - other.high, self.high - other.low)

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low)

    def __mul__(self, other: Range) -> Range:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Range(min(corners), max(corners))

    def joined(self, other: Range) -> Range:
        """Returns the smallest range that contains both ranges."""
        return Range(min(self.low, other.low), max(self.high, other.high))

    def times(self, count: int) -> Range:
        """Returns the range of a sum of `count` values."""
        return Range(count * self.low, count * self.high)

    def squared(self) -> Range:
        """Returns the range of squares."""
        largest = max(self.low**2, self.high**2)
        least = 0 if self.low <= 0 <= self.high else min(self.low**2, self.high**2)
        return Range(least, largest)

    def of_polynomial(self, coefficients: Sequence[int]) -> Range:
        """Returns a range of the values of a polynomial, coefficients lowest first: that of its terms."""
        found = Range(0, 0)
        for exponent, coefficient in enumerate(coefficients):
            ends = [self.low**exponent, self.high**exponent]
            # Even powers are least at zero.
            least = 0 if exponent and exponent % 2 == 0 and self.low <= 0 <= self.high else min(ends)
            found = found + Range(least, max(ends)) * Range(coefficient, coefficient)
        return found

    def contains(self, other: Range) -> bool:
        """Returns whether every integer of another range is in this one."""
        return self.low <= other.low and other.high <= self.high


def check(operation: str, found: Range | None, allowed: Range | None) -> Range | None:
    """Returns the range of a result, after checking that the parameters hold it.

    Raises:
        RangeError: A value of the range would wrap around.
    """
    if found is None or allowed is None or allowed.contains(found):
        return found
    raise RangeError(
        f"{operation} could give {found.low} to {found.high}, {found.bits} bits, but the parameters hold "
        f"{allowed.low} to {allowed.high}: make keys for more bits or terms, state a smaller range with bits= at "
        "encryption, or compute modulo t with modular=True",
        code="wrap",
        operation=operation,
        low=found.low,
        high=found.high,
        needed_bits=found.bits,
        held_low=allowed.low,
        held_high=allowed.high,
    )


def read_range(stated: Any, allowed: Range | None, field: str) -> Range | None:
    """Returns the range in the metadata of an object, or none if it states none.

    Raises:
        WireError: The field is no range that the parameters hold.
    """
    if stated is None:
        return None
    if allowed is not None and isinstance(stated, list) and len(stated) == 2:
        low, high = stated
        if type(low) is int and type(high) is int and low <= high and allowed.contains(Range(low, high)):
            return Range(low, high)
    raise _frames.malformed(field)
