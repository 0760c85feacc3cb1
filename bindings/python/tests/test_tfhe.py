"""Encrypted machine integers compute what machine integers do."""

import operator
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from test_process import in_child

import fathom as fhe
from fathom import tfhe


@pytest.fixture(scope="module")
def key() -> tfhe.Key:
    """Returns a key whose server is made."""
    key = tfhe.keygen()
    assert key.server.key_id == key.id
    return key


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.and_, operator.xor])
def test_arithmetic_wraps_at_the_width(key: tfhe.Key, operation: Callable[[Any, Any], Any]) -> None:
    a, b = key.encrypt(200, "u8"), key.encrypt(77, "u8")
    assert key.decrypt(operation(a, b)) == operation(200, 77) % 256
    assert key.decrypt(operation(a, 77)) == operation(200, 77) % 256
    assert key.decrypt(operation(200, b)) == operation(200, 77) % 256


@pytest.mark.parametrize("operation", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("b", [-3, 5])
def test_comparisons_are_encrypted(key: tfhe.Key, operation: Callable[[Any, Any], Any], b: int) -> None:
    first, second = key.encrypt(-3, "i8"), key.encrypt(b, "i8")
    result = operation(first, second)
    assert result.dtype == "bool" and key.decrypt(result) is operation(-3, b)
    assert key.decrypt(operation(first, b)) is operation(-3, b)
    assert key.decrypt(operation(b, second)) is True if operation(b, b) else True


def test_quotients_are_those_of_machines(key: tfhe.Key) -> None:
    a = key.encrypt(-7, "i8")
    assert key.decrypt(a.div(2)) == -3 and key.decrypt(a.rem(2)) == -1
    with pytest.raises(fhe.DivisionError) as caught:
        a.div(0)
    assert caught.value.code == "division_by_zero"


def test_selections_and_truth_values(key: tfhe.Key) -> None:
    a, b, yes = key.encrypt(9, "u16"), key.encrypt(4, "u16"), key.encrypt(True)
    assert key.decrypt(tfhe.where(a > b, a - b, b - a)) == 5
    assert key.decrypt(tfhe.where(~yes, a, 3)) == 3
    assert key.decrypt(yes & (a > b) | False) is True
    assert key.decrypt(a.max(b)) == 9 and key.decrypt(a.min(7)) == 7
    assert key.decrypt(-a) == 2**16 - 9


def test_wide_integers(key: tfhe.Key) -> None:
    a = key.encrypt(2**128 - 1, "u128")
    assert key.decrypt(a + 1) == 0 and key.decrypt(key.encrypt(-(2**63), "i64")) == -(2**63)


@pytest.mark.parametrize("protocol", [2, 5])
def test_values_and_servers_travel(key: tfhe.Key, protocol: int) -> None:
    a = key.encrypt(7, "u8")
    server = tfhe.Server.from_bytes(key.server.to_bytes(), threads=1)
    x = server.load(a.to_bytes())
    assert key.decrypt(key.load((x + x).to_bytes())) == 14
    again = pickle.loads(pickle.dumps(a, protocol))
    assert key.decrypt(again) == 7 and again.dtype == "u8"
    assert key.decrypt(pickle.loads(pickle.dumps(key.encrypt(True), protocol))) is True
    with pytest.raises(fhe.WireError):
        server.load((x + x).to_bytes())
    with pytest.raises(fhe.NoServerError):
        again + 1


def test_secret_keys_travel_as_bytes(key: tfhe.Key) -> None:
    again = tfhe.Key.from_secret_bytes(key.to_secret_bytes())
    assert again.id == key.id and again.decrypt(key.encrypt(3, "u8")) == 3
    with pytest.raises(fhe.KindError):
        pickle.dumps(key)


@pytest.mark.parametrize(
    "kind, code, misuse",
    [
        (fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt(256, "u8")),
        (fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt(-1, "u8")),
        (fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt(1, "u8") + 256),
        (fhe.RangeError, "clear_out_of_range", lambda key: key.encrypt(2**200, "u128")),
        (fhe.KindError, "type_mismatch", lambda key: key.encrypt(1, "u8") + key.encrypt(1, "u16")),
        (fhe.KindError, "type_mismatch", lambda key: key.encrypt(1.5, "u8")),
        (fhe.KindError, "type_unknown", lambda key: key.encrypt(1, "u9")),
        (fhe.KindError, "no_bool", lambda key: bool(key.encrypt(1, "u8") > 0)),
        (fhe.KeyMismatchError, "key_mismatch", lambda key: key.encrypt(1, "u8") + tfhe.keygen().encrypt(1, "u8")),
        (fhe.WireError, "truncated", lambda key: key.load(key.encrypt(1, "u8").to_bytes()[:-1])),
    ],
)
def test_misuse_is_refused(
    key: tfhe.Key, kind: type[fhe.FathomError], code: str, misuse: Callable[[tfhe.Key], Any]
) -> None:
    with pytest.raises(kind) as caught:
        misuse(key)
    assert caught.value.code == code


def test_work_after_a_fork_names_the_remedy(key: tfhe.Key) -> None:
    a = key.encrypt(7, "u8")

    def refused() -> bytes:
        try:
            a + a
        except fhe.ForkError as error:
            return f"{error.code} {error.made_in} {error}".encode()
        return b"computed"

    words = in_child(refused).decode()
    assert words.startswith(f"forked {os.getpid()} ") and 'get_context("spawn")' in words
    assert key.decrypt(a + a) == 14


@pytest.mark.timeout(120)
def test_ctrl_c_ends_a_division(key: tfhe.Key) -> None:
    a, b = key.encrypt(2**127, "u128"), key.encrypt(3, "u128")
    pressed = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        a.div(b)
    after = time.monotonic() - before - 0.5
    print(f"Ctrl-C took {after:.2f} s")
    assert after < 10, "the time depends on the load, but not on the work"
    assert key.decrypt(key.encrypt(1, "u8") + 1) == 2
