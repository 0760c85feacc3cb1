"""An operation of the protocol with its arguments."""

from __future__ import annotations

from dataclasses import dataclass

from .fields import Fields
from .refusal import bad_request


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that a session offers, with the arguments of the request."""

    name: str
    args: Fields

    @property
    def steps(self) -> int:
        """Returns the steps of a rotation to the left; refuses a request without them."""
        return self.args.integer("steps", least=-(1 << 40))

    @property
    def coefficients(self) -> list[float]:
        """Returns the coefficients of a polynomial, the constant one first; refuses a request
        without them, and constants."""
        coefficients = self.args.numbers("coefficients")
        if not any(coefficients[1:]):
            raise bad_request("`coefficients` must be those of a polynomial that is not constant")
        return coefficients
