"""The operators compute what NumPy computes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fathom as fhe

lengths = st.sampled_from([1, 2, 3, 5, 8, 17, 64])
laws = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def pair(length: int, seed: int) -> tuple[Any, Any]:
    """Returns two arrays of integers of 8 bits with a sign."""
    rng = np.random.default_rng(seed)
    return rng.integers(-255, 256, length), rng.integers(-255, 256, length)


@laws
@given(length=lengths, seed=st.integers(0, 2**32 - 1))
def test_integers_follow_numpy(integers: fhe.SecretKey, length: int, seed: int) -> None:
    a, b = pair(length, seed)
    x, y = integers.encrypt(a), integers.encrypt(b)
    assert integers.decrypt(x + y) == (a + b).tolist()
    assert integers.decrypt(x - y) == (a - b).tolist()
    assert integers.decrypt(x * y) == (a * b).tolist()
    assert integers.decrypt(-x) == (-a).tolist()
    assert integers.decrypt(x + b) == (a + b).tolist()
    assert integers.decrypt(b - x) == (b - a).tolist()
    assert integers.decrypt(x * b) == (a * b).tolist()
    assert integers.decrypt(b * x) == (a * b).tolist()
    assert integers.decrypt(x + 7) == (a + 7).tolist()
    assert integers.decrypt(7 - x) == (7 - a).tolist()
    assert integers.decrypt(3 * x) == (3 * a).tolist()
    assert integers.decrypt(x**2) == (a**2).tolist()
    assert integers.decrypt(x.sum()) == a.sum()
    assert integers.decrypt((x + 1).sum()) == (a + 1).sum()
    assert integers.decrypt(x @ y) == a @ b
    assert integers.decrypt(x @ b) == a @ b
    assert integers.decrypt(b @ x) == a @ b


@laws
@given(length=lengths, seed=st.integers(0, 2**32 - 1))
def test_reals_follow_numpy_within_the_bound(reals: fhe.SecretKey, length: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-16, 16, length), rng.uniform(-16, 16, length)
    x, y = reals.encrypt(a, magnitude=16), reals.encrypt(b, magnitude=16)
    for result, expected in [
        (x + y, a + b),
        (x - b, a - b),
        (x * y, a * b),
        (x * b, a * b),
        (1.5 - x, 1.5 - a),
        (0.25 * x, 0.25 * a),
        (x * y * 0.5, a * b * 0.5),
        (x @ y, a @ b),
        (x.mean(), a.mean()),
        ((x + 1).sum(), (a + 1).sum()),
    ]:
        values, error = reals.decrypt(result, with_error=True)
        assert np.abs(np.asarray(values) - expected).max() <= error < 2.0**-16


@pytest.mark.parametrize("length", [2049, 4096, 4097, 10_000])
def test_long_vectors_take_several_ciphertexts(sums: fhe.SecretKey, length: int) -> None:
    rng = np.random.default_rng(length)
    a, b = rng.integers(-15, 16, length), rng.integers(-15, 16, length)
    x, y = sums.encrypt(a), sums.encrypt(b)
    assert sums.decrypt(x + y - b) == a.tolist()
    assert sums.decrypt(x.sum()) == a.sum()
    assert sums.decrypt((x + 1).sum()) == a.sum() + length
    assert sums.decrypt(x + y.sum()) == (a + b.sum()).tolist()


def test_long_inner_products_are_exact() -> None:
    key = fhe.keygen(int, bits=2, depth=1, terms=9000)
    rng = np.random.default_rng(1)
    a, b = rng.integers(-3, 4, 9000), rng.integers(-3, 4, 9000)
    assert key.decrypt(key.encrypt(a) @ key.encrypt(b)) == a @ b


def test_a_number_joins_a_vector(integers: fhe.SecretKey) -> None:
    x, c = integers.encrypt([1, 2, 3]), integers.encrypt(5)
    assert integers.decrypt(c) == 5 and c.shape == ()
    assert integers.decrypt(x + c) == [6, 7, 8]
    assert integers.decrypt(c - x) == [4, 3, 2]
    assert integers.decrypt(c * x) == [5, 10, 15]
    assert integers.decrypt((x + c).sum()) == 21
    assert integers.decrypt(x.sum() + c) == 11


@pytest.mark.parametrize("length", [1, 4, 5, 8])
@pytest.mark.parametrize("shift", [-9, -1, 0, 1, 3])
def test_roll_is_that_of_numpy(levels: fhe.SecretKey, length: int, shift: int) -> None:
    a = np.arange(length)
    x = levels.encrypt(a)
    assert levels.decrypt(x.roll(shift)) == np.roll(a, shift).tolist()
    assert levels.decrypt(x.rotate(shift)) == np.roll(a, -shift).tolist()


@pytest.mark.parametrize("length", [1, 4, 6, 16])
@pytest.mark.parametrize("kind", ["integers", "reals"])
def test_convolutions_are_products_of_transforms(request: pytest.FixtureRequest, length: int, kind: str) -> None:
    key = request.getfixturevalue(kind)
    a, kernel = np.arange(length) % 5 - 2, [1, -2, 3][:length]
    wanted = np.fft.ifft(np.fft.fft(a) * np.fft.fft(kernel, length)).real
    x = key.encrypt(a.tolist(), bits=4) if kind == "integers" else key.encrypt(a / 8, magnitude=1)
    example = a.tolist() if kind == "integers" else (a / 8).tolist()
    with key.make_server(lambda x: x.convolve(kernel), example):
        found = np.array(key.decrypt(x.convolve(kernel)))
    assert np.allclose(found if kind == "integers" else 8 * found, wanted, atol=1e-2)
    with pytest.raises(fhe.ShapeError, match="no longer than the vector"):
        x.convolve([1] * (length + 1))


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (7, 4), (1, 8), (16, 16)])
def test_clear_matrices_multiply(integers: fhe.SecretKey, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    matrix, a = rng.integers(-15, 16, shape), rng.integers(-15, 16, shape[1])
    x = integers.encrypt(a, bits=4)
    with integers.make_server(matrices=[matrix]):
        assert integers.decrypt(matrix @ x) == (matrix @ a).tolist()
        assert integers.decrypt(matrix.tolist() @ x) == (matrix @ a).tolist()
        assert integers.decrypt(x @ matrix.T) == (matrix @ a).tolist()


def test_matrices_of_reals_multiply(reals: fhe.SecretKey) -> None:
    rng = np.random.default_rng(4)
    matrix, a = rng.uniform(-1, 1, (5, 6)), rng.uniform(-1, 1, 6)
    with reals.make_server(matrices=[(5, 6)]):
        values, error = reals.decrypt(matrix @ reals.encrypt(a, magnitude=1), with_error=True)
    assert np.abs(values - matrix @ a).max() <= error < 1e-3


def test_levels_of_bgv_are_explicit(levels: fhe.SecretKey) -> None:
    x = levels.encrypt([1, 2, 3])
    square = x * x
    assert square.level == x.level - 1
    assert levels.decrypt(square + x.at_level(square.level)) == [2, 6, 12]


def test_modular_vectors_wrap_on_purpose(integers: fhe.SecretKey) -> None:
    t = integers.params.plain_modulus
    assert t is not None
    x = integers.encrypt([t // 2, 1], modular=True)
    assert integers.decrypt(x + 1) == [t // 2 + 1 - t, 2]
    assert x.range is None


def test_ranges_are_public_statements(integers: fhe.SecretKey) -> None:
    x = integers.encrypt([1, 2], bits=3)
    assert x.range == (-7, 7)
    assert (x + 1).range == (-6, 8)
    assert (x * x).range == (0, 49)
    assert (x * -2).range == (-14, 14)
    assert x.sum().range == (-14, 14)


def test_public_keys_encrypt() -> None:
    key = fhe.keygen(int, bits=4, terms=16, encryption="public")
    x = key.public_key().encrypt([1, 2, 3])
    with key.server:
        assert key.decrypt(x @ x) == 14


def test_presets_make_keys() -> None:
    key = fhe.keygen(fhe.Params.preset("bfv", "e1"))
    x = key.encrypt([3], bits=4)
    assert key.decrypt(x * x) == [9]
    assert "e1" in fhe.Params.presets("bfv") and "e3s" in fhe.Params.presets("ckks")
