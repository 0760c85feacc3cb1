"""Sessions of gates on bits: the module binfhe."""

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
    Session,
    bad_request,
    unsupported,
)
from fathom_driver.session import ciphertexts, plaintext

_GINX = {
    "ginx_std128": (openfhe.STD128, openfhe.GINX),
    "lmkcdey_std128": (openfhe.STD128_LMKCDEY, openfhe.LMKCDEY),
}

SETS: dict[str, dict[str, tuple[Any, Any]]] = {
    "fhew": _GINX,
    "tfhe": _GINX,
    "binfhe_ap": {"ap_std128": (openfhe.STD128_AP, openfhe.AP)},
}
"""The parameter sets of 128 bits for gates of two inputs, by scheme."""

GATES: dict[str, tuple[Any, bool, bool]] = {
    "nand": (openfhe.NAND, False, False),
    "and": (openfhe.AND, False, False),
    "or": (openfhe.OR, False, False),
    "nor": (openfhe.NOR, False, False),
    "xor": (openfhe.XOR, False, False),
    "xnor": (openfhe.XNOR, False, False),
    "and_ny": (openfhe.AND, True, False),
    "and_yn": (openfhe.AND, False, True),
    "or_ny": (openfhe.OR, True, False),
    "or_yn": (openfhe.OR, False, True),
}
"""Gates, and which inputs a free negation complements first."""


class GateSession(Session[Any, int]):
    """One context with its keys."""

    others = ("encrypt_sk", "decrypt", "not", "mux")
    operands = dict.fromkeys(GATES, 2) | {"encrypt_sk": 1, "decrypt": 1, "not": 1, "mux": 3}

    def __init__(self, preset: str) -> None:
        self.preset = preset
        self.sets, self.method = next(sets[preset] for sets in SETS.values() if preset in sets)
        self.renew()
        self.secret: Any = None

    def renew(self) -> None:
        """Makes a context without keys: an old one would keep its bootstrapping key."""
        self.body = openfhe.BinFHEContext()
        self.body.GenerateBinFHEContext(self.sets, self.method)

    def describe(self) -> dict[str, Any]:
        """Returns `params` of the reply. The wheel does not state the probability of failure of its
        sets, nor the modulus of the ring: their security is not estimated."""
        return {
            "name": self.preset,
            "n": int(self.body.GetN()),
            "plain_modulus": 2,
            "slots": 1,
            "levels": 0,
            "depth": 0,
            "explanation": "a parameter set of the library",
        }

    def generate_keys(self) -> None:
        self.renew()
        self.secret = self.body.KeyGen()
        self.body.BTKeyGen(self.secret)

    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        raise unsupported("a bit has one slot, which does not rotate")

    def key_bytes(self) -> KeyBytes:
        return KeyBytes(sk=len(openfhe.Serialize(self.secret, openfhe.BINARY)))

    def encode(self, values: list[Any], encoding: str, level: int | None) -> int:
        if encoding != "slots" or level is not None:
            raise unsupported("a bit is encoded as a slot, without levels")
        if len(values) > 1 or not all(type(value) is int for value in values):
            raise bad_request("`values` is one bit, an integer")
        return values[0] % 2 if values else 0

    def decode(self, plaintext: int, encoding: str) -> list[int]:
        return [plaintext]

    def encrypt(self, plaintext: int, mode: str, level: int | None) -> Any:
        if mode != "sk":
            raise unsupported("bits are encrypted under the secret key")
        return self.body.Encrypt(self.secret, plaintext)

    def decrypt(self, ciphertext: Any) -> int:
        return int(self.body.Decrypt(self.secret, ciphertext))

    def ciphertext_bytes(self, ciphertext: Any, fresh_mode: str | None = None) -> dict[str, Any]:
        packed = len(openfhe.Serialize(ciphertext, openfhe.BINARY))
        return {"packed": packed, "seeded": None, "theory": packed}

    def level(self, ciphertext: Any) -> int | None:
        return None

    def bind(self, operation: Operation, items: list[Item[Any, int]]) -> Bound[Any, int]:
        name = operation.name
        if name == "encrypt_sk":
            call = partial(self.body.Encrypt, self.secret, plaintext(items[0]))
            return Bound(call, Ciphertext)
        operands = ciphertexts(items)
        if name == "decrypt":
            return Bound(partial(self.body.Decrypt, self.secret, operands[0]), Plaintext)
        if len({id(operand) for operand in operands}) < len(operands):
            raise unsupported("OpenFHE wants operands that are different ciphertexts")
        return Bound(self.call(name, operands), Ciphertext)

    def call(self, name: str, operands: list[Any]) -> Callable[[], Any]:
        """Returns the library's calls for a gate."""
        body = self.body
        if name == "not":
            return partial(body.EvalNOT, operands[0])
        if name == "mux":
            # CMUX returns the first operand if the third is 0, else the second.
            condition, yes, no = operands
            return partial(body.EvalBinGate, openfhe.CMUX, [no, yes, condition])
        gate, not_left, not_right = GATES[name]
        left, right = operands
        if not_left:
            return lambda: body.EvalBinGate(gate, body.EvalNOT(left), right)
        if not_right:
            return lambda: body.EvalBinGate(gate, left, body.EvalNOT(right))
        return partial(body.EvalBinGate, gate, left, right)
