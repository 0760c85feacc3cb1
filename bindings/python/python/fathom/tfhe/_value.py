"""Encrypted integers and truth values, with operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from .. import _fathom, _frames
from .._bound import Binding
from .._values import number
from ._base import QUOTIENTS, Encrypted, kind_of, mismatch


def _is_array(other: Any) -> bool:
    """Returns whether an operand is an array, which compares element by element itself."""
    return isinstance(other, Encrypted) and hasattr(other, "_cores")


def _operator(operation: str) -> Callable[[Value, Any], Value]:
    """Returns the operator that computes an operation."""

    def computed(self: Value, other: Any) -> Value:
        return self._binary(operation, other)

    return computed


class Value(Encrypted, types=("bool", "integer")):
    """An encrypted integer or truth value. Operators take encrypted operands of the same type and clear ones."""

    __slots__ = ("_core",)

    _remedies: ClassVar[dict[str, str]] = {
        **QUOTIENTS,
        "**": "multiply: x * x",
        "abs": "take x.max(-x)",
        "numpy.maximum": "take x.max(y)",
        "numpy.minimum": "take x.min(y)",
    }
    _core: _fathom.TfheValue

    @classmethod
    def _of(cls, core: _fathom.TfheValue, bound: Binding) -> Value:
        return cls._made(_core=core, _bound=bound)

    @classmethod
    def _received(cls, meta: dict[str, Any], parts: list[_fathom.TfheValue]) -> Value:
        if len(parts) != 1 or meta.keys() != {"type"}:
            raise _frames.malformed("type")
        return cls._of(parts[0], None)

    def _bound_to(self, bound: Binding) -> Value:
        return Value._of(self._core, bound)

    def _parts(self) -> Sequence[_fathom.TfheValue]:
        return (self._core,)

    def _meta(self) -> dict[str, Any]:
        return {"type": "bool" if self.dtype == "bool" else "integer"}

    @property
    def dtype(self) -> str:
        """The type: `"u8"`, `"i32"` and so on, or `"bool"`."""
        return self._core.dtype

    def _binary(self, operation: str, other: Any) -> Value:
        if isinstance(other, Value):
            core = self._evaluator(operation, other).binary(operation, self._core, other._core)
            return Value._of(core, self._bound_with(other))
        if isinstance(other, Encrypted):
            return NotImplemented  # type: ignore[no-any-return]
        clear = number(other, kind_of(self.dtype))
        return Value._of(self._evaluator(operation).binary(operation, self._core, clear), self._bound)

    def _reversed(self, operation: str, other: Any) -> Value:
        if isinstance(other, Encrypted):
            return NotImplemented  # type: ignore[no-any-return]
        clear = number(other, kind_of(self.dtype))
        evaluator = self._evaluator(operation)
        first = evaluator.trivial(self._core, clear)
        return Value._of(evaluator.binary(operation, first, self._core), self._bound)

    def _unary(self, operation: str) -> Value:
        return Value._of(self._evaluator(operation).unary(operation, self._core), self._bound)

    __add__ = __radd__ = _operator("add")
    __sub__ = _operator("sub")
    __mul__ = __rmul__ = _operator("mul")
    __and__ = __rand__ = _operator("and")
    __or__ = __ror__ = _operator("or")
    __xor__ = __rxor__ = _operator("xor")
    __lt__ = _operator("lt")
    __le__ = _operator("le")
    __gt__ = _operator("gt")
    __ge__ = _operator("ge")

    def __rsub__(self, other: Any) -> Value:
        return self._reversed("sub", other)

    def nand(self, other: Any) -> Value:
        """Returns `~(a & b)`, at the cost of `&`: the complement is free."""
        return ~self._defined("and", other)

    def nor(self, other: Any) -> Value:
        """Returns `~(a | b)`, at the cost of `|`."""
        return ~self._defined("or", other)

    def xnor(self, other: Any) -> Value:
        """Returns `~(a ^ b)`, at the cost of `^`."""
        return ~self._defined("xor", other)

    def __neg__(self) -> Value:
        return self._unary("neg")

    def __invert__(self) -> Value:
        return self._unary("not")

    def div(self, other: Any) -> Value:
        """Returns the quotient, rounded towards zero as machines do, unlike `//` of Python.

        Raises:
            DivisionError: The divisor is a clear zero.
        """
        return self._defined("div", other)

    def rem(self, other: Any) -> Value:
        """Returns the remainder of `div`, which has the sign of the dividend, unlike `%` of Python.

        Raises:
            DivisionError: The divisor is a clear zero.
        """
        return self._defined("rem", other)

    def max(self, other: Any) -> Value:
        """Returns the greater of two integers."""
        return self._defined("max", other)

    def min(self, other: Any) -> Value:
        """Returns the lesser of two integers."""
        return self._defined("min", other)

    def _defined(self, operation: str, other: Any) -> Value:
        result = self._binary(operation, other)
        if result is NotImplemented:
            raise mismatch(operation, self.dtype, other)
        return result

    __hash__ = Encrypted.__hash__

    def __eq__(self, other: Any) -> Value:  # type: ignore[override]
        return self._binary("eq", other) if _is_array(other) else self._defined("eq", other)

    def __ne__(self, other: Any) -> Value:  # type: ignore[override]
        return self._binary("ne", other) if _is_array(other) else self._defined("ne", other)
