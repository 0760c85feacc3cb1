"""Whatever is given as clear values is read as it is, or refused: never something else.

FATHOM_VALUE_OBJECTS=100000 draws as many objects, in minutes.
"""

import collections
import os
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from value_model import Case, Lying, drawn, strangers

import fathom as fhe
from fathom import inputs

OBJECTS = int(os.environ.get("FATHOM_VALUE_OBJECTS", "3000"))


class Verb(NamedTuple):
    """A reader of clear values: what it takes, and what it makes of them for a comparison."""

    name: str
    letters: str
    #: Reads an object, given the number of values that it should have, and returns what was read.
    read: Callable[[Any, int | None], Any]
    takes_one: bool = True


def plain(values: Any) -> Any:
    """Returns decrypted values, of which real numbers are rounded."""
    if isinstance(values, list):
        return [plain(value) for value in values]
    return round(values, 3) if isinstance(values, float) else values


class Keys:
    """Keys of every scheme, and encrypted vectors of every length."""

    def __init__(self) -> None:
        self.whole = fhe.keygen(int, encryption="public")
        self.real = fhe.keygen(float, encryption="public")
        self.wide = fhe.wide.keygen(bits=16, encryption="public")
        self.vectors = fhe.wide.keygen(bits=16, length=18, encryption="public")
        self.typed = fhe.tfhe.keygen()
        self.made: dict[Any, Any] = {}

    def ones(self, key: Any, count: int | None) -> Any:
        """Returns an encrypted vector of so many ones, or an encrypted one."""
        at = (id(key), count)
        if at not in self.made:
            self.made[at] = key.encrypt([1] * count if count else 1)
        return self.made[at]

    def wide_of(self, count: int | None) -> fhe.wide.Key:
        """Returns a key for wide vectors, or for wide integers."""
        return self.wide if count is None else self.vectors

    def verbs(self) -> list[Verb]:
        """Returns all readers."""
        verbs = []
        for key, letters in ((self.whole, "i"), (self.real, "if")):
            public = key.public_key()
            verbs += [
                Verb("encrypt", letters, lambda v, n, key=key: key.decrypt(key.encrypt(v))),
                Verb("public", letters, lambda v, n, key=key, public=public: key.decrypt(public.encrypt(v))),
                Verb("mul", letters, lambda v, n, key=key: key.decrypt(self.ones(key, n or 2) * v)),
                Verb("add", letters, lambda v, n, key=key: key.decrypt(self.ones(key, n or 2) - 1 + v)),
                Verb("sub", letters, lambda v, n, key=key: key.decrypt(-(self.ones(key, n or 2) - 1 - v))),
                Verb("dot", letters, lambda v, n, key=key: key.decrypt(self.ones(key, n) @ v), False),
            ]
        wide = self.wide_of
        verbs += [
            Verb("wide", "i", lambda v, n: wide(n).decrypt(wide(n).encrypt(v))),
            Verb("wide public", "i", lambda v, n: wide(n).decrypt(wide(n).public_key().encrypt(v))),
            Verb("wide mul", "i", lambda v, n: wide(n).decrypt(self.ones(wide(n), n) * v)),
            Verb("typed", "ib", lambda v, n: self.typed.decrypt(self.typed_of(v))),
            Verb("array", "i", lambda v, n: self.column(v, n)),
            Verb("example", "if", lambda v, n: self.length_of(v)),
        ]
        return verbs

    def length_of(self, example: Any) -> int | None:
        """Returns the length that a plan states for an example; a truth value has none."""
        found: int | None = getattr(inputs.stated(example, bits=8, magnitude=128), "length", None)
        return found

    def typed_of(self, values: Any) -> Any:
        """Encrypts truth values as such, and integers of any container as those of eight bits."""
        try:
            return self.typed.encrypt(values, "u8")
        except fhe.KindError:
            return self.typed.encrypt(values, "bool")

    def column(self, values: Any, count: int | None) -> Any:
        """Reads an operand of an array, without the bootstraps of an operation."""
        column = self.ones_of_array(count)._column("add", values)
        return column[0] if count is None else column

    def ones_of_array(self, count: int | None) -> Any:
        """Returns an encrypted array."""
        at = ("array", count)
        if at not in self.made:
            self.made[at] = self.typed.encrypt([1] * (count or 1), "u8")
        return self.made[at]


