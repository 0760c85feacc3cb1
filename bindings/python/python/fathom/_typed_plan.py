"""Plans for machine integers and truth values, which can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from . import _fathom, tfhe
from ._plan_base import Plan, described, results_of
from ._prediction import Prediction, of_typed
from ._ranges import Range
from ._refusals import other_plan
from ._trace import TypedCore, TypedEvaluator
from ._values import INTEGERS, TRUTHS, is_one_number, number
from .errors import KindError, RangeError
from .inputs import Input, Integers, Truth

#: The most bits of a type.
_MOST_BITS = 128


class TypedPlan(Plan):
    """A plan for machine integers and truth values. All integers have the type that holds every value on the way."""

    def __init__(self, function: Callable[..., Any], inputs: Sequence[Input]) -> None:
        self.function = function
        self.inputs = tuple(inputs)
        self._type = _type_of(function, inputs)
        threads = _fathom.thread_count()
        core = _fathom.TfheEvaluator.simulated(threads)
        result = function(*(_stand_in(core, given, self._type) for given in inputs))
        self._core = core
        self._threads = threads
        self._layers = core.layer_sizes()
        self._result_types = [value.dtype for value in results_of(result, tfhe.Value)]
        self._prediction: Prediction | None = None

    def predict(self) -> Prediction:
        if self._prediction is None:
            digits = self._type.bits // 2
            inputs = sum(digits if isinstance(given, Integers) else 1 for given in self.inputs)
            results = sum(1 if name == "bool" else digits for name in self._result_types)
            blocks = (inputs, results, len(self._result_types))
            self._prediction = of_typed(self._core, self._threads, blocks)
        return self._prediction

    @property
    def scheme(self) -> str:
        return "tfhe"

    @property
    def dtype(self) -> str:
        """The type of all integers."""
        return ("i" if self._type.signed else "u") + str(self._type.bits)

    @property
    def security_bits(self) -> float:
        return self._core.security_bits

    @property
    def bootstraps(self) -> int:
        """The number of bootstraps, which take most of the time."""
        return sum(count * layers for count, layers in self._layers.items())

    @property
    def steps(self) -> int:
        return self.bootstraps

    def keygen(self) -> tfhe.Key:
        return tfhe.keygen()

    def _check_key(self, key: Any) -> None:
        if not isinstance(key, tfhe.Key):
            raise other_plan()

    def _encrypted(self, key: tfhe.Key, given: Input, value: Any, place: int) -> tfhe.Value:
        if not is_one_number(value):
            raise KindError(f"input {place} of the plan is one value", code="type_mismatch", operation="encrypt")
        if isinstance(given, Truth):
            return cast(tfhe.Value, key.encrypt(number(value, TRUTHS), "bool"))
        stated, clear = cast(Integers, given), number(value, INTEGERS)
        if not stated.low <= clear <= stated.high:
            raise RangeError(
                f"input {place} of the plan is from {stated.low} to {stated.high}, and the value is not",
                code="value_out_of_range",
                index=place,
                low=stated.low,
                high=stated.high,
            )
        return cast(tfhe.Value, key.encrypt(clear, self.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return TypedPlan, (self.function, self.inputs)

    def _facts(self) -> list[tuple[str, str]]:
        return [
            ("scheme", self.scheme),
            ("inputs", ", ".join(map(str, self.inputs))),
            *([("type", self.dtype)] if any(isinstance(given, Integers) for given in self.inputs) else []),
            ("results", ", ".join(self._result_types)),
            ("parameters", self._core.params_name),
            ("security", f"{self.security_bits:.0f} bits"),
            ("wrong result", f"2^{self._core.failure_log2:.0f} for each bootstrap"),
            ("bootstraps", f"{self.bootstraps} in {sum(self._layers.values())} layers"),
            *([] if self._prediction is None else described(self._prediction)),
        ]


class _Type:
    """The type of integers."""

    __slots__ = ("bits", "signed")

    def __init__(self, found: Range) -> None:
        self.signed = found.low < 0
        needed = max((-found.low - 1).bit_length(), found.high.bit_length()) + 1 if self.signed else found.bits
        self.bits = max(2, needed + needed % 2)


def _type_of(function: Callable[..., Any], inputs: Sequence[Input]) -> _Type:
    """Returns the smallest type in which no operation of a function wraps around."""
    evaluator = TypedEvaluator()
    server = tfhe.Server._made(_core=evaluator)

    def outlined(found: Range | None) -> tfhe.Value:
        core = TypedCore(None) if found is None else evaluator.noted(found)
        return tfhe.Value._of(cast(_fathom.TfheValue, core), server)

    def stand_in(given: Input) -> tfhe.Value:
        if isinstance(given, Truth):
            return outlined(None)
        if isinstance(given, Integers) and given.length is None:
            return outlined(given._range)
        raise KindError(
            f"comparisons, bits and quotients are computed on integers and truth values, not on {given!r}",
            code="type_mismatch",
            expected="int",
        )

    list(results_of(function(*map(stand_in, inputs)), tfhe.Value))
    found = _Type(evaluator.hull or Range(0, 1))
    if found.bits > _MOST_BITS:
        raise RangeError(
            f"values could take {found.bits} bits, types have {_MOST_BITS} at most: state smaller ranges with bits= or "
            "fathom.Integers",
            code="wrap",
            needed_bits=found.bits,
            held_bits=_MOST_BITS,
        )
    return found


def _stand_in(core: _fathom.TfheEvaluator, given: Input, found: _Type) -> tfhe.Value:
    server = tfhe.Server._made(_core=core)
    if isinstance(given, Truth):
        return tfhe.Value._of(core.simulated_truth(), server)
    return tfhe.Value._of(core.simulated_integer(found.bits, found.signed), server)
