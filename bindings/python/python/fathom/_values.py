"""The gate for clear values: what encryption, operators and plans read from Python, NumPy, pandas, polars and Arrow.

A number is one of Python's or a scalar of NumPy. Values are one-dimensional: a list, a tuple or another sequence, whose
items are counted by iterating; a buffer; an array of NumPy; or a column of pandas, polars or Arrow, which is converted
by its own package and has no nulls. Whatever holds more than its values, such as a mask, labels, keys or a unit, is
refused with what to write instead.

Types are allowed by name, and packages are never imported here: an object of a package exists only where somebody else
imported it. Lists of Python's own numbers and arrays of NumPy go to the compiled half as they are.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from struct import iter_unpack
from sys import modules
from typing import Any, NamedTuple

from ._refusals import foreign, missing, not_one_dimension, wrong_elements, wrong_item, wrong_kind
from .errors import KindError, RangeError, ShapeError


class Kind(NamedTuple):
    """The numbers that an operation takes."""

    #: One of them, in messages.
    expected: str
    #: Their letters: `i` for integers, `f` for real numbers, `b` for truth values.
    letters: str


INTEGERS = Kind("an integer", "i")
REALS = Kind("a real number", "if")
TRUTHS = Kind("a truth value", "b")
TYPED = Kind("an integer or a truth value", "ib")
NUMBERS = Kind("a number", "ifb")


class Values(NamedTuple):
    """Clear values in a form that the compiled half reads without a look at what else they were."""

    #: One number of Python, or a list, tuple, buffer or array of as many as `length` says.
    data: Any
    #: The number of values; none for one number.
    length: int | None
    #: The type of the elements, such as `u8` or `bool`, if a buffer or an array states one.
    dtype: str | None = None

    def listed(self) -> list[Any]:
        """Returns the values as numbers of Python."""
        return list(self.data if isinstance(self.data, (list, tuple)) else self.data.tolist())


def read(values: Any, kind: Kind) -> Values:
    """Reads one number, or values in one dimension.

    Raises:
        KindError: It is neither, or a value is of another kind.
        RangeError: A value is missing, or no 64-bit floating-point number is near it.
        ShapeError: It has several dimensions.
    """
    if _is_scalar(values):
        return Values(number(values, kind), None)
    return _read_list(values, kind)


def read_list(values: Any, kind: Kind, *, empty: str = "there are no values to encrypt") -> Values:
    """Reads at least one value in one dimension.

    Raises:
        ShapeError: There are no values, or they have several dimensions.
        KindError: It is one number, or as for `read`.
        RangeError: As for `read`.
    """
    if _is_scalar(values):
        raise wrong_kind(values, "a sequence of numbers")
    found = _read_list(values, kind)
    if found.length == 0:
        raise ShapeError(empty, code="empty")
    return found


def number(value: Any, kind: Kind) -> Any:
    """Returns one number as Python's own.

    Raises:
        KindError: It is no number of the kind.
        RangeError: No 64-bit floating-point number is near it.
    """
    found = _scalar(value, kind)
    if found is None:
        raise wrong_kind(value, kind.expected)
    return found


def whole(value: Any, name: str) -> int:
    """Returns a whole number that is stated, such as a length, as Python's own: those of NumPy wrap around.

    Raises:
        KindError: It is no integer.
    """
    found = _scalar(value, INTEGERS)
    if found is None:
        got = type(value).__name__
        raise KindError(f"{name} is a whole number, got {got}", code="type_mismatch", expected="int", got=got)
    return int(found)


def is_whole(value: Any) -> bool:
    """Returns whether a value is one integer, of Python or NumPy."""
    return _scalar(value, INTEGERS) is not None


def place_in(length: int, stated: Any) -> int:
    """Returns a public place in a vector, counted from the beginning.

    Raises:
        ShapeError: There are fewer values.
        KindError: It is no integer.
    """
    place = whole(stated, "a place")
    if not -length <= place < length:
        raise ShapeError(f"a vector of {length} values has none at place {place}", code="place", place=place)
    return place % length


def ends_of(stated: Any) -> tuple[int, int]:
    """Returns the least and the greatest integer of a range that is stated as a pair.

    Raises:
        KindError: It is no pair of integers.
        RangeError: It is empty.
    """
    ends = list(stated) if isinstance(stated, (tuple, list)) else []
    if len(ends) != 2:
        got = type(stated).__name__
        raise KindError(
            f"a range is the least and the greatest integer, such as range=(0, 255), got {got}",
            code="type_mismatch",
            expected="range",
            got=got,
        )
    low, high = whole(ends[0], "the least integer of a range"), whole(ends[1], "the greatest integer of a range")
    if low > high:
        raise RangeError(f"no integer is from {low} to {high}", code="empty_range", low=low, high=high)
    return low, high


def is_one_number(value: Any) -> bool:
    """Returns whether a value is one number, whatever its kind."""
    return _is_scalar(value)


def is_matrix(values: Any) -> bool:
    """Returns whether a clear operand has two dimensions: an array of NumPy, or a sequence of rows."""
    if _is_scalar(values):
        return False
    if _is_array(values):
        return bool(values.ndim == 2)
    if isinstance(values, memoryview) or not _is_sequence(values):
        return False
    first = next(iter(values), None)
    return not _is_scalar(first) and (_is_array(first) or _is_sequence(first))


def rows_of(matrix: Any, kind: Kind) -> list[Any]:
    """Returns the rows of a matrix in a form that the compiled half reads.

    Raises:
        KindError: It is no matrix of numbers of the kind.
        ShapeError: Its rows have different lengths, or none.
    """
    if not is_matrix(matrix):
        raise foreign(matrix, "a matrix of numbers")
    rows = [_read_list(row, kind) for row in matrix]
    lengths = {row.length for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise ShapeError(f"the rows of a matrix have one length, got {sorted(map(str, lengths))}", code="shape")
    return [row.data for row in rows]


def columns_of(matrix: Any, kind: Kind) -> list[Any]:
    """Returns the columns of a matrix, as `rows_of` its rows.

    Raises:
        KindError: It is no matrix of numbers of the kind.
        ShapeError: Its rows have different lengths, or none.
    """
    if _is_array(matrix) and matrix.ndim == 2:
        return rows_of(matrix.T, kind)
    return [list(column) for column in zip(*rows_of(matrix, kind), strict=True)]


def shape_of(matrix: Any) -> tuple[int, int]:
    """Returns the rows and columns of a matrix, or of a shape.

    Raises:
        ShapeError: It is neither.
    """
    if isinstance(matrix, tuple) and len(matrix) == 2 and all(map(is_whole, matrix)):
        rows, columns = (whole(count, "a side of a matrix") for count in matrix)
        if rows > 0 and columns > 0:
            return rows, columns
    elif is_matrix(matrix):
        listed = rows_of(matrix, NUMBERS)
        return len(listed), len(listed[0])
    raise ShapeError(f"expected a matrix or its shape, got {type(matrix).__name__}", code="shape")


# Numbers.

_OWN = {int: "i", float: "f", bool: "b"}
#: The letters by the kinds of types of NumPy.
_OF_NUMPY = {"i": "i", "u": "i", "f": "f", "b": "b"}


def _letter_of(type_: type) -> str:
    """Returns the letter of the numbers of a type, which is empty if its objects are no numbers."""
    if type_ in _OWN:
        return _OWN[type_]
    numpy = modules.get("numpy")
    if numpy is not None and issubclass(type_, numpy.generic):
        # A time span of NumPy is a signed integer by its class, and none by its kind.
        return _OF_NUMPY.get(numpy.dtype(type_).kind, "")
    if issubclass(type_, Integral):
        return "i"
    return "f" if issubclass(type_, (Real, Decimal)) else ""


def _plain(value: Any, letter: str) -> Any:
    """Returns a number as Python's own. What a class derived from them claims about itself is not asked."""
    if letter == "i":
        return int.__pos__(value) if isinstance(value, int) else operator.index(value)
    if letter == "b":
        return bool(value)
    return float.__pos__(value) if isinstance(value, float) else float(value)


