"""Runs of a function on ranges alone, before there are parameters.

The operators are those of encrypted values; evaluators and ciphertexts are stand-ins that know no more than depths,
numbers of terms and types. What the ranges reach chooses the plaintext modulus or the type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from . import _fathom
from ._ranges import Range
from .errors import KindError, RangeError
from .inputs import Integers
from .params import Params

#: The largest number of values that rotations move within one ciphertext of any parameters.
_LARGEST_ROW = 1 << 15


class Outline:
    """A ciphertext of integers of which only the operations before it are known."""

    __slots__ = ("count", "depth", "rotations", "terms")

    level = 0

    def __init__(self, count: int, depth: int = 0, terms: int = 1, rotations: int = 0) -> None:
        self.count = count
        self.depth = depth
        self.terms = terms
        self.rotations = rotations

    def __len__(self) -> int:
        return self.count


class OutlineEvaluator:
    """A stand-in for an evaluator that records the most operations of each kind behind any value."""

    def __init__(self) -> None:
        self.depth = 0
        self.terms = 1
        self.rotations = 0

    def _noted(self, outline: Outline) -> Outline:
        self.depth = max(self.depth, outline.depth)
        self.terms = max(self.terms, outline.terms)
        self.rotations = max(self.rotations, outline.rotations)
        return outline

    def _sum(self, a: Outline, b: Outline) -> Outline:
        joined = max(a.depth, b.depth), a.terms + b.terms, max(a.rotations, b.rotations)
        return self._noted(Outline(max(len(a), len(b)), *joined))

    def _product(self, a: Outline, b: Outline) -> Outline:
        return self._noted(Outline(max(len(a), len(b)), max(a.depth, b.depth) + 1))

    add = sub = _sum
    mul = _product

    def _kept(self, a: Outline, *_: Any) -> Outline:
        return a

    add_values = sub_values = mul_values = switch_to = _kept

    def call(self, verb: str, a: Outline, numbers: list[Any]) -> Outline:
        """Calls a verb of the table."""
        work, terms = _fathom.verb_work(verb, 2 * _LARGEST_ROW, len(numbers))
        counts = dict(work)
        if "mul" in counts:
            return self._product(a, a)
        return self._noted(Outline(len(a), a.depth, a.terms * terms, a.rotations + counts.get("rotate", 0)))

    def polynomial(self, a: Outline, coefficients: list[int]) -> Outline:
        """Evaluates a polynomial."""
        depth = a.depth + (len(coefficients) - 1).bit_length()
        return self._noted(Outline(len(a), depth, a.terms * len(coefficients), a.rotations))

    def fold(self, a: Outline) -> Outline:
        """Adds up ciphertexts."""
        return self._noted(Outline(1, a.depth, a.terms * len(a), a.rotations))

    def dot(self, a: Outline, b: Outline) -> Outline:
        """Adds up the products of ciphertexts."""
        return self.fold(self._product(a, b))

    def sum_slots(self, a: Outline, period: int) -> Outline:
        """Adds up slots, all of them for the period 0."""
        count = period or 2 * _LARGEST_ROW
        steps = a.rotations + count.bit_length() - 1
        return self._noted(Outline(1, a.depth, a.terms * count, steps))

    def rotate(self, a: Outline, _: int) -> Outline:
        """Rotates slots."""
        return self._noted(Outline(len(a), a.depth, a.terms, a.rotations + 1))

    def linear_map(self, rows: Any, _: int) -> int:
        """Returns what is known of a matrix: its number of columns."""
        return len(rows[0])

    def transform(self, columns: int, a: Outline) -> Outline:
        """Multiplies by a matrix."""
        return self._noted(Outline(1, a.depth, a.terms * columns, a.rotations + 1))


class _Core:
    """A stand-in for the parameters of exact integers of any size."""

    scheme = "bfv"
    degree = 2 * _LARGEST_ROW
    slots = 2 * _LARGEST_ROW
    plain_modulus = None


class RangedParams(Params):
    """A stand-in for parameters that hold every integer, which records the ranges that results reach."""

    __slots__ = ("largest",)

    largest: tuple[str, Range]

    @classmethod
    def of(cls, inputs: list[Integers], evaluator: OutlineEvaluator) -> RangedParams:
        """Returns the stand-in for some inputs."""
        largest = max((stated._range for stated in inputs), key=lambda found: found.bits)
        return cls._made(_core=_Core(), _inputs=None, _keyless=evaluator, largest=("encrypt", largest))

    def _checked(self, operation: str, found: Range | None) -> Range | None:
        if found is not None and found.bits > self.largest[1].bits:
            self.largest = (operation, found)
        return found


class TypedCore:
    """A stand-in for an encrypted machine integer or truth value: its range, or none for a truth value."""

    __slots__ = ("range",)

    def __init__(self, found: Range | None) -> None:
        self.range = found

    @property
    def dtype(self) -> str:
        """The name of the type as far as it is known."""
        return "bool" if self.range is None else "integer"


class TypedEvaluator:
    """A stand-in for an evaluator of machine integers, which records the range that holds all values."""

    def __init__(self) -> None:
        self.hull: Range | None = None

    def noted(self, found: Range) -> TypedCore:
        """Returns an integer of a range."""
        self.hull = found if self.hull is None else self.hull.joined(found)
        return TypedCore(found)

    def binary(self, operation: str, a: TypedCore, b: Any) -> TypedCore:
        """Computes the range of an operation."""
        right = b.range if isinstance(b, TypedCore) else None if isinstance(b, bool) else self.noted(_one(b)).range
        if (a.range is None) != (right is None):
            raise KindError(f"{operation} takes operands of one type", code="type_mismatch", operation=operation)
        if a.range is None or right is None:
            if operation not in ("and", "or", "xor", "eq", "ne"):
                raise KindError(f"there is no {operation} of truth values", code="no_operation", operation=operation)
            return TypedCore(None)
        if operation in ("eq", "ne", "lt", "le", "gt", "ge"):
            return TypedCore(None)
        return self.noted(_RANGES[operation](a.range, right))

    def unary(self, operation: str, a: TypedCore) -> TypedCore:
        """Computes the range of an operation with one operand."""
        if a.range is None:
            return a
        return self.noted(-a.range if operation == "neg" else -a.range - Range(1, 1))

    def ternary(self, operation: str, a: TypedCore, b: TypedCore, c: TypedCore) -> TypedCore:
        """Returns the range of either of two values, or of the majority of three."""
        if a.range is not None or (b.range is None) != (c.range is None):
            raise KindError(f"{operation} takes a truth value, and two values of one type", code="type_mismatch")
        return b if b.range is None or c.range is None else self.noted(b.range.joined(c.range))

    def trivial(self, like: TypedCore, value: Any) -> TypedCore:
        """Returns the range of a clear value."""
        return TypedCore(None) if like.range is None else self.noted(_one(value))


def _one(value: Any) -> Range:
    """Returns the range of one clear number, as Python's own integers: those of NumPy wrap around."""
    number = operator.index(value)
    return Range(number, number)


