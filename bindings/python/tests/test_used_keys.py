"""Keys are made from what a run without data uses."""

from typing import Any

import numpy as np
import pytest

import fathom as fhe
from fathom.inputs import stated


def weighted(t: Any) -> Any:
    return (t * [0.5, 0.25, 0.25]).sum()


def test_a_server_has_the_keys_of_a_function_and_no_others(integers: fhe.SecretKey) -> None:
    server = integers.make_server(lambda x, y: x @ y, [1, 2, 3], [4, 5, 6])
    assert server.nbytes < integers.server.nbytes / 3
    x, y = integers.encrypt([1, 2, 3]), integers.encrypt([4, 5, 6])
    with server:
        assert integers.decrypt(x @ y) == 32
        # A longer sum takes rotations that the function has not.
        with pytest.raises(fhe.MissingKeyError):
            integers.encrypt([1] * 64).sum()
    again = fhe.Server.from_bytes(server.to_bytes())
    with again:
        assert integers.decrypt(x @ y) == 32


def test_matrices_need_no_shapes(integers: fhe.SecretKey) -> None:
    matrix = np.arange(24).reshape(3, 8) - 12
    with integers.make_server(lambda x: matrix @ x, fhe.Integers(8, bits=4)):
        assert integers.decrypt(matrix @ integers.encrypt(range(8), bits=4)) == (matrix @ np.arange(8)).tolist()


def test_keys_of_reals_serve_the_levels_of_the_function() -> None:
    every = fhe.keygen(float, depth=2, magnitude=32)
    key = fhe.keygen(float, weighted, fhe.Reals(3, magnitude=32), depth=2, magnitude=32)
    assert key.server.nbytes < every.server.nbytes / 5
    value, error = key.decrypt(weighted(key.encrypt([20.5, 21.0, 20.0])), with_error=True)
    assert abs(value - 20.5) <= error < 1e-4
    assert key.make_server(sums="none", rotations=[1]).nbytes != key.server.nbytes


def test_a_function_and_lists_of_keys_are_not_mixed(integers: fhe.SecretKey) -> None:
    with pytest.raises(fhe.KindError) as caught:
        integers.make_server(lambda x: x.sum(), [1, 2], rotations=[1])
    assert caught.value.code == "options"


def test_a_function_that_is_refused_has_no_keys(integers: fhe.SecretKey) -> None:
    with pytest.raises(fhe.RangeError):
        integers.make_server(lambda x: x * 2**20, [1])
    with pytest.raises(fhe.NoiseError):
        integers.make_server(lambda x: (x * x) * (x * x) * (x * x), fhe.Integers(1, bits=1))
    with pytest.raises(fhe.KindError):
        integers.make_server(lambda x: x + x, [0.5])


@pytest.mark.parametrize(
    "example, length, low, high",
    [
        (7, None, -255, 255),
        ([1, 2], 2, -255, 255),
        (np.array([1, 2, 3]), 3, -255, 255),
        (np.array([1], np.uint8), 1, 0, 255),
        (np.array([1, -2], np.int16), 2, -(2**15), 2**15 - 1),
        (fhe.Integers(5, low=2, high=9), 5, 2, 9),
    ],
)
def test_examples_state_their_type_and_not_their_values(example: Any, length: int | None, low: int, high: int) -> None:
    found = stated(example)
    assert isinstance(found, fhe.Integers)
    assert (found.length, found.low, found.high) == (length, low, high)


def test_examples_out_of_the_stated_range_are_refused() -> None:
    for wrong in (lambda: stated([256]), lambda: stated([1.5]), lambda: stated([9], bits=3)):
        with pytest.raises(fhe.RangeError) as caught:
            wrong()
        assert caught.value.code == "example"
    with pytest.raises(fhe.RangeError):
        fhe.Integers(low=3, high=2)
    with pytest.raises(fhe.RangeError):
        fhe.Reals(magnitude=float("nan"))
    with pytest.raises(fhe.KindError):
        fhe.Integers(bits=3, low=0, high=1)
    with pytest.raises(fhe.ShapeError):
        fhe.Integers(0)
    for wrong in (lambda: stated("text"), lambda: stated([True]), lambda: stated([None])):
        with pytest.raises(fhe.KindError):
            wrong()
