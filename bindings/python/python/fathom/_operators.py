"""Operators and functions of NumPy on an encrypted value: its own, or a refusal with the call to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, ClassVar, NoReturn

from .errors import KindError

#: The operators of two operands by the names of NumPy, with those of the second operand.
_PAIRS = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("__mul__", "__rmul__"),
    "matmul": ("__matmul__", "__rmatmul__"),
    "divide": ("__truediv__", "__rtruediv__"),
    "true_divide": ("__truediv__", "__rtruediv__"),
    "floor_divide": ("__floordiv__", "__rfloordiv__"),
    "remainder": ("__mod__", "__rmod__"),
    "power": ("__pow__", "__rpow__"),
    "left_shift": ("__lshift__", "__rlshift__"),
    "right_shift": ("__rshift__", "__rrshift__"),
    "bitwise_and": ("__and__", "__rand__"),
    "bitwise_or": ("__or__", "__ror__"),
    "bitwise_xor": ("__xor__", "__rxor__"),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
}
_ALONE = {"negative": "__neg__", "positive": "__pos__", "invert": "__invert__", "absolute": "__abs__"}
#: The methods by the names of functions of NumPy, beside those of the same name; methods that differ have no name.
_METHODS = {"amax": "max", "amin": "min", "inner": "dot", "vdot": "dot", "sort": "sorted", "argmax": "", "argmin": ""}
#: Functions whose first two operands may change places.
_SYMMETRIC = ("dot", "maximum", "minimum")
#: Functions whose second operand is an axis.
_REDUCTIONS = ("sum", "mean", "max", "min", "all", "any")


def _refusing(operation: str) -> Callable[..., Any]:
    """Returns a method that refuses an operation."""

    def refuse(self: Operators, *_: Any) -> NoReturn:
        raise self._refused(operation)

    return refuse


class Operators:
    """An encrypted value. Operators that a derived class does not have are refused.

    NumPy asks it for the results of its functions, and leaves operators of arrays to it.
    """

    __slots__ = ()

    __array_priority__ = 1000.0
    __pandas_priority__ = 5000

    #: What it is, in messages.
    _shown: ClassVar[str] = "value"
    #: What to write instead of operations.
    _remedies: ClassVar[Mapping[str, str]] = {}

    def _remedy_for(self, operation: str) -> str:
        """Returns what to write instead of an operation."""
        return self._remedies.get(operation, "decrypt it first")

    def _refused(self, operation: str) -> KindError:
        return KindError(
            f"{operation} is not computed on an encrypted {self._shown}: {self._remedy_for(operation)}",
            code="no_operation",
            operation=operation,
        )

    # NumPy.

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        name = str(ufunc.__name__)
        if method == "reduce" and name == "add" and operands[0] is self:
            return self._by_method("sum", operands, options)
        if method != "__call__" or options:
            how = f"with {', '.join(options)}" if method == "__call__" else f"by {method}"
            raise KindError(
                f"numpy.{name} is not computed {how} on an encrypted {self._shown}: write an operator or a method of "
                "it, such as y = values + x",
                code="options",
                operation=name,
            )
        if name in _ALONE:
            return getattr(self, _ALONE[name])()
        return self._by_method(name, operands, options) if name not in _PAIRS else _of_two(name, *operands)

    def __array_function__(self, function: Any, types: Any, operands: Any, options: Any) -> Any:
        return self._by_method(function.__name__, operands, options)

    def _by_method(self, name: str, operands: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Returns the result of the method that computes a function of NumPy."""
        own = _METHODS.get(name, name)
        if len(operands) == 2 and own in _SYMMETRIC and not isinstance(operands[0], Operators):
            operands = operands[::-1]
        if len(operands) == 2 and own in _REDUCTIONS:
            options = {"axis": operands[1], **options}
            operands = operands[:1]
        first = operands[0] if operands else None
        found = getattr(type(self), own, None) if isinstance(first, type(self)) and not own.startswith("_") else None
        if name in ("shape", "ndim", "size") and len(operands) == 1:
            return self._extent(name)
        if not callable(found):
            raise self._refused(f"numpy.{name}")
        try:
            signature(found).bind(*operands, **options)
        except TypeError as error:
            raise KindError(
                f"numpy.{name} of an encrypted {self._shown}: {error}; leave the options out",
                code="options",
                operation=name,
            ) from None
        return found(*operands, **options)

    def _extent(self, name: str) -> Any:
        """Returns the public shape, dimensions or number of elements."""
        try:
            length = len(self)  # type: ignore[arg-type]
        except TypeError:
            # A number has no length.
            return {"shape": (), "ndim": 0, "size": 1}[name]
        return {"shape": (length,), "ndim": 1, "size": length}[name]

    # What Python asks of numbers and sequences. Derived classes define those that they compute.

    __add__ = __radd__ = __pos__ = _refusing("+")
    __sub__ = __rsub__ = __neg__ = _refusing("-")
    __mul__ = __rmul__ = _refusing("*")
    __matmul__ = __rmatmul__ = _refusing("@")
    __truediv__ = __rtruediv__ = _refusing("/")
    __floordiv__ = __rfloordiv__ = _refusing("//")
    __mod__ = __rmod__ = _refusing("%")
    __divmod__ = __rdivmod__ = _refusing("divmod")
    __pow__ = _refusing("**")
    __rpow__ = _refusing("a power of a clear base")
    __lshift__ = __rlshift__ = _refusing("<<")
    __rshift__ = __rrshift__ = _refusing(">>")
    __and__ = __rand__ = _refusing("&")
    __or__ = __ror__ = _refusing("|")
    __xor__ = __rxor__ = _refusing("^")
    __invert__ = _refusing("~")
    __abs__ = _refusing("abs")
    __round__ = __trunc__ = __floor__ = __ceil__ = _refusing("round")
    __int__ = __index__ = _refusing("int")
    __float__ = __complex__ = _refusing("float")
    __getitem__ = _refusing("[]")


def _of_two(name: str, left: Any, right: Any) -> Any:
    """Returns the result of an operator whose operands may stand in any order."""
    forward, reflected = _PAIRS[name]
    for own, other, operator in ((left, right, forward), (right, left, reflected)):
        if isinstance(own, Operators):
            result = getattr(own, operator)(other)
            if result is not NotImplemented:
                return result
    raise (left if isinstance(left, Operators) else right)._refused(f"numpy.{name} with this operand")
