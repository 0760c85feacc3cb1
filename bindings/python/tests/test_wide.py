"""Wide integers are those of Python: exact, or refused with the numbers."""

import copy
import operator
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_process import in_child

import fathom as fhe
from fathom import wide

OPERATIONS = [operator.add, operator.sub, operator.mul]


@pytest.fixture(scope="module")
def key() -> wide.Key:
    """Returns a key for single integers."""
    return wide.keygen(bits=64)


@pytest.fixture(scope="module")
def vectors() -> wide.Key:
    """Returns a key for vectors of integers."""
    return wide.keygen(bits=64, length=8, sums=True)


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(max_examples=15, deadline=None)
@given(a=st.integers(-(2**64) + 1, 2**64 - 1), b=st.integers(-(2**64) + 1, 2**64 - 1))
def test_integers_are_those_of_python(key: wide.Key, operation: Callable[[Any, Any], Any], a: int, b: int) -> None:
    x, y = key.encrypt(a), key.encrypt(b)
    for result in (operation(x, y), operation(x, b), operation(a, y)):
        assert key.decrypt(result) == operation(a, b)
        assert abs(operation(a, b)) <= 2 ** (result.value_bits + 1e-6)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_vectors_are_those_of_python(vectors: wide.Key, operation: Callable[[Any, Any], Any]) -> None:
    a, b = [2**64, -(2**63), 7, 0], [3, 2**64 - 1, -5, 2**40]
    expected = [operation(left, right) for left, right in zip(a, b, strict=True)]
    x, y = vectors.encrypt(a), vectors.encrypt(b)
    for result in (operation(x, y), operation(x, b), operation(a, y)):
        assert vectors.decrypt(result) == expected and len(result) == 4
    assert vectors.decrypt(operation(x, -3)) == [operation(left, -3) for left in a]
    assert vectors.decrypt(operation(-3, y)) == [operation(-3, right) for right in b]


def test_words_of_numpy_are_exact(vectors: wide.Key) -> None:
    p, q = np.array([2**64 - 1, 3], np.uint64), np.array([2**63, 5], np.uint64)
    x, y = vectors.encrypt(p), vectors.encrypt(q)
    assert vectors.decrypt(x * y) == [int(left) * int(right) for left, right in zip(p, q, strict=True)]
    assert vectors.decrypt(x @ y) == (2**64 - 1) * 2**63 + 15 and "one integer" in repr(x @ y)
    assert vectors.decrypt(x @ [1, -1] - 1) == 2**64 - 5 and vectors.decrypt(-x) == [1 - 2**64, -3]


def test_inner_products_squares_and_signs(key: wide.Key, vectors: wide.Key) -> None:
    x, y = vectors.encrypt([1, -2, 3]), vectors.encrypt([4, 5, 6])
    assert [vectors.decrypt(result) for result in (x.dot(y), x @ [4, 5, 6], [4, 5, 6] @ x)] == [12] * 3
    assert vectors.decrypt(x.square()) == [1, 4, 9] and +x is x
    assert key.decrypt(key.encrypt(-5).square()) == 25


@pytest.mark.timeout(120)
def test_ctrl_c_ends_long_work() -> None:
    key = wide.keygen(bits=64, length=8192, sums=True)
    x = key.encrypt([1] * 8192)
    key.server
    pressed = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(10_000):
            x @ x
    after = time.monotonic() - before - 0.3
    print(f"Ctrl-C took {after:.2f} s")
    assert after < 10, "the time depends on the load, but not on the work"
    assert key.decrypt(x @ x) == 8192


def test_sums_are_numbers(vectors: wide.Key) -> None:
    total = vectors.encrypt([1, 2, 3]).sum()
    assert vectors.decrypt(vectors.load(total.to_bytes())) == vectors.decrypt(pickle.loads(pickle.dumps(total))) == 6
    assert vectors.decrypt(total * 3 - total) == 12 and vectors.decrypt(vectors.encrypt([6])) == [6]
    with pytest.raises(fhe.ShapeError):
        total + vectors.encrypt([1, 2])
    with pytest.raises(fhe.KindError):
        len(total)


