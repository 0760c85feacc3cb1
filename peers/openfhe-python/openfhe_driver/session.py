"""Sessions of BFV, BGV and CKKS."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import openfhe
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

from .parameters import Context


class RingSession(Session[Any, Any]):
    """One context with its keys. The library returns new ciphertexts from every operation."""

    operands = {
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

    def __init__(self, context: Context) -> None:
        self.context = context
        self.purpose = context.purpose
        self.body = context.body
        self.keys: Any = None
        self.steps: list[int] = []

    # Keys

    def generate_keys(self) -> None:
        self.forget_keys()
        self.keys = self.body.KeyGen()
        self.body.EvalMultKeyGen(self.keys.secretKey)

    def forget_keys(self) -> None:
        """Drops the evaluation keys, which the library keeps for the whole process."""
        if self.keys is not None:
            openfhe.ClearEvalMultKeys()
            openfhe.ClearEvalSumKeys()
            self.body.ClearEvalAutomorphismKeys()
        self.steps = []

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        row = self.context.n // 2
        if any(step % row == 0 for step in steps):
            raise bad_request(f"a rotation by {row} steps turns a row in place")
        self.body.ClearEvalAutomorphismKeys()
        openfhe.ClearEvalSumKeys()
        secret, self.steps = self.keys.secretKey, steps
        if steps:
            self.body.EvalRotateKeyGen(secret, steps)
        if self.sums_slots():
            self.body.EvalSumKeyGen(secret)

    def sums_slots(self) -> bool:
        """Returns true if the keys of a sum of all slots were asked for."""
        powers = (1 << i for i in range((self.context.n // 2 - 1).bit_length()))
        return set(powers) <= set(self.steps)

    def key_bytes(self) -> KeyBytes:
        binary = openfhe.BINARY
        galois = openfhe.SerializeEvalAutomorphismKeyString(binary) if self.steps else b""
        return KeyBytes(
            sk=len(openfhe.Serialize(self.keys.secretKey, binary)),
            pk=len(openfhe.Serialize(self.keys.publicKey, binary)),
            relin=len(openfhe.SerializeEvalMultKeyString(binary)),
            galois=len(galois),
        )

    # Values

    def encode(self, values: list[Any], encoding: str, level: int | None) -> Any:
        slots = self.context.slots
        if len(values) > slots:
            raise bad_request(f"`values` must be at most {slots}, and are {len(values)}")
        dropped = 0 if level is None else self.dropped(level)
        if not self.purpose.is_exact:
            if encoding != "slots":
                raise unsupported(f"there is no encoding `{encoding}`")
            reals = [float(value) for value in values] or [0.0]
            return self.body.MakeCKKSPackedPlaintext(reals, 1, dropped)
        if not all(type(value) is int for value in values):
            raise bad_request("`values` of an exact scheme must be integers")
        make = self.maker(encoding)
        return make([self.centred(value) for value in values] or [0], 1, dropped)

    def maker(self, encoding: str) -> Callable[..., Any]:
        """Returns the function that encodes integers."""
        if encoding == "slots":
            return self.body.MakePackedPlaintext
        if encoding == "coefficients":
            return self.body.MakeCoefPackedPlaintext
        raise unsupported(f"there is no encoding `{encoding}`")

    def centred(self, value: int) -> int:
        """Returns the residue between -t/2 and t/2, which OpenFHE wants."""
        t = self.purpose.plain_modulus
        residue = value % t
        return residue - t if residue > t // 2 else residue

    def dropped(self, level: int) -> int:
        """Returns the number of primes that a level lacks."""
        top = len(self.context.primes) - 1
        if level > top or (level < top and self.purpose.scheme == "bfv"):
            raise unsupported(f"there is no level {level}; the top is {top}")
        return top - level

    def decode(self, plaintext: Any, encoding: str) -> list[Any]:
        plaintext.SetLength(self.context.slots)
        if not self.purpose.is_exact:
            return list(plaintext.GetRealPackedValue())
        packed = plaintext.GetEncodingType() == openfhe.PACKED_ENCODING
        if packed != (encoding == "slots"):
            raise bad_request(f"the values are not encoded as {encoding}")
        found = plaintext.GetPackedValue() if packed else plaintext.GetCoefPackedValue()
        return [value % self.purpose.plain_modulus for value in found]

    def encrypt(self, plaintext: Any, mode: str, level: int | None) -> Any:
        return self.body.Encrypt(self.encryption_key(mode), plaintext)

    def encryption_key(self, mode: str) -> Any:
        """Returns the key of a mode of encryption."""
        return self.keys.publicKey if mode == "pk" else self.keys.secretKey

    def decrypt(self, ciphertext: Any) -> Any:
        return self.body.Decrypt(ciphertext, self.keys.secretKey)

    def ciphertext_bytes(self, ciphertext: Any, fresh_mode: str | None = None) -> dict[str, Any]:
        count = len(self.context.primes) - ciphertext.GetLevel()
        bits = ciphertext.NumberCiphertextElements() * self.context.n * self.context.log_q(count)
        packed = len(openfhe.Serialize(ciphertext, openfhe.BINARY))
        return {"packed": packed, "seeded": None, "theory": round(bits / 8)}

    def level(self, ciphertext: Any) -> int | None:
        if self.purpose.scheme == "bfv":
            return None
        return len(self.context.primes) - 1 - int(ciphertext.GetLevel())

    # Operations

    def bind(self, operation: Operation, items: list[Item[Any, Any]]) -> Bound[Any, Any]:
        name = operation.name
        if name in ("encrypt_pk", "encrypt_sk"):
            key = self.encryption_key(name.removeprefix("encrypt_"))
            return Bound(partial(self.body.Encrypt, key, plaintext(items[0])), Ciphertext)
        if name == "decrypt":
            [source] = ciphertexts(items)
            return Bound(partial(self.body.Decrypt, source, self.keys.secretKey), Plaintext)
        if name in ("add_plain", "mul_plain"):
            [source], plain = ciphertexts(items[:1]), plaintext(items[1])
            self.check(name, [source])
            if name == "add_plain":
                return Bound(partial(self.body.EvalAdd, source, plain), Ciphertext)
            return Bound(self.rescaled(partial(self.body.EvalMult, source, plain)), Ciphertext)
        operands = ciphertexts(items)
        self.check(name, operands)
        return Bound(self.call(operation, operands), Ciphertext)

    def check(self, name: str, operands: list[Any]) -> None:
        """Refuses products that are not relinearised, and products at the last level."""
        counts = {operand.NumberCiphertextElements() for operand in operands}
        if name == "relin":
            if counts != {3}:
                raise bad_request("`relin` wants a product that is not relinearised")
        elif name not in ("add", "sub", "neg", "add_plain", "mod_switch") and counts != {2}:
            raise bad_request(f"`{name}` wants operands that are relinearised")
        levels = {self.level(operand) for operand in operands}
        if len(levels) > 1:
            raise bad_request(f"operands are at levels {sorted(levels)}; bring them to one")
        if self.purpose.is_exact:
            return
        consumes = name.startswith(("mul", "square", "dot"))
        if consumes and levels == {0}:
            raise Refusal("noise_exhausted", "no prime is left to rescale a product by")

    def call(self, operation: Operation, operands: list[Any]) -> Callable[[], Any]:
        """Returns the library's calls for an operation on ciphertexts."""
        body, first, last = self.body, operands[0], operands[-1]
        match operation.name:
            case "add":
                return partial(body.EvalAdd, first, last)
            case "sub":
                return partial(body.EvalSub, first, last)
            case "neg":
                return partial(body.EvalNegate, first)
            case "mul":
                return self.rescaled(partial(body.EvalMult, first, last))
            case "mul_switch":
                return self.switched(partial(body.EvalMult, first, last), first)
            case "mul_no_relin":
                return partial(body.EvalMultNoRelin, first, last)
            case "square":
                return self.rescaled(partial(body.EvalSquare, first))
            case "relin":
                return partial(body.Relinearize, first)
            case "rotate":
                return partial(body.EvalRotate, first, self.rotation(operation.steps))
            case "rotate_sum":
                return partial(body.EvalSum, first, self.sum_length())
            case "dot_slots":
                slots = self.sum_length()
                product = self.rescaled(partial(body.EvalMult, first, last))
                return lambda: body.EvalSum(product(), slots)
            case "dot":
                return self.rescaled(self.dot(operands))
            case "polynomial":
                return self.polynomial(first, operation.coefficients)
            case "mod_switch":
                return self.lower(first)
        raise unsupported(f"the driver has no operation `{operation.name}`")

    def rescaled(self, product: Callable[[], Any]) -> Callable[[], Any]:
        """Returns a product that is rescaled in CKKS; with the library's defaults, the next product
        rescales it."""
        if self.purpose.is_exact or self.purpose.defaults:
            return product
        rescale = self.body.Rescale
        return lambda: rescale(product())

    def switched(self, product: Callable[[], Any], operand: Any) -> Callable[[], Any]:
        """Returns a product after which a prime is dropped, where the scheme drops one."""
        if self.purpose.scheme != "bgv" or self.purpose.defaults or self.level(operand) == 0:
            return self.rescaled(product)
        drop = self.body.ModReduce
        return lambda: drop(product())

    def lower(self, source: Any) -> Callable[[], Any]:
        """Returns the call that drops one prime of a ciphertext."""
        left = len(self.context.primes) - int(source.GetLevel())
        if left < 2:
            raise unsupported("the ciphertext is at the last level")
        if self.purpose.scheme == "bfv":
            return partial(self.body.Compress, source, left - 1)
        if self.purpose.scheme == "bgv" and not self.purpose.defaults:
            return partial(self.body.ModReduce, source)
        return partial(self.body.LevelReduce, source, None, 1)

    def rotation(self, steps: int) -> int:
        """Returns the steps, for which there must be a key."""
        if steps not in self.steps:
            raise bad_request("there is no key for this rotation; name its steps in `keygen`")
        return steps

    def sum_length(self) -> int:
        """Returns the number of slots, for whose sum there must be keys."""
        if not self.sums_slots():
            raise bad_request("there are no keys for a sum; name all powers of two in `keygen`")
        return self.context.slots

    def dot(self, operands: list[Any]) -> Callable[[], Any]:
        """Returns the sum of products, relinearised once."""
        half = len(operands) // 2
        (x, y), *others = zip(operands[:half], operands[half:], strict=True)
        multiply, add = self.body.EvalMultNoRelin, self.body.EvalAddInPlace
        relinearise = self.body.Relinearize

        def program() -> Any:
            total = multiply(x, y)
            for a, b in others:
                add(total, multiply(a, b))
            return relinearise(total)

        return program

    def polynomial(self, x: Any, coefficients: list[float]) -> Callable[[], Any]:
        """Returns the value of a polynomial: powers are products of the halves of their exponents,
        for which CKKS has an operation."""
        body = self.body
        if not self.purpose.is_exact:
            levels = 1 + (len(coefficients) - 2).bit_length()
            if levels <= self.purpose.depth:
                return partial(body.EvalPoly, x, coefficients)
            if len(coefficients) != 4 or self.purpose.depth < 2:
                raise unsupported(f"EvalPoly takes {levels} levels, of {self.purpose.depth}")
            return self.cubic(x, coefficients)
        if not all(type(c) is int for c in coefficients):
            raise bad_request("`coefficients` of a polynomial over integers must be integers")
        slots = x.GetEncodingType() == openfhe.PACKED_ENCODING
        make = self.maker("slots" if slots else "coefficients")
        length = self.context.slots if slots else 1
        constants = [make([self.centred(int(c))] * length) for c in coefficients]

        def program() -> Any:
            total = body.EvalAdd(body.EvalMult(x, constants[1]), constants[0])
            powers = [None, x]
            for exponent in range(2, len(constants)):
                half = exponent // 2
                powers.append(body.EvalMult(powers[half], powers[exponent - half]))
                term = body.EvalMult(powers[exponent], constants[exponent])
                total = body.EvalAdd(total, term)
            return total

        return program

    def cubic(self, x: Any, c: list[float]) -> Callable[[], Any]:
        """Returns (c0 + c1 x) + (c2 + c3 x) x^2 on two levels, where `EvalPoly` takes three."""
        body, manual = self.body, not self.purpose.defaults

        def rescaled(product: Any) -> Any:
            return body.Rescale(product) if manual else product

        def program() -> Any:
            low = body.EvalAdd(rescaled(body.EvalMult(x, c[1])), c[0])
            high = body.EvalAdd(rescaled(body.EvalMult(x, c[3])), c[2])
            product = rescaled(body.EvalMult(high, rescaled(body.EvalSquare(x))))
            return body.EvalAdd(body.LevelReduce(low, None, 1) if manual else low, product)

        return program
