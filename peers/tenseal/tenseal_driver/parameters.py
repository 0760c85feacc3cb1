"""Parameters of TenSEAL's contexts: those of its tutorials, or with at least the bits of security
that are asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import tenseal
import tenseal.sealapi as sealapi
from fathom_driver import unsupported
from fathom_driver.fields import Fields
from fathom_driver.security import largest_log_qp, standard_level

DEGREES = (2048, 4096, 8192, 16384, 32768)
"""Ring degrees for which SEAL has parameters."""

SIGMA = math.sqrt(21 / 2)
"""SEAL draws errors from the centred binomial distribution of 2 x 21 bits."""

TUTORIAL_DEGREE = 8192
"""The least degree of a CKKS context in the tutorial "Getting Started"."""

TUTORIAL_SCALE_BITS = 40
"""The scale of that tutorial, and the length of its inner primes."""

OUTER_BITS = 60
"""Length of the first and of the special prime of that tutorial."""

TUTORIAL_DEPTH = 2
"""The number of inner primes of that tutorial."""

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
    """True to use the parameters of TenSEAL's tutorials."""

    @classmethod
    def parse(cls, params: Fields) -> Purpose:
        """Reads `params` of a request."""
        n = params.integer("n", None)
        if n is not None and n not in DEGREES:
            raise unsupported(f"SEAL has no parameters of degree {n}, only of {DEGREES}")
        level = standard_level(params.integer("security", 128))
        return cls(params.integer("depth"), level, n, params.flag("defaults"))

    def degrees(self) -> tuple[int, ...]:
        """Returns the ring degrees to try, the smallest first."""
        return DEGREES if self.n is None else (self.n,)

    def limit(self, n: int) -> int:
        """Returns the largest log2 of the whole modulus at degree `n`."""
        seal = sealapi.CoeffModulus.MaxBitCount(n, _SEAL_LEVELS[self.level])
        return seal if self.defaults else min(seal, largest_log_qp(n, self.level))

    def label(self) -> str:
        """Returns the end of the name of parameters."""
        return "tutorial" if self.defaults else f"s{self.level}"

    def origin(self) -> str:
        """Returns the origin of the primes, for the explanation of parameters."""
        return "of the tutorials" if self.defaults else "within the limits of the testbed"


def bfv_sizes(purpose: Purpose) -> Iterator[tuple[int, list[int]]]:
    """Returns degrees, the smallest first, each with the lengths of its primes.

    With `defaults` there are no lengths, as in the tutorials: TenSEAL takes those of SEAL. Else
    the special prime is shortened until the whole modulus is within the limit.
    """
    for n in purpose.degrees():
        primes = sealapi.CoeffModulus.BFVDefault(n, _SEAL_LEVELS[purpose.level])
        if len(primes) < 2:
            continue  # no special prime, hence no relinearisation
        if purpose.defaults and purpose.level == 128:
            yield n, []
            continue
        *first, special = (prime.bit_count() for prime in primes)
        room = purpose.limit(n) - math.ceil(sum(math.log2(p.value()) for p in primes[:-1]))
        yield n, [*first, min(special, room)]


def ckks_sizes(purpose: Purpose, scale_bits: int) -> tuple[int, list[int]]:
    """Returns the smallest degree for primes in the layout of the tutorials, and their lengths: an
    outer prime, one prime of the scale's length for every product, and a special prime."""
    depth = max(purpose.depth, TUTORIAL_DEPTH) if purpose.defaults else purpose.depth
    bits = [OUTER_BITS, *[scale_bits] * depth, OUTER_BITS]
    least = TUTORIAL_DEGREE if purpose.defaults else 0
    for n in purpose.degrees():
        if n >= least and sum(bits) <= purpose.limit(n):
            return n, bits
    largest = purpose.degrees()[-1]
    raise unsupported(
        f"{depth} products at scale 2^{scale_bits} need a modulus of {sum(bits)} bits; at "
        f"{purpose.level} bits of security degree {largest} allows {purpose.limit(largest)}"
    )


@dataclass(frozen=True, slots=True)
class Chain:
    """A ring degree and its primes, the special prime last."""

    n: int
    primes: list[int]

    @classmethod
    def of(cls, context: tenseal.Context) -> Chain:
        """Returns the ring degree and the primes of a context."""
        parms = context.seal_context().data.key_context_data().parms()
        return cls(parms.poly_modulus_degree(), [p.value() for p in parms.coeff_modulus()])

    @property
    def bits(self) -> list[int]:
        """Returns the lengths of the primes."""
        return [prime.bit_length() for prime in self.primes]

    def log_q(self, count: int | None = None) -> float:
        """Returns log2 of the product of the first primes, by default of all but the last."""
        last = len(self.primes) - 1 if count is None else count
        return sum(math.log2(prime) for prime in self.primes[:last])

    def log_qp(self) -> float:
        """Returns log2 of the modulus of the keys."""
        return self.log_q(len(self.primes))
