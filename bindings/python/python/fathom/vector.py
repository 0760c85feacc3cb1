"""Operators of encrypted vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import _fathom
from ._layout import no_vector
from ._operators import Operators
from ._ranges import Range
from ._refusals import no_axis
from ._values import (
    REALS,
    Values,
    columns_of,
    is_matrix,
    is_one_number,
    is_whole,
    place_in,
    read,
    read_list,
    rows_of,
    whole,
)
from ._vector_base import VectorBase
from .errors import DivisionError, KindError, MissingKeyError, ShapeError


class Vector(VectorBase):
    """An encrypted vector of integers or real numbers, or one encrypted number.

    Operators take vectors of the same length, encrypted numbers, clear numbers, and clear sequences or arrays. Results
    are refused if their noise could be too large (`NoiseError`) or an integer could wrap around (`RangeError`).
    """

    __slots__ = ()

    # Sums and differences.

    def __add__(self, other: Any) -> Vector:
        return self._sum("add", other)

    def __radd__(self, other: Any) -> Vector:
        return self._sum("add", other)

    def __sub__(self, other: Any) -> Vector:
        return self._sum("sub", other)

    def __rsub__(self, other: Any) -> Vector:
        return (-self)._sum("add", other)

    def __neg__(self) -> Vector:
        parts = self._evaluator("neg").call("neg", self._parts, [])
        return self._with(parts, None if self._range is None else -self._range)

    def __pos__(self) -> Vector:
        return self

    def _sum(self, operation: str, other: Any) -> Vector:
        if isinstance(other, Vector):
            return self._sum_of_two(operation, other)
        clear = self._spread(read(other, self._params._numbers))
        if clear.length is None:
            negated = -clear.data if operation == "sub" else clear.data
            stated = self._checked(operation, self._plus_clear("add", [negated]))
            evaluator = self._evaluator(operation)
            if self._is_full:
                return self._with(evaluator.call("add_scalar", self._parts, [negated]), stated)
            values = [negated] * len(self)
            return self._with(evaluator.add_values(self._parts, values, self._period), stated)
        self._check_length(operation, clear.length)
        stated = self._checked(operation, self._plus_clear(operation, clear.data))
        evaluator = self._evaluator(operation)
        method = evaluator.sub_values if operation == "sub" else evaluator.add_values
        return self._with(method(self._parts, clear.data, self._period), stated)

    def _sum_of_two(self, operation: str, other: Vector) -> Vector:
        longer = self._longer(operation, other)
        joined = Range.__sub__ if operation == "sub" else Range.__add__
        stated = self._checked(operation, self._range_with(other, joined))
        evaluator = self._evaluator(operation, other)
        method = evaluator.sub if operation == "sub" else evaluator.add
        parts = method(self._parts, other._parts)
        # A number in every slot also fills those between the values and the end.
        clean = self._clean and other._clean and self._length == other._length
        return longer._with(parts, stated, clean=clean)._bound_to(self._bound or other._bound)

    def _plus_clear(self, operation: str, values: Any) -> Range | None:
        if self._range is None:
            return None
        other = Range(*_fathom.extent(values))
        return self._range - other if operation == "sub" else self._range + other

    # Products.

    def __mul__(self, other: Any) -> Vector:
        if isinstance(other, Vector):
            if other is self:
                return self.square()
            longer = self._longer("mul", other)
            stated = self._checked("mul", self._range_with(other, Range.__mul__))
            parts = self._evaluator("mul", other).mul(self._parts, other._parts)
            clean = (self._clean and not self._is_spread) or (other._clean and not other._is_spread)
            return longer._with(parts, stated, clean=clean)._bound_to(self._bound or other._bound)
        clear = self._spread(read(other, self._params._numbers))
        if clear.length is None:
            factor = clear.data
            stated = self._checked("mul", None if self._range is None else self._range * Range(factor, factor))
            return self._with(self._evaluator("mul_clear").call("mul_scalar", self._parts, [factor]), stated)
        self._check_length("mul", clear.length)
        ranges = None if self._range is None else self._range * Range(*_fathom.extent(clear.data))
        stated = self._checked("mul", ranges)
        parts = self._evaluator("mul_clear").mul_values(self._parts, clear.data, self._period)
        return self._with(parts, stated, clean=True)

    def __rmul__(self, other: Any) -> Vector:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Vector:
        if self._params.is_exact or isinstance(other, Operators):
            raise self._refused("/")
        clear = self._spread(read(other, REALS))
        divisors = [clear.data] if clear.length is None else clear.listed()
        if 0 in divisors:
            raise DivisionError("a divisor is zero", code="division_by_zero")
        inverses = [1 / divisor for divisor in divisors]
        return self * (inverses[0] if clear.length is None else inverses)

    def square(self) -> Vector:
        """Returns the square of every value.

        Raises:
            NoiseError: The noise would be too large.
            RangeError: A square could wrap around.
        """
        stated = self._checked("square", None if self._range is None else self._range.squared())
        return self._with(self._evaluator("square").call("square", self._parts, []), stated)

    def __pow__(self, exponent: Any) -> Vector:
        exponent = whole(exponent, "an exponent")
        if exponent < 0:
            raise KindError(f"powers have an exponent of at least 0, not {exponent}", code="exponent")
        if exponent == 0:
            return self.polyval([1])
        result: Vector | None = None
        power = self
        while True:
            if exponent & 1:
                result = power if result is None else product(result, power)
            exponent >>= 1
            if not exponent:
                return result if result is not None else power
            power = power.square()

    def polyval(self, coefficients: Any) -> Vector:
        """Returns the values of a polynomial, `c[0] + c[1] * x + c[2] * x**2` and so on.

        A polynomial of degree `d` takes `ceil(log2(d + 1))` products in a row.

        Args:
            coefficients: Clear numbers, lowest first, as `numpy.polynomial` has them.

        Raises:
            NoiseError: The noise would be too large: make the key for as many products in a row.
            RangeError: A value could wrap around.
            ShapeError: There are no coefficients.
        """
        listed = read_list(coefficients, self._params._numbers, empty="there are no coefficients").listed()
        while len(listed) > 1 and listed[-1] == 0:
            listed.pop()
        found = None if self._range is None else self._range.of_polynomial(listed)
        stated = self._checked("polyval", found)
        parts = self._evaluator("polyval").polynomial(self._parts, listed)
        return self._with(parts, stated, clean=self._clean and listed[0] == 0)

    def inverse_sqrt(self, interval: Any, iterations: int) -> Vector:
        """Returns `1 / sqrt(x)` of every value, for real numbers, by Newton's iteration.

        One iteration takes one level, and several take two each. A vector that leaves slots without a value, whose
        length is no power of two, takes one more. The error left by the iteration is part of the error bound.

        Args:
            interval: The least and the greatest value, positive numbers. That no value is larger is known or refused;
                that none is smaller is the caller's promise.
            iterations: Newton's steps: 5 are enough for 8 bits where the greatest value is ten times the least.

        Raises:
            KindError: The values are integers.
            RangeError: A value may be larger than the interval.
            NoiseError: The noise would be too large: make the key with a larger depth.
        """
        if self._params.is_exact:
            raise KindError(
                "inverse_sqrt takes real numbers: make the key with fathom.keygen(float)", code="no_inverse_sqrt"
            )
        ends = read_list(interval, REALS).listed()
        if len(ends) != 2:
            raise ShapeError(
                f"an interval is a least and a greatest value, got {len(ends)}", code="interval", got=len(ends)
            )
        steps = whole(iterations, "a number of iterations")
        if steps < 1:
            raise KindError(f"inverse_sqrt takes at least one iteration, not {steps}", code="iterations", got=steps)
        evaluator = self._evaluator("inverse_sqrt")
        parts = self._parts
        if not self._is_full:
            # A zero has no inverse root, and would be refused.
            parts = evaluator.fill_rest(parts, len(self), self._period, 0.5 * (ends[0] + ends[1]))
        return self._with(evaluator.inverse_sqrt(parts, ends[0], ends[1], steps), None, clean=False)

    # Sums of the values, rotations, convolutions and matrices.

    def sum(self, *, axis: int | None = None, dtype: None = None, out: None = None) -> Vector:
        """Returns the sum of all values, one encrypted number. The options are those that `numpy.sum` passes on.

        Raises:
            RangeError: The sum could wrap around.
            MissingKeyError: The server has no keys for sums.
        """
        no_axis("sum", axis, dtype, out)
        if self._length is None:
            return self
        stated = self._checked("sum", None if self._range is None else self._range.times(self._length))
        whole = self._cleaned()
        evaluator = whole._evaluator("sum")
        parts = whole._parts
        if self._period == 0:
            parts = evaluator.sum_slots(evaluator.fold(parts), 0)
        elif self._period > 1:
            parts = evaluator.sum_slots(parts, self._period)
        return self._of(self._params, parts, None, stated, bound=self._bound)

    def mean(self, *, axis: int | None = None, dtype: None = None, out: None = None) -> Vector:
        """Returns the mean of real numbers, one encrypted number. The options are those that `numpy.mean` passes on.

        Raises:
            KindError: The values are integers: decrypt their sum and divide it.
        """
        no_axis("mean", axis, dtype, out)
        if self._params.is_exact:
            raise KindError("the mean of integers is no integer: decrypt the sum and divide it", code="mean")
        return self.sum() * (1.0 / (self._length or 1))

    def dot(self, other: Any) -> Vector:
        """Returns the inner product with a vector, or with a clear sequence of numbers.

        Raises:
            ShapeError: The lengths differ.
            KindError: The other operand is no vector.
            RangeError: The result could wrap around.
            NoiseError: The noise would be too large.
        """
        if self._length is None or (isinstance(other, Vector) and other._length is None):
            raise ShapeError("dot takes vectors, not one number", code="shape", operation="dot")
        if not isinstance(other, Vector) and is_one_number(other):
            raise no_vector(other)
        if not isinstance(other, Vector):
            other = read(other, self._params._numbers).data
        if len(other) != self._length:
            raise _lengths("dot", self._length, len(other))
        if not isinstance(other, Vector) or self._period != 0:
            return Vector.__mul__(self, other).sum()
        product = self._range_with(other, Range.__mul__)
        stated = self._checked("dot", None if product is None else product.times(self._length))
        left = self._cleaned() if not other._clean else self
        evaluator = left._evaluator("dot", other)
        parts = evaluator.sum_slots(evaluator.dot(left._parts, other._parts), 0)
        return self._of(self._params, parts, None, stated, bound=self._bound or other._bound)

    def __getitem__(self, place: Any) -> Vector:
        """Returns the value at a public place, by a product with a clear mask and a sum.

        Raises:
            KindError: The place is none of a vector, such as a slice.
            ShapeError: There are fewer values.
        """
        if self._length is None or not is_whole(place):
            raise self._refused("[]")
        mask = [0] * self._length
        mask[place_in(self._length, place)] = 1
        parts = self._evaluator("[]").mul_values(self._parts, mask, self._period)
        # All terms of the sum but one are zeros.
        one = self._of(self._params, parts, self._length, None, bound=self._bound).sum()
        return self._of(self._params, one._parts, None, self._range, bound=self._bound)

    def roll(self, shift: int) -> Vector:
        """Moves values to the right as `numpy.roll` does, and those at the end to the beginning.

        A length that is a power of two takes rotations alone; any other also takes two products with clear masks.

        Raises:
            ShapeError: The vector takes more than one ciphertext.
            NoiseError: The noise would be too large.
        """
        if self._length is None:
            return self
        if self._period == 0:
            wider = f"make the key with slots={2 * self._length}, or " if self._params.is_exact else ""
            raise ShapeError(
                f"roll moves up to {self._params._row} values, got {self._length}: {wider}encrypt the vector in parts",
                code="shape",
                operation="roll",
                limit=self._params._row,
                got=self._length,
            )
        length, period = self._length, self._period
        left = -whole(shift, "a shift") % length
        if left == 0:
            return self
        evaluator = self._evaluator("roll")
        if self._is_full:
            return self._with(self._rotated(evaluator, self._parts, left), self._range)
        ahead = evaluator.mul_values(self._parts, [int(i >= left) for i in range(length)], period)
        behind = evaluator.mul_values(self._parts, [int(i < left) for i in range(length)], period)
        first = self._rotated(evaluator, ahead, left)
        second = self._rotated(evaluator, behind, period + left - length)
        return self._with(evaluator.add(first, second), self._range, clean=True)

    def rotate(self, steps: int) -> Vector:
        """Moves values to the left: `roll` by `-steps`."""
        return self.roll(-whole(steps, "a number of steps"))

    def _rotated(self, evaluator: _fathom.Evaluator, parts: _fathom.Ciphertexts, steps: int) -> _fathom.Ciphertexts:
        # Values repeat with the period, so that fewer steps do.
        return evaluator.rotate(parts, steps % self._period)

    def convolve(self, kernel: Any) -> Vector:
        """Returns the cyclic convolution with a clear kernel: `y[i]` is the sum of `kernel[j] * x[(i - j) % len(x)]`.

        That is `ifft(fft(x) * fft(kernel, len(x)))`. A length that is a power of two takes a rotation for every value
        of the kernel but the first; any other is a product with a clear matrix.

        Args:
            kernel: Clear numbers, no more than the vector has.

        Raises:
            ShapeError: The kernel is longer than the vector, or the vector than a row of slots.
            MissingKeyError: The server has no keys for it: `key.make_server(function, example)`.
            RangeError: A value could wrap around.
        """
        listed = read_list(kernel, self._params._numbers, empty="the kernel has no values").listed()
        limit = min(self._length or 0, self._params._row)
        if len(listed) > limit or (self._length or 0) > limit:
            raise ShapeError(
                f"convolve takes vectors of up to {self._params._row} values and a kernel no longer than the vector, "
                f"got {self._length} and {len(listed)}",
                code="shape",
                operation="convolve",
                limit=limit,
                got=len(listed),
            )
        if not self._is_full:
            length = len(self)
            listed += [0] * (length - len(listed))
            return self._times_matrix([[listed[(i - j) % length] for j in range(length)] for i in range(length)])
        stated = self._checked("convolve", self._times_rows([listed]))
        return self._with(self._evaluator("convolve").call("convolve", self._parts, listed), stated)

    def __matmul__(self, other: Any) -> Vector:
        if isinstance(other, Vector) or not is_matrix(other):
            return self.dot(other)
        return self._times_matrix(columns_of(other, self._params._numbers))

    def __rmatmul__(self, other: Any) -> Vector:
        return self._times_matrix(rows_of(other, self._params._numbers)) if is_matrix(other) else self.dot(other)

    def _times_matrix(self, rows: list[Any]) -> Vector:
        columns = len(rows[0])
        if self._length is None or self._period == 0 or columns != self._length:
            # More slots serve a vector that is too long, and nothing serves one of another length.
            room = {"limit": self._params._row} if columns == self._length else {}
            raise ShapeError(
                f"a matrix of {columns} columns multiplies vectors of {columns} values, up to {self._params._row}; "
                f"got {self._length}",
                code="shape",
                operation="matmul",
                wanted=columns,
                got=self._length,
                **room,
            )
        stated = self._checked("matmul", self._times_rows(rows))
        whole = self._cleaned()
        evaluator = whole._evaluator("matmul")
        matrix = evaluator.linear_map(rows, whole.level)
        try:
            parts = evaluator.transform(matrix, whole._parts)
        except MissingKeyError as error:
            error.add_note(f"make the server with key.make_server(matrices=[({len(rows)}, {columns})])")
            raise
        return self._of(self._params, parts, len(rows), stated, bound=self._bound)

    # Levels.

    def at_level(self, level: int) -> Vector:
        """Returns the same vector at a lower level, where it is smaller and operations are faster.

        Operands of BGV are brought to one level with it; BFV and CKKS do so by themselves.

        Raises:
            LevelError: The level is higher than that of the vector.
            NoiseError: The noise would be too large there.
        """
        return self._with(self._evaluator("at_level").switch_to(self._parts, whole(level, "a level")), self._range)

    # Helpers.

    def _checked(self, operation: str, found: Range | None) -> Range | None:
        return self._params._checked(operation, found)

    def _range_with(self, other: Vector, joined: Callable[[Range, Range], Range]) -> Range | None:
        """Returns the range of a result of two vectors, or none if one of them has none."""
        if self._range is None or other._range is None:
            return None
        return joined(self._range, other._range)

    def _times_rows(self, rows: list[Any]) -> Range | None:
        """Returns the range of the products with clear rows."""
        if self._range is None:
            return None
        low = high = 0
        for row in rows:
            # Python's own integers: those of NumPy wrap around.
            numbers = row if isinstance(row, (list, tuple)) else row.tolist()
            terms = [Range(number, number) * self._range for number in numbers]
            low = min(low, sum(term.low for term in terms))
            high = max(high, sum(term.high for term in terms))
        return Range(low, high)

    def _cleaned(self) -> Vector:
        """Returns the vector with zeros in the slots without a value."""
        if self._clean or self._length is None:
            return self
        ones = [1] * self._length
        parts = self._evaluator("mul_clear").mul_values(self._parts, ones, self._period)
        return self._with(parts, self._range, clean=True)

    def _longer(self, operation: str, other: Vector) -> Vector:
        """Returns the operand that is not one number, after checking that the lengths fit."""
        if self._length == other._length or other._length is None:
            return self
        if self._length is None or self._length == 1:
            return other
        if other._length == 1:
            return self
        raise _lengths(operation, self._length, other._length)

    def _spread(self, clear: Values) -> Values:
        """Returns clear values as one number where a list of one joins a longer vector, as NumPy has it."""
        if clear.length != 1 or self._length in (None, 1):
            return clear
        return Values(clear.listed()[0], None)

    def _check_length(self, operation: str, count: int) -> None:
        if self._length is None:
            raise ShapeError(f"{operation} takes one number, got {count}", code="shape", operation=operation)
        if count != self._length:
            raise _lengths(operation, self._length, count)


def product(a: Vector, b: Vector) -> Vector:
    """Returns the product of vectors at levels of their own."""
    return Vector.__mul__(*leveled(a, b))


def leveled(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Returns vectors at one level, to which BGV does not bring operands by itself."""
    if a._params.scheme != "bgv" or a.level == b.level:
        return a, b
    level = min(a.level, b.level)
    return a.at_level(level), b.at_level(level)


def _lengths(operation: str, left: int, right: int) -> ShapeError:
    return ShapeError(
        f"{operation} needs vectors of equal length, got {left} and {right}",
        code="list_length",
        operation=operation,
        left=left,
        right=right,
    )
