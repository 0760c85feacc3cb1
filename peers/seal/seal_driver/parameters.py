"""Parameters that SEAL recommends, limited to 128, 192 or 256 bits on the whole modulus."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import tenseal.sealapi as sealapi
from fathom_driver import unsupported
from fathom_driver.fields import Fields
from fathom_driver.security import largest_log_qp, standard_level

DEGREES = (2048, 4096, 8192, 16384, 32768)
"""Ring degrees for which SEAL has parameters."""

SIGMA = math.sqrt(21 / 2)
"""SEAL draws errors from the centred binomial distribution of 2 x 21 bits."""

CKKS_OUTER_BITS = 60
"""Length of the first and of the special prime of a CKKS chain, as in SEAL's examples."""

_SEAL_LEVELS = {
    128: sealapi.SEC_LEVEL_TYPE.TC128,
    192: sealapi.SEC_LEVEL_TYPE.TC192,
    256: sealapi.SEC_LEVEL_TYPE.TC256,
}


@dataclass(frozen=True, slots=True)
class Purpose:
    """Requirements on parameters."""

    depth: int
    """Number of consecutive products."""
    level: int
    """Bits of security: 128, 192 or 256."""
    n: int | None
    """Required ring degree, if any."""
    defaults: bool
    """True to use SEAL's own limits in place of the stricter ones of the testbed."""

    @classmethod
    def parse(cls, params: Fields) -> Purpose:
        """Reads `params` of a request."""
        n = params.integer("n", None)
        if n is not None and n not in DEGREES:
            raise unsupported(f"SEAL has no parameters of degree {n}, only of {DEGREES}")
        level = standard_level(params.integer("security", 128))
        return cls(params.integer("depth"), level, n, params.flag("defaults"))

    @property
    def seal_level(self) -> sealapi.SEC_LEVEL_TYPE:
        """Returns SEAL's name of the security level, which its context enforces."""
        return _SEAL_LEVELS[self.level]

    def degrees(self) -> tuple[int, ...]:
        """Returns the ring degrees to try, the smallest first."""
        return DEGREES if self.n is None else (self.n,)

    def limit(self, n: int) -> int:
        """Returns the largest log2 of the whole modulus at degree `n`."""
        seal = sealapi.CoeffModulus.MaxBitCount(n, self.seal_level)
        return seal if self.defaults else min(seal, largest_log_qp(n, self.level))


@dataclass(frozen=True, slots=True)
class Chain:
    """A ring degree and its primes, the special prime last."""

    n: int
    primes: list[sealapi.Modulus]

    def log_q(self, level: int | None = None) -> float:
        """Returns log2 of the ciphertext modulus at `level`, or at the top level."""
        count = len(self.primes) - 1 if level is None else level + 1
        return sum(math.log2(prime.value()) for prime in self.primes[:count])

    def log_qp(self) -> float:
        """Returns log2 of the modulus of the keys."""
        return sum(math.log2(prime.value()) for prime in self.primes)

    @property
    def levels(self) -> int:
        """Returns the number of primes that a fresh ciphertext can drop."""
        return len(self.primes) - 2


def bfv_chains(purpose: Purpose) -> Iterator[Chain]:
    """Returns the chains of `CoeffModulus.BFVDefault`, the smallest degree first.

    SEAL's table of limits is up to 13 bits above that of the testbed; the special prime gives
    up the difference, which costs neither time nor, to within a bit, noise budget.
    """
    for n in purpose.degrees():
        primes = sealapi.CoeffModulus.BFVDefault(n, purpose.seal_level)
        if len(primes) < 2:
            continue  # no special prime, hence no relinearisation
        *first, special = primes
        room = math.floor(purpose.limit(n) - sum(math.log2(p.value()) for p in first))
        if room < special.bit_count():
            [special] = sealapi.CoeffModulus.Create(n, [room])
        yield Chain(n, [*first, special])


def ckks_chain(purpose: Purpose, scale_bits: int) -> Chain:
    """Returns the smallest chain of a 60-bit prime, `depth` primes of the scale's length, and a
    60-bit special prime, which is the layout of SEAL's CKKS examples."""
    bits = [CKKS_OUTER_BITS, *[scale_bits] * purpose.depth, CKKS_OUTER_BITS]
    for n in purpose.degrees():
        if sum(bits) <= purpose.limit(n):
            return Chain(n, sealapi.CoeffModulus.Create(n, bits))
    raise unsupported(
        f"{purpose.depth} products at scale 2^{scale_bits} need a modulus of {sum(bits)} bits; at "
        f"{purpose.level} bits of security degree {purpose.degrees()[-1]} allows "
        f"{purpose.limit(purpose.degrees()[-1])}"
    )


def context(
    scheme: sealapi.SCHEME_TYPE, chain: Chain, purpose: Purpose, plain_modulus: int | None = None
) -> sealapi.SEALContext:
    """Returns the context of a chain; SEAL checks it against its own security table."""
    parameters = sealapi.EncryptionParameters(scheme)
    parameters.set_poly_modulus_degree(chain.n)
    parameters.set_coeff_modulus(chain.primes)
    if plain_modulus is not None:
        parameters.set_plain_modulus(plain_modulus)
    made = sealapi.SEALContext(parameters, True, purpose.seal_level)
    if not made.parameters_set():
        raise unsupported(f"SEAL refuses the parameters: {made.parameters_error_message()}")
    return made
