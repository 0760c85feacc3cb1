"""Encrypted arrays compute what NumPy and lists of Python do."""

import array
import copy
import operator
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_process import in_child

import fathom as fhe
from fathom import tfhe

A, B = [7, 200, 0, 77], [9, 200, 3, 200]
TRUTHS = [[True], [False], [True, False, True], [True] * 5, [False] * 3]


@pytest.fixture(scope="module")
def key() -> tfhe.Key:
    """Returns a key whose server is made."""
    key = tfhe.keygen()
    assert key.server.key_id == key.id
    return key


@pytest.mark.parametrize(
    "values, dtype, found",
    [
        ([1, 2, 3], "u8", "u8"),
        ((-1, 2), "i10", "i10"),
        ([True, False], None, "bool"),
        (array.array("H", [1, 60_000]), None, "u16"),
        (np.array([-5, 5], np.int64)[::-1], None, "i64"),
        (np.array([True, False]), None, "bool"),
        (np.array([1, 2], np.int32), "u4", "u4"),
        (memoryview(b"ab"), None, "u8"),
    ],
)
def test_sequences_and_buffers_are_encrypted(key: tfhe.Key, values: Any, dtype: str | None, found: str) -> None:
    x = key.encrypt(values, dtype)
    assert x.dtype == found and key.decrypt(x) == list(values) and len(x) == len(values)


@pytest.mark.parametrize(
    "operation", [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]
)
def test_operators_compute_element_by_element(key: tfhe.Key, operation: Callable[[Any, Any], Any]) -> None:
    a, b = np.array(A, np.uint8), np.array(B, np.uint8)
    x, y = key.encrypt(a), key.encrypt(b)
    for result in (operation(x, y), operation(x, b), operation(x, B), operation(a, y)):
        assert result.dtype == "u8" and key.decrypt(result) == operation(a, b).tolist()
    for result in (operation(x, 77), operation(x, key.encrypt(77, "u8"))):
        assert key.decrypt(result) == operation(a, np.uint8(77)).tolist()
    assert key.decrypt(operation(77, y)) == operation(np.uint8(77), b).tolist()


