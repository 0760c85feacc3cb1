"""Numbers come from buffers of every type and go into buffers, with NumPy and without."""

import array
from typing import Any

import numpy as np
import pytest

import fathom as fhe


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_integers_of_every_width_are_read(integers: fhe.SecretKey, dtype: str) -> None:
    values = np.array([1, 2, 100], dtype)
    assert integers.decrypt(integers.encrypt(values)) == [1, 2, 100]
    assert integers.decrypt(integers.encrypt([0, 0, 0]) + values) == [1, 2, 100]


@pytest.mark.parametrize(
    "values", [array.array("i", [1, 2]), memoryview(array.array("q", [1, 2])), (1, 2), range(1, 3)]
)
def test_buffers_and_sequences_are_read(integers: fhe.SecretKey, values: Any) -> None:
    assert integers.decrypt(integers.encrypt(values)) == [1, 2]


def test_strides_and_read_only_arrays_are_read(integers: fhe.SecretKey) -> None:
    values = np.arange(20)[::-3]
    values.flags.writeable = False
    assert integers.decrypt(integers.encrypt(values)) == values.tolist()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_reals_are_read(reals: fhe.SecretKey, dtype: str) -> None:
    values = np.array([1, 2, 3], dtype)
    assert np.allclose(reals.decrypt(reals.encrypt(values)), values)


@pytest.mark.parametrize("dtype", [">i4", "<u2", ">u8", "O"])
def test_arrays_of_other_byte_orders_and_objects_are_read(integers: fhe.SecretKey, dtype: str) -> None:
    values = np.array([1, 2, 7], dtype)
    assert integers.decrypt(integers.encrypt(values) + values) == [2, 4, 14]
    wide = fhe.wide.keygen(length=3)
    assert wide.decrypt(wide.encrypt(values)) == [1, 2, 7]
    assert fhe.tfhe.keygen().encrypt(values, "u4").dtype == "u4"
    assert fhe.plan(lambda x: x + 1, values, bits=3).inputs[0].high == 7


@pytest.mark.parametrize(
    "values",
    [
        memoryview(np.array([None, 2], object)),
        np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]),
        np.array(["2026-11-27"], "datetime64[D]"),
        np.array([1j]),
        np.array(["1"]),
    ],
    ids=["objects", "records", "dates", "complex", "text"],
)
def test_what_is_no_number_is_refused(integers: fhe.SecretKey, reals: fhe.SecretKey, values: Any) -> None:
    key = fhe.tfhe.keygen()
    refusals = [
        lambda: integers.encrypt(values),
        lambda: integers.encrypt([1] * len(values)) * values,
        lambda: key.encrypt(values, "u8"),
        lambda: fhe.plan(lambda x: x, values),
        lambda: fhe.wide.keygen(length=2).encrypt(values),
    ]
    for refused in refusals:
        with pytest.raises(fhe.KindError):
            refused()
    with pytest.raises(fhe.KindError):
        reals.encrypt(values)


def test_results_are_buffers(integers: fhe.SecretKey, reals: fhe.SecretKey) -> None:
    view = integers.decrypt_buffer(integers.encrypt([5, -6]))
    assert view.format == "q" and view.readonly and view.tolist() == [5, -6]
    assert np.asarray(view).dtype == np.int64
    assert reals.decrypt_buffer(reals.encrypt([0.5])).format == "d"


def test_scalars_of_numpy_are_numbers(integers: fhe.SecretKey, reals: fhe.SecretKey) -> None:
    assert integers.decrypt(np.int32(3) * integers.encrypt([2])) == [6]
    assert integers.decrypt(integers.encrypt([2]) + np.array(3)) == [5]
    assert abs(reals.decrypt(np.float32(0.5) * reals.encrypt([2.0]))[0] - 1) < 1e-4
