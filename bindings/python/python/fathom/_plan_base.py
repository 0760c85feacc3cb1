"""The common part of all plans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from ._bound import Bound, Unchanging
from ._described import table
from ._prediction import Prediction
from ._progress import Callback, reporting
from .errors import KindError
from .inputs import Input

V = TypeVar("V")


class Approximate(NamedTuple):
    """The result of a computation on real numbers.

    Attributes:
        value: The value, or the list of values.
        error: A bound on the error of every value.
    """

    value: Any
    error: float


class Plan(Unchanging, ABC):
    """A way to compute a function on encrypted values, with its parameters, keys and costs. `fathom.plan` makes one."""

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

    @property
    @abstractmethod
    def steps(self) -> int:
        """The steps of a run that `progress` counts: bootstraps under TFHE, and operations elsewhere."""

    def encrypt(self, key: Any, *values: Any) -> Any:
        """Encrypts the inputs of the function, each with the range that the plan states.

        Returns:
            One encrypted input, or a tuple of several.

        Raises:
            RangeError: A value is out of the stated range.
            ShapeError: There are not as many values as the plan states.
            KindError: The key was made for another plan.
        """
        self._check_count(values)
        self._check_key(key)
        pairs = enumerate(zip(self.inputs, values, strict=True))
        encrypted = tuple(self._encrypted(key, given, value, place) for place, (given, value) in pairs)
        return encrypted[0] if len(encrypted) == 1 else encrypted

    @abstractmethod
    def _check_key(self, key: Any) -> None:
        """Refuses a key of other parameters."""

    @abstractmethod
    def _encrypted(self, key: Any, given: Any, value: Any, place: int) -> Any:
        """Encrypts the input at a place with what is stated about it."""

    def run(self, *inputs: Any, server: Any = None, progress: Callback | None = None) -> Any:
        """Computes the function on encrypted inputs.

        Args:
            inputs: The encrypted inputs.
            server: The server that computes; by default the one to which the inputs are bound.
            progress: A function that is called with the steps so far and in all, as by `fathom.progress`.

        Raises:
            KindError: There are not as many inputs as the function takes, or one is not encrypted.
        """
        self._check_count(inputs)
        for place, value in enumerate(inputs):
            if not isinstance(value, Bound):
                raise KindError(
                    f"input {place} of the plan is encrypted, got {type(value).__name__}: take plan.encrypt",
                    code="type_mismatch",
                    index=place,
                    got=type(value).__name__,
                )
        with reporting(progress, self.steps):
            return self._computed(inputs, server)

    def _computed(self, inputs: Sequence[Any], server: Any) -> Any:
        """Computes the function, on a server if there is one."""
        return self.function(*(inputs if server is None else [value._bound_to(server) for value in inputs]))

    def decrypt(self, key: Any, result: Any) -> Any:
        """Decrypts a result of the function: one value, or those of a tuple, list or dictionary.

        Integers and truth values are returned as they are, real numbers as `Approximate`.
        """
        if isinstance(result, dict):
            return {name: self.decrypt(key, part) for name, part in result.items()}
        if isinstance(result, (tuple, list)):
            return type(result)(self.decrypt(key, part) for part in result)
        return self._decrypted(key, result)

    def _decrypted(self, key: Any, result: Any) -> Any:
        """Decrypts one value."""
        return key.decrypt(result)

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

    def __repr__(self) -> str:
        return f"fathom.Plan(scheme {self.scheme}, inputs {', '.join(map(repr, self.inputs))})"

    def __str__(self) -> str:
        facts = self._facts()
        width = max(len(name) for name, _ in facts)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in facts)

    def _repr_html_(self) -> str:
        return table("fathom.Plan", self._facts())


def results_of(result: Any, kind: type[V]) -> Iterator[V]:
    """Returns the values in the result of a function: one, or those of a tuple, list or dictionary.

    Raises:
        KindError: It holds anything but values of a class.
    """
    if isinstance(result, kind):
        yield result
    elif isinstance(result, (tuple, list, dict)):
        for part in result.values() if isinstance(result, dict) else result:
            yield from results_of(part, kind)
    else:
        name = type(result).__name__
        raise KindError(
            f"a function returns encrypted values, or a tuple, list or dictionary of them, not {name}",
            code="type_mismatch",
            expected=kind.__name__,
            got=name,
        )


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
