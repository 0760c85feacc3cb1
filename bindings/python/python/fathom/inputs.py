"""Statements about values before they are encrypted: their number and their bounds."""

from __future__ import annotations

from typing import Any

from ._ranges import Range
from ._values import NUMBERS, REALS, Values, ends_of, number, read, whole
from .errors import KindError, RangeError, ShapeError

#: The most bits of the elements of an array whose type states their range.
_MOST_TYPE_BITS = 32


class Integers:
    """Integers that will be encrypted: a vector of so many, or one integer.

    Attributes:
        length: The number of integers; none for one integer.
        low: The least integer, a public statement.
        high: The greatest integer.
    """

    __slots__ = ("high", "length", "low")

    def __init__(
        self, length: int | None = None, *, bits: int | None = None, low: int | None = None, high: int | None = None
    ) -> None:
        """States the range by `low` and `high`, or as absolute values below `2**bits`, 8 bits by default.

        Raises:
            ShapeError: There are no integers.
            RangeError: The range is empty.
            KindError: Both are stated, or one end only.
        """
        self.length = _checked_length(length)
        if (low is None) != (high is None) or (low is not None and bits is not None):
            raise KindError("state either bits, or both low and high", code="options")
        if low is None or high is None:
            stated = Range.of_bits(8 if bits is None else bits_of(bits))
        else:
            stated = Range(*ends_of((low, high)))
        self.low = stated.low
        self.high = stated.high

    @property
    def _range(self) -> Range:
        return Range(self.low, self.high)

    def __repr__(self) -> str:
        return f"fathom.Integers({_described(self.length)}, {self.low} to {self.high})"


class Reals:
    """Real numbers that will be encrypted: a vector of so many, or one number.

    Attributes:
        length: The number of values; none for one number.
        magnitude: The largest absolute value, a public statement.
    """

    __slots__ = ("length", "magnitude")

    def __init__(self, length: int | None = None, *, magnitude: float = 1.0) -> None:
        """States how many numbers there are, and how large they may be.

        Raises:
            ShapeError: There are no numbers.
            RangeError: The magnitude is not positive.
        """
        self.length = _checked_length(length)
        self.magnitude = number(magnitude, REALS)
        if not 0.0 < self.magnitude < float("inf"):
            raise RangeError(f"the magnitude {magnitude} is not positive", code="not_a_bound", bound=self.magnitude)

    def __repr__(self) -> str:
        return f"fathom.Reals({_described(self.length)}, up to {self.magnitude:g})"


class Truth:
    """A truth value that will be encrypted."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "fathom.Truth()"


Numbers = Integers | Reals
Input = Integers | Reals | Truth


def stated(example: Any, *, bits: int | None = None, magnitude: float | None = None) -> Input:
    """Returns the statement about an example: itself, or that of clear values.

    Of clear values only their kind, their number and the type of an array are looked at. Integers of a type of up to
    32 bits have the range of the type, and others `bits` bits, 8 by default; real numbers are up to `magnitude`, 1 by
    default. Examples out of that range are refused.

    Raises:
        KindError: The example is no number and no sequence of numbers.
        RangeError: An example is out of the stated range.
        ShapeError: There are no values.
    """
    if isinstance(example, (Integers, Reals, Truth)):
        return example
    values = read(example, NUMBERS)
    if isinstance(values.data, bool):
        return Truth()
    if values.length == 0:
        raise ShapeError("there are no values in an example", code="empty")
    listed = [values.data] if values.length is None else values.listed()
    if any(isinstance(value, bool) for value in listed):
        raise KindError("examples are integers or real numbers", code="type_mismatch", expected="numbers")
    if all(isinstance(value, int) for value in listed):
        wanted = Range.of_bits(8 if bits is None else bits_of(bits))
        return _of_integers(listed, values.length, wanted if bits is not None else _type_range(values) or wanted)
    return _of_reals(listed, values.length, 1.0 if magnitude is None else magnitude)


def _of_integers(values: list[int], length: int | None, wanted: Range) -> Integers:
    if not wanted.contains(Range(min(values), max(values))):
        raise RangeError(
            f"an example is not in {wanted.low} to {wanted.high}: state a larger range with bits=, or with "
            "fathom.Integers",
            code="example",
            low=wanted.low,
            high=wanted.high,
        )
    return Integers(length, low=wanted.low, high=wanted.high)


def _of_reals(values: list[float], length: int | None, magnitude: float) -> Reals:
    reals = Reals(length, magnitude=magnitude)
    if not all(abs(value) <= reals.magnitude for value in values):
        raise RangeError(
            f"an example has an absolute value above {reals.magnitude:g}: state a larger one with magnitude=, or with "
            "fathom.Reals",
            code="example",
            magnitude=reals.magnitude,
        )
    return reals


def _type_range(values: Values) -> Range | None:
    """Returns the integers of the type of an array, if it is one of up to 32 bits."""
    sign, bits = (values.dtype or "bool")[0], (values.dtype or "bool")[1:]
    if sign not in ("i", "u") or int(bits) > _MOST_TYPE_BITS:
        return None
    top = 2 ** (int(bits) - (sign == "i"))
    return Range(0, top - 1) if sign == "u" else Range(-top, top - 1)


def bits_of(stated: Any) -> int:
    """Returns stated bits of an absolute value.

    Raises:
        KindError: They are no integer.
        RangeError: They are negative.
    """
    bits = whole(stated, "a number of bits")
    if bits < 0:
        raise RangeError(f"no absolute value is below 2^{bits}: state bits of at least 0", code="bits", bits=bits)
    return bits


def _checked_length(length: Any) -> int | None:
    if length is None:
        return None
    count = whole(length, "a length")
    if count < 1:
        raise ShapeError(f"a vector has at least one value, not {count}", code="empty")
    return count


def _described(length: int | None) -> str:
    return "one" if length is None else str(length)
