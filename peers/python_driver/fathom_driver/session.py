"""What a library must offer to be served as a driver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from .fields import Fields
from .operations import Operation
from .refusal import bad_request

C = TypeVar("C")
"""The library's ciphertext."""
P = TypeVar("P")
"""The library's plaintext."""


@dataclass(slots=True)
class Ciphertext(Generic[C]):
    """What a handle of a ciphertext stands for."""

    body: C


@dataclass(slots=True)
class Plaintext(Generic[P]):
    """What a handle of a plaintext stands for."""

    body: P


Item: TypeAlias = Ciphertext[C] | Plaintext[P]


def ciphertexts(items: Sequence[Item[C, P]]) -> list[C]:
    """The ciphertexts behind `items`; a plaintext among them is refused."""
    bodies = [item.body for item in items if isinstance(item, Ciphertext)]
    if len(bodies) < len(items):
        raise bad_request("the operation wants a ciphertext where it got a plaintext")
    return bodies


def plaintext(item: Item[C, P]) -> P:
    """The plaintext behind `item`; a ciphertext is refused."""
    if not isinstance(item, Plaintext):
        raise bad_request("the operation wants a plaintext where it got a ciphertext")
    return item.body


@dataclass(slots=True)
class Bound(Generic[C, P]):
    """An operation on one set of operands, laid out so that `call` is the library's work alone."""

    call: Callable[[], Any]
    """Does the whole work each time; this is what is timed."""
    result: Callable[[Any], Item[C, P]]
    """The result, made from what the last `call` returned."""


@dataclass(slots=True)
class KeyBytes:
    """Serialized sizes of the keys, as they would be sent."""

    sk: int = 0
    pk: int = 0
    relin: int = 0
    galois: int = 0


@dataclass(slots=True)
class Noise:
    """Noise budgets in bits; `None` where the library cannot say."""

    measured_budget_bits: float | None = None
    tracked_budget_bits: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The reply to `noise`."""
        return asdict(self)


class Session(ABC, Generic[C, P]):
    """One set of parameters and its keys."""

    @abstractmethod
    def generate_keys(self) -> None:
        """Replaces all keys by a fresh secret, public and relinearisation key."""

    @abstractmethod
    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        """Makes rotation keys: rows to the left by `steps`, and the swap of the rows."""

    @abstractmethod
    def key_bytes(self) -> KeyBytes:
        """Serialized sizes of the keys."""

    @abstractmethod
    def encode(self, values: list[Any], encoding: str, level: int | None) -> P:
        """Encodes values for a ciphertext at `level`, or at the top."""

    @abstractmethod
    def decode(self, plaintext: P, encoding: str) -> list[Any]:
        """All values of a plaintext."""

    @abstractmethod
    def encrypt(self, plaintext: P, mode: str, level: int | None) -> C:
        """Encrypts what `encode` gave for the same level under the key `mode`, `pk` or `sk`."""

    @abstractmethod
    def decrypt(self, ciphertext: C) -> P:
        """Decrypts."""

    @abstractmethod
    def bind(self, operation: Operation, items: list[Item[C, P]]) -> Bound[C, P]:
        """Lays out one operation on operands whose number was checked."""

    @abstractmethod
    def ciphertext_bytes(self, ciphertext: C, fresh_mode: str | None = None) -> dict[str, Any]:
        """`packed`, `seeded` and `theory`; `fresh_mode` is the key of a fresh ciphertext."""

    @abstractmethod
    def level(self, ciphertext: C) -> int:
        """How many primes can still be dropped."""

    def noise(self, ciphertext: C) -> Noise:
        """Noise of a ciphertext, where the library can tell."""
        return Noise()


class Library(ABC):
    """A homomorphic-encryption library."""

    @abstractmethod
    def info(self) -> dict[str, str]:
        """The field `library` of `hello`."""

    @abstractmethod
    def schemes(self) -> list[dict[str, Any]]:
        """The field `schemes` of `capabilities`."""

    @abstractmethod
    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        """Chooses parameters for a request `prepare`: the session, and `params` of the reply."""
