"""Encrypted integers and truth values, with operators."""

from __future__ import annotations

import pickle
import weakref
from typing import TYPE_CHECKING, Any, NoReturn

from .. import _fathom, _frames
from ..errors import KindError, NoServerError
from ..params import table
from ..server import size

if TYPE_CHECKING:
    from ._keys import Key, Server


class Local:
    """The server of a key's holder, which it makes when it is needed first."""

    __slots__ = ("_key",)

    def __init__(self, key: Key) -> None:
        self._key = weakref.ref(key)

    def server(self) -> Server | None:
        """Returns the server, or none if the secret key is gone."""
        key = self._key()
        return None if key is None else key.server


class Value:
    """An encrypted integer or truth value. Operators take encrypted operands of the same type and clear ones."""

    __slots__ = ("__weakref__", "_bound", "_core")

    __array_ufunc__ = None

    _core: _fathom.TfheValue
    _bound: Server | Local | None

    def __init__(self) -> None:
        raise KindError("encrypt values with Key.encrypt", code="no_init")

    @classmethod
    def _of(cls, core: _fathom.TfheValue, bound: Server | Local | None) -> Value:
        value = object.__new__(cls)
        value._core = core
        value._bound = bound
        return value

    @classmethod
    def _read(cls, params: bytes, data: Any, trust: str) -> Value:
        meta, frames = _frames.unpack(data, "tfhe value")
        if len(frames) != 1 or meta.get("type") not in ("bool", "integer"):
            raise _frames.malformed("type")
        return cls._of(_fathom.TfheValue.from_bytes(params, frames[0], meta["type"], trust), None)

    def _bound_to(self, bound: Server | Local | None) -> Value:
        return Value._of(self._core, bound)

    @property
    def dtype(self) -> str:
        """The type: `"u8"`, `"i32"` and so on, or `"bool"`."""
        return self._core.dtype

    def to_bytes(self) -> bytes:
        """Returns the value as bytes."""
        kind = "bool" if self.dtype == "bool" else "integer"
        return _frames.pack("tfhe value", {"type": kind}, [self._core.to_bytes()])

    def _evaluator(self, operation: str, *others: Value) -> _fathom.TfheEvaluator:
        for value in (self, *others):
            bound = value._bound.server() if isinstance(value._bound, Local) else value._bound
            if bound is not None:
                return bound._core
        raise NoServerError(
            f"{operation} needs evaluation keys: read the operand with server.load",
            code="no_server",
            operation=operation,
        )

    def _binary(self, operation: str, other: Any) -> Value:
        if isinstance(other, Value):
            core = self._evaluator(operation, other).binary(operation, self._core, other._core)
            return Value._of(core, self._bound or other._bound)
        if isinstance(other, bool) != (self.dtype == "bool") or not hasattr(other, "__index__"):
            return NotImplemented  # type: ignore[no-any-return]
        return Value._of(self._evaluator(operation).binary(operation, self._core, other), self._bound)

    def _reversed(self, operation: str, other: Any) -> Value:
        if isinstance(other, bool) != (self.dtype == "bool") or not hasattr(other, "__index__"):
            return NotImplemented  # type: ignore[no-any-return]
        evaluator = self._evaluator(operation)
        first = evaluator.trivial(self._core, other)
        return Value._of(evaluator.binary(operation, first, self._core), self._bound)

    def _unary(self, operation: str) -> Value:
        return Value._of(self._evaluator(operation).unary(operation, self._core), self._bound)

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._reversed("sub", other)

    def __mul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __and__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __rand__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __or__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __ror__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __xor__(self, other: Any) -> Value:
        return self._binary("xor", other)

    def __rxor__(self, other: Any) -> Value:
        return self._binary("xor", other)

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
            name = type(other).__name__
            kind = "bool" if self.dtype == "bool" else "int"
            raise KindError(
                f"{operation} takes operands of one type, {self.dtype}, got {name}",
                code="type_mismatch",
                expected=kind,
                got=name,
            )
        return result

    def __eq__(self, other: Any) -> Value:  # type: ignore[override]
        return self._defined("eq", other)

    def __ne__(self, other: Any) -> Value:  # type: ignore[override]
        return self._defined("ne", other)

    def __lt__(self, other: Any) -> Value:
        return self._binary("lt", other)

    def __le__(self, other: Any) -> Value:
        return self._binary("le", other)

    def __gt__(self, other: Any) -> Value:
        return self._binary("gt", other)

    def __ge__(self, other: Any) -> Value:
        return self._binary("ge", other)

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise KindError(
            "an encrypted value is neither true nor false: take fathom.tfhe.where, or decrypt it first", code="no_bool"
        )

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self.to_bytes()
        return _unpickled, (self._core.params_bytes(), pickle.PickleBuffer(data) if protocol >= 5 else data)

    def __repr__(self) -> str:
        return f"fathom.tfhe.Value({self.dtype})"

    def _repr_html_(self) -> str:
        return table("fathom.tfhe.Value", [("type", self.dtype), ("size", size(len(self._core.to_bytes())))])


def _unpickled(params: bytes, data: Any) -> Value:
    """Returns the value that was pickled, bound to no server."""
    return Value._read(params, data, "computed")


def where(condition: Value, chosen: Any, other: Any) -> Value:
    """Returns `chosen` where an encrypted truth value is true, and `other` where it is false: a multiplexer.

    One of both may be clear.

    Raises:
        KindError: The operands are of different types, or both are clear.
    """
    known = chosen if isinstance(chosen, Value) else other
    if not isinstance(condition, Value) or not isinstance(known, Value):
        raise KindError("where takes an encrypted condition, and at least one encrypted value", code="type_unknown")
    return _ternary("where", condition, known, chosen, other)


def majority(a: Value, b: Any, c: Any) -> Value:
    """Returns what at least two of three truth values are: the carry of an adder, by one bootstrap.

    The second and the third may be clear.

    Raises:
        KindError: The operands are not truth values.
    """
    if not isinstance(a, Value):
        raise KindError("the first operand of majority is encrypted", code="type_unknown")
    return _ternary("majority", a, a, b, c)


def _ternary(operation: str, first: Value, like: Value, second: Any, third: Any) -> Value:
    """Computes an operation whose second and third operand have the type of `like`, or are clear."""
    encrypted = [first, *(value for value in (second, third) if isinstance(value, Value))]
    evaluator = first._evaluator(operation, *encrypted[1:])
    cores = (
        value._core if isinstance(value, Value) else evaluator.trivial(like._core, value) for value in (second, third)
    )
    return Value._of(evaluator.ternary(operation, first._core, *cores), _bound(encrypted))


def _bound(values: list[Value]) -> Server | Local | None:
    """Returns the first server that a value is bound to."""
    return next((value._bound for value in values if value._bound is not None), None)
