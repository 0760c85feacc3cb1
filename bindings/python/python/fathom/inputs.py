"""What is stated about values before they are encrypted: their number, and how large they may be."""

from __future__ import annotations

import operator
from typing import Any

from ._buffers import letter_of, listed, view_of
from ._layout import is_list, is_number
from ._ranges import Range
from .errors import KindError, RangeError, ShapeError

#: The integers that the elements of arrays have, by the letters of `array.array` and of buffers.
_WIDTHS = {"b": 7, "B": 8, "h": 15, "H": 16, "i": 31, "I": 32}


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
        _check_length(length)
        if (low is None) != (high is None) or (low is not None and bits is not None):
            raise KindError("state either bits, or both low and high", code="options")
        # Python's own integers: those of NumPy wrap around.
        if low is None or high is None:
            stated = Range.of_bits(8 if bits is None else operator.index(bits))
        else:
            stated = Range(operator.index(low), operator.index(high))
        if stated.low > stated.high:
            raise RangeError(f"no integer is from {low} to {high}", code="empty_range", low=low, high=high)
        self.length = length
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
        _check_length(length)
        if not 0.0 < magnitude < float("inf"):
            raise RangeError(f"the magnitude {magnitude} is not positive", code="not_a_bound", bound=float(magnitude))
        self.length = length
        self.magnitude = float(magnitude)

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
    if isinstance(example, bool):
        return Truth()
    if is_number(example):
        return _of_values([example], None, None, bits, magnitude)
    if not is_list(example):
        name = type(example).__name__
        raise KindError(f"expected numbers, got {name}", code="type_mismatch", expected="numbers", got=name)
    values = listed(example)
    if not values:
        raise ShapeError("there are no values in an example", code="empty")
    return _of_values(values, len(values), _type_range(example), bits, magnitude)


def _of_values(
    values: list[Any], length: int | None, own: Range | None, bits: int | None, magnitude: float | None
) -> Input:
    if any(isinstance(value, bool) or not is_number(value) for value in values):
        raise KindError("examples are integers or real numbers", code="type_mismatch", expected="numbers")
    if all(hasattr(value, "__index__") for value in values):
        wanted = own if own is not None and bits is None else Range.of_bits(8 if bits is None else bits)
        input_ = Integers(length, low=wanted.low, high=wanted.high)
        if not wanted.contains(Range(min(values), max(values))):
            raise RangeError(
                f"an example is not in {wanted.low} to {wanted.high}: state a larger range with bits=, or with "
                "fathom.Integers",
                code="example",
                low=wanted.low,
                high=wanted.high,
            )
        return input_
    reals = Reals(length, magnitude=1.0 if magnitude is None else magnitude)
    if not all(abs(float(value)) <= reals.magnitude for value in values):
        raise RangeError(
            f"an example has an absolute value above {reals.magnitude:g}: state a larger one with magnitude=, or with "
            "fathom.Reals",
            code="example",
            magnitude=reals.magnitude,
        )
    return reals


def _type_range(values: Any) -> Range | None:
    """Returns the integers of the type of an array, if it is one of up to 32 bits."""
    view = view_of(values)
    letter = "" if view is None else letter_of(view)
    if letter not in _WIDTHS:
        return None
    top = 2 ** _WIDTHS[letter]
    return Range(0, top - 1) if letter.isupper() else Range(-top, top - 1)


def _check_length(length: Any) -> None:
    if length is not None and (isinstance(length, bool) or not isinstance(length, int) or length < 1):
        raise ShapeError(f"a vector has at least one value, not {length!r}", code="empty")


def _described(length: int | None) -> str:
    return "one" if length is None else str(length)
