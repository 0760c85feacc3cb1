"""Times TenSEAL and Fathom through Python, interleaved in one process: medians, decrypted and checked.

usage: python benches/tenseal_rows.py [ROUNDS]

Both compute on vectors of 4096 values with one thread and an evaluation key for every sum of slots. TenSEAL has the
parameters of its tutorials: a ring of degree 8192, `plain_modulus` 1032193 for integers, and coefficient moduli
[60, 40, 40, 60] with a scale of 2^40 for real numbers. Fathom has those of `fathom.plan`. Encryption is with the
secret key on both sides, and in rows of its own with the public key.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import fathom as fhe

try:
    import tenseal  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError:
    tenseal = None

LENGTH = 4096
#: The degree of TenSEAL's ring, and the bits of its coefficient moduli for integers, the default of SEAL.
DEGREE = 8192
INTEGER_BITS = 218
#: The moduli of TenSEAL for real numbers.
REAL_MODULI = [60, 40, 40, 60]


class Side(NamedTuple):
    """One library with its keys."""

    #: Encrypts with the secret key, or with the public key.
    encrypt: Callable[[list[Any]], Any]
    encrypt_public: Callable[[list[Any]], Any]
    decrypt: Callable[[Any], Any]
    #: Returns the bytes of an encrypted vector.
    bytes_of: Callable[[Any], int]
    key_bytes: int
    security: str


def fathom_side(given: fhe.Integers | fhe.Reals) -> Side:
    """Returns Fathom with keys for an inner product and a sum."""

    def function(x: Any, y: Any) -> Any:
        return {"dot": x @ y, "sum": x.sum()}

    plan = fhe.plan(function, given, given)
    key = plan.keygen()
    public = fhe.plan(function, given, given, encryption="public").keygen().public_key()
    stated = {} if isinstance(given, fhe.Reals) else {"range": (given.low, given.high)}
    return Side(
        encrypt=lambda values: key.encrypt(values, **stated),
        encrypt_public=lambda values: public.encrypt(values, **stated),
        decrypt=key.decrypt,
        bytes_of=lambda vector: len(vector.to_bytes()),
        key_bytes=len(key.server.to_bytes()),
        security=f"{plan.security_bits:.0f} bits",
    )


def tenseal_side(real: bool) -> Side:
    """Returns TenSEAL with the parameters of its tutorials."""

    def context(kind: Any) -> Any:
        if not real:
            made = tenseal.context(
                tenseal.SCHEME_TYPE.BFV, DEGREE, plain_modulus=1032193, encryption_type=kind, n_threads=1
            )
        else:
            made = tenseal.context(
                tenseal.SCHEME_TYPE.CKKS,
                DEGREE,
                coeff_mod_bit_sizes=REAL_MODULI,
                encryption_type=kind,
                n_threads=1,
            )
            made.global_scale = 2**40
        made.generate_galois_keys()
        return made

    secret, public = (context(getattr(tenseal.ENCRYPTION_TYPE, name)) for name in ("SYMMETRIC", "ASYMMETRIC"))
    vector = tenseal.ckks_vector if real else tenseal.bfv_vector
    bits = sum(REAL_MODULI) if real else INTEGER_BITS
    return Side(
        encrypt=lambda values: vector(secret, values),
        encrypt_public=lambda values: vector(public, values),
        decrypt=lambda vector: vector.decrypt(),
        bytes_of=lambda vector: len(vector.serialize()),
        key_bytes=len(secret.serialize(save_public_key=False, save_secret_key=False)),
        security=f"128 bits by the table of the standard (degree {DEGREE}, modulus of {bits} bits)",
    )


def timed(work: Callable[[], Any]) -> float:
    """Returns the milliseconds of a call."""
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


def close(found: Any, expected: Any, error: float) -> bool:
    """Returns whether results are those expected."""
    found, expected = (value if isinstance(value, list) else [value] for value in (found, expected))
    return len(found) >= len(expected) and all(abs(a - b) <= error for a, b in zip(found, expected, strict=False))


def rows(real: bool, rounds: int) -> list[str]:
    """Returns the rows of a kind of numbers."""
    if real:
        a = [math.sin(number) for number in range(LENGTH)]
        b = [math.cos(number) for number in range(LENGTH)]
        given: fhe.Integers | fhe.Reals = fhe.Reals(LENGTH)
    else:
        a = [number % 16 for number in range(LENGTH)]
        b = [number % 8 for number in range(LENGTH)]
        given = fhe.Integers(LENGTH, low=0, high=15)
    sides = [tenseal_side(real), fathom_side(given)]
    # TenSEAL's integers wrap around at 2^19; the dot product of these reaches 2^18.
    expected = {"sum": sum(a), "dot": sum(left * right for left, right in zip(a, b, strict=True))}
    pairs = [(side.encrypt(a), side.encrypt(b)) for side in sides]
    error = 1e-2 if real else 0
    for side, (x, y) in zip(sides, pairs, strict=True):
        results = {"sum": x.sum(), "dot": x.dot(y)}
        for name, result in results.items():
            assert close(side.decrypt(result), expected[name], error), f"{name} is wrong"
        assert close(side.decrypt(x), a, error)
    operations: dict[str, list[Callable[[], Any]]] = {
        "encrypt": [partial(side.encrypt, a) for side in sides],
        "encrypt, public key": [partial(side.encrypt_public, a) for side in sides],
        f"sum of {LENGTH}": [x.sum for x, _ in pairs],
        f"dot of {LENGTH}": [partial(x.dot, y) for x, y in pairs],
        "decrypt": [partial(side.decrypt, x) for side, (x, _) in zip(sides, pairs, strict=True)],
    }
    kind = "real" if real else "integer"
    found = []
    for name, (theirs, ours) in operations.items():
        times = [(timed(theirs), timed(ours)) for _ in range(rounds)]
        left, right = (median(column) for column in zip(*times, strict=True))
        found.append(f"| {kind}: {name} | {left:.3f} ms | {right:.3f} ms | {left / right:.1f}x |")
    sizes = [(side.bytes_of(x), side.key_bytes) for side, (x, _) in zip(sides, pairs, strict=True)]
    for name, theirs, ours in zip(("ciphertext", "evaluation keys"), *sizes, strict=True):
        found.append(f"| {kind}: {name} | {theirs:,} bytes | {ours:,} bytes | {theirs / ours:.1f}x |")
    found.append(f"| {kind}: security | {sides[0].security} | {sides[1].security} | |")
    return found


def main() -> None:
    """Prints the table."""
    if tenseal is None:
        print("skipped: TenSEAL is not installed; pip install tenseal")
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    fhe.set_threads(1)
    print(f"TenSEAL {tenseal.__version__} and Fathom {fhe.__version__}, medians of {rounds}\n")
    print("| operation | TenSEAL | Fathom | ratio |\n|---|---|---|---|")
    print("\n".join([*rows(False, rounds), *rows(True, rounds)]))


if __name__ == "__main__":
    main()
