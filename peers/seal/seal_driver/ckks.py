"""Sessions of CKKS."""

from __future__ import annotations

from functools import partial
from typing import Any

import tenseal.sealapi as sealapi
from fathom_driver import Refusal, bad_request, unsupported
from fathom_driver.fields import Fields

from . import parameters
from .parameters import Chain, Purpose
from .session import Encrypted, SealSession, Steps


class CkksSession(SealSession):
    """A context of CKKS. Products are rescaled, so that they have approximately the scale of their
    operands; SEAL tracks the scale exactly."""

    def __init__(self, context: sealapi.SEALContext, chain: Chain, scale_bits: int) -> None:
        super().__init__(context, chain)
        self.scale = 2.0**scale_bits
        self.encoder = sealapi.CKKSEncoder(context)

    @property
    def has_two_rows(self) -> bool:
        return False

    def encode(self, values: list[Any], encoding: str, level: int | None) -> sealapi.Plaintext:
        slots = self.chain.n // 2
        if encoding != "slots":
            raise unsupported(f"CKKS of SEAL has no encoding `{encoding}`")
        if len(values) > slots:
            raise bad_request(f"`values` must be at most {slots}, and are {len(values)}")
        top = len(self.parms_ids) - 1
        target = self.parms_id(top if level is None else level)
        plain = sealapi.Plaintext()
        self.encoder.encode([float(value) for value in values], target, self.scale, plain)
        return plain

    def decode(self, plaintext: sealapi.Plaintext, encoding: str) -> list[float]:
        if encoding != "slots":
            raise unsupported(f"CKKS of SEAL has no encoding `{encoding}`")
        return list(self.encoder.decode_double(plaintext))

    def encrypt(self, plaintext: sealapi.Plaintext, mode: str, level: int | None) -> Encrypted:
        out = self.blank()
        self.encrypting(mode)(plaintext, out)
        return Encrypted(out)

    def rescaling(self, operand: Any, out: Any) -> Steps:
        if self.level(Encrypted(operand)) == 0:
            raise Refusal("noise_exhausted", "no prime is left to rescale a product by")
        return [partial(self.evaluator.rescale_to_next_inplace, out)]

    def switching(self, operands: list[Encrypted], out: Any) -> Steps:
        return []  # rescaling went to the next level already

    # Polynomials. The result must have a given level and scale, and both are met exactly: constants
    # are encoded at the scale for which their products have the required scale.

    def polynomial(self, x: Any, coefficients: list[float]) -> tuple[Steps, Any]:
        while coefficients[-1] == 0:
            coefficients = coefficients[:-1]
        level = self.level(Encrypted(x)) - (len(coefficients) - 1).bit_length()
        if level < 0:
            raise Refusal("noise_exhausted", "too few primes are left for the polynomial")
        steps: Steps = []
        powers = {1: (x, x.scale)}
        return steps, self._polynomial(coefficients, powers, (level, self.scale), steps)

    def _polynomial(
        self,
        coefficients: list[float],
        powers: dict[int, Any],
        goal: tuple[int, float],
        steps: Steps,
    ) -> Any:
        """Returns p = high(x) x^(2^k) + low(x) at the level and scale of `goal`."""
        split = 1 << ((len(coefficients) - 1).bit_length() - 1)
        level, scale = goal
        power, power_scale = self._power(split, powers, level + 1, steps)
        factor_scale = scale * self._prime(level + 1) / power_scale
        high, low = coefficients[split:], coefficients[:split]
        out = self.blank()
        if any(high[1:]):
            value = self._polynomial(high, powers, (level + 1, factor_scale), steps)
            steps += self.product(value, power, out)
        else:
            constant = self._constant(high[0], level + 1, factor_scale)
            steps.append(partial(self.evaluator.multiply_plain, power, constant, out))
            steps.append(partial(self.evaluator.rescale_to_next_inplace, out))
        if any(low[1:]):
            value = self._polynomial(low, powers, goal, steps)
            steps.append(partial(self.evaluator.add_inplace, out, value))
        elif low[0] != 0:
            constant = self._constant(low[0], level, scale)
            steps.append(partial(self.evaluator.add_plain_inplace, out, constant))
        return out

    def _power(
        self, exponent: int, powers: dict[int, Any], level: int, steps: Steps
    ) -> tuple[Any, float]:
        """Returns x^exponent at `level`, and its scale."""
        power, scale = self._own_power(exponent, powers, steps)
        own_level = self._own_level(exponent, powers)
        if own_level == level:
            return power, scale
        lowered = self.blank()
        target = self.parms_id(level)
        steps.append(partial(self.evaluator.mod_switch_to, power, target, lowered))
        return lowered, scale

    def _own_power(self, exponent: int, powers: dict[int, Any], steps: Steps) -> tuple[Any, float]:
        """Returns x^exponent at the highest possible level."""
        if exponent not in powers:
            root, scale = self._own_power(exponent // 2, powers, steps)
            level = self._own_level(exponent // 2, powers)
            out = self.blank()
            steps.append(partial(self.evaluator.square, root, out))
            steps.append(partial(self.evaluator.relinearize_inplace, out, self.relin_keys))
            steps.append(partial(self.evaluator.rescale_to_next_inplace, out))
            powers[exponent] = (out, scale * scale / self._prime(level))
        return powers[exponent]

    def _own_level(self, exponent: int, powers: dict[int, Any]) -> int:
        x, _ = powers[1]
        return self.level(Encrypted(x)) - (exponent.bit_length() - 1)

    def _prime(self, level: int) -> int:
        """Returns the prime by which rescaling at `level` divides."""
        return self.chain.primes[level].value()

    def _constant(self, value: float, level: int, scale: float) -> sealapi.Plaintext:
        plain = sealapi.Plaintext()
        self.encoder.encode(float(value), self.parms_id(level), scale, plain)
        return plain


def open_ckks(params: Fields) -> tuple[CkksSession, dict[str, Any]]:
    """Returns the smallest ring that allows a prime of the scale's length for every product."""
    purpose = Purpose.parse(params)
    scale_bits = params.integer("scale_bits", 40)
    if not 20 <= scale_bits <= 50:
        raise unsupported("`scale_bits` must be between 20 and 50: SEAL's primes have at most 60")
    chain = parameters.ckks_chain(purpose, scale_bits)
    made = parameters.context(sealapi.SCHEME_TYPE.CKKS, chain, purpose)
    session = CkksSession(made, chain, scale_bits)
    bits = [prime.bit_count() for prime in chain.primes]
    return session, {
        "name": f"ckks-n{chain.n}-d{purpose.depth}-scale{scale_bits}-s{purpose.level}",
        "n": chain.n,
        "log_q": chain.log_q(),
        "log_qp": chain.log_qp(),
        "scale_bits": scale_bits,
        "slots": chain.n // 2,
        "levels": chain.levels,
        "secret": "ternary",
        "sigma": parameters.SIGMA,
        "depth": purpose.depth,
        "explanation": f"layout of SEAL's CKKS examples: primes of {bits} bits, the last special",
    }
