"""The driver side of the protocol `fathom.driver/2` for libraries with a Python interface.

A driver implements `Library` and `Session` for its library and hands them to `serve`;
`docs/driver-protocol.md` is the normative text of what they answer.
"""

from .operations import Operation
from .refusal import Refusal, bad_request, unsupported
from .server import main, serve
from .session import Bound, Ciphertext, Item, KeyBytes, Library, Noise, Plaintext, Session

__all__ = [
    "Bound",
    "Ciphertext",
    "Item",
    "KeyBytes",
    "Library",
    "Noise",
    "Operation",
    "Plaintext",
    "Refusal",
    "Session",
    "bad_request",
    "main",
    "serve",
    "unsupported",
]