def test_powers(key: wide.Key) -> None:
    assert key.decrypt(key.encrypt(-5) ** 2) == 25 and key.decrypt(key.encrypt(7) ** 1) == 7
    deep = wide.keygen(bits=16, depth=3, terms=1)
    assert deep.decrypt(deep.encrypt(-1234) ** 5) == (-1234) ** 5


def test_very_wide_integers() -> None:
    key = wide.keygen(bits=900)
    a = 3**560
    assert key.decrypt(key.encrypt(a) * key.encrypt(-a)) == -(a**2) and key.widest_bits == 2047


def test_the_width_is_stated_and_never_that_of_the_value(key: wide.Key) -> None:
    assert key.encrypt(0).value_bits == key.encrypt(2**64 - 1).value_bits == 64
    assert key.encrypt(5, bits=3).value_bits == 3 and len(key.encrypt(1).to_bytes()) == len(
        key.encrypt(2**63).to_bytes()
    )


def test_an_overflow_is_refused_with_its_numbers(key: wide.Key) -> None:
    x = key.encrypt(1, bits=1500)
    with pytest.raises(fhe.RangeError) as caught:
        x * x
    assert caught.value.code == "overflow" and caught.value.operation == "mul"
    assert (caught.value.bits, caught.value.widest) == (3000, 2047)
    wrapped = x.wrapping() * x
    assert wrapped.is_wrapping and key.decrypt(wrapped) == 1
    power = key.encrypt(2**1500, bits=1501).wrapping()
    assert key.decrypt(power * power) == -(2 ** (3000 - 2048)), "it wraps around modulo 2^2048 + 1"


def test_vectors_refuse_what_their_primes_do_not_hold() -> None:
    key = wide.keygen(bits=40, terms=2, length=4)
    x = key.encrypt([1, 2, 3, 4])
    with pytest.raises(fhe.RangeError) as caught:
        x * 2**80
    assert caught.value.code == "values_exceed_moduli" and caught.value.operation == "mul"
    assert caught.value.bits == 120 and 81 < caught.value.limit_bits < 120


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_objects_travel(key: wide.Key, vectors: wide.Key, protocol: int) -> None:
    for own, value, square in ((key, 7, 49), (vectors, [7, -2], [49, 4])):
        x = own.encrypt(value)
        server = pickle.loads(pickle.dumps(own.server, protocol))
        assert server.key_id == own.id and server.nbytes == own.server.nbytes
        there = server.load(x.to_bytes(), trust="computed")
        assert own.decrypt(own.load((there * there).to_bytes())) == square
        again = pickle.loads(pickle.dumps(x * x, protocol))
        assert own.decrypt(again) == square and copy.copy(again) is copy.deepcopy(again) is again
        with pytest.raises(fhe.NoServerError):
            again + 1
        with pytest.raises(fhe.WireError) as caught:
            server.load((x * x).to_bytes())
        assert caught.value.code == "not_fresh"
        secret = wide.Key.from_secret_bytes(own.to_secret_bytes())
        assert secret.id == own.id and secret.decrypt(secret.encrypt(value) * x) == square
        with pytest.raises(fhe.KindError):
            pickle.dumps(own)


@pytest.mark.parametrize("length, value, square", [(None, -7, 49), (2, [3, -2], [9, 4])])
def test_public_keys_encrypt(length: int | None, value: Any, square: Any) -> None:
    key = wide.keygen(bits=64, length=length, encryption="public")
    for public in (key.public_key(), pickle.loads(pickle.dumps(key.public_key()))):
        assert public.key_id == key.id and copy.copy(public) is public
        x = public.encrypt(value)
        assert key.decrypt(x) == value and x.value_bits == 64
        there = key.server.load(x.to_bytes())
        assert key.decrypt(there * key.server.load(key.encrypt(value).to_bytes())) == square
        with pytest.raises(fhe.NoServerError):
            x + 1
        with pytest.raises(fhe.RangeError):
            public.encrypt(2**65 if length is None else [2**65])


