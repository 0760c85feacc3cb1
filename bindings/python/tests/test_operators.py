"""Operators of Python and functions of NumPy on everything encrypted: a result, or a refusal with what to write."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import fathom as fhe


class Made:
    """An encrypted value of every container, with its key and its clear values."""

    def __init__(self) -> None:
        integers, reals, typed = fhe.keygen(int), fhe.keygen(float, depth=2), fhe.tfhe.keygen()
        single, wide = fhe.wide.keygen(bits=16), fhe.wide.keygen(bits=16, length=3, sums=True)
        clear = [3, -1, 2]
        self.all: dict[str, tuple[Any, Any, Any]] = {
            "integers": (integers, integers.encrypt(clear), clear),
            "reals": (reals, reals.encrypt(clear), clear),
            "number": (integers, integers.encrypt(5), 5),
            "wide": (single, single.encrypt(5), 5),
            "wide vector": (wide, wide.encrypt(clear), clear),
            "typed": (typed, typed.encrypt(5, "i8"), 5),
            "array": (typed, typed.encrypt(clear, "i8"), clear),
            "truth": (typed, typed.encrypt(True), True),
            "string": (typed, typed.encrypt("abc"), b"abc"),
        }


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


NAMES = ["integers", "reals", "number", "wide", "wide vector", "typed", "array", "truth", "string"]
NUMBERS = ["integers", "reals", "number", "wide", "wide vector", "typed", "array"]


def agree(key: Any, found: Any, wanted: Any) -> None:
    """Compares a result with the clear one."""
    assert np.allclose(key.decrypt(found), wanted, atol=1e-3), f"{key.decrypt(found)} for {wanted}"


PAIRS: list[Callable[[Any, Any], Any]] = [np.add, np.subtract, np.multiply]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("function", PAIRS, ids=lambda one: one.__name__)
def test_functions_of_numpy_are_the_operators(made: Made, name: str, function: Callable[[Any, Any], Any]) -> None:
    key, x, clear = made.all[name]
    for other in (2, np.int64(2)):
        agree(key, function(x, other), function(np.array(clear), other))
        agree(key, function(other, x), function(other, np.array(clear)))
    if isinstance(clear, list):
        array = np.array([1, 2, 3])
        agree(key, function(array, x), function(array, np.array(clear)))
        agree(key, function(x, x + 1), function(np.array(clear), np.array(clear) + 1))


@pytest.mark.parametrize("name", NUMBERS)
def test_functions_of_numpy_with_one_operand(made: Made, name: str) -> None:
    key, x, clear = made.all[name]
    agree(key, np.negative(x), np.negative(clear))
    if name not in ("typed", "array"):
        agree(key, np.square(x), np.square(clear))
        agree(key, np.power(x, 2), np.square(clear))
    if isinstance(clear, list):
        agree(key, np.sum(x), sum(clear))
        agree(key, np.sum(x, 0), sum(clear))
        agree(key, np.sum(x, axis=0), sum(clear))
        agree(key, np.dot(x, [1, 2, 3]), np.dot(clear, [1, 2, 3]))
        agree(key, np.dot(np.array([1, 2, 3]), x), np.dot(clear, [1, 2, 3]))
        agree(key, np.matmul(x, np.array([1, 2, 3])), np.dot(clear, [1, 2, 3]))
        agree(key, np.array([1, 2, 3]) @ x, np.dot(clear, [1, 2, 3]))
        agree(key, np.add.reduce(x), sum(clear))


def test_functions_of_numpy_on_machine_integers(made: Made) -> None:
    key, x, clear = made.all["array"]
    agree(key, np.maximum(x, 0), np.maximum(clear, 0))
    agree(key, np.less(x, np.array([3, 0, 3])), np.less(clear, [3, 0, 3]))
    agree(key, np.array([3, 0, 3]) > x, np.greater([3, 0, 3], clear))
    agree(key, np.max(x), 3)
    agree(key, np.sort(x), np.sort(clear))
    agree(key, np.bitwise_and(x, 1), np.bitwise_and(clear, 1))
    agree(key, x @ x, 14)


def test_functions_of_numpy_on_vectors(made: Made) -> None:
    key, x, clear = made.all["integers"]
    agree(key, np.roll(x, 1), np.roll(clear, 1))
    key, x, clear = made.all["reals"]
    agree(key, np.mean(x), np.mean(clear))
    agree(key, np.divide(x, 2), np.divide(clear, 2))


@pytest.mark.parametrize("name", NUMBERS)
def test_shapes_are_public(made: Made, name: str) -> None:
    _, x, clear = made.all[name]
    assert (np.shape(x), np.ndim(x), np.size(x)) == (np.shape(clear), np.ndim(clear), np.size(clear))


def test_real_numbers_are_divided_by_clear_ones(made: Made) -> None:
    key, x, clear = made.all["reals"]
    agree(key, x / 2, [value / 2 for value in clear])
    agree(key, x / np.array([2, 4, -8]), np.divide(clear, [2, 4, -8]))
    agree(key, x.sum() / 4.0, 1)
    for zero in (0, 0.0, [1, 0, 2]):
        with pytest.raises(fhe.DivisionError):
            x / zero
    with pytest.raises(fhe.KindError, match="polyval"):
        x / x
    with pytest.raises(fhe.KindError):
        1 / x


def test_one_value_of_a_vector_is_at_a_public_place(made: Made) -> None:
    for name in ("integers", "reals", "array", "wide vector"):
        key, x, clear = made.all[name]
        for place in (0, 2, -3, np.int64(1)):
            agree(key, x[place], clear[place])
    _, x, _ = made.all["integers"]
    assert x[0].ndim == 0 and x[0].range == x.range
    for place in (3, -4):
        with pytest.raises(fhe.ShapeError, match="3 values"):
            x[place]
    with pytest.raises(fhe.KindError, match="x @ S"):
        x[0:2]
    plan = fhe.plan(lambda x: x[1] * x[2], fhe.Integers(3, bits=4))
    key = plan.keygen()
    assert plan.decrypt(key, plan.run(plan.encrypt(key, [1, 2, 3]))) == 6
    long = list(range(-5000, 5000))
    key = fhe.keygen(int, bits=13)
    assert key.decrypt(key.encrypt(long)[9000]) == long[9000]


def test_columns_of_polars_are_operands_on_the_right_alone(made: Made) -> None:
    for name in ("integers", "reals", "wide vector", "array"):
        key, x, clear = made.all[name]
        agree(key, x * pl.Series([1, 2, 3]), np.multiply(clear, [1, 2, 3]))
        for computed in (operator.mul, operator.add, operator.sub):
            # polars refuses operands that it does not know, and asks none of them.
            with pytest.raises(TypeError, match="cannot convert Python type"):
                computed(pl.Series([1, 2, 3]), x)


def test_objects_of_numpy_and_pandas_hold_single_values(made: Made) -> None:
    for name in ("wide", "typed"):
        key, x, clear = made.all[name]
        held = np.array([x, x + 1])
        assert held.shape == (2,) and [key.decrypt(one) for one in held] == [clear, clear + 1]


REFUSED: list[tuple[str, Callable[[Any], Any]]] = [
    ("//", lambda x: x // 2),
    ("%", lambda x: x % 2),
    ("divmod", lambda x: divmod(x, 2)),
    ("<<", lambda x: x << 1),
    (">>", lambda x: x >> 1),
    ("2 //", lambda x: 2 // x),
    ("2 /", lambda x: 2 / x),
    ("2 **", lambda x: 2**x),
    ("abs", abs),
    ("round", round),
    ("floor", math.floor),
    ("int", int),
    ("float", float),
    ("complex", complex),
    ("index", lambda x: [1, 2, 3][x]),
    ("sqrt", math.sqrt),
    ("numpy.sqrt", np.sqrt),
    ("numpy.exp", np.exp),
    ("numpy.cumsum", np.cumsum),
    ("numpy.where", lambda x: np.where(x, 1, 0)),
    ("numpy.concatenate", lambda x: np.concatenate([x, x])),
    ("numpy.add to an array", lambda x: np.add(np.ones(3), x, out=np.ones(3))),
    ("numpy.add where", lambda x: np.add(x, x, where=[True, False, True])),
    ("numpy.add of a type", lambda x: np.add(x, x, dtype=float)),
    ("numpy.sum where", lambda x: np.sum(x, where=[True, False, True])),
    ("numpy.multiply.reduce", np.multiply.reduce),
    ("numpy.add.outer", lambda x: np.add.outer(x, [1, 2])),
    ("numpy.sum of an axis", lambda x: np.sum(x, axis=1, keepdims=True)),
    ("numpy.linalg.norm", np.linalg.norm),
    ("numpy.argmax", np.argmax),
    ("truth", bool),
    ("slice of a number", lambda x: x["a"]),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operation, computed", REFUSED, ids=[one for one, _ in REFUSED])
def test_what_is_not_computed_is_refused_with_a_remedy(
    made: Made, name: str, operation: str, computed: Callable[[Any], Any]
) -> None:
    _, x, _ = made.all[name]
    with pytest.raises(fhe.FathomError) as caught:
        computed(x)
    remedies = ("take", "decrypt", "encrypt integers", "write", "multiply", "joined", "leave", "returns")
    assert any(words in str(caught.value) for words in remedies)


@pytest.mark.parametrize("name", ["integers", "number", "wide", "typed", "string"])
def test_quotients_of_integers_are_refused_with_a_remedy(made: Made, name: str) -> None:
    _, x, _ = made.all[name]
    with pytest.raises(fhe.KindError, match=r"decrypt it|take|joined") as caught:
        x / 2
    assert caught.value.code == "no_operation" and caught.value.operation == "/"


@pytest.mark.parametrize("name", NUMBERS)
def test_operands_of_other_kinds_are_refused(made: Made, name: str) -> None:
    _, x, _ = made.all[name]
    strangers: list[Any] = ["text", None, object(), {1: 2}, 1j, np.array(["a"]), np.datetime64("2026-01-01")]
    for stranger in strangers:
        for computed in (operator.mul, operator.add, operator.sub, np.multiply):
            with pytest.raises(fhe.FathomError):
                computed(x, stranger)
            with pytest.raises(fhe.FathomError):
                computed(stranger, x)


def test_operators_of_containers_do_not_mix(made: Made) -> None:
    for left in NAMES:
        for right in NAMES:
            (_, x, _), (_, y, _) = made.all[left], made.all[right]
            if left != right and {left, right} not in ({"integers", "number"}, {"typed", "array"}):
                with pytest.raises(fhe.FathomError):
                    x + y


def test_polynomials() -> None:
    key = fhe.keygen(int, bits=3, depth=3, terms=8)
    clear = [3, -2, 0, 1, -7]
    x = key.encrypt(clear)
    for coefficients in ([0], [5], [0, 0, 0], [1, 2], [0, -1, 1], [3, 0, -2, 1], [1, 0, 0, 0, 1]):
        found = x.polyval(coefficients)
        wanted = [sum(c * value**k for k, c in enumerate(coefficients)) for value in clear]
        assert key.decrypt(found) == wanted, coefficients
        low, high = found.range
        assert low <= min(wanted) and max(wanted) <= high
    assert key.decrypt(x**0) == [1] * 5 and key.decrypt(x.sum().polyval([1, 1])) == -4
    with pytest.raises(fhe.RangeError, match="polyval"):
        x.polyval([0, 10**9])
    with pytest.raises(fhe.ShapeError):
        x.polyval([])
    with pytest.raises(fhe.KindError):
        x.polyval([1.5])
    reals, clear = fhe.keygen(float, depth=2, magnitude=8), [3.0, -1.5, 2.0]
    y = reals.encrypt(clear)
    agree(reals, y.polyval([0.5, -1, 0, 2.25]), [0.5 - v + 2.25 * v**3 for v in clear])
    agree(reals, y.polyval([1.5, 0.5]).sum(), sum(1.5 + 0.5 * v for v in clear))
    agree(reals, y**0, [1, 1, 1])
    plan = fhe.plan(lambda x: x.polyval([1, 0, 0, 0, 0, 1]), fhe.Integers(2, bits=3))
    key = plan.keygen()
    assert plan.decrypt(key, plan.run(plan.encrypt(key, [2, -3]))) == [33, -242] and plan.predict().compute_s > 0
    plan = fhe.plan(lambda x: x.polyval([1, 0, 0.5]), fhe.Reals(2, magnitude=2))
    key = plan.keygen()
    assert np.allclose(plan.decrypt(key, plan.run(plan.encrypt(key, [2, -1]))).value, [3, 1.5], atol=1e-4)


def test_inverse_square_roots() -> None:
    key = fhe.keygen(float, depth=12, magnitude=1, precision=10)
    for clear in ([0.25], [0.2, 0.9], [0.1, 0.5, 1.0], [0.1, 0.3, 0.9, 1.0, 0.7]):
        found = key.encrypt(clear).inverse_sqrt((0.1, 1), 5)
        wanted = [value**-0.5 for value in clear]
        assert np.allclose(key.decrypt(found), wanted, atol=found.error_bound) and found.error_bound < 0.05
        # Slots without a value hold none of a sum.
        assert np.allclose(key.decrypt(found.sum()), sum(wanted), atol=0.05 * len(clear))
    scores = key.encrypt([0.5, -0.25, 0.125, 0.75])
    root = key.encrypt(0.5).inverse_sqrt((0.25, 1), 3)
    assert np.allclose(key.decrypt(scores * root), np.multiply([0.5, -0.25, 0.125, 0.75], 0.5**-0.5), atol=0.05)
    long = fhe.keygen(float, depth=5, magnitude=1)
    clear = np.linspace(0.5, 1, long.params.slots + 3)
    found = long.encrypt(clear).inverse_sqrt([0.5, 1], 2)
    assert np.allclose(long.decrypt(found), clear**-0.5, atol=found.error_bound)


def test_inverse_square_roots_are_refused_with_a_remedy() -> None:
    key = fhe.keygen(float, depth=3, magnitude=2)
    x = key.encrypt([0.5, 1.0])
    with pytest.raises(fhe.FathomError, match="magnitude") as refused:
        x.inverse_sqrt((0.25, 1), 1)
    assert "low" in str(refused.value) or "1" in str(refused.value)
    for ends in ((0, 2), (2, 1), (-1, 2), (1, float("inf"))):
        with pytest.raises(fhe.FathomError):
            x.inverse_sqrt(ends, 1)
    with pytest.raises(fhe.ShapeError, match="least and a greatest"):
        x.inverse_sqrt((1, 2, 3), 1)
    with pytest.raises(fhe.KindError, match="at least one"):
        x.inverse_sqrt((0.25, 2), 0)
    with pytest.raises(fhe.NoiseError):
        x.inverse_sqrt((0.25, 2), 9)
    with pytest.raises(fhe.KindError, match="keygen"):
        fhe.keygen(int).encrypt([4]).inverse_sqrt((1, 9), 2)


def test_inverse_square_roots_are_planned() -> None:
    plan = fhe.plan(lambda x: x.inverse_sqrt((0.5, 1), 2), fhe.Reals(3, magnitude=1), precision=7)
    key = plan.keygen()
    found = plan.decrypt(key, plan.run(plan.encrypt(key, [0.5, 0.75, 1])))
    assert np.allclose(found.value, np.power([0.5, 0.75, 1], -0.5), atol=found.error)
    assert plan.predict().compute_s > 0


def test_one_value_joins_vectors_of_any_length(made: Made) -> None:
    for name in ("integers", "reals"):
        key, x, clear = made.all[name]
        one = key.encrypt([4])
        agree(key, x + one, np.add(clear, 4))
        agree(key, one - x, np.subtract(4, clear))
        agree(key, x * one, np.multiply(clear, 4))
        agree(key, (x * one).sum(), 4 * sum(clear))
        agree(key, (x + one).sum(), sum(clear) + 12)
        agree(key, x * [2], np.multiply(clear, 2))
        agree(key, [5] - x, np.subtract(5, clear))
        for other in (one, [4]):
            with pytest.raises(fhe.ShapeError):
                x @ other


def test_polynomials_of_wide_integers() -> None:
    single, vectors = fhe.wide.keygen(bits=30, depth=2), fhe.wide.keygen(bits=16, depth=2, length=2)
    for coefficients in ([0], [7], [0, 0], [1, 2], [0, 0, 1], [3, -2, 0, 1], [-1, 0, 5]):

        def clear(value: int, listed: list[int] = coefficients) -> int:
            return sum(c * value**k for k, c in enumerate(listed))

        assert single.decrypt(single.encrypt(-(10**9)).polyval(coefficients)) == clear(-(10**9))
        assert vectors.decrypt(vectors.encrypt([-3, 1000]).polyval(coefficients)) == [clear(-3), clear(1000)]
    assert single.decrypt(single.encrypt(5) ** 0) == 1
    with pytest.raises(fhe.ShapeError):
        single.encrypt(5).polyval([])
    plan = fhe.plan(lambda x: x.polyval([1, 0, 3]), fhe.Integers(bits=30))
    key = plan.keygen()
    assert plan.scheme == "wide" and plan.decrypt(key, plan.run(plan.encrypt(key, 10**9))) == 1 + 3 * 10**18


def test_a_vector_that_is_too_long_to_roll_names_the_slots_that_serve(made: Made) -> None:
    key, _, _ = made.all["integers"]
    values = [place % 7 for place in range(5000)]
    with pytest.raises(fhe.ShapeError, match="slots=10000") as caught:
        key.encrypt(values).roll(1)
    wider = fhe.keygen(int, slots=10000)
    assert caught.value.limit == 4096 and wider.decrypt(wider.encrypt(values).roll(1)) == values[-1:] + values[:-1]
