"""Gates on encrypted bits compute what gates compute, under the parameters of gates and those of integers."""

import copy
import itertools
import os
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from test_process import in_child

import fathom as fhe
from fathom import tfhe


@pytest.fixture(scope="module", params=["gates", "integers"])
def key(request: pytest.FixtureRequest) -> tfhe.Key:
    """Returns a key whose server is made."""
    key = tfhe.keygen(request.param)
    assert key.server.key_id == key.id
    return key


GATES: list[tuple[str, Callable[[Any, Any], Any], Callable[[bool, bool], bool]]] = [
    ("and", lambda a, b: a & b, lambda a, b: a and b),
    ("or", lambda a, b: a | b, lambda a, b: a or b),
    ("xor", lambda a, b: a ^ b, lambda a, b: a != b),
    ("eq", lambda a, b: a == b, lambda a, b: a == b),
    ("ne", lambda a, b: a != b, lambda a, b: a != b),
    ("nand", lambda a, b: a.nand(b), lambda a, b: not (a and b)),
    ("nor", lambda a, b: a.nor(b), lambda a, b: not (a or b)),
    ("xnor", lambda a, b: a.xnor(b), lambda a, b: a == b),
    ("not", lambda a, b: ~a & b, lambda a, b: b and not a),
]


@pytest.mark.parametrize("name, gate, clear", GATES, ids=[name for name, _, _ in GATES])
def test_gates_have_their_truth_tables(
    key: tfhe.Key, name: str, gate: Callable[[Any, Any], Any], clear: Callable[[bool, bool], bool]
) -> None:
    for a, b in itertools.product([False, True], repeat=2):
        x, y = key.encrypt(a), key.encrypt(b)
        result = gate(x, y)
        assert result.dtype == "bool" and key.decrypt(result) is clear(a, b)
        assert key.decrypt(gate(x, b)) is clear(a, b)


def test_clear_bits_stand_on_either_side(key: tfhe.Key) -> None:
    x = key.encrypt(True)
    assert key.decrypt(False | x) is True and key.decrypt(True ^ x) is False and key.decrypt(True & x) is True


def test_multiplexers_and_majorities(key: tfhe.Key) -> None:
    for a, b, c in itertools.product([False, True], repeat=3):
        x, y, z = key.encrypt(a), key.encrypt(b), key.encrypt(c)
        assert key.decrypt(tfhe.where(x, y, z)) is (b if a else c)
        assert key.decrypt(tfhe.majority(x, y, z)) is (a + b + c >= 2)
        assert key.decrypt(fhe.where(x, y, c)) is (b if a else c)
        assert key.decrypt(tfhe.majority(x, b, z)) is (a + b + c >= 2)


def test_results_of_gates_are_operands_without_end(key: tfhe.Key) -> None:
    carry, bits = key.encrypt(False), []
    for place in range(4):
        a, b = key.encrypt(bool(11 >> place & 1)), key.encrypt(bool(6 >> place & 1))
        bits.append(a ^ b ^ carry)
        carry = tfhe.majority(a, b, carry)
    assert [key.decrypt(bit) for bit in [*bits, carry]] == [True, False, False, False, True]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_bits_and_servers_travel(key: tfhe.Key, protocol: int) -> None:
    x = key.encrypt(True)
    server = pickle.loads(pickle.dumps(tfhe.Server.from_bytes(key.server.to_bytes(), threads=1), protocol))
    y = server.load(x.to_bytes())
    assert key.decrypt(key.load((y & y).to_bytes())) is True
    again = pickle.loads(pickle.dumps(x, protocol))
    assert key.decrypt(again) is True and again.dtype == "bool"
    assert copy.copy(x) is x and copy.deepcopy(x) is x
    with pytest.raises(fhe.WireError):
        server.load((y & y).to_bytes())
    with pytest.raises(fhe.NoServerError):
        again & True


def test_secret_keys_travel_as_bytes(key: tfhe.Key) -> None:
    again = tfhe.Key.from_secret_bytes(key.to_secret_bytes())
    assert again.id == key.id and again.decrypt(key.encrypt(True)) is True
    with pytest.raises(fhe.KindError) as caught:
        pickle.dumps(key)
    assert caught.value.code == "secret"


MISUSES: list[tuple[str, type[fhe.FathomError], str, Callable[[tfhe.Key], Any]]] = [
    ("number", fhe.KindError, "type_mismatch", lambda key: key.encrypt(True).nand(1)),
    ("order", fhe.KindError, "no_operation", lambda key: key.encrypt(True) < key.encrypt(False)),
    ("sum", fhe.KindError, "no_operation", lambda key: key.encrypt(True) + key.encrypt(False)),
    ("branch", fhe.KindError, "no_bool", lambda key: bool(key.encrypt(True))),
    ("clear condition", fhe.KindError, "type_unknown", lambda key: tfhe.majority(True, True, False)),  # type: ignore[arg-type]
    ("clear number", fhe.KindError, "type_mismatch", lambda key: tfhe.majority(key.encrypt(True), 1, 0)),
    ("other key", fhe.KeyMismatchError, "key_mismatch", lambda key: key.encrypt(True) & OTHER[key].encrypt(True)),
    ("trust", fhe.KindError, "trust", lambda key: key.server.load(key.encrypt(True).to_bytes(), "Fresh")),
    ("cut", fhe.WireError, "truncated", lambda key: key.load(key.encrypt(True).to_bytes()[:-1])),
]


class _Others(dict[tfhe.Key, tfhe.Key]):
    """Other keys of the same parameters, made when they are needed first."""

    def __missing__(self, key: tfhe.Key) -> tfhe.Key:
        return self.setdefault(key, tfhe.keygen("gates" if "bool" in repr(key) else "integers"))


OTHER = _Others()


@pytest.mark.parametrize("name, kind, code, misuse", MISUSES, ids=[case[0] for case in MISUSES])
def test_misuse_is_refused(
    key: tfhe.Key, name: str, kind: type[fhe.FathomError], code: str, misuse: Callable[[tfhe.Key], Any]
) -> None:
    with pytest.raises(kind) as caught:
        misuse(key)
    assert caught.value.code == code


def test_keys_of_gates_hold_bits_alone() -> None:
    with pytest.raises(fhe.KeyMismatchError) as mismatch:
        tfhe.keygen("gates").encrypt(5, "u8")
    assert mismatch.value.code == "params_mismatch" and "blocks of 2 bits" in str(mismatch.value)
    with pytest.raises(fhe.ParamsError) as unknown:
        tfhe.keygen("gate")
    assert unknown.value.code == "unknown_preset" and unknown.value.name == "gate"
    key = tfhe.keygen("u_1_1_40")
    assert key.decrypt(key.encrypt(True) ^ True) is False


def test_work_after_a_fork_names_the_remedy(key: tfhe.Key) -> None:
    x = key.encrypt(True)

    def refused() -> bytes:
        try:
            x & x
        except fhe.ForkError as error:
            return f"{error.code} {error.made_in}".encode()
        return b"computed"

    assert in_child(refused) == f"forked {os.getpid()}".encode()
