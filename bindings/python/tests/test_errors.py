"""Every misuse has a class, a code, words and numbers."""

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fathom as fhe
from fathom import _fathom

ROOT = Path(__file__).resolve().parents[3]

Misuse = Callable[[fhe.SecretKey, fhe.SecretKey, fhe.SecretKey], Any]


def too_deep(key: fhe.SecretKey) -> Any:
    """Multiplies more often than the parameters allow, with a range that would allow it."""
    x = key.encrypt([1], modular=True)
    return ((x * x) * (x * x)) * ((x * x) * (x * x))


CASES: list[tuple[str, type[fhe.FathomError], str, str, Misuse]] = [
    ("too deep", fhe.NoiseError, "noise_exhausted", "for instance with fathom.plan", lambda i, r, b: too_deep(i)),
    (
        "levels of bgv",
        fhe.LevelError,
        "level_mismatch",
        "at levels",
        lambda i, r, b: b.encrypt([1]) ** 2 + b.encrypt([1]),
    ),
    (
        "level above",
        fhe.LevelError,
        "no_such_level",
        "levels only decrease",
        lambda i, r, b: b.encrypt([1]).at_level(99),
    ),
    (
        "other key",
        fhe.KeyMismatchError,
        "key_mismatch",
        "different secret keys",
        lambda i, r, b: fhe.keygen(i.params).encrypt([1]) + i.encrypt([1]),
    ),
    (
        "other params",
        fhe.KeyMismatchError,
        "params_mismatch",
        "different parameter sets",
        lambda i, r, b: fhe.keygen(int, bits=3).encrypt([1]) + i.encrypt([1]),
    ),
    ("other scheme", fhe.KindError, "scheme_mismatch", "bfv and ckks", lambda i, r, b: i.encrypt([1]) + r.encrypt([1])),
    (
        "decrypted by another key",
        fhe.KeyMismatchError,
        "key_mismatch",
        "different secret keys",
        lambda i, r, b: fhe.keygen(i.params).decrypt(i.encrypt([1])),
    ),
    (
        "no key for a matrix",
        fhe.MissingKeyError,
        "missing_galois_key",
        "no key for Galois element",
        lambda i, r, b: np.ones((16, 16), int) @ i.encrypt([1] * 16, bits=4),
    ),
    (
        "no key for sums",
        fhe.MissingKeyError,
        "missing_galois_key",
        "rotation by 1",
        lambda i, r, b: i.make_server(sums="none").load(i.encrypt([1, 2]).to_bytes()).sum(),
    ),
    (
        "value too large",
        fhe.RangeError,
        "value_out_of_range",
        "value number 1 is not in -255 to 255",
        lambda i, r, b: i.encrypt([1, 256]),
    ),
    (
        "value beyond 64 bits",
        fhe.RangeError,
        "value_out_of_range",
        "does not fit 64 bits",
        lambda i, r, b: i.encrypt([2**70]),
    ),
    (
        "value beyond 63 bits",
        fhe.RangeError,
        "value_out_of_range",
        "number 0",
        lambda i, r, b: i.encrypt(np.array([2**64 - 1], np.uint64)),
    ),
    ("stated bits", fhe.RangeError, "value_out_of_range", "not in -7 to 7", lambda i, r, b: i.encrypt([8], bits=3)),
    (
        "more bits than held",
        fhe.RangeError,
        "bits",
        "do not fit the parameters",
        lambda i, r, b: i.encrypt([8], bits=50),
    ),
    ("wrap", fhe.RangeError, "wrap", "mul could give", lambda i, r, b: i.encrypt([1]) * 2**20),
    ("wrap of a sum", fhe.RangeError, "wrap", "sum could give", lambda i, r, b: (i.encrypt([1] * 2048) ** 2).sum()),
    (
        "not a number",
        fhe.RangeError,
        "not_finite",
        "number 1 of encode is infinite or not a number",
        lambda i, r, b: r.encrypt([1.0, float("nan")]),
    ),
    (
        "magnitude",
        fhe.RangeError,
        "magnitude_exceeded",
        "number 0 exceeds the stated magnitude 256",
        lambda i, r, b: r.encrypt([257.0]),
    ),
    ("empty", fhe.ShapeError, "empty", "no values", lambda i, r, b: i.encrypt([])),
    ("lengths", fhe.ShapeError, "list_length", "got 2 and 3", lambda i, r, b: i.encrypt([1, 2]) + i.encrypt([1, 2, 3])),
    ("clear lengths", fhe.ShapeError, "list_length", "got 2 and 3", lambda i, r, b: i.encrypt([1, 2]) * [1, 2, 3]),
    (
        "dimensions",
        fhe.ShapeError,
        "dimensions",
        "one dimension, got 2",
        lambda i, r, b: i.encrypt(np.ones((2, 2), int)),
    ),
    (
        "matrix",
        fhe.ShapeError,
        "shape",
        "matrix of 3 columns",
        lambda i, r, b: np.ones((2, 3), int) @ i.encrypt([1, 2]),
    ),
    ("float for integers", fhe.KindError, "type_mismatch", "expected an integer", lambda i, r, b: i.encrypt([1.5])),
    ("float array", fhe.KindError, "type_mismatch", "expected an integer", lambda i, r, b: i.encrypt(np.array([1.5]))),
    (
        "float times integers",
        fhe.KindError,
        "type_mismatch",
        "expected an integer, got float",
        lambda i, r, b: i.encrypt([1]) * 1.5,
    ),
    ("truth values", fhe.KindError, "type_mismatch", "expected an integer", lambda i, r, b: i.encrypt([True])),
    ("text", fhe.KindError, "type_mismatch", "expected numbers, got str", lambda i, r, b: i.encrypt("12")),
    ("comparison", fhe.KindError, "no_comparison", "cannot be compared", lambda i, r, b: i.encrypt([1]) < 2),
    ("equality", fhe.KindError, "no_comparison", "cannot be compared", lambda i, r, b: i.encrypt([1]) == [1]),
    ("truth", fhe.KindError, "no_bool", "neither true nor false", lambda i, r, b: bool(i.encrypt([1]))),
    ("array", fhe.KindError, "no_array", "decrypt it first", lambda i, r, b: np.asarray(i.encrypt([1]))),
    ("mean", fhe.KindError, "mean", "decrypt the sum", lambda i, r, b: i.encrypt([1]).mean()),
    ("secret pickled", fhe.KindError, "secret", "to_secret_bytes", lambda i, r, b: pickle.dumps(i)),
    (
        "preset",
        fhe.ParamsError,
        "unknown_preset",
        "no parameter set is named",
        lambda i, r, b: fhe.Params.preset("bfv", "no"),
    ),
    ("scheme", fhe.ParamsError, "unknown_scheme", "no scheme is named", lambda i, r, b: fhe.Params.preset("rsa", "e1")),
    ("too many bits", fhe.ParamsError, "spec", "the parameters hold 40", lambda i, r, b: fhe.keygen(int, bits=30)),
    ("no such depth", fhe.ParamsError, "spec", "depth", lambda i, r, b: fhe.keygen(int, depth=64)),
    ("no such precision", fhe.ParamsError, "spec", "precision", lambda i, r, b: fhe.keygen(float, precision=50)),
    ("cut bytes", fhe.WireError, "truncated", "are available", lambda i, r, b: i.load(i.encrypt([1]).to_bytes()[:-1])),
    (
        "more bytes",
        fhe.WireError,
        "trailing_bytes",
        "1 bytes follow",
        lambda i, r, b: i.load(i.encrypt([1]).to_bytes() + b"x"),
    ),
    ("other bytes", fhe.WireError, "magic", "begins with", lambda i, r, b: i.load(bytes(100))),
    ("other object", fhe.WireError, "type", "expected vector", lambda i, r, b: i.load(i.params.to_bytes())),
    ("no bytes", fhe.KindError, "type_mismatch", "expected bytes", lambda i, r, b: i.load(7)),
    (
        "computed from anybody",
        fhe.WireError,
        "not_fresh",
        "not freshly encrypted",
        lambda i, r, b: i.server.load((i.encrypt([1]) + 1).to_bytes()),
    ),
    (
        "no server",
        fhe.NoServerError,
        "no_server",
        "sum needs evaluation keys",
        lambda i, r, b: fhe.Vector.from_bytes(i.params, i.encrypt([1, 2]).to_bytes()).sum(),
    ),
    (
        "threads",
        fhe.ResourceError,
        "too_many_threads",
        "threads were requested",
        lambda i, r, b: fhe.set_threads(10**6),
    ),
    ("file", fhe.ResourceError, "file", "No such file", lambda i, r, b: fhe.Server.open("/nonexistent/server")),
    ("panic", fhe.InternalError, "panic", "provoked", lambda i, r, b: _fathom.provoke_panic()),
]


