"""The parts that sessions of BFV and of CKKS share."""

from __future__ import annotations

import os
import tempfile
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import tenseal.sealapi as sealapi
from fathom_driver import (
    Bound,
    Ciphertext,
    Item,
    KeyBytes,
    Operation,
    Plaintext,
    Session,
    bad_request,
    unsupported,
)
from fathom_driver.session import ciphertexts, plaintext
from fathom_driver.stopwatch import in_order

from .parameters import Chain

Steps: TypeAlias = list[Callable[[], Any]]
"""Calls of the library with their operands, run in sequence."""


@dataclass(slots=True)
class Encrypted:
    """A ciphertext of SEAL and the number of consecutive products that led to it."""

    body: sealapi.Ciphertext
    products: int = 0


class SealSession(Session[Encrypted, sealapi.Plaintext]):
    """A context of SEAL with its keys.

    Each operation is bound to a list of SEAL's own calls on operands and destinations that lie
    ready, so that running it costs the interpreter little beside the library.
    """

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

    def __init__(self, context: sealapi.SEALContext, chain: Chain) -> None:
        self.context = context
        self.chain = chain
        self.evaluator = sealapi.Evaluator(context)
        self.parms_ids = _parms_ids(context)
        self.galois = sealapi.GaloisKeys()
        self.galois_elements: list[int] = []

    # Keys

    def generate_keys(self) -> None:
        self.generator = sealapi.KeyGenerator(self.context)
        self.secret_key = self.generator.secret_key()
        self.public_key = sealapi.PublicKey()
        self.generator.create_public_key(self.public_key)
        self.relin_keys = sealapi.RelinKeys()
        self.generator.create_relin_keys(self.relin_keys)
        self.galois, self.galois_elements = sealapi.GaloisKeys(), []
        self.encryptor = sealapi.Encryptor(self.context, self.public_key, self.secret_key)
        self.decryptor = sealapi.Decryptor(self.context, self.secret_key)

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        elements = {self.galois_element(step) for step in steps}
        if row_swap and self.has_two_rows:
            elements.add(self.row_swap_element)
        self.galois = sealapi.GaloisKeys()
        self.galois_elements = sorted(elements)
        self.generator.create_galois_keys(self.galois_elements, self.galois)

    def key_bytes(self) -> KeyBytes:
        """Returns the sizes of the keys as SEAL sends them: compressed, with a seed in place of the
        uniform half, except for the public key, whose seeded form the binding does not offer."""
        galois = 0
        if self.galois_elements:
            galois = saved_bytes(self.generator.create_galois_keys(self.galois_elements))
        return KeyBytes(
            sk=saved_bytes(self.secret_key),
            pk=saved_bytes(self.public_key),
            relin=saved_bytes(self.generator.create_relin_keys()),
            galois=galois,
        )

    # Slots

    @property
    @abstractmethod
    def has_two_rows(self) -> bool:
        """Returns true if the slots form two rows that can be swapped."""

    @property
    def row_swap_element(self) -> int:
        """Returns the Galois element that swaps the rows."""
        return 2 * self.chain.n - 1

    def galois_element(self, steps: int) -> int:
        """Returns the Galois element that rotates rows by `steps` to the left."""
        row = self.chain.n // 2
        if steps % row == 0:
            raise bad_request(f"a rotation by {steps} steps turns a row of {row} onto itself")
        return pow(3, steps % row, 2 * self.chain.n)

    def rotation(self, source: Any, steps: int, destination: Any) -> Callable[[], Any]:
        """Returns the call that rotates the rows by `steps` to the left."""
        element = self.key_for(self.galois_element(steps))
        rotate = self.evaluator.apply_galois
        return partial(rotate, source, element, self.galois, destination)

    def key_for(self, element: int) -> int:
        """Returns `element` if there is a key for it; otherwise refuses."""
        if element not in self.galois_elements:
            raise bad_request("there is no key for this rotation; name its steps in `keygen`")
        return element

    # Levels and sizes

    def level(self, ciphertext: Encrypted) -> int:
        return self.parms_ids.index(ciphertext.body.parms_id())

    def parms_id(self, level: int) -> list[int]:
        """Returns SEAL's name of a level."""
        if level >= len(self.parms_ids):
            raise unsupported(f"there is no level {level}; the top is {len(self.parms_ids) - 1}")
        return self.parms_ids[level]

    def ciphertext_bytes(
        self, ciphertext: Encrypted, fresh_mode: str | None = None
    ) -> dict[str, Any]:
        level = self.level(ciphertext)
        seeded = None
        if fresh_mode == "sk":
            seeded = saved_bytes(self.encryptor.encrypt_zero_symmetric(self.parms_ids[level]))
        bits = ciphertext.body.size() * self.chain.n * self.chain.log_q(level)
        packed = saved_bytes(ciphertext.body)
        return {"packed": packed, "seeded": seeded, "theory": round(bits / 8)}

    # Encryption

    def decrypt(self, ciphertext: Encrypted) -> sealapi.Plaintext:
        plain = sealapi.Plaintext()
        self.decryptor.decrypt(ciphertext.body, plain)
        return plain

    def encrypting(self, mode: str) -> Callable[[sealapi.Plaintext, sealapi.Ciphertext], None]:
        """Returns the call that encrypts under the key `mode`."""
        return self.encryptor.encrypt if mode == "pk" else self.encryptor.encrypt_symmetric

    def blank(self) -> sealapi.Ciphertext:
        """Returns a new destination."""
        return sealapi.Ciphertext(self.context)

    # Operations

    def bind(
        self, operation: Operation, items: list[Item[Encrypted, sealapi.Plaintext]]
    ) -> Bound[Encrypted, sealapi.Plaintext]:
        name = operation.name
        if name == "decrypt":
            [source] = ciphertexts(items)
            plain = sealapi.Plaintext()
            call = partial(self.decryptor.decrypt, source.body, plain)
            return Bound(call, lambda _: Plaintext(plain))
        if name in ("encrypt_pk", "encrypt_sk"):
            out = self.blank()
            call = partial(self.encrypting(name.removeprefix("encrypt_")), plaintext(items[0]), out)
            return Bound(call, lambda _: Ciphertext(Encrypted(out)))
        if name in ("add_plain", "mul_plain"):
            operands, plain = ciphertexts(items[:1]), plaintext(items[1])
        else:
            operands, plain = ciphertexts(items), None
        self.check(operation, operands)
        products = max(operand.products for operand in operands)
        steps, out, more = self.program(operation, operands, plain)
        result = Encrypted(out, products + more)
        return Bound(in_order(steps), lambda _: Ciphertext(result))

    def check(self, operation: Operation, operands: Sequence[Encrypted]) -> None:
        """Refuses operands at different levels, and products that are not relinearised."""
        levels = {self.level(operand) for operand in operands}
        if len(levels) > 1:
            raise bad_request(f"operands are at levels {sorted(levels)}; bring them to one")
        sizes = {operand.body.size() for operand in operands}
        if operation.name == "relin":
            if sizes != {3}:
                raise bad_request("`relin` wants a product that is not relinearised")
        elif operation.name not in ("add", "sub", "add_plain", "mod_switch") and sizes != {2}:
            raise bad_request(f"`{operation.name}` wants operands that are relinearised")

    def program(
        self, operation: Operation, operands: list[Encrypted], plain: sealapi.Plaintext | None
    ) -> tuple[Steps, sealapi.Ciphertext, int]:
        """Returns the calls of an operation, their destination, and the number of products."""
        evaluator, out = self.evaluator, self.blank()
        bodies: list[Any] = [operand.body for operand in operands]
        first, last = bodies[0], bodies[-1]
        match operation.name:
            case "add":
                return [partial(evaluator.add, first, last, out)], out, 0
            case "sub":
                return [partial(evaluator.sub, first, last, out)], out, 0
            case "add_plain":
                return [partial(evaluator.add_plain, first, plain, out)], out, 0
            case "mul_plain":
                times = partial(evaluator.multiply_plain, first, plain, out)
                return [times, *self.rescaling(first, out)], out, 0
            case "mul_no_relin":
                return [partial(evaluator.multiply, first, last, out)], out, 1
            case "relin":
                return [partial(evaluator.relinearize, first, self.relin_keys, out)], out, 0
            case "mul":
                return self.product(first, last, out), out, 1
            case "mul_switch":
                return self.product(first, last, out) + self.switching(operands, out), out, 1
            case "square":
                return self.squaring(first, out), out, 1
            case "mod_switch":
                self.require_level(first, "to drop")
                return [partial(evaluator.mod_switch_to_next, first, out)], out, 0
            case "rotate":
                return [self.rotation(first, operation.steps, out)], out, 0
            case "rotate_sum":
                return self.sum_of_slots(first, out), out, 0
            case "dot_slots":
                product = self.blank()
                return self.product(first, last, product) + self.sum_of_slots(product, out), out, 1
            case "dot":
                return self.dot(bodies, out), out, 1
            case "polynomial":
                steps, value = self.polynomial(first, operation.coefficients)
                return steps, value, (len(operation.coefficients) - 1).bit_length()
        raise unsupported(f"the driver has no operation `{operation.name}`")

    def product(self, a: Any, b: Any, out: Any) -> Steps:
        """Returns the calls of the relinearised product, rescaled if the scheme rescales."""
        return [partial(self.evaluator.multiply, a, b, out), *self.relinearising(a, out)]

    def squaring(self, a: Any, out: Any) -> Steps:
        """Returns the calls of the relinearised square, rescaled if the scheme rescales."""
        return [partial(self.evaluator.square, a, out), *self.relinearising(a, out)]

    def relinearising(self, operand: Any, out: Any) -> Steps:
        """Returns the calls that prepare a product in `out` for the next product."""
        relinearise = partial(self.evaluator.relinearize_inplace, out, self.relin_keys)
        return [relinearise, *self.rescaling(operand, out)]

    def dot(self, bodies: list[Any], out: Any) -> Steps:
        """Sums products and relinearises once."""
        half = len(bodies) // 2
        term = self.blank()
        steps: Steps = [partial(self.evaluator.multiply, bodies[0], bodies[half], out)]
        for a, b in zip(bodies[1:half], bodies[half + 1 :], strict=True):
            steps.append(partial(self.evaluator.multiply, a, b, term))
            steps.append(partial(self.evaluator.add_inplace, out, term))
        return steps + self.relinearising(bodies[0], out)

    def sum_of_slots(self, source: Any, out: Any) -> Steps:
        """Sums all slots into every slot: rotations by powers of two, then the row swap."""
        turned = self.blank()
        steps: Steps = []
        step = 1
        while step < self.chain.n // 2:
            steps.append(self.rotation(source, step, turned))
            steps.append(partial(self.evaluator.add, source, turned, out))
            source, step = out, 2 * step
        if self.has_two_rows:
            element = self.key_for(self.row_swap_element)
            swap = self.evaluator.apply_galois
            steps.append(partial(swap, source, element, self.galois, turned))
            steps.append(partial(self.evaluator.add_inplace, out, turned))
        return steps

    def require_level(self, body: Any, purpose: str) -> None:
        """Refuses a ciphertext at the last level."""
        if self.level(Encrypted(body)) == 0:
            raise unsupported(f"there is no prime left {purpose}")

    @abstractmethod
    def rescaling(self, operand: Any, out: Any) -> Steps:
        """Returns the calls that rescale a product of `operand` in `out`, if any."""

    @abstractmethod
    def switching(self, operands: list[Encrypted], out: Any) -> Steps:
        """Returns the calls of `mul_switch` after those of `mul`."""

    @abstractmethod
    def polynomial(self, x: Any, coefficients: list[float]) -> tuple[Steps, Any]:
        """Returns the calls that evaluate a polynomial, and the destination of its value."""


def saved_bytes(value: Any) -> int:
    """Returns the length of SEAL's serialisation, which the binding writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saved")
        value.save(path)
        return os.path.getsize(path)


def _parms_ids(context: sealapi.SEALContext) -> list[list[int]]:
    """Returns SEAL's names of the levels, from the last to the first."""
    names: list[list[int]] = []
    data = context.first_context_data()
    while data is not None:
        names.insert(0, data.parms_id())
        data = data.next_context_data()
    return names