def test_servers_know_the_width_by_statement(key: wide.Key, vectors: wide.Key) -> None:
    x = key.server.load(key.encrypt(5, bits=3).to_bytes())
    assert x.value_bits == 3 and key.decrypt(x * x) == 25
    y = vectors.server.load(vectors.encrypt([5]).to_bytes())
    assert y.value_bits == 64 and vectors.decrypt(y * y) == [25]


MISUSES: list[tuple[str, type[fhe.FathomError], str, Callable[[wide.Key, wide.Key], Any]]] = [
    ("too wide", fhe.RangeError, "beyond_width", lambda k, v: k.encrypt(2**64)),
    ("much too wide", fhe.RangeError, "beyond_width", lambda k, v: k.encrypt(-(2**200))),
    ("beyond the ring", fhe.RangeError, "too_wide", lambda k, v: k.encrypt(1, bits=3000)),
    ("beyond the plan", fhe.RangeError, "beyond_plan", lambda k, v: v.encrypt([1, 2**64 + 1])),
    ("beyond 127 bits", fhe.RangeError, "too_wide", lambda k, v: v.encrypt([2**127])),
    ("float", fhe.KindError, "type_mismatch", lambda k, v: k.encrypt(1.5)),
    ("truth value", fhe.KindError, "type_mismatch", lambda k, v: k.encrypt(True)),
    ("floats", fhe.KindError, "type_mismatch", lambda k, v: v.encrypt([1.5])),
    ("text", fhe.KindError, "type_mismatch", lambda k, v: k.encrypt(1) + "1"),
    ("a list for one", fhe.KindError, "type_mismatch", lambda k, v: k.encrypt([1])),
    ("one for a list", fhe.KindError, "type_mismatch", lambda k, v: v.encrypt(1)),
    ("bits of vectors", fhe.KindError, "options", lambda k, v: v.encrypt([1], bits=3)),
    ("both forms", fhe.KindError, "no_operation", lambda k, v: k.encrypt(1) + v.encrypt([1])),
    ("lengths", fhe.ShapeError, "list_length", lambda k, v: v.encrypt([1, 2]) + v.encrypt([1])),
    ("clear lengths", fhe.ShapeError, "list_length", lambda k, v: v.encrypt([1, 2]) * [1]),
    ("empty", fhe.ShapeError, "empty", lambda k, v: v.encrypt([])),
    ("length of one", fhe.KindError, "no_length", lambda k, v: len(k.encrypt(1))),
    ("product of one", fhe.ShapeError, "shape", lambda k, v: k.encrypt(1) @ [1]),
    ("product with a number", fhe.KindError, "type_mismatch", lambda k, v: v.encrypt([1]) @ 3),
    ("product with a sum", fhe.ShapeError, "shape", lambda k, v: v.encrypt([1]) @ v.encrypt([1]).sum()),
    ("sum of one", fhe.KindError, "no_operation", lambda k, v: k.encrypt(1).sum()),
    ("wrapping vectors", fhe.KindError, "no_operation", lambda k, v: v.encrypt([1]).wrapping()),
    ("comparison", fhe.KindError, "no_comparison", lambda k, v: k.encrypt(1) < 2),
    ("branch", fhe.KindError, "no_bool", lambda k, v: bool(k.encrypt(1))),
    ("exponent", fhe.KindError, "exponent", lambda k, v: k.encrypt(1) ** -1),
    ("other key", fhe.KeyMismatchError, "key_mismatch", lambda k, v: k.encrypt(1) + wide.keygen().encrypt(1)),
    ("other owner", fhe.KeyMismatchError, "key_mismatch", lambda k, v: wide.keygen().decrypt(k.encrypt(1))),
    ("cut", fhe.WireError, "truncated", lambda k, v: k.load(k.encrypt(1).to_bytes()[:-1])),
    ("another form", fhe.WireError, "scheme", lambda k, v: k.load(v.encrypt([1]).to_bytes())),
    ("trust", fhe.KindError, "trust", lambda k, v: k.server.load(k.encrypt(1).to_bytes(), "none")),
    ("too deep a plan", fhe.ParamsError, "spec", lambda k, v: wide.keygen(bits=1000, depth=5)),
    ("no length", fhe.ShapeError, "empty", lambda k, v: wide.keygen(length=0)),
    ("sums of integers", fhe.KindError, "options", lambda k, v: wide.keygen(sums=True)),
    ("negative bits", fhe.RangeError, "value_out_of_range", lambda k, v: wide.keygen(bits=-1)),
    ("encryption", fhe.ParamsError, "spec", lambda k, v: wide.keygen(encryption="none")),
    ("security", fhe.ParamsError, "spec", lambda k, v: wide.keygen(security=100)),
    ("no key for sums", fhe.MissingKeyError, "missing_galois_key", lambda k, v: _plain().encrypt([1, 2]).sum()),
    ("too deep", fhe.NoiseError, "noise_exhausted", lambda k, v: (k.encrypt(1, bits=1) ** 2) ** 16),
]


