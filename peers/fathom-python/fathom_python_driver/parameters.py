"""The choice of parameters: ready sets of the package, or those of `fathom.plan`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import fathom
from fathom_driver import unsupported
from fathom_driver.fields import Fields
from fathom_driver.security import standard_level

SIGMA = 3.19
"""The standard deviation of the errors that the engine draws."""

PLANNED_LENGTH = 4096
"""The length of the vectors for which `fathom.plan` is asked."""

PLANNED_HIGH = 15
"""The largest integer for which `fathom.plan` is asked; the least one is 0."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """Requirements on parameters."""

    scheme: str
    depth: int
    """Number of consecutive products."""
    security: int
    """Bits of security: 128, 192 or 256."""
    n: int | None
    """Required ring degree, if any."""
    plain_modulus: int
    """Required plaintext modulus of an exact scheme."""
    scale_bits: int
    """Least bits of the scale of CKKS."""
    defaults: bool
    """True for the parameters of `fathom.plan`."""

    @classmethod
    def parse(cls, scheme: str, params: Fields) -> Purpose:
        """Reads `params` of a request."""
        return cls(
            scheme=scheme,
            depth=params.integer("depth"),
            security=standard_level(params.integer("security", 128)),
            n=params.integer("n", None),
            plain_modulus=params.integer("plain_modulus", 65537, least=2),
            scale_bits=params.integer("scale_bits", 40),
            defaults=params.flag("defaults"),
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """Parameters with the length of the vectors of a session."""

    params: fathom.Params
    slots: int
    depth: int
    origin: str

    @classmethod
    def for_purpose(cls, purpose: Purpose) -> Chosen:
        """Returns the parameters for a purpose, or refuses it."""
        candidates = _planned(purpose) if purpose.defaults else _ready(purpose)
        for chosen in candidates:
            fits = purpose.n in (None, chosen.params.degree)
            if fits and chosen.params.security_bits >= purpose.security and chosen.holds_depth():
                return chosen
        raise unsupported(
            f"the package has no parameters of {purpose.scheme} with {purpose.security} bits of "
            f"security for {purpose.depth} products, of degree {purpose.n or 'any'}"
        )

    def input(self) -> fathom.Integers | fathom.Reals:
        """Returns the statement about a vector for which keys are made: noise does not depend on
        the range of integers, which is narrow so that no range refuses a function."""
        if self.params.is_exact:
            return fathom.Integers(self.slots, low=0, high=1)
        return fathom.Reals(self.slots)

    def inputs(self) -> list[fathom.Integers | fathom.Reals]:
        """Returns the statements about the factors of the longest product."""
        return [self.input() for _ in range(max(self.depth, 1) + 1)]

    def holds_depth(self) -> bool:
        """Returns true if a chain of products keeps its noise, in a run without data."""
        try:
            fathom.keygen(self.params, product, *self.inputs())
        except fathom.NoiseError:
            return False
        return True


def product(*factors: Any) -> Any:
    """Multiplies in a chain."""
    result = factors[0]
    for factor in factors[1:]:
        result = result * factor
    return result


def _ready(purpose: Purpose) -> Iterator[Chosen]:
    """Returns the ready sets for the plaintext modulus or the scale: those of the smallest degree
    first, of these those with the fewest levels, and of these those with the least security."""
    names = fathom.Params.presets(purpose.scheme)
    sets = [fathom.Params.preset(purpose.scheme, name) for name in names]
    for params in sorted(sets, key=lambda one: (one.degree, one.top_level, one.security_bits)):
        scale = params.scale_bits
        same = params.plain_modulus == purpose.plain_modulus
        if same if scale is None else scale >= purpose.scale_bits:
            yield Chosen(params, params.slots, purpose.depth, f"the ready set {params.name}")


def _planned(purpose: Purpose) -> Iterator[Chosen]:
    """Returns the choice of `fathom.plan` for products, an inner product and a sum."""

    def function(*factors: Any) -> Any:
        return [product(*factors), factors[0] @ factors[-1], factors[0].sum()]

    if purpose.scheme == "ckks":
        given: fathom.Integers | fathom.Reals = fathom.Reals(PLANNED_LENGTH)
    else:
        given = fathom.Integers(PLANNED_LENGTH, low=0, high=PLANNED_HIGH)
    count = max(purpose.depth, 1) + 1
    try:
        plan: Any = fathom.plan(
            function,
            *[given] * count,
            scheme=purpose.scheme,
            encryption="public",
            security=purpose.security,
        )
    except (fathom.ParamsError, fathom.RangeError) as fault:
        raise unsupported(f"fathom.plan refuses: {fault}") from None
    yield Chosen(
        plan.params,
        min(PLANNED_LENGTH, plan.params.slots),
        purpose.depth,
        f"fathom.plan for {count} inputs {given!r}, their product, an inner product and a sum",
    )


def described(chosen: Chosen, purpose: Purpose) -> dict[str, Any]:
    """Returns `params` of the reply to `prepare`."""
    params = chosen.params
    name = f"{params.scheme}-n{params.degree}-d{purpose.depth}" + "-planned" * purpose.defaults
    if params.is_exact:
        plain: dict[str, Any] = {"plain_modulus": params.plain_modulus}
        name += f"-t{params.plain_modulus}"
    else:
        plain = {"scale_bits": params.scale_bits}
        name += f"-scale{params.scale_bits:g}"
    return plain | {
        "name": name,
        "n": params.degree,
        "log_q": params.log2_modulus_at(params.top_level),
        "log_qp": params.log2_modulus,
        "slots": chosen.slots,
        "levels": params.top_level,
        "secret": "ternary",
        "sigma": SIGMA,
        "depth": purpose.depth,
        "p_fail_log2": params.failure_log2,
        "explanation": f"{chosen.origin}; kernel {params.kernel}; encryption encodes and "
        "decryption decodes",
    }


def kernel() -> str:
    """Returns the instruction set that the package computes with."""
    return fathom.Params.preset("bfv", "e1").kernel