@pytest.mark.parametrize("operation", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
def test_comparisons_give_arrays_of_truth_values(key: tfhe.Key, operation: Callable[[Any, Any], Any]) -> None:
    x, y = key.encrypt(A, "u8"), key.encrypt(B, "u8")
    assert key.decrypt(operation(x, y)) == [operation(a, b) for a, b in zip(A, B, strict=True)]
    assert key.decrypt(operation(x, 77)) == [operation(a, 77) for a in A]


def test_other_operations_on_elements(key: tfhe.Key) -> None:
    x, y = key.encrypt(A, "u8"), key.encrypt(B, "u8")
    assert key.decrypt(-x) == [-a % 256 for a in A] and key.decrypt(~x) == [255 - a for a in A]
    assert key.decrypt(x.div(y)) == [a // b for a, b in zip(A, B, strict=True)]
    assert key.decrypt(x.rem(5)) == [a % 5 for a in A]
    assert key.decrypt(x.maximum(y)) == list(map(max, A, B)) and key.decrypt(x.minimum(50)) == [min(a, 50) for a in A]
    assert key.decrypt(tfhe.where(x > y, x, y)) == list(map(max, A, B))
    assert key.decrypt(fhe.where(x > 50, 1, x)) == [1 if a > 50 else a for a in A]
    assert key.decrypt(tfhe.where(key.encrypt(False), x, y)) == B
    assert key.decrypt(tfhe.where(x == y, B, key.encrypt(1, "u8"))) == [1, 200, 1, 1]


def test_reductions(key: tfhe.Key) -> None:
    x = key.encrypt(A, "u8")
    assert key.decrypt(x.sum()) == sum(A) % 256 and key.decrypt(x.sum("u16")) == sum(A)
    assert key.decrypt(x.dot([1, -2, 3, 4], "i16")) == np.dot(A, [1, -2, 3, 4])
    assert key.decrypt(x.max()) == 200 and key.decrypt(x.min()) == 0
    assert [key.decrypt(part) for part in x.argmax()] == [1, 200]
    assert [key.decrypt(part) for part in x.argmin()] == [2, 0]


def test_searches(key: tfhe.Key) -> None:
    x = key.encrypt(B, "u8")
    for value in (200, key.encrypt(200, "u8")):
        assert key.decrypt(x.contains(value)) is True and key.decrypt(x.count(value)) == 2
        assert [key.decrypt(part) for part in x.find(value)] == [1, True]
    assert key.decrypt(x.contains(4)) is False and key.decrypt(x.find(4)[1]) is False
    truths = key.encrypt([False, True])
    assert key.decrypt(truths.contains(True)) is True and [key.decrypt(part) for part in truths.find(True)] == [1, True]


def test_sorting(key: tfhe.Key) -> None:
    x = key.encrypt([3, -1, 2, -4], "i4")
    assert key.decrypt(x.sorted()) == [-4, -1, 2, 3]
    keys, values = key.encrypt(A, "u8").sorted_by(x)
    assert key.decrypt(keys) == [-4, -1, 2, 3] and key.decrypt(values) == [77, 200, 0, 7]


def test_places_are_clear_or_encrypted(key: tfhe.Key) -> None:
    x = key.encrypt(A, "u8")
    assert [key.decrypt(value) for value in x] == A and key.decrypt(x[-1]) == 77
    assert key.decrypt(x[1:3]) == A[1:3] and key.decrypt(x[::-1]) == A[::-1]
    assert [key.decrypt(x[key.encrypt(place, "u4")]) for place in (0, 3, 9)] == [7, 77, 0]
    assert key.decrypt(key.encrypt([False, True])[key.encrypt(1, "u2")]) is True
    assert key.decrypt(tfhe.lookup([-3, 500, 7], key.encrypt(1, "u4"), "i16")) == 500
    with pytest.raises(IndexError):
        x[4]


def test_values_are_joined(key: tfhe.Key) -> None:
    x = tfhe.array([key.encrypt(3, "u8"), key.encrypt(4, "u8") + 1])
    assert key.decrypt(x) == [3, 5] and repr(x) == "fathom.tfhe.Array(2 x u8)" and "KiB" in x._repr_html_()


@pytest.mark.parametrize("params", ["integers", "gates"])
def test_truth_values_are_reduced_under_all_parameters(key: tfhe.Key, params: str) -> None:
    own = key if params == "integers" else tfhe.keygen(params)
    for truths in TRUTHS:
        x = own.encrypt(truths)
        assert own.decrypt(x.all()) is all(truths) and own.decrypt(x.any()) is any(truths)
        assert own.decrypt(x.parity()) is (sum(truths) % 2 == 1)
        assert own.decrypt(x ^ True) == [not truth for truth in truths]
        assert own.decrypt(~x) == own.decrypt(tfhe.where(x, False, ~x)) == [not truth for truth in truths]
        assert own.decrypt(tfhe.majority(x, x, [False] * len(truths))) == truths
        if params == "integers":
            assert own.decrypt(x.sum()) == sum(truths)


@settings(max_examples=10, deadline=None)
@given(values=st.lists(st.integers(0, 255), min_size=1, max_size=6), other=st.integers(0, 255))
def test_laws_of_arrays(key: tfhe.Key, values: list[int], other: int) -> None:
    x = key.encrypt(values, "u8")
    assert key.decrypt((x + other) - other) == values
    assert key.decrypt(x.max() == x.sorted()[-1]) is True
    assert key.decrypt(x.count(values[0])) == values.count(values[0])


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_arrays_travel(key: tfhe.Key, protocol: int) -> None:
    server = tfhe.Server.from_bytes(key.server.to_bytes(), threads=1)
    for values, dtype in ((A, "u8"), ([True, False], None)):
        x = key.encrypt(values, dtype)
        again = pickle.loads(pickle.dumps(x, protocol))
        assert key.decrypt(again) == values and again.dtype == x.dtype
        assert copy.copy(x) is x and copy.deepcopy(x) is x
        with pytest.raises(fhe.NoServerError):
            again == values
        there = server.load(x.to_bytes())
        assert key.decrypt(key.load((there == x).to_bytes())) == [True] * len(values)
        with pytest.raises(fhe.WireError):
            server.load((~there & there).to_bytes())


MISUSES: list[tuple[str, type[fhe.FathomError], str, Callable[[tfhe.Key], Any]]] = [
    ("empty", fhe.ShapeError, "empty", lambda key: key.encrypt([], "u8")),
    ("empty part", fhe.ShapeError, "empty", lambda key: key.encrypt([1], "u8")[1:]),
    ("no array", fhe.ShapeError, "empty", lambda key: tfhe.array([])),
    ("dimensions", fhe.ShapeError, "dimensions", lambda key: key.encrypt(np.ones((2, 2), np.uint8))),
    ("no type", fhe.KindError, "type_unknown", lambda key: key.encrypt([1, 2])),
    ("floats", fhe.KindError, "type_mismatch", lambda key: key.encrypt(np.array([1.5]))),
    ("floats as integers", fhe.KindError, "type_mismatch", lambda key: key.encrypt([1.5], "u8")),
    ("too large", fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt([1, 256], "u8")),
    ("large operand", fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt([1, 2], "u8") + 256),
    ("lengths", fhe.ShapeError, "list_length", lambda key: (1, 2, 3) == key.encrypt([1, 2], "u8")),
    ("types", fhe.KindError, "type_mismatch", lambda key: key.encrypt([1], "u8") + key.encrypt([1], "u16")),
    ("kinds", fhe.KindError, "type_mismatch", lambda key: key.encrypt([1], "u8") + True),
    ("text", fhe.KindError, "type_mismatch", lambda key: key.encrypt([1], "u8") == "1"),
    ("mixed", fhe.KindError, "type_mismatch", lambda key: tfhe.array([key.encrypt(1, "u8"), key.encrypt(True)])),
    ("sum of bits", fhe.KindError, "no_operation", lambda key: GATES.encrypt([True]).sum()),
    ("all numbers", fhe.KindError, "no_operation", lambda key: key.encrypt([1], "u8").all()),
    ("division", fhe.DivisionError, "division_by_zero", lambda key: key.encrypt([1, 2], "u8").div([1, 0])),
    ("weights", fhe.ShapeError, "length_mismatch", lambda key: key.encrypt([1, 2], "u8").dot([1])),
    ("keys", fhe.ShapeError, "length_mismatch", lambda key: key.encrypt([1], "u8").sorted_by(key.encrypt(A, "u8"))),
    ("in", fhe.KindError, "no_bool", lambda key: 1 in key.encrypt([1], "u8")),
    ("branch", fhe.KindError, "no_bool", lambda key: bool(key.encrypt([1], "u8"))),
    ("other key", fhe.KeyMismatchError, "key_mismatch", lambda key: key.encrypt([1], "u8") + OTHER.encrypt([1], "u8")),
    ("cut", fhe.WireError, "truncated", lambda key: key.load(key.encrypt([1], "u8").to_bytes()[:-1])),
]

GATES, OTHER = tfhe.keygen("gates"), tfhe.keygen()


@pytest.mark.parametrize("name, kind, code, misuse", MISUSES, ids=[case[0] for case in MISUSES])
def test_misuse_is_refused(
    key: tfhe.Key, name: str, kind: type[fhe.FathomError], code: str, misuse: Callable[[tfhe.Key], Any]
) -> None:
    with pytest.raises(kind) as caught:
        misuse(key)
    assert caught.value.code == code


def test_forged_types_are_refused(key: tfhe.Key) -> None:
    from fathom import _frames

    _, frames = _frames.unpack(key.encrypt([1, 2], "u8").to_bytes(), "tfhe value")
    parts = [bytes(frame) for frame in frames]
    for meta in ({"type": "array"}, {"type": "integer"}, {"type": "array", "of": "list"}, {"type": ["array"]}, {}):
        with pytest.raises(fhe.FathomError):
            key.load(_frames.pack("tfhe value", meta, parts))
    with pytest.raises(fhe.WireError):
        key.load(_frames.pack("tfhe value", {"type": "array", "of": "integer"}, []))
    _, frames = _frames.unpack(key.encrypt("text").to_bytes(), "tfhe value")
    with pytest.raises(fhe.WireError):
        key.load(_frames.pack("tfhe value", {"type": "array", "of": "bytes"}, [bytes(frame) for frame in frames]))


def test_work_after_a_fork_names_the_remedy(key: tfhe.Key) -> None:
    x = key.encrypt(A, "u8")

    def refused() -> bytes:
        try:
            x + x
        except fhe.ForkError as error:
            return f"{error.code} {error.made_in}".encode()
        return b"computed"

    assert in_child(refused) == f"forked {os.getpid()}".encode()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("work", [lambda x: x * x, lambda x: x.sorted()], ids=["product", "sort"])
def test_ctrl_c_ends_long_work(key: tfhe.Key, work: Callable[[tfhe.Array], Any]) -> None:
    x = key.encrypt(list(range(60)), "u32")
    pressed = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        work(x)
    after = time.monotonic() - before - 0.5
    print(f"Ctrl-C took {after:.2f} s")
    assert after < 10, "the time depends on the load, but not on the work"
    assert key.decrypt(key.encrypt([1], "u8") + 1) == [2]


def test_a_value_stands_before_an_array_too(key: tfhe.Key) -> None:
    values = [3, 200, 7]
    x, y = key.encrypt(values, "u8"), key.encrypt(7, "u8")
    assert key.decrypt(y - x) == [(7 - value) % 256 for value in values]
    assert key.decrypt(y == x) == [value == 7 for value in values]
    assert key.decrypt(y != x) == [value != 7 for value in values]
    assert key.decrypt(y < x) == [7 < value for value in values]


def test_what_has_no_order_or_no_one_value_is_refused(key: tfhe.Key) -> None:
    x = key.encrypt([1, 2, 3], "u8")
    for weights in ({3, 1, 2}, {1: 1, 2: 2, 3: 3}, iter([1, 2, 3])):
        with pytest.raises(fhe.errors.KindError):
            x.dot(weights, "u16")
    with pytest.raises(fhe.errors.KindError):
        tfhe.lookup({10: 1, 20: 2}, key.encrypt(0, "u4"), "u8")
    for values in ([1, 2, 3], x):
        with pytest.raises(fhe.errors.KindError):
            x.count(values)
