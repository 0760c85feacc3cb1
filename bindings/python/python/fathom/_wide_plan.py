"""Plans for integers that one plaintext modulus does not hold: wide integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, log2
from typing import Any

from . import _fathom, wide
from ._described import size
from ._plan_base import Plan, results_of
from ._prediction import Prediction
from ._progress import counting
from ._ranges import Range
from ._refusals import other_plan
from ._trace import OutlineEvaluator
from ._values import INTEGERS, read
from .errors import FathomError, KindError, NoiseError, ParamsError, RangeError, ShapeError
from .inputs import Integers

#: Products in a row beyond those of the function that are tried until its noise fits.
_SPARE_PRODUCTS = 4
#: The logarithm of the most terms that parameters are asked for.
_MOST_TERM_BITS = 31


class WidePlan(Plan):
    """A plan for wide integers: single ones, or vectors of one length."""

    inputs: tuple[Integers, ...]

    def __init__(self, function: Callable[..., Any], inputs: Sequence[Integers], options: dict[str, Any]) -> None:
        self.function = function
        self.inputs = tuple(inputs)
        self._options = options
        # What is refused depends on public bounds only, so that zeros under a key that is thrown away tell it.
        key = wide.keygen(**options)
        self._core = key._core.params
        self._summed = key._summed
        encrypting = key.public_key() if options["encryption"] == "public" else key
        stand_ins = [_zero(encrypting, given)._bound_to(key.server) for given in inputs]
        with counting() as counted:
            outputs = list(results_of(function(*stand_ins), wide.Value))
        self._steps = counted.finished
        self._key_bytes = key.server.nbytes
        self._input_bytes = sum(value.nbytes for value in stand_ins)
        self._output_bytes = sum(value.nbytes for value in outputs)
        self._outputs = [f"at most 2^{value.value_bits:.1f}" for value in outputs]

    @property
    def scheme(self) -> str:
        return "wide"

    @property
    def security_bits(self) -> float:
        return self._core.security_bits

    @property
    def key_bytes(self) -> int:
        """The bytes of the evaluation keys, which are sent once."""
        return self._key_bytes

    @property
    def input_bytes(self) -> int:
        """The bytes of the encrypted inputs."""
        return self._input_bytes

    @property
    def output_bytes(self) -> int:
        """The bytes of the encrypted results."""
        return self._output_bytes

    @property
    def steps(self) -> int:
        return self._steps

    def predict(self) -> Prediction:
        raise KindError("there are no unit costs of wide integers", code="no_unit_costs", scheme="wide")

    def keygen(self) -> wide.Key:
        return wide.Key._made(
            _core=_fathom.WideKey.generate(self._core), _bits=self._options["bits"], _summed=self._summed
        )

    def _check_key(self, key: Any) -> None:
        if not isinstance(key, (wide.Key, wide.PublicKey)) or key._core.params.id != self._core.id:
            raise other_plan()

    def _encrypted(self, key: wide.Key | wide.PublicKey, given: Integers, value: Any, place: int) -> wide.Value:
        clear = read(value, INTEGERS)
        encrypted = _encrypted(key, clear.data, given)
        listed = [clear.data] if clear.length is None else clear.listed()
        if len(listed) != (given.length or 1):
            raise ShapeError(
                f"input {place} of the plan is {given!r}, got {len(listed)} values",
                code="shape",
                wanted=given.length or 1,
                got=len(listed),
            )
        for index, item in enumerate(listed):
            if not given.low <= item <= given.high:
                raise RangeError(
                    f"value number {index} of input {place} is not in {given.low} to {given.high}",
                    code="value_out_of_range",
                    index=index,
                    low=given.low,
                    high=given.high,
                )
        return encrypted

    def __reduce__(self) -> tuple[Any, ...]:
        return WidePlan, (self.function, self.inputs, self._options)

    def _facts(self) -> list[tuple[str, str]]:
        return [
            ("scheme", self.scheme),
            ("inputs", ", ".join(map(str, self.inputs))),
            ("results", ", ".join(self._outputs)),
            ("degree", str(self._core.degree)),
            ("widest results", f"{self._core.widest_bits:.0f} bits"),
            ("security", f"{self.security_bits:.0f} bits"),
            ("keys", size(self.key_bytes)),
            ("encrypted inputs", size(self.input_bytes)),
            ("encrypted results", size(self.output_bytes)),
        ]


def _zero(key: wide.Key | wide.PublicKey, given: Integers) -> wide.Value:
    """Returns an encryption that holds no data."""
    return _encrypted(key, 0 if given.length is None else [0] * given.length, given)


def _encrypted(key: wide.Key | wide.PublicKey, value: Any, given: Integers) -> wide.Value:
    """Encrypts an input with the width of its stated range."""
    return key.encrypt(value, bits=_bits(given)) if given.length is None else key.encrypt(value)


def _bits(given: Integers) -> int:
    """Returns the bits of the greatest absolute value of an input."""
    return max(abs(given.low), abs(given.high), 1).bit_length()


def planned(
    function: Callable[..., Any],
    inputs: Sequence[Integers],
    outline: OutlineEvaluator,
    needed: Range,
    stated: dict[str, Any],
) -> WidePlan:
    """Returns the plan with the fewest products and terms under which nothing is refused.

    Raises:
        FathomError: There is none, or the function computes what wide integers do not.
    """
    lengths = {given.length for given in inputs}
    if len(lengths) > 1:
        raise ShapeError("wide integers are single ones, or vectors of one length", code="shape")
    length = lengths.pop()
    refused: FathomError | None = None
    for options in _requests(length, max(map(_bits, inputs)), outline, needed.bits):
        try:
            return WidePlan(function, inputs, {**options, **stated, "length": length})
        except (NoiseError, ParamsError, RangeError) as error:
            refused = error
    raise refused or _none()


def _requests(length: int | None, bits: int, outline: OutlineEvaluator, needed: int) -> Iterator[dict[str, Any]]:
    """Returns what to plan for, the smallest parameters first."""
    sums = length is not None and outline.rotations > 0
    for depth in range(outline.depth, outline.depth + _SPARE_PRODUCTS):
        # Factors that are clear make results as wide as more terms do.
        missing = needed + 1 - (bits << depth) - (log2(length) if sums and length else 0)
        terms = max(ceil(log2(outline.terms)), ceil(missing), 0)
        if terms <= _MOST_TERM_BITS:
            yield {"bits": bits, "depth": depth, "terms": 1 << terms, "sums": sums}


def _none() -> ParamsError:
    return ParamsError("no parameters of wide integers hold the results", code="spec", field="function")
