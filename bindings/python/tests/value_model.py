"""Objects that hold numbers, or seem to, and what a reader of values must make of each.

The model knows an object by how it was made, and never looks at it: it shares nothing with the gate that it judges.
"""

import array
import collections
import ctypes
import datetime
import decimal
import enum
import fractions
import functools
import random
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


class Case(NamedTuple):
    """An object, and the values that it means; none if no reader may take it."""

    name: str
    made: Any
    #: A list of values or one value, as Python's own numbers.
    meaning: Any
    #: `i` for integers, `f` for real numbers, `b` for truth values.
    letter: str = "i"


class Lying:
    """Says that it has three items, and has as many as it was given."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __getitem__(self, place: int) -> Any:
        return self.items[place]


class LyingList(list[Any]):
    """A list that says that it has three items."""

    def __len__(self) -> int:
        return 3


class Named(enum.IntEnum):
    """Integers with names."""

    FIVE = 5


class Index:
    """Has `__index__`, and is no number by its class."""

    def __index__(self) -> int:
        return 4


class Floating:
    """Has `__float__`, and is no number by its class."""

    def __float__(self) -> float:
        return 4.0


def integers(draw: random.Random) -> list[int]:
    """Draws integers that every type of eight bits holds."""
    return [draw.randint(0, 100) for _ in range(draw.randint(1, 9))]


def of_python(draw: random.Random) -> Case:
    """Makes a sequence or a buffer of Python."""
    values = integers(draw)
    makers: list[Callable[[], Any]] = [
        lambda: list(values),
        lambda: tuple(values),
        lambda: collections.UserList(values),
        lambda: collections.deque(values),
        lambda: array.array(draw.choice("bBhHiIlLqQ"), values),
        lambda: memoryview(array.array(draw.choice("bBhHiIlLqQ"), values)),
        lambda: memoryview(bytes(values)),
        lambda: memoryview((ctypes.c_int32 * len(values))(*values)),
        lambda: memoryview(np.array(values, draw.choice([">i4", "<u2", ">i8", "<i8"]))),
        lambda: memoryview(np.array(values * 2))[::2] if len(values) % 2 == 0 else list((values * 2)[::2]),
    ]
    place = draw.randrange(len(makers))
    meaning = (values * 2)[::2] if place == len(makers) - 1 else values
    return Case(f"python {place}", makers[place](), meaning)


def of_numpy(draw: random.Random) -> Case:
    """Makes an array of one of the types of integers, in some order of bytes and of memory."""
    dtype = draw.choice(["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">u4", ">i8", "O"])
    values = integers(draw)
    whole = np.array(values, dtype)
    form = draw.randrange(5)
    if form == 0:
        return Case(f"numpy {dtype}", whole, values)
    if form == 1:
        return Case(f"numpy {dtype} reversed", whole[::-1], values[::-1])
    if form == 2:
        return Case(f"numpy {dtype} column", np.stack([whole, whole], axis=1)[:, 1], values)
    if form == 3:
        whole.flags.writeable = False
        return Case(f"numpy {dtype} read-only", whole, values)
    return Case(f"numpy {dtype} repeated", np.broadcast_to(np.array(values[0], dtype), (4,)), [values[0]] * 4)


def of_pandas(draw: random.Random) -> Case:
    """Makes a column or an index of pandas, without nulls."""
    values = integers(draw)
    dtype = draw.choice(
        ["int8", "uint16", "int64", "Int64", "UInt8", "int32[pyarrow]", "object", "category", "Sparse[int]"]
    )
    labels = draw.sample(range(1000), len(values))
    column = pd.Series(values, index=labels, dtype=dtype, name="salary")
    if draw.random() < 0.3 and dtype in ("int8", "int64", "Int64", "object"):
        return Case(f"index of pandas {dtype}", pd.Index(values, dtype=dtype), values)
    if draw.random() < 0.1:
        return Case("range of pandas", pd.RangeIndex(2, 11, 3), [2, 5, 8])
    return Case(f"pandas {dtype}", column, values)


def of_polars(draw: random.Random) -> Case:
    """Makes a column of polars, without nulls."""
    values = integers(draw)
    dtype = draw.choice([pl.Int8, pl.Int32, pl.Int64, pl.UInt8, pl.UInt64, pl.Int128, pl.Object])
    return Case(f"polars {dtype}", pl.Series("salary", values, dtype=dtype), values)


def of_arrow(draw: random.Random) -> Case:
    """Makes a column of Arrow, without nulls."""
    values = integers(draw)
    dtype = draw.choice([pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64()])
    whole = pa.array(values, dtype)
    form = draw.randrange(4)
    if form == 0:
        return Case(f"arrow {dtype}", whole, values)
    if form == 1:
        return Case(f"arrow {dtype} slice", pa.array([7, *values], dtype)[1:], values)
    if form == 2:
        return Case(f"arrow {dtype} dictionary", whole.dictionary_encode(), values)
    return Case(f"arrow {dtype} chunks", pa.chunked_array([whole, whole]), values * 2)


def of_items(draw: random.Random) -> Case:
    """Makes a list of integers of several types."""
    values = integers(draw)
    types_ = [int, np.int8, np.int64, np.uint16, np.uint64, np.array, lambda value: np.array(value, ">i4")]
    return Case("items", [draw.choice(types_)(value) for value in values], values)


def of_lies(draw: random.Random) -> Case:
    """Makes a sequence whose length is a lie: its items count."""
    values = integers(draw)
    form = draw.randrange(3)
    if form == 0:
        return Case("lying list", LyingList(values), values)
    if form == 1:
        sub = type("Sub", (collections.UserList,), {"__len__": lambda self: 3})
        return Case("lying sequence", sub(values), values)
    return Case("lying object", Lying(values), None)


def of_reals(draw: random.Random) -> Case:
    """Makes real numbers in some container."""
    values = [draw.uniform(-100, 100) for _ in range(draw.randint(1, 9))]
    single = [float(np.float32(value)) for value in values]
    forms: list[tuple[Any, list[float]]] = [
        (values, values),
        (tuple(values), values),
        (array.array("d", values), values),
        (array.array("f", values), single),
        (np.array(values), values),
        (np.array(values, ">f8"), values),
        (np.array(values, "f4"), single),
        (np.array(values, "f2"), [float(np.float16(value)) for value in values]),
        (np.array(values, "longdouble"), values),
        (pd.Series(values), values),
        (pd.Series(values, dtype="Float64"), values),
        (pd.Series(values, dtype="double[pyarrow]"), values),
        (pl.Series(values), values),
        (pl.Series(values, dtype=pl.Float32), single),
        (pa.array(values), values),
        (pa.chunked_array([pa.array(values)]), values),
        ([decimal.Decimal(value) for value in values], values),
        ([fractions.Fraction(value) for value in values], values),
        ([np.float64(value) for value in values], values),
        ([1, 2.5, np.int8(3)], [1.0, 2.5, 3.0]),
    ]
    place = draw.randrange(len(forms))
    return Case(f"reals {place}", *forms[place], "f")


def of_truths(draw: random.Random) -> Case:
    """Makes truth values in some container."""
    values = [draw.random() < 0.5 for _ in range(draw.randint(1, 6))]
    forms = [
        values,
        tuple(values),
        np.array(values),
        [np.bool_(value) for value in values],
        pd.Series(values),
        pd.Series(values, dtype="boolean"),
        pl.Series(values),
        pa.array(values),
    ]
    place = draw.randrange(len(forms))
    return Case(f"truths {place}", forms[place], values, "b")


def of_scalars(draw: random.Random) -> Case:
    """Makes one number."""
    value = draw.randint(0, 100)
    real = draw.uniform(0, 100)
    cases = [
        Case("int", value, value),
        Case("enumeration", Named.FIVE, 5),
        Case("scalar of numpy", getattr(np, draw.choice(["int8", "int64", "uint8", "uint64"]))(value), value),
        Case("array without dimensions", np.array(value), value),
        Case("object array without dimensions", np.array(value, object), value),
        Case("float", real, real, "f"),
        Case("numpy.float64", np.float64(real), real, "f"),
        Case("numpy.float32", np.float32(real), float(np.float32(real)), "f"),
        Case("decimal", decimal.Decimal("1.5"), 1.5, "f"),
        Case("fraction", fractions.Fraction(3, 2), 1.5, "f"),
        Case("bool", True, True, "b"),
        Case("numpy.bool", np.bool_(False), False, "b"),
        Case("array of a truth value", np.array(True), True, "b"),
    ]
    return draw.choice(cases)


@functools.cache
def strangers() -> list[Any]:
    """Returns objects that hold no values for certain."""
    values = [3, 1, 2]
    dates = np.array(["2026-11-27"] * len(values), "datetime64[D]")
    return [
        dict(enumerate(values)),
        collections.UserDict(enumerate(values)),
        types.MappingProxyType(dict(enumerate(values))),
        set(values),
        frozenset(values),
        {}.keys(),
        iter(values),
        (value for value in values),
        map(int, values),
        "123",
        b"123",
        bytearray(b"123"),
        None,
        object(),
        Index(),
        Floating(),
        1 + 2j,
        np.complex128(1 + 2j),
        np.timedelta64(5),
        np.timedelta64(5, "s"),
        np.datetime64("2026-11-27"),
        np.array("3"),
        np.str_("3"),
        np.bytes_(b"3"),
        np.array(1j),
        np.array(np.timedelta64(5)),
        datetime.timedelta(seconds=5),
        pd.Timedelta(5),
        pd.NA,
        pd.NaT,
        pd.DataFrame({"a": values, "b": values}),
        pd.DataFrame(np.ones((3, 2), int)),
        pl.DataFrame({"a": values}),
        pl.DataFrame({"a": values}).lazy(),
        pl.col("a"),
        pa.table({"a": values}),
        pa.record_batch({"a": pa.array(values)}),
        np.ma.array(values),
        np.ma.array(values, mask=[True] + [False] * (len(values) - 1)),
        np.ma.masked,
        np.ones((3, 1)).view(type("Derived", (np.ndarray,), {})),
        np.ones((2, 2), int),
        np.ones((1, 1, 1), int),
        np.zeros((2, 0), int),
        np.array(values, complex),
        np.array(values, "m8[s]"),
        dates,
        np.array([str(value) for value in values]),
        np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]),
        np.array([None, 2], object),
        np.array([[1], [2]], object),
        np.recarray((2,), [("a", "i4")]),
        memoryview(np.ones((2, 2), "i4")),
        memoryview(np.array([1j])),
        memoryview(b"ab").cast("c"),
        array.array("u", "ab"),
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1.0, None]),
        pd.Series([1, None], dtype=object),
        pd.Series([True, None], dtype="boolean"),
        pd.Series([1, None], dtype="int64[pyarrow]"),
        pd.Series(dates),
        pd.Series(dates) - pd.Timestamp("2026-01-01"),
        pd.Series(["1", "2"]),
        pd.Series([1 + 2j]),
        pd.Series(dates).dt.tz_localize("UTC"),
        pd.Series(pd.period_range("2026", periods=2)),
        pd.Series(["a", "b"], dtype="category"),
        pd.MultiIndex.from_tuples([(1, 2), (3, 4)]),
        pd.DatetimeIndex(dates),
        pd.IntervalIndex.from_breaks([0, 1, 2]),
        pd.array(values),
        pd.Series({"a": [1, 2], "b": [3]}),
        pl.Series([1, None]),
        pl.Series([1.0, None]),
        pl.Series(["1"]),
        pl.Series([[1, 2], [3]]),
        pl.Series([{"a": 1}]),
        pl.Series([datetime.timedelta(1)]),
        pl.Series([datetime.date(2026, 1, 1)]),
        pl.Series([None, None]),
        pa.array([1, None]),
        pa.array([None, None]),
        pa.array(["1"]),
        pa.array([[1, 2]]),
        pa.array([{"a": 1}]),
        pa.array([1, 2], pa.duration("s")),
        pa.array([1, 2], pa.timestamp("s")),
        pa.array([1, 2], pa.time32("s")),
        pa.array([1, 2], pa.date32()),
        pa.chunked_array([[1], [None]]),
        pa.array([1, None]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([5, None])),
        pa.scalar(5),
        [values],
        [None],
        [1, "2"],
        [1, 2j],
        [np.timedelta64(5)],
        [np.array([1])],
        [np.ma.masked],
        [Index()],
        [Floating()],
        [datetime.timedelta(1)],
        [pd.NA],
        [pa.scalar(1)],
        [{}],
        [],
        (),
        np.array([], int),
        pd.Series([], dtype=int),
        pl.Series([], dtype=pl.Int64),
        pa.array([], pa.int64()),
        range(0),
        type,
        len,
    ]


def of_strangers(draw: random.Random) -> Case:
    """Draws an object that holds no values for certain."""
    place = draw.randrange(len(strangers()))
    made = strangers()[place]
    return Case(f"stranger {place} {type(made).__name__}", made, None)


MAKERS = [
    of_python,
    of_numpy,
    of_pandas,
    of_polars,
    of_arrow,
    of_items,
    of_lies,
    of_reals,
    of_truths,
    of_scalars,
    of_strangers,
    of_strangers,
]


def drawn(draw: random.Random) -> Case:
    """Draws an object with its meaning."""
    return draw.choice(MAKERS)(draw)
