"""What all plans have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .errors import KindError
from .inputs import Input
from ._prediction import Prediction
from .params import table


class Approximate(NamedTuple):
    """The result of a computation on real numbers.

    Attributes:
        value: The value, or the list of values.
        error: A bound on the error of every value.
    """

    value: Any
    error: float


class Plan(ABC):
    """How to compute a function on encrypted values, and what that takes. `fathom.plan` makes one."""

    #: The function.
    function: Callable[..., Any]
    #: What is stated about its inputs.
    inputs: tuple[Input, ...]

    @property
    @abstractmethod
    def scheme(self) -> str:
        """The scheme: `"bfv"`, `"bgv"`, `"ckks"`, `"tfhe"`, or `"wide"` for wide integers."""

    @property
    @abstractmethod
    def security_bits(self) -> float:
        """The bits of security against the best known classical attack."""

    @abstractmethod
    def keygen(self) -> Any:
        """Makes a secret key, whose server has the keys that the function uses, and no others."""

    @abstractmethod
    def encrypt(self, key: Any, *values: Any) -> Any:
        """Encrypts the inputs of the function, each with the range that the plan states.

        Returns:
            One encrypted input, or a tuple of several.

        Raises:
            RangeError: A value is out of the stated range.
            ShapeError: There are not as many values as the plan states.
        """

    @abstractmethod
    def run(self, *inputs: Any, server: Any = None) -> Any:
        """Computes the function on encrypted inputs.

        Args:
            inputs: The encrypted inputs.
            server: The server that computes; by default the one to which the inputs are bound.

        Raises:
            KindError: There are not as many inputs as the function takes.
        """

    @abstractmethod
    def decrypt(self, key: Any, result: Any) -> Any:
        """Decrypts a result of the function: one value, or those of a tuple, list or dictionary.

        Integers and truth values are returned as they are, real numbers as `Approximate`.
        """

    @abstractmethod
    def predict(self) -> Prediction:
        """Predicts the times on this machine.

        Unit costs that are not known yet are measured first: those of vectors in less than a second for most plans,
        those of machine integers in up to 20 seconds. They are kept in the user's cache.

        Raises:
            KindError: The scheme has no unit costs.
        """

    @abstractmethod
    def _facts(self) -> list[tuple[str, str]]:
        """Returns what there is to know, by name."""

    def __call__(self, *inputs: Any) -> Any:
        """Computes the function on encrypted inputs, as `run` does."""
        return self.run(*inputs)

    def _check_count(self, given: Sequence[Any]) -> None:
        if len(given) != len(self.inputs):
            raise KindError(
                f"the function of the plan has {len(self.inputs)} inputs, got {len(given)}",
                code="inputs",
                wanted=len(self.inputs),
                got=len(given),
            )

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Plan:
        return self

    def __repr__(self) -> str:
        return f"fathom.Plan(scheme {self.scheme}, inputs {', '.join(map(repr, self.inputs))})"

    def __str__(self) -> str:
        facts = self._facts()
        width = max(len(name) for name, _ in facts)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in facts)

    def _repr_html_(self) -> str:
        return table("fathom.Plan", self._facts())


def described(prediction: Prediction) -> list[tuple[str, str]]:
    """Returns the predicted times by name, for readers."""
    return [
        ("predicted keys", f"{_time(prediction.keygen_s)}, {_time(prediction.expand_s)} to read them"),
        ("predicted encryption", f"{_time(prediction.encrypt_s)}, {_time(prediction.read_s)} to read"),
        ("predicted computation", _time(prediction.compute_s)),
        ("predicted decryption", _time(prediction.decrypt_s)),
    ]


def _time(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"