def _scalar(value: Any, kind: Kind) -> Any:
    """Returns one number as Python's own, or none if it is none of the kind.

    Raises:
        RangeError: No 64-bit floating-point number is near it.
    """
    letter = _letter_of(type(value))
    if not letter and _is_array(value) and value.ndim == 0:
        return _scalar(value[()], kind)
    if not letter or letter not in kind.letters:
        return None
    try:
        plain = _plain(value, letter)
        return float(plain) if kind is REALS else plain
    except (TypeError, ValueError, ArithmeticError):
        raise RangeError(
            "the number has no value in 64-bit floating point: take a smaller one",
            code="value_out_of_range",
            bits=64,
        ) from None


def _is_scalar(value: Any) -> bool:
    return bool(_letter_of(type(value))) or (_is_array(value) and value.ndim == 0)


# Values in one dimension.


def _is_array(values: Any) -> bool:
    """Returns whether a value is an array of NumPy itself; derived classes have masks and units."""
    numpy = modules.get("numpy")
    return numpy is not None and type(values) in (numpy.ndarray, numpy.memmap)


def _is_sequence(values: Any) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, (str, bytes, bytearray))


def _read_list(values: Any, kind: Kind) -> Values:
    if type(values) is list or type(values) is tuple:
        return _of_items(values, kind)
    if _is_array(values):
        return _of_array(values, kind)
    if isinstance(values, (memoryview, array)):
        return _of_buffer(memoryview(values), kind)
    if _is_of(values, "pandas", "Series", "Index"):
        return _of_pandas(values, kind)
    if _is_of(values, "polars", "Series"):
        return _of_polars(values, kind)
    if _is_of(values, "pyarrow", "Array", "ChunkedArray"):
        return _of_arrow(values, kind)
    if _is_sequence(values):
        return _of_items(list(values), kind)
    raise foreign(values, "numbers")


