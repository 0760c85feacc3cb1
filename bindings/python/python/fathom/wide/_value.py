"""Encrypted wide integers and vectors of them, with operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from .. import _fathom, _frames
from .._bound import Binding, Bound
from .._described import Described, size
from .._layout import no_vector
from .._progress import stepped
from .._refusals import check_trust, no_axis
from .._values import INTEGERS, is_one_number, is_whole, place_in, read_list, whole
from .._values import read as read_clear
from ..errors import KindError, ShapeError


class Value(Described, Bound):
    """An encrypted wide integer, or a vector of them. Operators take encrypted operands and clear integers."""

    __slots__ = ("_core", "_is_sum")

    _title = "fathom.wide.Value"
    _shown = "wide integer"
    _remedies: ClassVar[dict[str, str]] = dict.fromkeys(
        ("/", "//", "%", "divmod", "&", "|", "^", "~", ">>", "abs"),
        "decrypt it first, or encrypt integers of up to 128 bits with fathom.tfhe",
    )
    _core: _fathom.WideValue
    #: Whether it is the sum of a vector, a vector of one element that is decrypted to a number.
    _is_sum: bool

    @classmethod
    def _of(cls, core: _fathom.WideValue, bound: Binding, is_sum: bool = False) -> Value:
        return cls._made(_core=core, _bound=bound, _is_sum=is_sum)

    def _bound_to(self, bound: Binding) -> Value:
        return Value._of(self._core, bound, self._is_sum)

    @property
    def _is_vector(self) -> bool:
        return self._core.length is not None and not self._is_sum

    def __len__(self) -> int:
        if self._core.length is None or self._is_sum:
            raise KindError("a single integer has no length", code="no_length")
        return self._core.length

    def __getitem__(self, place: Any) -> Value:
        """Returns the element at a public place, by a product with a clear mask and a sum.

        Raises:
            KindError: The value is a single integer, or the place is none of a vector.
            ShapeError: There are fewer elements.
            MissingKeyError: The key was made without `sums`.
        """
        if not self._is_vector or not is_whole(place):
            raise self._refused("[]")
        mask = [0] * len(self)
        mask[place_in(len(self), place)] = 1
        return self.dot(mask)

    def __array__(self, *args: Any, **options: Any) -> Any:
        if self._is_vector:
            raise KindError(
                "an encrypted vector is no array: take its operators, such as x * values, or decrypt it first",
                code="no_array",
            )
        # A single integer is an object among others, of which there are arrays.
        from numpy import empty

        one = empty((), object)
        one[()] = self
        return one

    def __iter__(self) -> NoReturn:
        raise KindError("an encrypted vector has no clear items: add them up with sum, or decrypt it", code="no_items")

    @property
    def value_bits(self) -> float:
        """The logarithm to base 2 of the greatest absolute value by public statement."""
        return self._core.value_bits

    @property
    def is_wrapping(self) -> bool:
        """True if results with this value wrap around."""
        return self._core.is_wrapping

    @property
    def noise_left_bits(self) -> float:
        """The bits by which the noise may still grow."""
        return self._core.noise_left_bits

    @property
    def nbytes(self) -> int:
        """The bytes of the ciphertext."""
        return self._core.nbytes

    @property
    def key_id(self) -> str:
        """The identifier of the secret key."""
        return self._core.key_id

    def wrapping(self) -> Value:
        """Returns the same integer as a residue modulo `2**N + 1`, with which results wrap around.

        Raises:
            KindError: The value is a vector.
        """
        return Value._of(self._core.wrapping(), self._bound, self._is_sum)

    def _evaluator(self, operation: str, *others: Any) -> _fathom.WideEvaluator:
        evaluator: _fathom.WideEvaluator = self._core_for(operation, *others)
        return stepped(evaluator)

    def _binary(self, operation: str, other: Any) -> Value:
        evaluator = self._evaluator(operation, other)
        bound = self._bound_with(other)
        if isinstance(other, Value):
            core = evaluator.binary(operation, self._core, other._core)
            return Value._of(core, bound, self._is_sum and other._is_sum)
        clear = read_clear(other, INTEGERS)
        operand = clear.data if clear.length is None else clear.listed()
        return Value._of(evaluator.clear(operation, self._core, operand), bound, self._is_sum)

    def _unary(self, operation: str) -> Value:
        core = self._evaluator(operation).unary(operation, self._core)
        return Value._of(core, self._bound, self._is_sum or operation == "sum")

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Value:
        return self.square() if other is self else self._binary("mul", other)

    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return self._unary("neg")

    def __pos__(self) -> Value:
        return self

    def square(self) -> Value:
        """Returns the square of the integer, or of every element."""
        return self._unary("square")

    def __pow__(self, exponent: int) -> Value:
        exponent = whole(exponent, "an exponent")
        if exponent < 0:
            raise KindError(f"powers have an exponent of at least 0, not {exponent}", code="exponent")
        if exponent == 0:
            return self * 0 + 1
        if exponent == 1:
            return self
        square = (self ** (exponent // 2)).square()
        return square * self if exponent % 2 else square

    def polyval(self, coefficients: Any) -> Value:
        """Returns the values of a polynomial, `c[0] + c[1] * x + c[2] * x**2` and so on.

        A polynomial of degree `d` takes at most `ceil(log2(d + 1))` products in a row.

        Raises:
            RangeError: A value could exceed the parameters.
            ShapeError: There are no coefficients.
        """
        listed = read_list(coefficients, INTEGERS, empty="there are no coefficients").listed()
        powers = {1: self}
        result = self._polynomial(listed, powers)
        return result if isinstance(result, Value) else self * 0 + result

    def _polynomial(self, coefficients: list[int], powers: dict[int, Value]) -> Value | int:
        """Returns the value of a polynomial, a high part times a power plus a low part; a constant one is clear."""
        while len(coefficients) > 1 and coefficients[-1] == 0:
            coefficients = coefficients[:-1]
        if len(coefficients) == 1:
            return coefficients[0]
        half = 1 << (len(coefficients) - 1).bit_length() - 1
        if half not in powers:
            powers[half] = self**half
        high = self._polynomial(coefficients[half:], powers)
        return powers[half] * high + self._polynomial(coefficients[:half], powers)

    def sum(self, *, axis: int | None = None, dtype: None = None, out: None = None) -> Value:
        """Returns the sum of the elements of a vector, one integer. The options are those that `numpy.sum` passes on.

        Raises:
            MissingKeyError: The key was made without `sums`.
        """
        no_axis("sum", axis, dtype, out)
        return self._unary("sum")

    def dot(self, other: Any) -> Value:
        """Returns the inner product with a vector, encrypted or clear.

        Raises:
            ShapeError: The lengths differ, or one of both is a single integer.
            KindError: The other operand is no vector.
            MissingKeyError: The key was made without `sums`.
        """
        if not self._is_vector or (isinstance(other, Value) and not other._is_vector):
            raise ShapeError("dot takes vectors, not one integer", code="shape", operation="dot")
        if not isinstance(other, Value) and is_one_number(other):
            raise no_vector(other)
        return self.__mul__(other).sum()

    __matmul__ = __rmatmul__ = dot

    def _not_compared(self, other: object) -> NoReturn:
        raise KindError(
            "wide integers cannot be compared: decrypt them, or encrypt integers with fathom.tfhe",
            code="no_comparison",
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_compared
    __hash__ = Bound.__hash__

    def to_bytes(self) -> bytes:
        """Returns the value as bytes."""
        return _frames.pack("wide value", {"sum": self._is_sum}, [self._core.to_bytes()])

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        params, data = self._core.params, self.to_bytes()
        frame = _frames.for_pickle(data, protocol)
        return _unpickled, (params.vectors, params.to_bytes(), frame)

    def _facts(self) -> Sequence[tuple[str, str]]:
        content = "one integer" if self._core.length is None or self._is_sum else f"{self._core.length} integers"
        bound = "any residue" if self.is_wrapping else f"at most 2^{self.value_bits:.1f}"
        return [
            ("content", content),
            ("absolute value", bound),
            ("size", size(self.nbytes)),
            ("noise left", f"{self.noise_left_bits:.0f} bits"),
            ("key", self.key_id),
        ]


def read(params: _fathom.WideParams, data: Any, trust: str, bound: Binding) -> Value:
    """Reads a value of some parameters."""
    meta, frames = _frames.unpack(data, "wide value", 1)
    if type(meta.get("sum")) is not bool:
        raise _frames.malformed("sum")
    check_trust(trust)
    core = _fathom.WideValue.from_bytes(params, frames[0], trust)
    if meta["sum"] and core.length != 1:
        raise _frames.malformed("sum")
    return Value._of(core, bound, meta["sum"])


def _unpickled(vectors: bool, params: bytes, data: Any) -> Value:
    """Returns the value that was pickled, bound to no server."""
    return read(_fathom.WideParams.from_bytes(params, vectors), data, "computed", None)
