"""The words of the gate for clear values: what was expected, what came, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from .errors import KindError, RangeError, ShapeError


def foreign(values: Any, expected: str) -> KindError:
    """Returns the refusal of an object that is neither a number nor a sequence of numbers."""
    return _kind(expected, _name(values), _instead_of_one(values, expected))


def wrong_kind(value: Any, expected: str) -> KindError:
    """Returns the refusal of one number of another kind, or of what is no number."""
    return _kind(expected, _name(value), _instead_of_one(value, expected))


def wrong_elements(shown: str, code: str, expected: str) -> KindError:
    """Returns the refusal of an array or buffer whose elements are of another kind, by the letter of their kind."""
    instead = _OF_ELEMENTS.get(code, "take an array of integers or floating-point numbers")
    return _kind(expected, shown, instead)


def wrong_item(index: int, item: Any, expected: str) -> KindError:
    """Returns the refusal of a value in a sequence."""
    got = _name(item)
    return KindError(
        f"value number {index} is of type {got}, expected {expected}: {_instead_of_one(item, expected)}",
        code="type_mismatch",
        index=index,
        expected=expected,
        got=got,
    )


def missing(index: int, length: int) -> RangeError:
    """Returns the refusal of a column with a null."""
    return RangeError(
        f"value number {index} of {length} is missing: fill the nulls, or leave their rows out",
        code="null",
        index=index,
    )


def not_one_dimension(got: int) -> ShapeError:
    """Returns the refusal of values in several dimensions, or in none."""
    return ShapeError(
        f"expected one dimension, got {got}: take values.ravel(), or encrypt the rows one by one",
        code="dimensions",
        got=got,
    )


def no_axis(operation: str, axis: Any, dtype: Any, out: Any) -> None:
    """Refuses what NumPy's reductions may ask for and an encrypted vector does not have.

    Raises:
        KindError: An axis other than the only one is stated, or a type or an array for the result.
    """
    if axis not in (None, 0, -1) or dtype is not None or out is not None:
        raise KindError(
            f"{operation} of an encrypted vector has one axis, and a result of its own type: leave the options out",
            code="options",
            operation=operation,
        )


def of_type(shown: str, value: Any, expected: str) -> KindError:
    """Returns the refusal of an object of another type than the one that is shown."""
    got = type(value).__name__
    return KindError(f"expected {shown}, got {got}", code="type_mismatch", expected=expected, got=got)


def check_trust(trust: str) -> None:
    """Refuses an origin of received values that is neither of both.

    Raises:
        KindError: It is neither `"fresh"` nor `"computed"`.
    """
    if trust not in ("fresh", "computed"):
        raise KindError(f'trust {trust!r}: take "fresh" or "computed"', code="trust")


def check_callable(function: Any) -> None:
    """Refuses what is no function.

    Raises:
        KindError: It is none.
    """
    if not callable(function):
        raise of_type("a function", function, "function")


def other_plan() -> KindError:
    """Returns the refusal of a key of other parameters than those of a plan."""
    return KindError("the key was made for another plan: make one with plan.keygen", code="options")


def _kind(expected: str, got: str, instead: str) -> KindError:
    return KindError(f"expected {expected}, got {got}: {instead}", code="type_mismatch", expected=expected, got=got)


def _name(value: Any) -> str:
    """Returns the name of a type, with that of the elements of a number of NumPy in no dimension."""
    name = type(value).__name__
    return f"{name} of {value.dtype}" if name == "ndarray" else name


#: What to write instead of elements of a kind.
_OF_ELEMENTS = {
    "f": "round them, and take values.astype('int64')",
    "b": "take values.astype('int8') for zeros and ones",
    "i": "take values.astype(bool) for truth values",
    "u": "take values.astype(bool) for truth values",
    "c": "encrypt values.real and values.imag apart",
    "m": "divide by a unit, such as numpy.timedelta64(1, 's')",
    "M": "subtract a date, and divide by a unit, such as numpy.timedelta64(1, 's')",
    "U": "convert the text to numbers with values.astype(float)",
    "S": "convert the text to numbers with values.astype(float)",
    "T": "convert the text to numbers with values.astype(float)",
    "V": "take one field, such as values['name']",
}


def _instead_of_one(value: Any, expected: str) -> str:
    """Returns what to write instead of a value that is no number of the kind."""
    code = "" if getattr(value, "ndim", 0) else getattr(getattr(value, "dtype", None), "kind", "")
    if isinstance(value, complex) or code == "c":
        return "encrypt its .real and .imag apart"
    if isinstance(value, bool) or code == "b":
        return "take int(value) for 0 or 1"
    if code in ("m", "M", "U", "S", "T"):
        return _OF_ELEMENTS[str(code)]
    if isinstance(value, float) or (code == "f" and expected != "a real number"):
        return "round it with int(round(value)), or take keys for real numbers"
    if isinstance(value, int) or code in ("i", "u"):
        return "take bool(value) for a truth value"
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return "fill missing values, or leave them out"
    if hasattr(value, "as_py"):
        return "take value.as_py()"
    return _instead(value)


def _instead(values: Any) -> str:
    """Returns what to write instead of an object that is neither a number nor a sequence of numbers."""
    kind = type(values)
    if kind.__module__.partition(".")[0] == "fathom":
        return "encrypted operands are of one scheme and form, and under one key"
    if isinstance(values, Mapping):
        return "a mapping has keys too: take list(values.values())"
    if isinstance(values, Set):
        return "a set has no order: take sorted(values)"
    if isinstance(values, str):
        return "text is no number: take int(text) or float(text), or encrypt text with fathom.tfhe"
    if isinstance(values, (bytes, bytearray)):
        return "take list(values) for the numbers of its bytes"
    if hasattr(kind, "mask") and hasattr(kind, "compressed"):
        return "its mask would be lost: take values.compressed(), or values.filled(0)"
    if hasattr(kind, "columns") or hasattr(kind, "column_names"):
        return 'a table has names too: take one column, such as table["name"], or table.to_numpy() for a matrix'
    if hasattr(kind, "levels"):
        return "it has several values at each place: take one level with get_level_values"
    if isinstance(values, (list, tuple)):
        return "values have one dimension: encrypt the rows one by one"
    if hasattr(kind, "__array__"):
        return "take numpy.asarray(values)"
    if isinstance(values, Iterable) or hasattr(kind, "__getitem__"):
        return "take list(values)"
    return "take a number, a list of numbers, an array, or a column of pandas, polars or Arrow"