@pytest.mark.parametrize("kind, code, words, misuse", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_misuse_is_refused(
    integers: fhe.SecretKey,
    reals: fhe.SecretKey,
    levels: fhe.SecretKey,
    kind: type[fhe.FathomError],
    code: str,
    words: str,
    misuse: Misuse,
) -> None:
    with pytest.raises(fhe.FathomError) as caught:
        misuse(integers, reals, levels)
    error = caught.value
    assert type(error) is kind and error.code == code and words in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code, again.details) == (kind, str(error), code, error.details)
    for name, value in error.details.items():
        assert getattr(error, name) == value


def test_errors_have_the_numbers(integers: fhe.SecretKey) -> None:
    with pytest.raises(fhe.NoiseError) as caught:
        too_deep(integers)
    assert caught.value.needed_bits > caught.value.left_bits >= 0
    assert caught.value.operation == "mul" and "depth" in caught.value.remedy
    with pytest.raises(fhe.RangeError) as wrapped:
        integers.encrypt([1]) * 2**20
    assert wrapped.value.needed_bits == 28 and wrapped.value.high == 255 * 2**20


def test_errors_are_those_of_python_too() -> None:
    assert issubclass(fhe.RangeError, ValueError) and issubclass(fhe.KindError, TypeError)
    assert issubclass(fhe.ResourceError, OSError) and issubclass(fhe.DivisionError, ZeroDivisionError)
    assert not hasattr(fhe.RangeError("x", code="y"), "absent")


