"""Operations of three operands: multiplexers and majorities, of values and of arrays."""

from __future__ import annotations

from typing import Any, overload

from .. import _fathom
from .._values import number
from ..errors import KindError
from ._array import Array
from ._base import kind_of, mismatch
from ._value import Value


@overload
def where(condition: Array, chosen: Any, other: Any) -> Array: ...
@overload
def where(condition: Value, chosen: Array, other: Any) -> Array: ...
@overload
def where(condition: Value, chosen: Any, other: Array) -> Array: ...
@overload
def where(condition: Value, chosen: Any, other: Any) -> Value: ...
def where(condition: Value | Array, chosen: Any, other: Any) -> Value | Array:
    """Returns `chosen` where an encrypted truth value is true, and `other` where it is false: a multiplexer.

    One of both may be clear. With an array among the operands, elements are chosen one by one.

    Raises:
        KindError: The operands are of different types, or both are clear.
    """
    known = chosen if isinstance(chosen, (Value, Array)) else other
    if not isinstance(condition, (Value, Array)) or not isinstance(known, (Value, Array)):
        raise KindError("where takes an encrypted condition, and at least one encrypted value", code="type_unknown")
    return _ternary("where", known, condition, chosen, other)


@overload
def majority(a: Value, b: Any, c: Any) -> Value: ...
@overload
def majority(a: Array, b: Any, c: Any) -> Array: ...
def majority(a: Value | Array, b: Any, c: Any) -> Value | Array:
    """Returns what at least two of three truth values are: the carry of an adder, by one bootstrap.

    The second and the third may be clear.

    Raises:
        KindError: The operands are not truth values.
    """
    if not isinstance(a, (Value, Array)):
        raise KindError("the first operand of majority is encrypted", code="type_unknown")
    return _ternary("majority", a, a, b, c)


def _ternary(operation: str, like: Value | Array, first: Value | Array, second: Any, third: Any) -> Value | Array:
    """Computes an operation whose second and third operand have the type of `like`, or are clear."""
    operands = (first, second, third)
    evaluator = first._evaluator(operation, second, third)
    bound = first._bound_with(second, third)
    model = like._parts()[0]
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    if not arrays:
        kind = kind_of(model.dtype)
        cores = (
            value._core if isinstance(value, Value) else evaluator.trivial(model, number(value, kind))
            for value in operands
        )
        return Value._of(evaluator.ternary(operation, *cores), bound)
    columns = [_column(operation, arrays[0], operand, evaluator, model) for operand in operands]
    return Array._of(evaluator.each(operation, columns[0], columns[1:]), bound)


def _column(
    operation: str, longest: Array, operand: Any, evaluator: _fathom.TfheEvaluator, model: _fathom.TfheValue
) -> list[_fathom.TfheValue]:
    """Returns an encrypted operand for each element of an array."""
    found = longest._spread(operation, operand, kind_of(model.dtype))
    if found is None:
        raise mismatch(operation, longest.dtype, operand)
    return [item if isinstance(item, _fathom.TfheValue) else evaluator.trivial(model, item) for item in found]