@pytest.fixture(scope="module")
def keys() -> Keys:
    return Keys()


def expected(verb: Verb, case: Case) -> Any:
    """Returns what a verb makes of a case by the model; none for a refusal."""
    one = not isinstance(case.meaning, list)
    if verb.name == "example" and case.letter == "b" and one and case.meaning is not None:
        return ("length", None)
    if case.meaning is None or case.letter not in verb.letters or (one and not verb.takes_one):
        return None
    if verb.name == "example":
        return ("length", None if one else len(case.meaning))
    if verb.name == "dot":
        return sum(case.meaning)
    if one and verb.name in ("mul", "add", "sub"):
        return [case.meaning, case.meaning]
    return case.meaning


def judge(verb: Verb, case: Case) -> None:
    """Compares what a verb makes of a case with the model."""
    count = len(case.meaning) if isinstance(case.meaning, list) else None
    wanted = expected(verb, case)
    if verb.name == "dot" and count is None:
        count = 3
    shown = f"{verb.name} of {verb.letters}, {case.name}: {case.made!r}"
    try:
        found = verb.read(case.made, count)
    except fhe.FathomError as error:
        assert wanted is None, f"{shown} is refused: {error}"
        assert len(str(error)) < 400, shown
        return
    except Exception as error:
        raise AssertionError(f"{shown} raises {error!r}") from error
    if verb.name == "example":
        found = ("length", found)
    assert wanted is not None, f"{shown} is read as {found}"
    if isinstance(wanted, tuple):
        assert found == wanted, shown
    else:
        assert np.allclose(np.array(found, float), np.array(wanted, float), atol=2e-3), f"{shown} is read as {found}"


def test_objects_are_read_as_the_model_says_or_refused(keys: Keys) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    draw, verbs = random.Random(seed), keys.verbs()
    for number in range(OBJECTS):
        case, verb = drawn(draw), draw.choice(verbs)
        try:
            judge(verb, case)
        except AssertionError as error:
            raise AssertionError(f"object {number} of seed {seed}: {error}") from error


def test_every_stranger_is_refused_by_every_verb(keys: Keys) -> None:
    for place, made in enumerate(strangers()):
        for verb in keys.verbs():
            judge(verb, Case(f"stranger {place}", made, None))


def test_every_stranger_is_refused_where_a_table_or_weights_are_read(keys: Keys) -> None:
    array, place = keys.typed.encrypt([1, 2], "u8"), keys.typed.encrypt(0, "u8")
    condition = keys.typed.encrypt(True)
    vectors = fhe.wide.keygen(bits=8, length=3, sums=True)
    wide = vectors.encrypt([1, 2, 3])
    readers: list[Callable[[Any], Any]] = [
        lambda v: array.dot(v),
        lambda v: array.contains(v),
        lambda v: array.count(v),
        lambda v: array + v,
        lambda v: place + v,
        lambda v: place.max(v),
        lambda v: fhe.where(condition, v, place),
        lambda v: fhe.tfhe.lookup(v, place, "u8"),
        lambda v: wide @ v,
        lambda v: wide - v,
        lambda v: keys.whole.make_server(rotations=[v]),
    ]
    for stranger in strangers():
        for reader in readers:
            with pytest.raises(fhe.FathomError):
                reader(stranger)
    with pytest.raises(fhe.FathomError):
        keys.whole.make_server(matrices=[FRAME])


def test_values_in_every_container_are_tables_and_weights(keys: Keys) -> None:
    array, place = keys.typed.encrypt([1, 2], "u8"), keys.typed.encrypt(1, "u8")
    vectors = fhe.wide.keygen(bits=8, length=2, sums=True)
    for values in (
        (3, 4),
        np.array([3, 4], ">i2"),
        pd.Series([3, 4], dtype="Int64"),
        pl.Series([3, 4]),
        pa.array([3, 4]),
    ):
        assert keys.typed.decrypt(array.dot(values)) == 11
        assert keys.typed.decrypt(fhe.tfhe.lookup(values, place, "u8")) == 4
        assert vectors.decrypt(vectors.encrypt([1, 2]) @ values) == 11


