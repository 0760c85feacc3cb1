"""Sessions of TenSEAL's vectors, and the choice of their contexts."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property, partial
from operator import add, mul, neg, sub
from typing import Any

import tenseal
import tenseal.sealapi as sealapi
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
from fathom_driver.fields import Fields
from fathom_driver.session import ciphertexts, plaintext

from . import parameters
from .parameters import Chain, Purpose

MARGIN_BITS = 2
"""Noise budget that must remain after the promised depth; the budget varies by less."""

_SYMMETRIC = b"\x20\x01"
"""The field `encryption_type` of a serialised context with the value of symmetric encryption."""

_OF_CIPHERTEXTS: dict[str, Callable[..., Any]] = {
    "add": add,
    "sub": sub,
    "neg": neg,
    "mul": mul,
    "mul_switch": mul,
    "square": lambda x: x.square(),
    "rotate_sum": lambda x: x.sum(),
    "dot_slots": lambda x, y: x.dot(y),
}
"""The operations on vectors alone. TenSEAL relinearises products; it never switches the modulus of
BFV, and rescales products of CKKS."""

_WITH_PLAINTEXT: dict[str, Callable[..., Any]] = {"add_plain": add, "mul_plain": mul}


class VectorSession(Session[Any, Any]):
    """A context of TenSEAL. A plaintext is a `PlainTensor`, which the timed call encodes."""

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
        "rotate_sum": 1,
        "dot_slots": 2,
    }

    def __init__(self, make: Callable[[], tenseal.Context]) -> None:
        self.make = make
        self.generate_keys()
        self.chain = Chain.of(self.context)
        self.slots = self.chain.n // 2

    # What the schemes differ in

    @property
    @abstractmethod
    def vector(self) -> Callable[..., Any]:
        """Returns the constructor of a vector, which encrypts."""

    @abstractmethod
    def tensor(self, values: list[Any]) -> tenseal.PlainTensor:
        """Returns the plaintext of a full vector."""

    @abstractmethod
    def all_slots(self, plain: sealapi.Plaintext) -> list[Any]:
        """Decodes the first slots of a ciphertext, as many as a full vector has."""

    # Keys

    def generate_keys(self) -> None:
        """Makes a context: TenSEAL makes secret, public and relinearisation key with it."""
        self.context = self.make()
        self.__dict__.pop("symmetric", None)
        self.__dict__.pop("decryptor", None)

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        """Makes the keys of all powers of two in both directions, and of the swap of the rows:
        TenSEAL has no choice of steps."""
        self.context.generate_galois_keys()

    @cached_property
    def symmetric(self) -> tenseal.Context:
        """A context with the same secret key that encrypts with it: a context of TenSEAL encrypts
        with one kind of key, and its serialised form names the kind."""
        data = self.context.serialize(
            save_public_key=False,
            save_secret_key=True,
            save_galois_keys=False,
            save_relin_keys=False,
        )
        return tenseal.context_from(data + _SYMMETRIC, 1)

    @cached_property
    def decryptor(self) -> sealapi.Decryptor:
        """SEAL's own decryptor, which measures noise and reads slots beyond a vector's length."""
        return sealapi.Decryptor(self.context.seal_context().data, self.context.secret_key().data)

    def key_bytes(self) -> KeyBytes:
        """Returns the sizes of the keys in serialised contexts, without the rest of a context."""
        names = ("public_key", "secret_key", "galois_keys", "relin_keys")

        def size(*saved: str) -> int:
            flags = {f"save_{name}": name in saved for name in names}
            return len(self.context.serialize(**flags))

        rest = size()
        galois = size("galois_keys") - rest if self.context.has_galois_keys() else 0
        return KeyBytes(
            sk=size("secret_key") - rest,
            pk=size("public_key") - rest,
            relin=size("relin_keys") - rest,
            galois=galois,
        )

    # Encryption

    def encode(self, values: list[Any], encoding: str, level: int | None) -> Any:
        if encoding != "slots":
            raise unsupported(f"vectors of TenSEAL have no encoding `{encoding}`")
        if level is not None:
            raise unsupported("TenSEAL encrypts at the top level alone")
        if len(values) > self.slots:
            raise bad_request(f"`values` must be at most {self.slots}, and are {len(values)}")
        return self.tensor(values + [0] * (self.slots - len(values)))

    def decode(self, plaintext: Any, encoding: str) -> list[Any]:
        if encoding != "slots":
            raise unsupported(f"vectors of TenSEAL have no encoding `{encoding}`")
        return plaintext if isinstance(plaintext, list) else plaintext.tolist()

    def encrypt(self, plaintext: Any, mode: str, level: int | None) -> Any:
        return self.linked(self.vector(self.encrypting(mode), plaintext))

    def encrypting(self, mode: str) -> tenseal.Context:
        """Returns the context that encrypts with the key `mode`."""
        return self.context if mode == "pk" else self.symmetric

    def linked(self, vector: Any) -> Any:
        """Links a vector to the context with the evaluation keys."""
        vector.link_context(self.context)
        return vector

    def decrypt(self, ciphertext: Any) -> list[Any]:
        """Decrypts all slots. TenSEAL gives a sum the length 1 although it is in every slot; SEAL
        reads the others."""
        if ciphertext.size() == self.slots:
            return ciphertext.decrypt()
        plain = sealapi.Plaintext()
        self.decryptor.decrypt(ciphertext.ciphertext()[0], plain)
        return self.all_slots(plain)

    # Levels and sizes

    def level(self, ciphertext: Any) -> None:
        return None

    def ciphertext_bytes(self, ciphertext: Any, fresh_mode: str | None = None) -> dict[str, Any]:
        [body] = ciphertext.ciphertext()
        bits = body.size() * self.chain.n * self.chain.log_q(body.coeff_modulus_size())
        packed = len(ciphertext.serialize())
        return {"packed": packed, "seeded": None, "theory": round(bits / 8)}

    # Operations

    def bind(self, operation: Operation, items: list[Item[Any, Any]]) -> Bound[Any, Any]:
        name = operation.name
        if name in ("encrypt_pk", "encrypt_sk"):
            context = self.encrypting(name.removeprefix("encrypt_"))
            call: Callable[[], Any] = partial(self.vector, context, plaintext(items[0]))
            return Bound(call, lambda made: Ciphertext(self.linked(made)))
        if name == "decrypt":
            [source] = ciphertexts(items)
            return Bound(source.decrypt, Plaintext)
        if name in _WITH_PLAINTEXT:
            [left], right = ciphertexts(items[:1]), plaintext(items[1])
            return Bound(partial(_WITH_PLAINTEXT[name], left, right), Ciphertext)
        return Bound(partial(_OF_CIPHERTEXTS[name], *ciphertexts(items)), Ciphertext)


class BfvSession(VectorSession):
    """Vectors of integers. They have the length of a row of slots, since TenSEAL has no sums of
    longer ones, and repeat in the second row."""

    def __init__(self, make: Callable[[], tenseal.Context], plain_modulus: int) -> None:
        self.plain_modulus = plain_modulus
        super().__init__(make)
        self.encoder = sealapi.BatchEncoder(self.context.seal_context().data)

    @property
    def vector(self) -> Callable[..., Any]:
        return tenseal.bfv_vector

    def tensor(self, values: list[Any]) -> tenseal.PlainTensor:
        if not all(type(value) is int for value in values):
            raise bad_request("`values` must be integers")
        t = self.plain_modulus
        centred = [(value + t // 2) % t - t // 2 for value in values]
        return tenseal.plain_tensor(centred, dtype="int")

    def all_slots(self, plain: sealapi.Plaintext) -> list[int]:
        return list(self.encoder.decode_uint64(plain))[: self.slots]

    def noise(self, ciphertext: Any) -> Noise:
        [body] = ciphertext.ciphertext()
        return Noise(float(self.decryptor.invariant_noise_budget(body)))

    def holds(self, depth: int) -> bool:
        """Returns true if a chain of `depth` products of fresh vectors decrypts, by SEAL's noise
        budget."""
        value = self.fresh()
        for _ in range(depth):
            value = value * self.fresh()
        budget = self.noise(value).measured_budget_bits
        return budget is not None and budget >= MARGIN_BITS

    def fresh(self) -> Any:
        """Returns an encryption of random values."""
        values = [random.randrange(self.plain_modulus) for _ in range(self.slots)]
        return self.encrypt(self.encode(values, "slots", None), "pk", None)


class CkksSession(VectorSession):
    """Vectors of real numbers in all slots."""

    operands = VectorSession.operands | {"neg": 1, "square": 1}

    def __init__(self, make: Callable[[], tenseal.Context]) -> None:
        super().__init__(make)
        self.encoder = sealapi.CKKSEncoder(self.context.seal_context().data)

    @property
    def vector(self) -> Callable[..., Any]:
        return tenseal.ckks_vector

    def tensor(self, values: list[Any]) -> tenseal.PlainTensor:
        return tenseal.plain_tensor([float(value) for value in values], dtype="float")

    def all_slots(self, plain: sealapi.Plaintext) -> list[float]:
        return list(self.encoder.decode_double(plain))

    def refusal(self, fault: Exception) -> Refusal:
        # SEAL has no prime left for the scale of the product, or to rescale by.
        if "scale out of bounds" in str(fault) or "end of modulus switching chain" in str(fault):
            return Refusal("noise_exhausted", f"no prime is left for the product: {fault}")
        return super().refusal(fault)


def open_bfv(params: Fields) -> tuple[BfvSession, dict[str, Any]]:
    """Returns vectors over the smallest ring that holds the depth."""
    purpose = Purpose.parse(params)
    plain_modulus = params.integer("plain_modulus", 65537, least=2)
    for n, bits in parameters.bfv_sizes(purpose):
        if plain_modulus % (2 * n) != 1 or not sealapi.Modulus(plain_modulus).is_prime():
            continue  # no slots
        make = partial(
            tenseal.context,
            tenseal.SCHEME_TYPE.BFV,
            n,
            plain_modulus=plain_modulus,
            coeff_mod_bit_sizes=bits,
            n_threads=1,
        )
        session = BfvSession(make, plain_modulus)
        if session.holds(purpose.depth):
            name = f"bfv-n{n}-d{purpose.depth}-t{plain_modulus}-{purpose.label()}"
            origin = "vectors of half of the slots, repeated; depth measured by SEAL's noise budget"
            own = {"name": name, "plain_modulus": plain_modulus, "levels": 0}
            return session, _described(session, purpose, origin) | own
    raise unsupported(
        f"no parameters with {purpose.level} bits of security and degree "
        f"{purpose.n or 'up to 32768'} hold {purpose.depth} products modulo {plain_modulus}"
    )


def open_ckks(params: Fields) -> tuple[CkksSession, dict[str, Any]]:
    """Returns vectors over the smallest ring with a prime of the scale's length a product."""
    purpose = Purpose.parse(params)
    scale_bits = params.integer("scale_bits", 40)
    if purpose.defaults:
        scale_bits = parameters.TUTORIAL_SCALE_BITS
    if not 20 <= scale_bits <= 50:
        raise unsupported("`scale_bits` must be between 20 and 50: SEAL's primes have at most 60")
    n, bits = parameters.ckks_sizes(purpose, scale_bits)

    def make() -> tenseal.Context:
        context = tenseal.context(
            tenseal.SCHEME_TYPE.CKKS, n, coeff_mod_bit_sizes=bits, n_threads=1
        )
        context.global_scale = 2**scale_bits
        return context

    session = CkksSession(make)
    name = f"ckks-n{n}-d{purpose.depth}-scale{scale_bits}-{purpose.label()}"
    origin = "the layout of the tutorials"
    own = {"name": name, "scale_bits": scale_bits, "levels": len(bits) - 2}
    return session, _described(session, purpose, origin) | own


def _described(session: VectorSession, purpose: Purpose, origin: str) -> dict[str, Any]:
    """Returns the fields of `params` that both schemes have."""
    chain = session.chain
    return {
        "n": chain.n,
        "log_q": chain.log_q(),
        "log_qp": chain.log_qp(),
        "slots": session.slots,
        "secret": "ternary",
        "sigma": parameters.SIGMA,
        "depth": purpose.depth,
        "explanation": f"primes of {chain.bits} bits, the last one special, "
        f"{purpose.origin()}; {origin}; encryption encodes and decryption decodes",
    }
