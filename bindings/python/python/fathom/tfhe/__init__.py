"""Encrypted machine integers, truth values, strings and arrays: every operation is possible, and none wears out.

    import fathom as fhe

    key = fhe.tfhe.keygen()
    a, b = key.encrypt(200, "u8"), key.encrypt(77, "u8")
    print(key.decrypt(fhe.tfhe.where(a > b, a - b, b - a)))

Arithmetic wraps around at the width of the type, as that of machine integers does. An operation takes milliseconds to
seconds; Ctrl-C ends it.
"""

from __future__ import annotations

from ._array import Array, array, lookup
from ._choice import majority, where
from ._keys import Key, Server, keygen
from ._text import Bytes
from ._value import Value

__all__ = ["Array", "Bytes", "Key", "Server", "Value", "array", "keygen", "lookup", "majority", "where"]