FRAME = pd.DataFrame([[10, 20], [40, 50], [70, 80]])


@pytest.mark.parametrize(
    "values, words",
    [
        (FRAME, 'table["name"]'),
        (pl.DataFrame({"a": [1, 2]}), 'table["name"]'),
        (pa.table({"a": [1, 2]}), 'table["name"]'),
        (collections.UserDict({1: 2, 3: 4}), "list(values.values())"),
        ({3, 1}, "sorted(values)"),
        (Lying([1, 1, 1, 9]), "list(values)"),
        (np.ma.array([1, 99, 3], mask=[0, 1, 0]), "values.compressed()"),
        (np.array([1 + 2j]), "values.real"),
        (np.complex128(1 + 2j), ".real and .imag"),
        (np.timedelta64(5), "divide by a unit"),
        (np.array("3"), "convert the text"),
        (np.ones((2, 2), int), "values.ravel()"),
        (pd.Series([1, None], dtype="Int64"), "fill the nulls"),
        (np.True_, "int(value)"),
        (True, "int(value)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refusals_name_what_to_write(keys: Keys, values: Any, words: str) -> None:
    for key in (keys.whole, keys.real):
        with pytest.raises(fhe.FathomError) as caught:
            key.encrypt(values)
        assert words in str(caught.value)
        with pytest.raises(fhe.FathomError) as caught:
            keys.ones(key, 3) * values
        assert words in str(caught.value)


@pytest.mark.parametrize("dtype", ["int64", "Int64", "int64[pyarrow]"])
def test_columns_of_pandas_on_the_left_are_operands(integers: fhe.SecretKey, dtype: str) -> None:
    column, x = pd.Series([3, 4], dtype=dtype), integers.encrypt([10, 20])
    assert integers.decrypt(column * x) == [30, 80]
    assert integers.decrypt(column - x) == [-7, -16]
    assert integers.decrypt(column.to_numpy() * x) == [30, 80]
    assert integers.decrypt(pd.Index([3, 4]) + x) == [13, 24]


@pytest.mark.parametrize(
    "computed",
    [
        lambda x: FRAME * x,
        lambda x: FRAME + x,
        lambda x: x * FRAME,
        lambda x: x @ FRAME,
        lambda x: FRAME.T @ x,
        lambda x: np.ma.array([1, 2, 3], mask=[0, 1, 0]) * x,
        lambda x: x @ np.ma.ones((3, 3)),
        lambda x: x * "abc",
        lambda x: x * None,
        lambda x: x * {},
        lambda x: {} * x,
        lambda x: sum(x),
        lambda x: x.sum(axis=1),
        lambda x: np.sum(x, dtype=int),
        lambda x: x.roll(1.5),
        lambda x: x**1.5,
        lambda x: x.at_level("top"),
        lambda x: fhe.wide.keygen().encrypt(1) * x,
    ],
)
def test_operators_refuse_what_they_do_not_read(integers: fhe.SecretKey, computed: Callable[[Any], Any]) -> None:
    with pytest.raises(fhe.FathomError):
        computed(integers.encrypt([1, 2, 3]))


def test_reductions_of_numpy_are_those_of_vectors(integers: fhe.SecretKey, reals: fhe.SecretKey) -> None:
    assert integers.decrypt(np.sum(integers.encrypt([1, 2, 3]))) == 6
    assert abs(reals.decrypt(np.mean(reals.encrypt([1.0, 2.0]))) - 1.5) < 1e-4
    wide = fhe.wide.keygen(length=3, sums=True)
    assert wide.decrypt(np.sum(wide.encrypt([1, 2, 3]))) == 6


def test_numbers_of_numpy_do_not_wrap_around(integers: fhe.SecretKey) -> None:
    most = np.array([100, 27], np.int8)
    x = integers.encrypt(most, range=(-100, most.max()))
    assert x.range == (-100, 100) and integers.decrypt(x) == [100, 27]
    assert (x + np.int8(100)).range == (0, 200)
    assert fhe.Integers(np.int64(3), bits=np.uint8(4)).high == 15
    assert fhe.Integers(low=np.int8(-128), high=np.int8(127)).low == -128
    assert fhe.Params.for_integers(bits=np.int64(4), depth=np.int8(0)).degree > 0
    assert fhe.wide.keygen(bits=np.int16(32)).widest_bits > 64
    matrix = np.full((1, 2), 127, np.int8)
    with integers.make_server(matrices=[matrix]) as server, server:
        assert integers.decrypt(matrix @ integers.encrypt([100, 100])) == [25400]


@pytest.mark.parametrize(
    "stated",
    [{"range": 5}, {"range": (0, 1.5)}, {"range": (3, 1)}, {"range": (0,)}, {"bits": 1.5}, {"bits": -1}],
    ids=str,
)
def test_statements_that_are_none_are_refused(integers: fhe.SecretKey, stated: dict[str, Any]) -> None:
    with pytest.raises(fhe.FathomError):
        integers.encrypt([1], **stated)


def test_zeros_alone_are_stated_and_encrypted(integers: fhe.SecretKey) -> None:
    plan = fhe.plan(lambda x: x + 1, fhe.Integers(2, low=0, high=0))
    key = plan.keygen()
    assert plan.decrypt(key, plan.run(plan.encrypt(key, [0, 0]))) == [1, 1]
    assert integers.encrypt([0], bits=0).range == (0, 0)


def test_keys_refuse_to_decrypt_what_is_not_encrypted(integers: fhe.SecretKey) -> None:
    for key in (integers, fhe.tfhe.keygen(), fhe.wide.keygen()):
        for value in (5, [1], None, b"x"):
            with pytest.raises(fhe.KindError):
                key.decrypt(value)


def test_everyday_numbers_need_no_statement() -> None:
    key = fhe.keygen(float)
    x, y = key.encrypt([1.0, 2.0]), key.encrypt([1000.0, -1000.0])
    assert key.params.magnitude == 1000
    value, error = key.decrypt(x, with_error=True)
    assert np.allclose(value, [1, 2], atol=2**-20) and error < 2**-20
    for found, wanted in ((x * y, [1000, -2000]), (x @ y, -1000), (y @ y, 2_000_000), (x * 1000.5, [1000.5, 2001])):
        value, error = key.decrypt(found, with_error=True)
        assert np.allclose(value, wanted, atol=error) and error < 2**-3


def test_levels_of_powers_and_choices_are_brought_together(levels: fhe.SecretKey) -> None:
    x = levels.encrypt([3, -2], bits=2)
    assert levels.decrypt(x**3) == [27, -8]
    condition, y = levels.encrypt([1, 0], range=(0, 1)), levels.encrypt([5, 6], bits=3)
    assert levels.decrypt(fhe.where(condition, x, y)) == [3, 6]
    assert levels.decrypt(fhe.where(condition, 7, y)) == [7, 6]
    assert levels.decrypt(fhe.where(condition, [1, 2], [3, 4])) == [1, 4]


@pytest.mark.parametrize("stated", [{"depth": 40}, {"depth": 12, "magnitude": 2.0, "precision": 28}], ids=str)
def test_too_many_products_are_refused_with_the_number_that_fits(stated: dict[str, Any]) -> None:
    with pytest.raises(fhe.ParamsError, match="products have: state smaller") as caught:
        fhe.keygen(float, **stated)
    fitting = {**stated, "magnitude": caught.value.magnitude, "depth": caught.value.deepest}
    assert 0 < fitting["depth"] < stated["depth"] and fhe.Params.for_reals(**fitting).magnitude == fitting["magnitude"]
    with pytest.raises(fhe.ParamsError):
        fhe.Params.for_reals(**{**fitting, "depth": fitting["depth"] + 1})
    with pytest.raises(fhe.ParamsError, match="precision"):
        fhe.Params.for_reals(depth=3, magnitude=1000, precision=40)