def _is_of(values: Any, package: str, *names: str) -> bool:
    """Returns whether a value is an object of classes of a package."""
    classes = (getattr(modules.get(package), name, None) for name in names)
    return any(isinstance(values, one) for one in classes if isinstance(one, type))


def _of_items(items: list[Any] | tuple[Any, ...], kind: Kind) -> Values:
    types = set(map(type, items))
    if all(_OWN.get(type_, "-") in kind.letters for type_ in types):
        return Values(items, len(items))
    plain = []
    for index, item in enumerate(items):
        found = _scalar(item, kind)
        if found is None:
            raise wrong_item(index, item, kind.expected)
        plain.append(found)
    return Values(plain, len(plain))


def _of_array(values: Any, kind: Kind) -> Values:
    if values.ndim != 1:
        raise not_one_dimension(values.ndim)
    if values.dtype.kind == "O":
        return _of_items(values.tolist(), kind)
    letter = _OF_NUMPY.get(values.dtype.kind, "")
    if not letter or letter not in kind.letters:
        raise wrong_elements(f"an array of {values.dtype}", values.dtype.kind, kind.expected)
    dtype = "bool" if letter == "b" else f"{values.dtype.kind}{8 * values.dtype.itemsize}"
    # The compiled half reads integers, and floating-point numbers of 32 and 64 bits, in the order of this machine.
    if (letter == "f" and values.dtype.itemsize not in (4, 8)) or (kind is REALS and values.dtype.itemsize == 8):
        values = values.astype("float64", copy=False)
    elif not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return Values(values, len(values), None if letter == "f" else dtype)


def _of_buffer(view: memoryview, kind: Kind) -> Values:
    if view.ndim != 1:
        raise not_one_dimension(view.ndim)
    order, code = view.format[:-1], view.format[-1:]
    letter = "" if order not in ("", "@", "=", "<", ">", "!") else _OF_BUFFERS.get(code, "")
    if not letter or letter not in kind.letters:
        raise wrong_elements(f"a buffer of format {view.format!r}", letter, kind.expected)
    sign = "u" if code.isupper() else "i"
    dtype = {"b": "bool", "f": None}.get(letter, f"{sign}{8 * view.itemsize}")
    if order in ("", "@") and code != "e":
        return Values(view, len(view), dtype)
    # Python reads views of other byte orders by their bytes alone.
    return Values([item for (item,) in iter_unpack(view.format, view.tobytes())], len(view), dtype)


#: The letters of numbers by the codes of buffers.
_OF_BUFFERS = {**dict.fromkeys("bBhHiIlLqQnN", "i"), **dict.fromkeys("efd", "f"), "?": "b"}


# Columns of other packages.


def _of_pandas(column: Any, kind: Kind) -> Values:
    numpy, pandas = modules["numpy"], modules["pandas"]
    if isinstance(column, pandas.MultiIndex):
        raise foreign(column, "a column of numbers")
    nulls = numpy.asarray(column.isna())
    if nulls.any():
        raise missing(int(nulls.argmax()), len(column))
    # Nullable columns, and those of Arrow, name the type of NumPy without nulls.
    own = getattr(column.dtype, "numpy_dtype", column.dtype)
    if getattr(own, "kind", "O") == "O" or not isinstance(own, numpy.dtype):
        return _of_items(column.tolist(), kind)
    return _of_array(column.to_numpy(dtype=own), kind)


#: The types of polars that NumPy has too.
_OF_POLARS = frozenset(
    ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64", "Boolean"]
)


def _of_polars(column: Any, kind: Kind) -> Values:
    if column.null_count():
        raise missing(int(column.is_null().arg_max()), len(column))
    if "numpy" in modules and str(column.dtype) in _OF_POLARS:
        return _of_array(column.to_numpy(), kind)
    return _of_items(column.to_list(), kind)


def _of_arrow(column: Any, kind: Kind) -> Values:
    if column.null_count:
        raise missing(column.is_null().to_pylist().index(True), len(column))
    types = modules["pyarrow"].types
    dtype = column.type
    if "numpy" in modules and (types.is_integer(dtype) or types.is_floating(dtype) or types.is_boolean(dtype)):
        chunked = hasattr(column, "chunks")
        return _of_array(column.to_numpy() if chunked else column.to_numpy(zero_copy_only=False), kind)
    return _of_items(column.to_pylist(), kind)
