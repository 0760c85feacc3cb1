"""Where the values of a vector lie in the slots of its ciphertexts.

A vector of up to `N/2` values repeats in all slots with the least power of two that is at least its length as the
period, and zeros between the values and the end of a period. A number is a vector of period 1. A longer vector fills
the slots of several ciphertexts once, with zeros at the end; its period is 0.
"""

from __future__ import annotations

from typing import Any

from .errors import KindError, ShapeError


def period_of(length: int | None, row: int) -> int:
    """Returns the period of a vector of this length, or of a number."""
    if length is None:
        return 1
    return 0 if length > row else 1 << (length - 1).bit_length()


def is_number(value: Any) -> bool:
    """Returns whether a value is one number: of Python, or a scalar of an array library."""
    if isinstance(value, (int, float)):
        return True
    dimensions = getattr(value, "ndim", None)
    if dimensions is not None:
        return bool(dimensions == 0) and (hasattr(value, "__index__") or hasattr(value, "__float__"))
    return hasattr(value, "__index__") and not hasattr(value, "__len__")


def is_list(value: Any) -> bool:
    """Returns whether a value is a sequence or buffer, which may hold numbers."""
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, bytearray, dict, set, frozenset))


def is_matrix(value: Any) -> bool:
    """Returns whether a value is a clear matrix: of two dimensions, or a sequence of rows."""
    if not is_list(value):
        return False
    dimensions = getattr(value, "ndim", None)
    if dimensions is not None:
        return bool(dimensions == 2)
    return len(value) > 0 and all(is_list(row) for row in value)


def rows_of(matrix: Any) -> list[Any]:
    """Returns the rows of a matrix.

    Raises:
        ShapeError: They have different lengths, or none.
    """
    rows = list(matrix)
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise ShapeError(f"the rows of a matrix have one length, got {sorted(lengths)}", code="shape")
    return rows


def shape_of(matrix: Any) -> tuple[int, int]:
    """Returns the rows and columns of a matrix, or of a shape.

    Raises:
        ShapeError: It is neither.
    """
    if is_matrix(matrix):
        rows = rows_of(matrix)
        return len(rows), len(rows[0])
    if isinstance(matrix, tuple) and len(matrix) == 2 and all(isinstance(n, int) and n > 0 for n in matrix):
        return matrix
    raise ShapeError(f"expected a matrix or its shape, got {matrix!r}", code="shape")


def no_vector(operand: Any) -> KindError:
    """Returns the refusal of an operand of an inner product that is no vector."""
    name = type(operand).__name__
    return KindError(
        f"dot takes a vector, encrypted or clear, got {name}: multiply by a number with `*`, and add up with `sum`",
        code="type_mismatch",
        operation="dot",
        expected="vector",
        got=name,
    )