def _quotient(a: Range, b: Range) -> Range:
    _check_divisor(b)
    if b.low > 0 and a.low >= 0:
        return Range(a.low // b.high, a.high // b.low)
    largest = max(abs(a.low), abs(a.high))
    return Range(-largest, largest)


def _remainder(a: Range, b: Range) -> Range:
    _check_divisor(b)
    most = max(abs(b.low), abs(b.high)) - 1
    return Range(max(a.low, -most) if a.low < 0 else 0, min(a.high, most) if a.high > 0 else 0)


def _check_divisor(b: Range) -> None:
    if b.low <= 0 <= b.high:
        raise RangeError(
            f"the divisor may be {b.low} to {b.high}, and zero is one of them: state a range without it",
            code="division",
            low=b.low,
            high=b.high,
        )


def _bitwise(a: Range, b: Range) -> Range:
    top = 2 ** max(a.bits, b.bits)
    return Range(-top if a.low < 0 or b.low < 0 else 0, top - 1)


def _both(a: Range, b: Range) -> Range:
    return Range(0, min(a.high, b.high)) if a.low >= 0 and b.low >= 0 else _bitwise(a, b)


_RANGES: dict[str, Callable[[Range, Range], Range]] = {
    "add": Range.__add__,
    "sub": Range.__sub__,
    "mul": Range.__mul__,
    "div": _quotient,
    "rem": _remainder,
    "and": _both,
    "or": _bitwise,
    "xor": _bitwise,
    "max": lambda a, b: Range(max(a.low, b.low), max(a.high, b.high)),
    "min": lambda a, b: Range(min(a.low, b.low), min(a.high, b.high)),
}
