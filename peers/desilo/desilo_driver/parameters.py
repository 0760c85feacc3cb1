"""Selection of the engine for a depth, and the moduli that it uses.

The library does not report its moduli. They are read from its serialised objects: the rows of
residues at the end of a polynomial, and the largest residue of each row. Ciphertexts at level k
have a modulus of 100 + 40 k bits, made of primes of 60 bits and a remainder of 20 or 40 bits. From
degree 16384 on the remainder is a power of two; the keys hold it as an integer polynomial of 40
bits in three rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from desilofhe import Engine
from fathom_driver import Refusal, unsupported
from fathom_driver.fields import Fields
from fathom_driver.security import largest_log_qp, standard_level

SCALE_BITS = 40
"""log2 of the library's scale, which cannot be chosen."""

MOST_LEVELS = 36
"""Number of levels of the largest engine that is tried, of degree 65536."""

_REMAINDER_BITS = 40
_REMAINDER_ROWS = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """An engine and its parameters."""

    engine: Engine
    log_qp: float

    @property
    def n(self) -> int:
        """Returns the ring degree."""
        return 2 * self.engine.slot_count

    @property
    def log_q(self) -> float:
        """Returns log2 of the modulus of a fresh ciphertext."""
        return ciphertext_bits(self.engine.max_level)


def ciphertext_bits(level: int) -> float:
    """Returns log2 of the modulus of a ciphertext at a level."""
    return 100.0 + SCALE_BITS * level


def choose(params: Fields, threads: int) -> Choice:
    """Returns the smallest engine with the requested depth, security and degree."""
    depth = params.integer("depth")
    security = standard_level(params.integer("security", 128))
    n = params.integer("n", None)
    scale_bits = params.integer("scale_bits", SCALE_BITS)
    if scale_bits > SCALE_BITS:
        raise unsupported(
            f"a scale of 2^{scale_bits} was asked for, and the library's is 2^{SCALE_BITS}: "
            f"ask for at most {SCALE_BITS} bits"
        )
    if params.flag("defaults"):
        choice = _open(None, threads)
        if depth > choice.engine.max_level or n not in (None, choice.n):
            raise unsupported(f"the default engine has {choice.engine.max_level} levels")
        return choice
    for level in range(max(depth, 1), MOST_LEVELS + 1):
        engine = Engine(max_level=level, **_mode(threads))
        if n is not None and 2 * engine.slot_count < n:
            continue
        if n is not None and 2 * engine.slot_count > n:
            break
        choice = _measure(engine)
        if max(choice.log_qp, choice.log_q) <= largest_log_qp(choice.n, security):
            return choice
    raise unsupported(
        f"no engine of degree {n or 'up to 65536'} holds {depth} products at {security} bits"
    )


def _open(level: int | None, threads: int) -> Choice:
    return _measure(Engine(**({} if level is None else {"max_level": level}), **_mode(threads)))


def _mode(threads: int) -> dict[str, object]:
    """Returns the library's option for threads inside an operation."""
    return {"mode": "parallel", "thread_count": threads} if threads > 1 else {"mode": "cpu"}


def _measure(engine: Engine) -> Choice:
    """Reads the modulus of the relinearisation key from a key generated for that purpose."""
    n = 2 * engine.slot_count
    key = engine.create_relinearization_key(engine.create_secret_key())
    rows = _last_polynomial(bytes(engine.serialize_relinearization_key(key)), n)
    if not rows:
        raise Refusal("internal", "the serialization of a key is not what the driver knows")
    if min(rows) < 50:  # 40-bit primes stand among those of 60 bits: no remainder is held apart
        return Choice(engine, max(float(sum(rows)), ciphertext_bits(engine.max_level)))
    primes = rows[_REMAINDER_ROWS:]
    log_qp = float(sum(primes) + _REMAINDER_BITS)
    return Choice(engine, max(log_qp, ciphertext_bits(engine.max_level)))


def _last_polynomial(serialized: bytes, n: int) -> list[int]:
    """Returns the bits of the modulus of each row of the last polynomial. Residues of keys are
    below twice the modulus; a row cut by the polynomial's header has words of full length."""
    bits: list[int] = []
    end = len(serialized)
    while end >= 8 * n:
        row = numpy.frombuffer(serialized[end - 8 * n : end], dtype="<u8")
        length = math.ceil(math.log2(int(row.max()) + 1))
        if length > 62:
            break
        bits.insert(0, length - 1)
        end -= 8 * n
    return bits
