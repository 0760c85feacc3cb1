"""Sessions of CKKS."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import desilofhe
import numpy
from fathom_driver import (
    Bound,
    Ciphertext,
    Item,
    KeyBytes,
    Operation,
    Plaintext,
    Refusal,
    Session,
    bad_request,
    unsupported,
)
from fathom_driver.session import ciphertexts, plaintext

from .parameters import Choice, ciphertext_bits


class DesiloSession(Session[desilofhe.Ciphertext, desilofhe.Plaintext]):
    """One engine with its keys. The library returns new ciphertexts from every operation."""

    operands = {
        "encrypt_pk": 1,
        "encrypt_sk": 1,
        "decrypt": 1,
        "add": 2,
        "sub": 2,
        "add_plain": 2,
        "mul": 2,
        "mul_switch": 2,
        "mul_plain": 2,
        "mul_no_relin": 2,
        "square": 1,
        "relin": 1,
        "rotate": 1,
        "rotate_sum": 1,
        "dot": None,
        "dot_slots": 2,
        "polynomial": 1,
        "mod_switch": 1,
    }

    def __init__(self, choice: Choice) -> None:
        self.engine = choice.engine
        self.slots: int = self.engine.slot_count
        self.rotation_keys: dict[int, desilofhe.FixedRotationKey] = {}

    # Keys

    def generate_keys(self) -> None:
        self.secret_key = self.engine.create_secret_key()
        self.public_key = self.engine.create_public_key(self.secret_key)
        self.relin_key = self.engine.create_relinearization_key(self.secret_key)
        self.rotation_keys = {}

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        for step in steps:
            if step % self.slots == 0:
                raise bad_request(f"a rotation by {step} steps turns {self.slots} slots in place")
        create = self.engine.create_fixed_rotation_key
        self.rotation_keys = {step: create(self.secret_key, step) for step in steps}

    def key_bytes(self) -> KeyBytes:
        engine = self.engine
        rotations = map(engine.serialize_fixed_rotation_key, self.rotation_keys.values())
        return KeyBytes(
            sk=len(engine.serialize_secret_key(self.secret_key)),
            pk=len(engine.serialize_public_key(self.public_key)),
            relin=len(engine.serialize_relinearization_key(self.relin_key)),
            galois=sum(map(len, rotations)),
        )

    # Values

    def encode(self, values: list[Any], encoding: str, level: int | None) -> desilofhe.Plaintext:
        if encoding != "slots":
            raise unsupported(f"there is no encoding `{encoding}`")
        if len(values) > self.slots:
            raise bad_request(f"`values` must be at most {self.slots}, and are {len(values)}")
        if level is not None and level > self.engine.max_level:
            raise unsupported(f"there is no level {level}; the top is {self.engine.max_level}")
        slots = numpy.zeros(self.slots)
        slots[: len(values)] = values
        return self.engine.encode(slots) if level is None else self.engine.encode(slots, level)

    def decode(self, plaintext: desilofhe.Plaintext, encoding: str) -> list[float]:
        if encoding != "slots":
            raise unsupported(f"there is no encoding `{encoding}`")
        return [float(value) for value in numpy.real(self.engine.decode(plaintext))]

    def encrypt(
        self, plaintext: desilofhe.Plaintext, mode: str, level: int | None
    ) -> desilofhe.Ciphertext:
        return self.engine.encrypt(plaintext, self.encryption_key(mode))

    def encryption_key(self, mode: str) -> Any:
        """Returns the key of a mode of encryption."""
        return self.public_key if mode == "pk" else self.secret_key

    def decrypt(self, ciphertext: desilofhe.Ciphertext) -> desilofhe.Plaintext:
        return self.engine.decrypt_to_plaintext(ciphertext, self.secret_key)

    def ciphertext_bytes(
        self, ciphertext: desilofhe.Ciphertext, fresh_mode: str | None = None
    ) -> dict[str, Any]:
        polynomials = ciphertext.polynomial_count
        bits = polynomials * 2 * self.slots * ciphertext_bits(ciphertext.level)
        packed = len(self.engine.serialize_ciphertext(ciphertext))
        return {"packed": packed, "seeded": None, "theory": round(bits / 8)}

    def level(self, ciphertext: desilofhe.Ciphertext) -> int:
        return ciphertext.level

    # Operations

    def bind(
        self, operation: Operation, items: list[Item[desilofhe.Ciphertext, desilofhe.Plaintext]]
    ) -> Bound[desilofhe.Ciphertext, desilofhe.Plaintext]:
        engine, name = self.engine, operation.name
        if name in ("encrypt_pk", "encrypt_sk"):
            key = self.encryption_key(name.removeprefix("encrypt_"))
            return Bound(partial(engine.encrypt, plaintext(items[0]), key), Ciphertext)
        if name == "decrypt":
            [source] = ciphertexts(items)
            call = partial(engine.decrypt_to_plaintext, source, self.secret_key)
            return Bound(call, Plaintext)
        if name in ("add_plain", "mul_plain"):
            operands, plain = ciphertexts(items[:1]), plaintext(items[1])
            self.check(name, operands)
            apply = engine.add if name == "add_plain" else engine.multiply
            return Bound(partial(apply, operands[0], plain), Ciphertext)
        operands = ciphertexts(items)
        self.check(name, operands)
        return Bound(self.call(operation, operands), Ciphertext)

    def check(self, name: str, operands: list[desilofhe.Ciphertext]) -> None:
        """Refuses products that are not relinearised, and products at the last level."""
        counts = {operand.polynomial_count for operand in operands}
        if name == "relin":
            if counts != {3}:
                raise bad_request("`relin` wants a product that is not relinearised")
        elif name not in ("add", "sub", "add_plain") and counts != {2}:
            raise bad_request(f"`{name}` wants operands that are relinearised")
        consumes = name.startswith(("mul", "square", "dot"))
        if consumes and min(operand.level for operand in operands) == 0:
            raise Refusal("noise_exhausted", "no level is left for a product")

    def call(
        self, operation: Operation, operands: list[desilofhe.Ciphertext]
    ) -> Callable[[], desilofhe.Ciphertext]:
        """Returns the library's calls for an operation on ciphertexts."""
        engine, first, last = self.engine, operands[0], operands[-1]
        match operation.name:
            case "add":
                return partial(engine.add, first, last)
            case "sub":
                return partial(engine.subtract, first, last)
            case "mul" | "mul_switch":
                return partial(engine.multiply, first, last, self.relin_key)
            case "mul_no_relin":
                return partial(engine.multiply, first, last)
            case "square":
                return partial(engine.square, first, self.relin_key)
            case "relin":
                return partial(engine.relinearize, first, self.relin_key)
            case "rotate":
                return partial(engine.rotate, first, self.rotation_key(operation.steps))
            case "rotate_sum":
                return self.sum_of_slots(lambda: first)
            case "dot_slots":
                return self.sum_of_slots(partial(engine.multiply, first, last, self.relin_key))
            case "dot":
                return self.dot(operands)
            case "polynomial":
                coefficients = operation.coefficients
                return partial(engine.evaluate_polynomial, first, coefficients, self.relin_key)
            case "mod_switch":
                if first.level == 0:
                    raise unsupported("there is no level left to drop")
                return partial(engine.level_down, first, first.level - 1)
        raise unsupported(f"the driver has no operation `{operation.name}`")

    def rotation_key(self, steps: int) -> desilofhe.FixedRotationKey:
        """Returns the key of a rotation."""
        if steps not in self.rotation_keys:
            raise bad_request("there is no key for this rotation; name its steps in `keygen`")
        return self.rotation_keys[steps]

    def sum_of_slots(
        self, source: Callable[[], desilofhe.Ciphertext]
    ) -> Callable[[], desilofhe.Ciphertext]:
        """Sums all slots into every slot, by rotations by powers of two."""
        powers = range((self.slots - 1).bit_length())
        keys = [self.rotation_key(1 << power) for power in powers]
        add, rotate = self.engine.add, self.engine.rotate

        def program() -> desilofhe.Ciphertext:
            total = source()
            for key in keys:
                total = add(total, rotate(total, key))
            return total

        return program

    def dot(self, operands: list[desilofhe.Ciphertext]) -> Callable[[], desilofhe.Ciphertext]:
        """Sums products and relinearises once."""
        half = len(operands) // 2
        pairs = list(zip(operands[:half], operands[half:], strict=True))
        (x, y), others = pairs[0], pairs[1:]
        add, multiply, relinearise = self.engine.add, self.engine.multiply, self.engine.relinearize
        key = self.relin_key

        def program() -> desilofhe.Ciphertext:
            total = multiply(x, y)
            for a, b in others:
                total = add(total, multiply(a, b))
            return relinearise(total, key)

        return program
