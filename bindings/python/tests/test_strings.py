"""Encrypted strings compute what bytes of Python do."""

import copy
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


def each_form(key: tfhe.Key, text: bytes) -> list[tfhe.Bytes]:
    """Returns a string with a public and with a hidden length."""
    return [key.encrypt(text), key.encrypt(text, capacity=len(text) + 1)]


@pytest.mark.parametrize("text", [b"", b"Ada", b"\xff\x01", "Zoë".encode()])
def test_strings_are_decrypted(key: tfhe.Key, text: bytes) -> None:
    for string in each_form(key, text):
        assert key.decrypt(string) == text and string.dtype == "bytes"
    assert len(key.encrypt(text)) == len(text)


@pytest.mark.parametrize("operation", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("a, b", [(b"ab", b"ab"), (b"ab", b"b"), (b"ab", b"a")])
def test_strings_are_compared(key: tfhe.Key, operation: Callable[[Any, Any], Any], a: bytes, b: bytes) -> None:
    for x in each_form(key, a):
        for y in [*each_form(key, b), b, b.decode()]:
            result = operation(x, y)
            assert result.dtype == "bool" and key.decrypt(result) is operation(a, b)
    assert key.decrypt(operation(a, key.encrypt(b))) is operation(a, b)


@pytest.mark.parametrize("pattern", [b"na", b"ban", b"ana", b"x", b"banana", b"bananas", b""])
def test_patterns_are_searched(key: tfhe.Key, pattern: bytes) -> None:
    text = b"banana"
    for x in each_form(key, text):
        for y in (pattern, key.encrypt(pattern)):
            assert key.decrypt(x.contains(y)) is (pattern in text)
            assert key.decrypt(x.startswith(y)) is text.startswith(pattern)
            assert key.decrypt(x.endswith(y)) is text.endswith(pattern)
            place, found = x.find(y)
            assert key.decrypt(found) is (pattern in text)
            if pattern in text:
                assert place.dtype == "u32" and key.decrypt(place) == text.find(pattern)


def test_strings_are_changed(key: tfhe.Key) -> None:
    for x in each_form(key, b"Ab1"):
        assert key.decrypt(x.lower()) == b"ab1" and key.decrypt(x.upper()) == b"AB1"
        assert key.decrypt(x.length()) == 3 and x.length().dtype == "u32"
        for y in [*each_form(key, b"cd"), b"cd", "cd"]:
            assert key.decrypt(x + y) == b"Ab1cd"
        assert key.decrypt(b"cd" + x) == key.decrypt("cd" + x) == b"cdAb1"


def test_parts_of_strings(key: tfhe.Key) -> None:
    x = key.encrypt(b"abcd")
    assert key.decrypt(x[1:3]) == b"bc" and key.decrypt(x[-2:]) == b"cd" and key.decrypt(x[3:1]) == b""
    assert x[0].dtype == "u8" and [key.decrypt(byte) for byte in x] == list(b"abcd")
    assert key.decrypt(x[-1] + 1) == ord("e")
    with pytest.raises(IndexError):
        x[4]


def test_lengths_of_padded_strings_are_hidden(key: tfhe.Key) -> None:
    x = key.encrypt("Ada", capacity=8)
    assert x.capacity == 8 and x.is_padded and "up to 8 bytes" in repr(x)
    assert len(x.to_bytes()) == len(key.encrypt("Augustus", capacity=8).to_bytes())
    with pytest.raises(fhe.KindError) as caught:
        len(x)
    assert caught.value.code == "hidden_length"


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_strings_travel(key: tfhe.Key, protocol: int) -> None:
    server = tfhe.Server.from_bytes(key.server.to_bytes(), threads=1)
    for x in each_form(key, b"ab"):
        again = pickle.loads(pickle.dumps(x, protocol))
        assert key.decrypt(again) == b"ab" and (again.capacity, again.is_padded) == (x.capacity, x.is_padded)
        assert copy.copy(x) is x and copy.deepcopy(x) is x
        with pytest.raises(fhe.NoServerError):
            again == b"ab"
        there = server.load(x.to_bytes())
        assert key.decrypt(key.load((there + "c").to_bytes())) == b"abc"
        with pytest.raises(fhe.WireError):
            server.load(there.upper().to_bytes())


MISUSES: list[tuple[str, type[fhe.FathomError], str, Callable[[tfhe.Key], Any]]] = [
    ("capacity", fhe.ShapeError, "capacity", lambda key: key.encrypt("Ada", capacity=2)),
    ("longest", fhe.ShapeError, "too_long", lambda key: key.encrypt("Ada", capacity=2**16 + 1)),
    ("zero", fhe.RangeError, "value_out_of_range", lambda key: key.encrypt(b"a\0", capacity=4)),
    ("number", fhe.KindError, "type_mismatch", lambda key: key.encrypt("Ada") == 3),
    ("encrypted number", fhe.KindError, "type_mismatch", lambda key: key.encrypt("Ada") + key.encrypt(3, "u8")),
    ("order of numbers", fhe.KindError, "type_mismatch", lambda key: key.encrypt("Ada") < 3),
    ("in", fhe.KindError, "no_bool", lambda key: "A" in key.encrypt("Ada")),
    ("branch", fhe.KindError, "no_bool", lambda key: bool(key.encrypt("Ada"))),
    ("step", fhe.KindError, "step", lambda key: key.encrypt("Ada")[::2]),
    ("capacity of a number", fhe.KindError, "options", lambda key: key.encrypt(3, "u8", capacity=2)),
    ("other key", fhe.KeyMismatchError, "key_mismatch", lambda key: key.encrypt("a") == tfhe.keygen().encrypt("a")),
    ("gates", fhe.KeyMismatchError, "params_mismatch", lambda key: tfhe.keygen("gates").encrypt("a")),
    ("cut", fhe.WireError, "truncated", lambda key: key.load(key.encrypt("a").to_bytes()[:-1])),
    ("no server", fhe.NoServerError, "no_server", lambda key: pickle.loads(pickle.dumps(key.encrypt("a"))).lower()),
]


@pytest.mark.parametrize("name, kind, code, misuse", MISUSES, ids=[case[0] for case in MISUSES])
def test_misuse_is_refused(
    key: tfhe.Key, name: str, kind: type[fhe.FathomError], code: str, misuse: Callable[[tfhe.Key], Any]
) -> None:
    with pytest.raises(kind) as caught:
        misuse(key)
    assert caught.value.code == code


def test_the_capacity_is_in_the_refusal(key: tfhe.Key) -> None:
    with pytest.raises(fhe.ShapeError) as caught:
        key.encrypt("Ada", capacity=2)
    assert (caught.value.bytes, caught.value.capacity) == (3, 2)


def test_work_after_a_fork_names_the_remedy(key: tfhe.Key) -> None:
    x = key.encrypt("Ada")

    def refused() -> bytes:
        try:
            x.lower()
        except fhe.ForkError as error:
            return f"{error.code} {error.made_in}".encode()
        return b"computed"

    assert in_child(refused) == f"forked {os.getpid()}".encode()


@pytest.mark.timeout(120)
def test_ctrl_c_ends_a_search(key: tfhe.Key) -> None:
    text, pattern = key.encrypt("a" * 400), key.encrypt("a" * 100)
    pressed = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        text.contains(pattern)
    after = time.monotonic() - before - 0.5
    print(f"Ctrl-C took {after:.2f} s")
    assert after < 10, "the time depends on the load, but not on the work"


def test_the_end_of_a_padded_string_is_hidden(key: tfhe.Key) -> None:
    x = key.encrypt("Ada", capacity=8)
    for part in (slice(-3, None), slice(None, -1), -1):
        with pytest.raises(fhe.errors.KindError) as refused:
            x[part]
        assert refused.value.code == "hidden_length"
    with pytest.raises(fhe.errors.KindError):
        list(x)
    assert key.decrypt(x[:2]) == b"Ad"


def test_an_error_of_a_text_does_not_hold_it(key: tfhe.Key) -> None:
    x = key.encrypt("a")
    for act in (lambda: key.encrypt("secret \ud800"), lambda: x == "secret \ud800"):
        with pytest.raises(fhe.errors.RangeError) as refused:
            act()
        assert refused.value.code == "not_text" and refused.value.__context__ is None
