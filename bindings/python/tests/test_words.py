"""Messages of the library name calls of Python that exist, and nothing of Rust."""

import builtins
import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fathom as fhe
from fathom import _fathom

CRATES = Path(__file__).resolve().parents[3] / "crates"

#: Words with an underscore that are options and calls of Python, or names in schemas and SQL.
PYTHON = {"group_by", "make_server", "at_level", "for_reals", "for_integers", "evaluation_keys", "cpu_count"}

#: Names of several capitals that are no types of Rust.
PLAIN = {"TableKey"}


def literals() -> Iterator[tuple[str, str]]:
    """Returns the sentences in the sources of the library that an error may show, with their files."""
    for crate in ("base", "rings", "bootstrap", "torus", "columns", "ring", "kernels", "security"):
        for path in sorted((CRATES / crate / "src").rglob("*.rs")):
            parts = {"tests", "search"} & set(path.parts)
            if parts or path.stem.endswith("tests") or path.stem == "tests":
                continue
            text = re.sub(r"(?m)^\s*//.*$", "", path.read_text()).partition("#[cfg(test)]\nmod tests {")[0]
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
                joined = re.sub(r"\\\n\s*", "", literal).replace('\\"', '"')
                # Debug output has the name of its type before a parenthesis.
                if " " in joined.strip() and not re.match(r"^\w+\(", joined):
                    yield f"{crate}/{path.name}", joined


def of_rust(text: str) -> list[str]:
    """Returns what a sentence has of Rust."""
    clear = re.sub(r"\{[^}]*\}", "", text)
    found = re.findall(r"\w+(?:::\w+)+|\.\.=|\(\.\.\)", clear)
    found += [word for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", clear) if word not in PYTHON]
    types = re.findall(r"\b(?:[A-Z][a-z]+){2,}\d*\b", clear)
    return found + [name for name in types if name not in PLAIN and not hasattr(fhe, name)]


def test_no_message_of_the_library_has_names_of_rust() -> None:
    left = {
        (file, name, _fathom.in_python(text)) for file, text in literals() for name in of_rust(_fathom.in_python(text))
    }
    assert not left, "\n".join(map(str, sorted(left)))


def resolved(name: str) -> Any:
    """Returns the object of Python that a dotted name of a message stands for."""
    first, *rest = name.split(".")
    scopes: list[Any] = [fhe, fhe.wide, fhe.tfhe, fhe.columns, builtins]
    own = {"fathom": fhe, "os": os}
    found = own[first] if first in own else next(getattr(scope, first) for scope in scopes if hasattr(scope, first))
    for part in rest:
        found = getattr(found, part)
    return found


def test_calls_in_messages_exist() -> None:
    names = set()
    for _, text in literals():
        shown = _fathom.in_python(text)
        if shown != text:
            names |= set(re.findall(r"\b(?:fathom|wide|tfhe|columns|os|[A-Z]\w+)(?:\.\w+)+", shown))
            for option in re.findall(r"\bencrypt\(\.\.\., (\w+)=", shown):
                assert option in inspect.signature(fhe.SecretKey.encrypt).parameters
    assert {"SecretKey.make_server", "Vector.at_level", "fathom.plan", "wide.keygen"} <= names
    for name in names:
        assert resolved(name), name


@pytest.mark.parametrize(
    "rust, python",
    [
        ("expected FheUint8, got FheInt16", "expected u8, got i16"),
        ("FheBool", "bool"),
        ("mul_scalar at level 2", "mul at level 2"),
        ("value number 1 is not in -7..=7", "value number 1 is not in -7 to 7"),
        ("state a larger one with encode_within", "state a larger one with encrypt(..., magnitude=...)"),
    ],
)
def test_words_of_the_library_become_those_of_python(rust: str, python: str) -> None:
    assert _fathom.in_python(rust) == python


def test_refusals_have_the_words_of_python(reals: fhe.SecretKey, levels: fhe.SecretKey) -> None:
    tfhe = fhe.tfhe.keygen()
    wide = fhe.wide.keygen()
    vectors = fhe.wide.keygen(length=2)
    deep = reals.encrypt([1.0, 2.0])
    refused = [
        (lambda: reals.encrypt([1e9]), "magnitude=..."),
        (lambda: fhe.keygen(float, depth=5, magnitude=1000), "state smaller magnitudes"),
        (lambda: levels.encrypt([1]) ** 2 + levels.encrypt([1]), "Vector.at_level"),
        (lambda: reals.make_server(sums="none").load(deep.to_bytes()).sum(), "SecretKey.make_server"),
        (lambda: reals.server.load((deep + 1).to_bytes()), 'load(data, trust="computed")'),
        (lambda: ((deep * deep) * (deep * deep)) ** 8, "fathom.plan"),
        (lambda: wide.encrypt(2**1500, bits=1501) ** 2, "wide.Value.wrapping"),
        (lambda: vectors.encrypt([2**65, 1]), "wide.keygen"),
        (lambda: fhe.Params.preset("bfv", "none"), "Params.presets"),
        (lambda: fhe.tfhe.keygen("none"), "tfhe.keygen"),
        (lambda: tfhe.encrypt(1, "u8") + tfhe.encrypt(1, "u16"), "u16"),
        (lambda: np.ones((2, 2), int) @ fhe.keygen(int).make_server(sums="none").load(b""), "bytes"),
    ]
    for call, words in refused:
        with pytest.raises(fhe.FathomError) as caught:
            call()
        shown = [str(caught.value), *(str(detail) for detail in caught.value.details.values())]
        assert any(words in text for text in shown), shown
        assert not [name for text in shown for name in of_rust(text)], shown
