"""The operations on vectors in the protocol, with their numbers of operands."""

from __future__ import annotations

from dataclasses import dataclass, field

from .fields import Fields
from .refusal import bad_request, unsupported

ONE_OPERAND = frozenset(
    ("encrypt_pk", "encrypt_sk", "decrypt", "square", "relin", "rotate", "rotate_sum")
    + ("polynomial", "mod_switch")
)
TWO_OPERANDS = frozenset(
    ("add", "sub", "mul", "mul_no_relin", "mul_switch", "mul_plain", "add_plain", "dot_slots")
)
NAMES = ONE_OPERAND | TWO_OPERANDS | {"dot"}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation with its arguments."""

    name: str
    steps: int = 0
    """Steps to the left, for `rotate`."""
    coefficients: list[float] = field(default_factory=list)
    """Coefficients for `polynomial`, the constant one first."""

    @classmethod
    def parse(cls, name: str, args: Fields) -> Operation:
        """Reads an operation; refuses unknown names and missing arguments."""
        if name not in NAMES:
            raise unsupported(f"there is no operation `{name}`")
        if name == "rotate":
            return cls(name, steps=args.integer("steps", least=-(1 << 40)))
        if name == "polynomial":
            coefficients = args.numbers("coefficients")
            if not any(coefficients[1:]):
                raise bad_request(
                    "`coefficients` must be those of a polynomial that is not constant"
                )
            return cls(name, coefficients=coefficients)
        return cls(name)

    def check_operands(self, count: int) -> None:
        """Refuses a wrong number of operands."""
        if self.name in ONE_OPERAND:
            expected, fits = "1 operand", count == 1
        elif self.name in TWO_OPERANDS:
            expected, fits = "2 operands", count == 2
        else:
            expected, fits = "an even number of operands", count >= 2 and count % 2 == 0
        if not fits:
            raise bad_request(f"`{self.name}` takes {expected} and got {count}")
