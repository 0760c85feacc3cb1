"""Encrypted arrays of integers and truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn, overload

from .. import _fathom, _frames
from .._bound import Binding
from .._refusals import no_axis
from .._values import INTEGERS, Kind, is_whole, number, read, read_list, whole
from ..errors import KindError, ShapeError
from ._base import QUOTIENTS, Encrypted, kind_of, mismatch
from ._types import parsed
from ._value import Value


def _operator(operation: str) -> Callable[[Array, Any], Array]:
    """Returns the operator that computes an operation element by element."""

    def computed(self: Array, other: Any) -> Array:
        return self._each(operation, other)

    return computed


class Array(Encrypted, types=("array",)):
    """An encrypted array of integers or truth values of one type. Its length is public.

    Operators compute element by element, with another array of the same length, a value, or clear numbers; they run in
    step, so that the bootstraps of all elements share the threads of the server.
    """

    __slots__ = ("_cores",)

    _shown = "array"
    _remedies: ClassVar[dict[str, str]] = {
        **QUOTIENTS,
        "**": "multiply: x * x",
        "abs": "take x.maximum(-x)",
        "[]": "take an integer, clear or encrypted, or a slice",
        "numpy.argmax": "x.argmax() returns the place and the element",
        "numpy.argmin": "x.argmin() returns the place and the element",
        "numpy.mean": "take x.sum() with a type that holds it, decrypt it, and divide",
    }
    _cores: tuple[_fathom.TfheValue, ...]

    @classmethod
    def _of(cls, cores: Iterable[_fathom.TfheValue], bound: Binding) -> Array:
        return cls._made(_cores=tuple(cores), _bound=bound)

    @classmethod
    def _received(cls, meta: dict[str, Any], parts: list[_fathom.TfheValue]) -> Array:
        if meta.keys() != {"type", "of"} or meta["of"] == "bytes" or len({part.dtype for part in parts}) != 1:
            raise _frames.malformed("type")
        return cls._of(parts, None)

    def _bound_to(self, bound: Binding) -> Array:
        return Array._of(self._cores, bound)

    def _parts(self) -> Sequence[_fathom.TfheValue]:
        return self._cores

    def _meta(self) -> dict[str, Any]:
        return {"type": "array", "of": "bool" if self.dtype == "bool" else "integer"}

    @property
    def dtype(self) -> str:
        """The type of the elements: `"u8"`, `"i32"` and so on, or `"bool"`."""
        return self._cores[0].dtype

    def __len__(self) -> int:
        return len(self._cores)

    def __iter__(self) -> Iterator[Value]:
        return (Value._of(core, self._bound) for core in self._cores)

    @overload
    def __getitem__(self, place: int | Value) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> Array: ...
    def __getitem__(self, place: int | slice | Value) -> Value | Array:
        """Returns the element at a place, or those of a range.

        A place may be an encrypted integer, which is taken as unsigned: the element is then found without knowing
        which; one past the end reads 0, or false.
        """
        if isinstance(place, Value):
            return self._one("lookup", place)
        if isinstance(place, slice):
            part = self._cores[place]
            if not part:
                raise ShapeError("an array has at least one element", code="empty")
            return Array._of(part, self._bound)
        if not is_whole(place):
            raise self._refused("[]")
        return Value._of(self._cores[whole(place, "a place")], self._bound)

    def _spread(self, operation: str, other: Any, kind: Kind) -> list[Any] | None:
        """Returns an operand for each element; none if the other one is a string.

        Raises:
            KindError: It is neither encrypted nor of a kind of clear values.
            ShapeError: It has more or fewer elements.
        """
        if isinstance(other, Value):
            return [other._core] * len(self)
        if isinstance(other, Array):
            found: list[Any] = list(other._cores)
        elif isinstance(other, (Encrypted, str, bytes, bytearray)):
            return None
        else:
            clear = read(other, kind)
            found = [clear.data] * len(self) if clear.length is None else clear.listed()
        if len(found) != len(self):
            raise ShapeError(
                f"{operation} needs arrays of equal length, got {len(self)} and {len(found)}",
                code="list_length",
                operation=operation,
                left=len(self),
                right=len(found),
            )
        return found

    def _column(self, operation: str, other: Any) -> list[Any]:
        """Returns an operand of the same type for each element.

        Raises:
            KindError: The other operand is of another kind.
            ShapeError: It has more or fewer elements.
        """
        found = self._spread(operation, other, kind_of(self.dtype))
        if found is None:
            raise mismatch(operation, self.dtype, other)
        return found

    def _each(self, operation: str, other: Any) -> Array:
        column = self._column(operation, other)
        evaluator = self._evaluator(operation, other)
        return Array._of(evaluator.each(operation, self._cores, [column]), self._bound_with(other))

    def _reversed(self, operation: str, other: Any) -> Array:
        column = self._column(operation, other)
        evaluator = self._evaluator(operation, other)
        first = [
            item if isinstance(item, _fathom.TfheValue) else evaluator.trivial(self._cores[0], item)
            for item in column
        ]
        return Array._of(evaluator.each(operation, first, [list(self._cores)]), self._bound_with(other))

    def _unary(self, operation: str) -> Array:
        return Array._of(self._evaluator(operation).each(operation, self._cores, []), self._bound)

    __add__ = __radd__ = _operator("add")
    __sub__ = _operator("sub")
    __mul__ = __rmul__ = _operator("mul")
    __and__ = __rand__ = _operator("and")
    __or__ = __ror__ = _operator("or")
    __xor__ = __rxor__ = _operator("xor")
    __eq__ = _operator("eq")  # type: ignore[assignment]
    __ne__ = _operator("ne")  # type: ignore[assignment]
    __lt__ = _operator("lt")
    __le__ = _operator("le")
    __gt__ = _operator("gt")
    __ge__ = _operator("ge")
    __hash__ = Encrypted.__hash__

    def __rsub__(self, other: Any) -> Array:
        return self._reversed("sub", other)

    def __neg__(self) -> Array:
        return self._unary("neg")

    def __invert__(self) -> Array:
        return self._unary("not")

    def div(self, other: Any) -> Array:
        """Returns the quotients, rounded towards zero as machines do.

        Raises:
            DivisionError: A divisor is a clear zero.
        """
        return self._each("div", other)

    def rem(self, other: Any) -> Array:
        """Returns the remainders of `div`, which have the signs of the dividends.

        Raises:
            DivisionError: A divisor is a clear zero.
        """
        return self._each("rem", other)

    def maximum(self, other: Any) -> Array:
        """Returns the greater of each two elements."""
        return self._each("max", other)

    def minimum(self, other: Any) -> Array:
        """Returns the lesser of each two elements."""
        return self._each("min", other)

    def _some(self, operation: str, operand: Any = None) -> list[Value]:
        """Computes an operation on the whole array."""
        core = operand
        if operand is not None:
            core = operand._core if isinstance(operand, Value) else number(operand, kind_of(self.dtype))
        evaluator = self._evaluator(operation, operand)
        bound = self._bound_with(operand)
        return [Value._of(result, bound) for result in evaluator.of_list(operation, self._cores, core)]

    def _one(self, operation: str, operand: Any = None) -> Value:
        return self._some(operation, operand)[0]

    def _two(self, operation: str, operand: Any = None) -> tuple[Value, Value]:
        first, second = self._some(operation, operand)
        return first, second

    def sum(self, dtype: str | None = None, *, axis: int | None = None, out: None = None) -> Value:
        """Returns the sum, or the number of true elements.

        Args:
            dtype: The type of the sum, at whose width it wraps around; by default that of the elements, and `u32` for
                truth values.
            axis: As `numpy.sum` passes it on: the only one.
            out: As `numpy.sum` passes it on: none.
        """
        no_axis("sum", axis, None, out)
        return self._one("sum") if dtype is None else self.dot([1] * len(self), dtype)

    def dot(self, weights: Any, dtype: str | None = None) -> Value:
        """Returns the sum of the products with weights; `x @ weights` is the same.

        Args:
            weights: As many integers, which may be negative, or an encrypted array of the same type.
            dtype: The type of the result, at whose width it wraps around; by default that of the elements.

        Raises:
            ShapeError: There are more or fewer weights.
            RangeError: The type does not hold a weight.
            KindError: A type is stated for the products of two encrypted arrays, which have their own.
        """
        if isinstance(weights, Array):
            if dtype not in (None, self.dtype):
                raise mismatch("dot", self.dtype, dtype)
            return (self * weights).sum()
        listed = read_list(weights, INTEGERS, empty="there are no weights").listed()
        evaluator = self._evaluator("dot")
        sums = evaluator.dot_clear(self._cores, listed, parsed(dtype or self.dtype))
        return Value._of(sums[0], self._bound)

    def __matmul__(self, weights: Any) -> Value:
        return self.dot(weights)

    def __rmatmul__(self, weights: Any) -> Value:
        return self.dot(weights)

    def max(self, *, axis: int | None = None, out: None = None) -> Value:
        """Returns the greatest element; the options are those that `numpy.max` passes on."""
        no_axis("max", axis, None, out)
        return self._one("max")

    def min(self, *, axis: int | None = None, out: None = None) -> Value:
        """Returns the least element; the options are those that `numpy.min` passes on."""
        no_axis("min", axis, None, out)
        return self._one("min")

    def argmax(self) -> tuple[Value, Value]:
        """Returns the place of the first greatest element, and the element."""
        return self._two("argmax")

    def argmin(self) -> tuple[Value, Value]:
        """Returns the place of the first least element, and the element."""
        return self._two("argmin")

    def all(self, *, axis: int | None = None, out: None = None) -> Value:
        """Returns whether all truth values are true; the options are those that `numpy.all` passes on."""
        no_axis("all", axis, None, out)
        return self._one("all")

    def any(self, *, axis: int | None = None, out: None = None) -> Value:
        """Returns whether a truth value is true; the options are those that `numpy.any` passes on."""
        no_axis("any", axis, None, out)
        return self._one("any")

    def parity(self) -> Value:
        """Returns whether an odd number of truth values is true."""
        return self._one("parity")

    def count(self, value: Any) -> Value:
        """Returns the number of elements that are equal to a value, as `u32`.

        Raises:
            KindError: It is an array or a sequence.
        """
        if not isinstance(value, Value):
            value = number(value, kind_of(self.dtype))
        return self._each("eq", value).sum()

    def contains(self, value: Any) -> Value:
        """Returns whether an element is equal to a value."""
        return self._one("contains", value)

    def find(self, value: Any) -> tuple[Value, Value]:
        """Returns the first place of a value, and whether there is one; if not, the place means nothing."""
        return self._two("find", value)

    def sorted(self) -> Array:
        """Returns the integers in ascending order."""
        return Array._of(self._evaluator("sort").of_list("sort", self._cores, None), self._bound)

    def sorted_by(self, keys: Array) -> tuple[Array, Array]:
        """Returns as many keys in ascending order, and the integers in the order of their keys.

        Raises:
            ShapeError: There are more or fewer keys.
        """
        if not isinstance(keys, Array):
            raise mismatch("sort", self.dtype, keys)
        found = self._evaluator("sort", keys).sort_by(keys._cores, self._cores)
        bound = self._bound_with(keys)
        return Array._of(found[: len(self)], bound), Array._of(found[len(self) :], bound)

    def __contains__(self, value: Any) -> NoReturn:
        raise KindError("`in` cannot give an encrypted answer: take contains", code="no_bool")

    def __repr__(self) -> str:
        return f"fathom.tfhe.Array({len(self)} x {self.dtype})"


def array(values: Iterable[Value]) -> Array:
    """Returns encrypted values of one type as an array.

    Raises:
        ShapeError: There are none.
        KindError: They have different types.
    """
    listed = list(values)
    if not listed:
        raise ShapeError("an array has at least one element", code="empty")
    for value in listed:
        if not isinstance(value, Value) or value.dtype != listed[0].dtype:
            expected = listed[0].dtype if isinstance(listed[0], Value) else "Value"
            raise mismatch("array", expected, value)
    return Array._of((value._core for value in listed), listed[0]._bound_with(*listed))


def lookup(table: Any, index: Value, dtype: str) -> Value:
    """Returns the entry of a clear table at an encrypted place, which is taken as unsigned; past the end, 0.

    Args:
        table: Integers.
        index: The place.
        dtype: The type of the result.

    Raises:
        RangeError: The type does not hold an entry.
    """
    listed = read_list(table, INTEGERS, empty="a table has at least one entry").listed()
    if not isinstance(index, Value):
        raise mismatch("lookup", "u8", index)
    found = index._evaluator("lookup").lookup_clear(listed, index._core, parsed(dtype))
    return Value._of(found[0], index._bound)
