"""Sessions of BFV, and the search for the smallest ring that supports a depth."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise
from typing import Any

import tenseal.sealapi as sealapi
from fathom_driver import Noise, bad_request, unsupported
from fathom_driver.fields import Fields

from . import parameters
from .parameters import Chain, Purpose
from .session import Encrypted, SealSession, Steps

MARGIN_BITS = 2
"""Noise budget that must remain after the promised depth; the budget varies by less."""


class BfvSession(SealSession):
    """A context of BFV."""

    def __init__(self, context: sealapi.SEALContext, chain: Chain, plain_modulus: int) -> None:
        super().__init__(context, chain)
        self.plain_modulus = plain_modulus
        self.encoder = sealapi.BatchEncoder(context)
        self.switch_after: list[bool] = []
        """True if a prime can be dropped after the k-th product of the promised chain."""

    @property
    def has_two_rows(self) -> bool:
        return True

    def encode(self, values: list[Any], encoding: str, level: int | None) -> sealapi.Plaintext:
        n = self.chain.n
        if len(values) > n or not all(type(value) is int for value in values):
            raise bad_request(f"`values` must be at most {n} integers, and are {len(values)}")
        reduced = [value % self.plain_modulus for value in values]
        if encoding == "slots":
            plain = sealapi.Plaintext()
            self.encoder.encode(reduced + [0] * (n - len(reduced)), plain)
            return plain
        if encoding == "coefficients":
            return sealapi.Plaintext(_as_text(reduced))
        raise unsupported(f"there is no encoding `{encoding}`")

    def decode(self, plaintext: sealapi.Plaintext, encoding: str) -> list[int]:
        if encoding == "slots":
            return list(self.encoder.decode_uint64(plaintext))
        if encoding == "coefficients":
            count = plaintext.coeff_count()
            return [plaintext.data(i) if i < count else 0 for i in range(self.chain.n)]
        raise unsupported(f"there is no encoding `{encoding}`")

    def encrypt(self, plaintext: sealapi.Plaintext, mode: str, level: int | None) -> Encrypted:
        out = self.blank()
        target = None if level is None else self.parms_id(level)
        self.encrypting(mode)(plaintext, out)
        if target is not None:
            self.evaluator.mod_switch_to_inplace(out, target)
        return Encrypted(out)

    def noise(self, ciphertext: Encrypted) -> Noise:
        return Noise(float(self.decryptor.invariant_noise_budget(ciphertext.body)))

    def rescaling(self, operand: Any, out: Any) -> Steps:
        return []

    def switching(self, operands: list[Encrypted], out: Any) -> Steps:
        """Drops a prime if the rest of the promised chain does not need it."""
        done = max(operand.products for operand in operands)
        planned = done < len(self.switch_after) and self.switch_after[done]
        if not planned or self.level(operands[0]) == 0:
            return []
        return [partial(self.evaluator.mod_switch_to_next_inplace, out)]

    def polynomial(self, x: Any, coefficients: list[float]) -> tuple[Steps, Any]:
        steps: Steps = []
        if not all(type(c) is int for c in coefficients):
            raise bad_request("`coefficients` of a polynomial over integers must be integers")
        reduced = [int(c) % self.plain_modulus for c in coefficients]
        value = self._polynomial(reduced, {1: x}, steps)
        if isinstance(value, int):
            raise bad_request("the polynomial is constant modulo the plaintext modulus")
        return steps, value

    def _polynomial(self, coefficients: list[int], powers: dict[int, Any], steps: Steps) -> Any:
        """Returns the value of a polynomial, recursively by p = high(x) x^(2^k) + low(x); an
        integer if it is constant. `powers` holds the x^(2^j) computed so far."""
        while len(coefficients) > 1 and coefficients[-1] == 0:
            coefficients = coefficients[:-1]
        if len(coefficients) == 1:
            return coefficients[0]
        split = 1 << ((len(coefficients) - 1).bit_length() - 1)
        power = self._power(split, powers, steps)
        high = self._polynomial(coefficients[split:], powers, steps)
        low = self._polynomial(coefficients[:split], powers, steps)
        out = self.blank()
        if isinstance(high, int):
            plain = _constant(high)
            steps.append(partial(self.evaluator.multiply_plain, power, plain, out))
        else:
            steps += self.product(high, power, out)
        if not isinstance(low, int):
            steps.append(partial(self.evaluator.add_inplace, out, low))
        elif low != 0:
            steps.append(partial(self.evaluator.add_plain_inplace, out, _constant(low)))
        return out

    def _power(self, exponent: int, powers: dict[int, Any], steps: Steps) -> Any:
        if exponent not in powers:
            root = self._power(exponent // 2, powers, steps)
            powers[exponent] = self.blank()
            steps += self.squaring(root, powers[exponent])
        return powers[exponent]

    # The depth that the parameters hold

    def measure_depth(self, depth: int) -> bool:
        """Returns true if a chain of `depth` products of fresh ciphertexts decrypts, by SEAL's
        noise budget; also plans after which products a prime can be dropped."""
        self.generate_keys()
        budgets = self._chain_budgets([False] * depth)
        if len(budgets) <= depth or budgets[-1] < MARGIN_BITS:
            return False
        plan = self._plan_switching(budgets)
        holds = self._chain_budgets(plan)[-1] >= MARGIN_BITS
        self.switch_after = plan if holds else [False] * depth
        return True

    def _plan_switching(self, budgets: list[float]) -> list[bool]:
        """Drops a prime if the noise floor of the next level is below the required noise."""
        depth = len(budgets) - 1
        cost = max((a - b for a, b in pairwise(budgets)), default=0)
        ceilings = [self._fresh(level)[1] for level in range(len(self.parms_ids))]
        plan, level = [], len(self.parms_ids) - 1
        budget = budgets[0]
        for product in range(1, depth + 1):
            budget -= cost
            needed = (depth - product) * cost + MARGIN_BITS
            drop = level > 0 and min(budget, ceilings[level - 1] - 1) >= needed
            if drop:
                level -= 1
                budget = min(budget, ceilings[level] - 1)
            plan.append(drop)
        return plan

    def _chain_budgets(self, plan: list[bool]) -> list[float]:
        """Returns the noise budgets of a fresh ciphertext and after each product of a chain with
        fresh factors; stops when none is left."""
        level = len(self.parms_ids) - 1
        value, budget = self._fresh(level)
        budgets = [budget]
        for drop in plan:
            factor, _ = self._fresh(level)
            for step in self.product(value, factor, out := self.blank()):
                step()
            if drop:
                self.evaluator.mod_switch_to_next_inplace(out)
                level -= 1
            value = out
            budgets.append(self.decryptor.invariant_noise_budget(value))
            if budgets[-1] == 0:
                break
        return budgets

    def _fresh(self, level: int) -> tuple[Any, float]:
        """Returns a ciphertext of random slots at `level`, and its noise budget."""
        values = [random.randrange(self.plain_modulus) for _ in range(self.chain.n)]
        fresh = self.encrypt(self.encode(values, "slots", None), "pk", level)
        return fresh.body, self.decryptor.invariant_noise_budget(fresh.body)


def open_bfv(params: Fields) -> tuple[BfvSession, dict[str, Any]]:
    """Returns the smallest ring whose chain of `BFVDefault` supports the requested depth."""
    purpose = Purpose.parse(params)
    plain_modulus = params.integer("plain_modulus", 65537, least=2)
    for chain in parameters.bfv_chains(purpose):
        if not _has_slots(plain_modulus, chain.n):
            continue
        made = parameters.context(sealapi.SCHEME_TYPE.BFV, chain, purpose, plain_modulus)
        session = BfvSession(made, chain, plain_modulus)
        if session.measure_depth(purpose.depth):
            return session, _describe(session, purpose)
    raise unsupported(
        f"no parameters of SEAL with {purpose.level} bits of security and degree "
        f"{purpose.n or 'up to 32768'} hold {purpose.depth} products of full slots modulo "
        f"{plain_modulus}"
    )


def _describe(session: BfvSession, purpose: Purpose) -> dict[str, Any]:
    chain = session.chain
    bits = [prime.bit_count() for prime in chain.primes]
    advice = "as it is" if purpose.defaults else "special prime held to the security limit"
    return {
        "name": f"bfv-n{chain.n}-d{purpose.depth}-t{session.plain_modulus}-s{purpose.level}",
        "n": chain.n,
        "log_q": chain.log_q(),
        "log_qp": chain.log_qp(),
        "plain_modulus": session.plain_modulus,
        "slots": chain.n,
        "levels": chain.levels,
        "secret": "ternary",
        "sigma": parameters.SIGMA,
        "depth": purpose.depth,
        "explanation": f"CoeffModulus::BFVDefault, {advice}: primes of {bits} bits, the last one "
        f"special; depth measured by invariant_noise_budget",
    }


def _has_slots(plain_modulus: int, n: int) -> bool:
    """Returns true if SEAL can batch, that is for a prime that is 1 modulo 2n."""
    return plain_modulus % (2 * n) == 1 and sealapi.Modulus(plain_modulus).is_prime()


def _constant(value: int) -> sealapi.Plaintext:
    return sealapi.Plaintext(f"{value:X}")


def _as_text(coefficients: list[int]) -> str:
    """Formats a polynomial for SEAL: hexadecimal, the highest power first."""
    terms = [f"{c:X}x^{i}" for i, c in enumerate(coefficients) if c != 0 and i > 0]
    constant = f"{coefficients[0] if coefficients else 0:X}"
    return " + ".join([*reversed(terms), constant])