def _plain() -> wide.Key:
    """Returns a key of vectors without the keys of sums."""
    return KEYS.setdefault("plain", wide.keygen(bits=8, length=8))


KEYS: dict[str, wide.Key] = {}


@pytest.mark.parametrize("name, kind, code, misuse", MISUSES, ids=[case[0] for case in MISUSES])
def test_misuse_is_refused(
    key: wide.Key,
    vectors: wide.Key,
    name: str,
    kind: type[fhe.FathomError],
    code: str,
    misuse: Callable[[wide.Key, wide.Key], Any],
) -> None:
    with pytest.raises(kind) as caught:
        misuse(key, vectors)
    assert caught.value.code == code


def test_a_value_does_not_keep_the_secret_alive() -> None:
    key = wide.keygen()
    x = key.encrypt(1)
    del key
    with pytest.raises(fhe.NoServerError):
        x + x


def test_both_sides_of_a_fork_draw_different_numbers(key: wide.Key) -> None:
    first, second = (in_child(lambda: key.encrypt(1).to_bytes()) for _ in range(2))
    assert first[-1000:-16] != second[-1000:-16]
    assert key.decrypt(key.load(first)) == key.decrypt(key.load(second)) == 1
    x = key.encrypt(6)
    assert key.decrypt(key.load(in_child(lambda: (x * 7).to_bytes()))) == 42


SERVER = """
from pathlib import Path
import fathom as fhe
server = fhe.wide.Server.from_bytes(Path("server").read_bytes())
x = server.load(Path("x").read_bytes())
Path("result").write_bytes((x * x + 1).to_bytes())
"""


def test_a_server_without_a_secret_computes_in_a_process_of_its_own(vectors: wide.Key, tmp_path: Path) -> None:
    (tmp_path / "server").write_bytes(vectors.server.to_bytes())
    (tmp_path / "x").write_bytes(vectors.encrypt([2**40]).to_bytes())
    subprocess.run([sys.executable, "-c", SERVER], cwd=tmp_path, check=True)
    assert vectors.decrypt(vectors.load((tmp_path / "result").read_bytes())) == [2**80 + 1]


def test_differences_and_products_that_vanish_are_masked() -> None:
    for options in ({}, {"depth": 0}, {"sums": True}):
        key = wide.keygen(length=2, **options)  # type: ignore[arg-type, unused-ignore]
        server = wide.Server.from_bytes(key.make_server().to_bytes())
        x = server.load(key.encrypt([7, -5]).to_bytes())
        for vanished in (x - x, x * 0, x * [0, 0], (x + x) - (x + x)):
            assert key.decrypt(key.load(vanished.to_bytes())) == [0, 0] and vanished.noise_left_bits > 0
            assert key.decrypt(vanished + x) == [7, -5]
