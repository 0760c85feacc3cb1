"""The interface of a library that is served as a driver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from .fields import Fields
from .operations import Operation
from .refusal import Refusal, bad_request, unsupported

C = TypeVar("C")
"""The library's ciphertext."""
P = TypeVar("P")
"""The library's plaintext."""


@dataclass(slots=True)
class Ciphertext(Generic[C]):
    """The object of a ciphertext handle."""

    body: C


@dataclass(slots=True)
class Plaintext(Generic[P]):
    """The object of a plaintext handle."""

    body: P


Item: TypeAlias = Ciphertext[C] | Plaintext[P]


def ciphertexts(items: Sequence[Item[C, P]]) -> list[C]:
    """Returns the ciphertexts of `items`; refuses plaintexts."""
    bodies = [item.body for item in items if isinstance(item, Ciphertext)]
    if len(bodies) < len(items):
        raise bad_request("the operation wants a ciphertext where it got a plaintext")
    return bodies


def plaintext(item: Item[C, P]) -> P:
    """Returns the plaintext of `item`; refuses ciphertexts."""
    if not isinstance(item, Plaintext):
        raise bad_request("the operation wants a plaintext where it got a ciphertext")
    return item.body


@dataclass(slots=True)
class Bound(Generic[C, P]):
    """A prepared operation on one set of operands; `call` contains only the library's work."""

    call: Callable[[], Any]
    """Does the whole work in each call; these calls are timed."""
    result: Callable[[Any], Item[C, P]]
    """Converts the return value of the last `call` to the result."""


@dataclass(slots=True)
class KeyBytes:
    """Serialised sizes of the keys, as they would be sent."""

    sk: int = 0
    pk: int = 0
    relin: int = 0
    galois: int = 0


@dataclass(slots=True)
class Noise:
    """Noise budgets in bits; `None` if unknown."""

    measured_budget_bits: float | None = None
    tracked_budget_bits: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Returns the reply to `noise`."""
        return asdict(self)


class Session(ABC, Generic[C, P]):
    """A parameter set and its keys."""

    operands: ClassVar[Mapping[str, int | None]]
    """The operations that the session offers, as `hello` announces them, each with its number of
    operands; `None` is any even number."""

    faults: ClassVar[tuple[type[Exception], ...]] = (RuntimeError, ValueError)
    """The exceptions by which the library refuses to compute or to encrypt."""

    def refusal(self, fault: Exception) -> Refusal:
        """Returns the refusal for one of the `faults`."""
        return unsupported(f"the library refuses: {fault}")

    def operation(self, name: str, args: Fields) -> Operation:
        """Returns an operation that the session offers; refuses all others."""
        if name not in self.operands:
            raise unsupported(f"there is no operation `{name}`")
        return Operation(name, args)

    def check_operands(self, name: str, count: int) -> None:
        """Refuses a wrong number of operands."""
        expected = self.operands[name]
        fits = count == expected if expected else count >= 2 and count % 2 == 0
        if not fits:
            takes = expected or "an even number of"
            raise bad_request(f"`{name}` takes {takes} operands and got {count}")

    @abstractmethod
    def generate_keys(self) -> None:
        """Replaces all keys by a fresh secret, public and relinearisation key."""

    @abstractmethod
    def generate_rotation_keys(self, steps: list[int], row_swap: bool) -> None:
        """Generates rotation keys: rows to the left by `steps`, and the swap of the rows."""

    @abstractmethod
    def key_bytes(self) -> KeyBytes:
        """Returns the serialised sizes of the keys."""

    @abstractmethod
    def encode(self, values: list[Any], encoding: str, level: int | None) -> P:
        """Encodes values for a ciphertext at `level`, or at the top level."""

    @abstractmethod
    def decode(self, plaintext: P, encoding: str) -> list[Any]:
        """Decodes all values of a plaintext."""

    @abstractmethod
    def encrypt(self, plaintext: P, mode: str, level: int | None) -> C:
        """Encrypts a result of `encode` for the same level under the key `mode`, `pk` or `sk`."""

    @abstractmethod
    def decrypt(self, ciphertext: C) -> P:
        """Decrypts a ciphertext."""

    @abstractmethod
    def bind(self, operation: Operation, items: list[Item[C, P]]) -> Bound[C, P]:
        """Prepares one operation on operands whose number was checked."""

    @abstractmethod
    def ciphertext_bytes(self, ciphertext: C, fresh_mode: str | None = None) -> dict[str, Any]:
        """Returns `packed`, `seeded` and `theory`; `fresh_mode` is the encryption key."""

    @abstractmethod
    def level(self, ciphertext: C) -> int | None:
        """Returns the number of primes that can still be dropped; `None` if the library encrypts at
        the top level alone and brings operands to one level itself."""

    def noise(self, ciphertext: C) -> Noise:
        """Returns the noise of a ciphertext, if the library can measure it."""
        return Noise()


class Library(ABC):
    """A homomorphic-encryption library."""

    @abstractmethod
    def info(self) -> dict[str, str]:
        """Returns the field `library` of `hello`."""

    @abstractmethod
    def schemes(self) -> list[dict[str, Any]]:
        """Returns the field `schemes` of `hello`."""

    @abstractmethod
    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        """Chooses parameters for `prepare`; returns the session and `params` of the reply."""
