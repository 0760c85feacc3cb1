"""Parameters by the library's generator, held to 128, 192 or 256 bits on the whole modulus."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import openfhe
from fathom_driver import Refusal, bad_request, unsupported
from fathom_driver.fields import Fields
from fathom_driver.security import largest_log_qp, standard_level

_LEVELS = {
    128: openfhe.HEStd_128_classic,
    192: openfhe.HEStd_192_classic,
    256: openfhe.HEStd_256_classic,
}

_PARAMETERS: dict[str, Callable[[], Any]] = {
    "bfv": openfhe.CCParamsBFVRNS,
    "bgv": openfhe.CCParamsBGVRNS,
    "ckks": openfhe.CCParamsCKKSRNS,
}

GREATEST_RING = 65536
"""Largest ring degree that is tried."""

SLACK_BITS = 0.05
"""Share of a bit by which primes exceed the lengths that were asked for."""

CKKS_INTEGER_BITS = 20
"""Bits of the first prime of CKKS above the scale, for the integer part of values."""

HYBRID = 2
"""The serialised name of hybrid key switching."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """Requirements on parameters."""

    scheme: str
    depth: int
    """Number of consecutive products."""
    level: int
    """Bits of security: 128, 192 or 256."""
    n: int
    """Required ring degree; 0 for any."""
    plain_modulus: int
    scale_bits: int
    defaults: bool
    """True for the library's own choice of modulus and scaling."""

    @classmethod
    def parse(cls, scheme: str, params: Fields) -> Purpose:
        """Reads `params` of a request."""
        n = params.integer("n", 0)
        if n != 0 and (n < 16 or n & (n - 1) != 0 or n > GREATEST_RING):
            raise unsupported(f"the ring degree is a power of two up to {GREATEST_RING}, not {n}")
        exact = scheme != "ckks"
        modulus = params.integer("plain_modulus", 65537) if exact else 0
        if exact and not 2 <= modulus < 1 << 59:
            raise bad_request("`plain_modulus` must be between 2 and 2^59")
        scale = 0 if exact else params.integer("scale_bits", 40)
        if not exact and not 15 <= scale <= 59:
            raise unsupported("OpenFHE wants a scale of 15 to 59 bits")
        level = standard_level(params.integer("security", 128))
        depth, defaults = params.integer("depth"), params.flag("defaults")
        return cls(scheme, depth, level, n, modulus, scale, defaults)

    @property
    def is_exact(self) -> bool:
        """Returns true for integers modulo a plaintext modulus."""
        return self.scheme != "ckks"


@dataclass(frozen=True, slots=True)
class Context:
    """A context of OpenFHE, and the lengths that its serialised form states."""

    purpose: Purpose
    body: Any
    primes: tuple[int, ...]
    special_bits: int
    """Bits of the special primes of key switching."""

    @property
    def n(self) -> int:
        """Returns the ring degree."""
        return int(self.body.GetRingDimension())

    @property
    def slots(self) -> int:
        """Returns the number of values of a ciphertext."""
        return self.n if self.purpose.is_exact else self.n // 2

    def log_q(self, count: int | None = None) -> float:
        """Returns log2 of the product of the first `count` primes."""
        return sum(math.log2(prime) for prime in self.primes[:count])

    @property
    def log_qp(self) -> float:
        """Returns log2 of the largest modulus that is published."""
        return self.log_q() + self.special_bits

    def describe(self) -> dict[str, Any]:
        """Returns `params` of the reply."""
        purpose = self.purpose
        techniques = [self.body.GetScalingTechnique(), self.body.GetKeySwitchTechnique()]
        scaling, switching = [technique.name for technique in techniques]
        described = {
            "name": f"n{self.n}-d{purpose.depth}",
            "n": self.n,
            "log_q": self.log_q(),
            "log_qp": self.log_qp,
            "slots": self.slots,
            "levels": len(self.primes) - 1,
            "secret": "ternary",
            "sigma": 3.19,
            "depth": purpose.depth,
            "explanation": f"the library's generator: {scaling}, {switching} key switching",
        }
        if purpose.is_exact:
            return described | {"plain_modulus": purpose.plain_modulus}
        return described | {"scale_bits": purpose.scale_bits}


def choose(purpose: Purpose) -> Context:
    """Returns the library's context, in the next larger ring if its modulus is above the limit."""
    asked = purpose
    while True:
        context = _read(purpose, _generate(purpose))
        limit = largest_log_qp(context.n, purpose.level)
        if asked.defaults or limit == 0 or context.log_qp <= limit + SLACK_BITS:
            for feature in ("PKE", "KEYSWITCH", "LEVELEDSHE", "ADVANCEDSHE"):
                context.body.Enable(getattr(openfhe, feature))
            return context
        if asked.n != 0 or context.n >= GREATEST_RING:
            raise Refusal(
                "insecure",
                f"log2 of the largest modulus is {context.log_qp:.1f} in the ring of {context.n}",
            )
        purpose = replace(purpose, n=2 * context.n)


def _generate(purpose: Purpose) -> Any:
    parameters = _PARAMETERS[purpose.scheme]()
    parameters.SetMultiplicativeDepth(purpose.depth)
    parameters.SetSecurityLevel(_LEVELS[purpose.level])
    if purpose.n != 0:
        parameters.SetRingDim(purpose.n)
    if purpose.is_exact:
        parameters.SetPlaintextModulus(purpose.plain_modulus)
    else:
        parameters.SetScalingModSize(purpose.scale_bits)
    if not purpose.defaults and purpose.scheme != "bfv":
        # The binding drops primes at once in this technique alone.
        parameters.SetScalingTechnique(openfhe.FIXEDMANUAL)
    if not purpose.defaults and not purpose.is_exact:
        parameters.SetFirstModSize(min(60, purpose.scale_bits + CKKS_INTEGER_BITS))
    try:
        return openfhe.GenCryptoContext(parameters)
    except RuntimeError as fault:
        code = "insecure" if purpose.n != 0 else "unsupported"
        raise Refusal(code, f"OpenFHE refused the parameters: {fault}") from fault


def _read(purpose: Purpose, body: Any) -> Context:
    """Reads the primes, and the digits of key switching, from the serialised context."""
    tree = json.loads(openfhe.Serialize(body, openfhe.JSON))
    [moduli] = [found for found in _found(tree, "p") if isinstance(found, list)]
    primes = tuple(next(_found(_found_one(tower, "cm"), "v")) for tower in moduli)
    special = 0
    if _found_one(tree, "ks") == HYBRID:
        digits, auxiliary = _found_one(tree, "dnum"), _found_one(tree, "ab")
        size = math.ceil(len(primes) / digits)
        parts = [primes[start : start + size] for start in range(0, len(primes), size)]
        longest = max(math.prod(part).bit_length() for part in parts)
        special = auxiliary * math.ceil(longest / auxiliary)
    return Context(purpose, body, primes, special)


def _found(tree: Any, name: str) -> Iterator[Any]:
    """Iterates over all fields of a name, wherever they stand."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key == name:
                yield value
            yield from _found(value, name)
    elif isinstance(tree, list):
        for value in tree:
            yield from _found(value, name)


def _found_one(tree: Any, name: str) -> Any:
    return next(_found(tree, name))