def test_a_missing_matrix_key_names_the_remedy(integers: fhe.SecretKey) -> None:
    with pytest.raises(fhe.MissingKeyError) as caught:
        np.ones((16, 16), int) @ integers.encrypt([1] * 16, bits=4)
    assert "make_server(matrices=[(16, 16)])" in caught.value.__notes__[0]


def variants(path: str, name: str) -> list[str]:
    """Returns the variants of an enumeration of the library."""
    text = (ROOT / path).read_text()
    body = text[text.index(f"pub enum {name} {{") :]
    body = body[: body.index("\n}\n")]
    return re.findall(r"^    ([A-Z]\w*)(?: \{|\(|,)", body, re.MULTILINE)


@pytest.mark.parametrize(
    "path, name",
    [
        ("crates/base/src/error/mod.rs", "Error"),
        ("crates/base/src/error/wire.rs", "WireError"),
        ("crates/base/src/error/ckks.rs", "DomainError"),
        ("crates/base/src/error/ckks.rs", "ScaleError"),
        ("crates/base/src/error/ckks.rs", "FloodError"),
        ("crates/base/src/error/table.rs", "TableError"),
        ("crates/base/src/error/list.rs", "ListError"),
        ("crates/base/src/error/wide.rs", "WideError"),
        ("crates/columns/src/error.rs", "Error"),
    ],
)
def test_every_variant_has_a_class(path: str, name: str) -> None:
    table = (ROOT / "bindings/python/src/errors.rs").read_text()
    start = table.index(f", {'ColumnError' if 'columns' in path else name};\n")
    own = table[start : table.index("@otherwise", start)]
    # The package is built without the readers of files.
    found = [variant for variant in variants(path, name) if variant not in ("Parquet", "Csv")]
    assert found
    assert [variant for variant in found if not re.search(rf"\b{variant}\b", own)] == []


def test_every_class_of_the_table_exists() -> None:
    table = (ROOT / "bindings/python/src").glob("*.rs")
    names = {
        name
        for file in table
        for name in re.findall(r'"(\w+Error)"|^        (\w+Error|Interrupted):', file.read_text(), re.M)
        for name in name
        if name
    }
    assert names and all(issubclass(getattr(fhe, name), fhe.FathomError) for name in names)


def test_nothing_secret_is_printed(integers: fhe.SecretKey, reals: fhe.SecretKey) -> None:
    secret = integers.to_secret_bytes()
    x = integers.encrypt([123, 45])
    for shown in (repr(integers), integers._repr_html_(), repr(x), x._repr_html_(), repr(reals.encrypt([0.125]))):
        assert "123" not in shown.replace(integers.id, "") or "123" in integers.params.id
        assert "0.125" not in shown and str(secret) not in shown
    assert "range -255 to 255" in repr(x) and "noise left" in x._repr_html_()


def test_objects_are_not_made_by_hand() -> None:
    for kind in (fhe.Params, fhe.SecretKey, fhe.PublicKey, fhe.Server, fhe.Vector):
        with pytest.raises(fhe.KindError):
            kind()


def test_copies_are_the_same_object(integers: fhe.SecretKey) -> None:
    for value in (integers, integers.params, integers.server, integers.encrypt([1]), integers.public_key()):
        assert copy.copy(value) is value and copy.deepcopy(value) is value
