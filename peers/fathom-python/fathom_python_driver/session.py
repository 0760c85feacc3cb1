"""Sessions of encrypted vectors."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial
from operator import add, matmul, mul, neg, sub
from typing import Any

import fathom
from fathom_driver import (
    Bound,
    Ciphertext,
    Item,
    KeyBytes,
    Noise,
    Operation,
    Plaintext,
    Refusal,
    Session,
    bad_request,
    unsupported,
)
from fathom_driver.session import ciphertexts, plaintext

from .parameters import Chosen, product

OPERANDS: dict[str, int | None] = {
    "encrypt_pk": 1,
    "encrypt_sk": 1,
    "decrypt": 1,
    "add": 2,
    "sub": 2,
    "neg": 1,
    "add_plain": 2,
    "mul": 2,
    "mul_switch": 2,
    "mul_plain": 2,
    "square": 1,
    "mod_switch": 1,
    "rotate_sum": 1,
    "dot_slots": 2,
}
"""The operations of a session with their numbers of operands."""

_OF_VECTORS: dict[str, Callable[..., Any]] = {
    "add": add,
    "sub": sub,
    "neg": neg,
    "mul": mul,
    "mul_switch": mul,
    "square": fathom.Vector.square,
    "rotate_sum": fathom.Vector.sum,
    "dot_slots": matmul,
}
"""The operations on encrypted vectors alone. Products are relinearised and go to the next level."""

_WITH_CLEAR: dict[str, Callable[..., Any]] = {"add_plain": add, "mul_plain": mul}


class VectorSession(Session[fathom.Vector, Any]):
    """Parameters with a key. A plaintext is an array of clear values, which the timed call encodes.

    Integers are encrypted with `modular=True`: the testbed computes modulo the plaintext modulus on
    purpose, so that no range is tracked.
    """

    operands = OPERANDS
    faults = (fathom.FathomError,)

    def __init__(self, chosen: Chosen) -> None:
        self.chosen = chosen
        self.params = chosen.params
        self.options: dict[str, Any] = {"modular": True} if self.params.is_exact else {}

    def refusal(self, fault: Exception) -> Refusal:
        if isinstance(fault, fathom.NoiseError):
            return Refusal("noise_exhausted", str(fault))
        if isinstance(fault, (fathom.KindError, fathom.ShapeError, fathom.MissingKeyError)):
            return bad_request(str(fault))
        return super().refusal(fault)

    # Keys

    def generate_keys(self) -> None:
        """Makes a secret key, a public key, and a server with the key for products."""
        self.key = fathom.SecretKey.generate(self.params)
        self.public_key = self.key.public_key()
        self.products = self.server = self.key.make_server(sums="none")

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        """Makes a server for products, sums, and an inner product if the noise allows one: the
        package makes the keys of a function, which it finds by a run without data."""
        inputs = self.chosen.inputs()
        try:
            self.server = self.key.make_server(_everything, *inputs)
        except fathom.NoiseError:
            self.server = self.key.make_server(_without_inner_product, *inputs)

    def key_bytes(self) -> KeyBytes:
        relin = len(self.products.to_bytes())
        return KeyBytes(
            sk=len(self.key.to_secret_bytes()),
            pk=len(self.public_key.to_bytes()),
            relin=relin,
            galois=max(len(self.server.to_bytes()) - relin, 0),
        )

    # Encryption

    def encode(self, values: list[Any], encoding: str, level: int | None) -> Any:
        if encoding != "slots":
            raise unsupported(f"the package has no encoding `{encoding}`")
        if level is not None and level > self.params.top_level:
            raise unsupported(f"there is no level {level}; the top is {self.params.top_level}")
        count = self.chosen.slots
        if len(values) > count:
            raise bad_request(f"`values` must be at most {count}, and are {len(values)}")
        padded = values + [0] * (count - len(values))
        t = self.params.plain_modulus
        if t is None:
            return array("d", padded)
        if not all(type(value) is int for value in values):
            raise bad_request("`values` must be integers")
        return array("q", [(value + t // 2) % t - t // 2 for value in padded])

    def decode(self, plaintext: Any, encoding: str) -> list[Any]:
        if encoding != "slots":
            raise unsupported(f"the package has no encoding `{encoding}`")
        return list(plaintext)

    def encrypt(self, plaintext: Any, mode: str, level: int | None) -> fathom.Vector:
        vector = self.served(self.encrypting(mode)(plaintext))
        return vector if level is None else vector.at_level(level)

    def encrypting(self, mode: str) -> Callable[[Any], fathom.Vector]:
        """Returns the call that encrypts with the key `mode`."""
        key = self.public_key if mode == "pk" else self.key
        return partial(key.encrypt, **self.options)

    def served(self, vector: fathom.Vector) -> fathom.Vector:
        """Sends a fresh vector to the server, where its operators find the evaluation keys."""
        return self.server.load(vector.to_bytes())

    def decrypt(self, ciphertext: fathom.Vector) -> list[Any]:
        """Decrypts all slots. A sum is one number in every slot: a vector of zeros gives it the
        length of all."""
        if ciphertext.ndim == 0:
            zeros = self.encrypt(self.encode([], "slots", None), "sk", None)
            ciphertext = ciphertext + zeros.at_level(ciphertext.level)
        return self.key.decrypt(ciphertext)

    # Levels and sizes

    def level(self, ciphertext: fathom.Vector) -> int:
        return ciphertext.level

    def noise(self, ciphertext: fathom.Vector) -> Noise:
        tracked = ciphertext.noise_left_bits if self.params.is_exact else None
        return Noise(tracked_budget_bits=tracked)

    def ciphertext_bytes(
        self, ciphertext: fathom.Vector, fresh_mode: str | None = None
    ) -> dict[str, Any]:
        """Returns sizes. Encryptions with the secret key are sent with a seed for one half; their
        negatives have both halves."""
        seeded = None
        if fresh_mode == "sk":
            seeded, ciphertext = len(ciphertext.to_bytes()), -ciphertext
        packed = len(ciphertext.to_bytes())
        bits = 2 * self.params.degree * self.params.log2_modulus_at(ciphertext.level)
        return {"packed": packed, "seeded": seeded, "theory": round(bits / 8)}

    # Operations

    def bind(self, operation: Operation, items: list[Item[Any, Any]]) -> Bound[Any, Any]:
        name = operation.name
        if name in ("encrypt_pk", "encrypt_sk"):
            encrypt = self.encrypting(name.removeprefix("encrypt_"))
            call: Callable[[], Any] = partial(encrypt, plaintext(items[0]))
            return Bound(call, lambda made: Ciphertext(self.served(made)))
        if name == "decrypt":
            [source] = ciphertexts(items)
            return Bound(partial(self.key.decrypt, source), Plaintext)
        if name in _WITH_CLEAR:
            [left], right = ciphertexts(items[:1]), plaintext(items[1])
            return Bound(partial(_WITH_CLEAR[name], left, right), Ciphertext)
        vectors = ciphertexts(items)
        if name == "mod_switch":
            [source] = vectors
            if source.level == 0:
                raise unsupported("there is no prime left to drop")
            return Bound(partial(source.at_level, source.level - 1), Ciphertext)
        return Bound(partial(_OF_VECTORS[name], *vectors), Ciphertext)


def _everything(*factors: fathom.Vector) -> list[fathom.Vector]:
    return [*_without_inner_product(*factors), factors[0] @ factors[1]]


def _without_inner_product(*factors: fathom.Vector) -> list[fathom.Vector]:
    return [product(*factors), factors[0].sum()]
