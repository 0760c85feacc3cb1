"""Wide integers: exact arithmetic on integers of 64, 128 and many more bits.

    import fathom as fhe

    key = fhe.wide.keygen(bits=64)
    x, y = key.encrypt(2**64 - 1), key.encrypt(-3)
    print(key.decrypt(x * y))

A ciphertext holds one integer of up to thousands of bits, or with `length=` a vector of thousands of them. Every value
carries a public bound on its absolute value, which starts with the bits that were stated. A result that could exceed
what the parameters hold is refused.
"""

from __future__ import annotations

from ._keys import Key, PublicKey, Server, keygen
from ._value import Value

__all__ = ["Key", "PublicKey", "Server", "Value", "keygen"]
