"""Plans: the scheme, the parameters and the keys for a function, found by running it without data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple, cast

from . import _fathom, _simulation
from ._described import size
from ._plan_base import Approximate, Plan, described, results_of
from ._prediction import Prediction, of_ring
from ._progress import counting
from ._ranges import Range
from ._refusals import check_callable, other_plan
from ._trace import Outline, OutlineEvaluator, RangedParams
from ._typed_plan import TypedPlan
from ._values import REALS, number
from .errors import FathomError, KindError, NoiseError, ParamsError, RangeError, ShapeError
from .inputs import Input, Integers, Numbers, Reals, Truth, stated
from .keys import PublicKey, SecretKey
from .params import Params
from .server import Server
from .vector import Vector

#: The bits with a sign of the largest integers that one plaintext modulus holds.
_MOST_BITS = 40
#: The most terms that parameters are asked for.
_MOST_TERMS = 1 << 16
#: Products in a row beyond those of the function that are tried until its noise fits.
_SPARE_PRODUCTS = 8
#: The least and the most slots that are asked for.
_SLOTS = (1024, 1 << 16)


class RingPlan(Plan):
    """A plan for vectors of integers or real numbers."""

    inputs: tuple[Numbers, ...]

    def __init__(
        self, function: Callable[..., Any], inputs: Sequence[Numbers], params: Params, encryption: str
    ) -> None:
        self.function = function
        self.inputs = tuple(inputs)
        self._params = params
        self._encryption = encryption
        core = _fathom.Evaluator.simulated(params._core)
        within = params._within(core.params)
        stand_ins = [_simulation.stand_in(core, within, given, encryption) for given in inputs]
        self._input_count = sum(vector.ciphertexts for vector in stand_ins)
        self._input_bytes = sum(vector.nbytes for vector in stand_ins)
        self._threads = _fathom.thread_count() if self._input_count > len(stand_ins) else 1
        with counting() as counted:
            result = _simulation.run(core, within, function, inputs, encryption)
        self._steps = counted.finished
        outputs = list(results_of(result, Vector))
        # It has counted the operations, for predictions.
        self._simulated = core
        self._used = core.used_keys()
        self._key_bytes = core.key_bytes(self._used)
        self._output_bytes = sum(vector.nbytes for vector in outputs)
        self._outputs = [_of_output(vector) for vector in outputs]
        self._output_count = sum(vector.ciphertexts for vector in outputs)
        self._prediction: Prediction | None = None

    def predict(self) -> Prediction:
        if self._prediction is None:
            sizes = (
                self._input_count,
                self._output_count,
                len(self._used),
                self._key_bytes,
                self._input_bytes,
                self._output_bytes,
            )
            self._prediction = of_ring(self._params._core, self._simulated, self._threads, sizes)
        return self._prediction

    @property
    def params(self) -> Params:
        """The parameters."""
        return self._params

    @property
    def scheme(self) -> str:
        return self._params.scheme

    @property
    def security_bits(self) -> float:
        return self._params.security_bits

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

    def keygen(self) -> SecretKey:
        return SecretKey._of(self._params, _fathom.SecretKey.generate(self._params._core), self._used)

    def _check_key(self, key: SecretKey | PublicKey) -> None:
        if not isinstance(key, (SecretKey, PublicKey)) or key.params != self._params:
            raise other_plan()

    def _encrypted(self, key: SecretKey | PublicKey, given: Numbers, value: Any, place: int) -> Vector:
        if isinstance(given, Integers):
            vector = key.encrypt(value, range=(given.low, given.high))
        else:
            vector = key.encrypt(value, magnitude=given.magnitude)
        if vector._length != given.length:
            wanted, got = (1 if n is None else n for n in (given.length, vector._length))
            raise ShapeError(
                f"input {place} of the plan is {given!r}, got {'one number' if vector.ndim == 0 else f'{got} values'}",
                code="shape",
                wanted=wanted,
                got=got,
            )
        return vector

    def _computed(self, inputs: Sequence[Vector], server: Server | None) -> Any:
        # Within the server, functions may also use vectors that are bound to none.
        with nullcontext() if server is None else server:
            return self.function(*inputs)

    def _decrypted(self, key: SecretKey, result: Vector) -> Any:
        return key.decrypt(result) if self._params.is_exact else Approximate(*key.decrypt(result, with_error=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return RingPlan, (self.function, self.inputs, self._params, self._encryption)

    def _facts(self) -> list[tuple[str, str]]:
        params = self._params
        modulus = [] if params.plain_modulus is None else [("plaintext modulus", str(params.plain_modulus))]
        rotations = sum(element is not None for element, _ in self._used.entries)
        return [
            ("scheme", params.scheme),
            ("inputs", ", ".join(map(str, self.inputs))),
            ("results", ", ".join(self._outputs)),
            ("degree", str(params.degree)),
            *modulus,
            ("levels", str(params.top_level + 1)),
            ("security", f"{params.security_bits:.0f} bits"),
            ("rotations", str(rotations)),
            ("keys", size(self.key_bytes)),
            ("encrypted inputs", size(self.input_bytes)),
            ("encrypted results", size(self.output_bytes)),
            *([] if self.scheme == "bgv" else described(self.predict())),
        ]


def plan(
    function: Callable[..., Any],
    *examples: Any,
    bits: int | None = None,
    magnitude: float | None = None,
    precision: float = 20.0,
    scheme: str | None = None,
    encryption: str = "secret",
    security: int = 128,
) -> Plan:
    """Chooses the scheme, the parameters and the keys for a function.

    The function is run without data: on ranges, which choose the plaintext modulus, then on simulated ciphertexts,
    which choose the smallest parameters whose noise it keeps. Integers take BFV, real numbers CKKS, and integers that
    are compared TFHE. Integers whose results exceed 40 bits take `fathom.wide`, if sums, products and dot products of
    vectors of one length, or of single integers, are all that is computed.

    Args:
        function: A function of encrypted values, such as `lambda x, y: x @ y`. It returns a value, or a tuple, list or
            dictionary of values.
        examples: Its inputs: `fathom.Integers` or `fathom.Reals`, or clear values, of which only the kind, the number
            and the type of an array matter.
        bits: Integers of examples have an absolute value below `2**bits`; by default those of the type of an array
            of up to 32 bits, or 8 bits.
        magnitude: The largest absolute value of real numbers in examples; 1 by default.
        precision: Bits behind the binary point that are correct in every result of real numbers.
        scheme: `"bfv"`, `"bgv"`, `"ckks"`, `"wide"` or `"tfhe"`, if it is not to be chosen.
        encryption: The key that encrypts, `"secret"` or `"public"`.
        security: 128, 192 or 256 bits.

    Raises:
        RangeError: A result could wrap around in every parameters; the message names the bits and the remedy.
        ParamsError: There are no parameters for the function.
        KindError: The function computes what no scheme does on its inputs.
    """
    inputs = [stated(example, bits=bits, magnitude=magnitude) for example in examples]
    precision = number(precision, REALS)
    check_callable(function)
    if not inputs:
        raise KindError("state the inputs of the function, or examples of them", code="inputs", wanted=1, got=0)
    if scheme not in (None, "bfv", "bgv", "ckks", "wide", "tfhe"):
        raise ParamsError(f"no scheme is named {scheme!r}; take bfv, bgv, ckks, wide or tfhe", code="unknown_scheme")
    options = {"encryption": encryption, "security": security}
    with counting():
        return _chosen(function, inputs, scheme, precision, options)


def _chosen(
    function: Callable[..., Any],
    inputs: list[Input],
    scheme: str | None,
    precision: float,
    options: dict[str, Any],
) -> Plan:
    """Returns the plan of the scheme that is asked for, or that the inputs and the function take."""
    real = any(isinstance(given, Reals) for given in inputs)
    if scheme == "tfhe" or (scheme is None and not real and any(isinstance(given, Truth) for given in inputs)):
        return TypedPlan(function, inputs)
    if scheme == "ckks" or (scheme is None and real):
        return RingPlan(function, *_for_reals(function, inputs, precision, options), options["encryption"])
    integers = [given for given in inputs if isinstance(given, Integers)]
    if len(integers) < len(inputs):
        raise KindError(f"{scheme} computes on integers, not on {inputs!r}", code="type_mismatch", expected="int")
    try:
        outline = _outlined(function, integers)
        if scheme == "wide":
            return _wide(function, integers, outline, options)
        if outline.bits > _MOST_BITS:
            return _beyond_one_modulus(function, integers, outline, scheme, options)
        params = _for_integers(function, integers, outline, scheme or "bfv", options)
    except (TypeError, AttributeError):
        if scheme is not None:
            raise
        # Vectors have no comparisons, bits or quotients; machine integers do.
        return TypedPlan(function, inputs)
    return RingPlan(function, integers, params, options["encryption"])


def _shown(found: Range) -> str:
    """Returns a range for readers, by its bits if it has hundreds of digits."""
    return f"{found.low} to {found.high}" if found.bits < 256 else f"integers up to 2^{found.bits}"


class _Outlined(NamedTuple):
    """The outline of a function on integers: its operations and ranges."""

    evaluator: OutlineEvaluator
    #: The operation whose results reach furthest, and their range.
    operation: str
    found: Range

    @property
    def bits(self) -> int:
        """The bits with the sign that values reach."""
        return self.found.bits + 1


def _wide(
    function: Callable[..., Any], inputs: list[Integers], outline: _Outlined, options: dict[str, Any]
) -> Plan:
    """Returns a plan for wide integers.

    Raises:
        FathomError: There is none, or the function computes what wide integers do not.
    """
    from ._wide_plan import planned

    try:
        return planned(function, inputs, outline.evaluator, outline.found, options)
    except AttributeError as error:
        raise KindError(
            f"wide integers have sums, products and dot products alone: {error}", code="no_operation", scheme="wide"
        ) from error


def _beyond_one_modulus(
    function: Callable[..., Any],
    inputs: list[Integers],
    outline: _Outlined,
    scheme: str | None,
    options: dict[str, Any],
) -> Plan:
    """Returns a plan for integers that one plaintext modulus does not hold.

    Raises:
        RangeError: Wide integers do not compute the function either, or another scheme was asked for.
    """
    operation, found, bits = outline.operation, outline.found, outline.bits
    refused: FathomError | TypeError | None = None
    if scheme is None:
        try:
            return _wide(function, inputs, outline, options)
        except (FathomError, TypeError) as error:
            refused = error
    also = "" if refused is None else f"; wide integers, which hold more, do not serve either: {refused}"
    raise RangeError(
        f"{operation} could give {_shown(found)}, {bits} bits with the sign, but parameters hold "
        f"{_MOST_BITS}: state smaller ranges with bits= or fathom.Integers, or add up fewer terms{also}",
        code="wrap",
        operation=operation,
        low=found.low,
        high=found.high,
        needed_bits=bits,
        held_bits=_MOST_BITS,
    ) from refused


def _for_integers(
    function: Callable[..., Any],
    inputs: list[Integers],
    outlined: _Outlined,
    scheme: str,
    options: dict[str, Any],
) -> Params:
    """Returns the smallest parameters under which a function keeps its noise and nothing wraps around."""
    outline, value_bits = outlined.evaluator, outlined.bits
    hull = _joined(given._range for given in inputs)
    refused: FathomError | None = None
    slots = _SLOTS[0]
    for products, rotations, terms in _requests(outline):
        while True:
            try:
                core = _fathom.Params.for_integers(
                    scheme,
                    slots=slots,
                    value_bits=value_bits,
                    products=products,
                    rotations=rotations,
                    terms=terms,
                    **options,
                )
                simulated = _fathom.Evaluator.simulated(core)
                params = Params._of(simulated.params, hull)
                _simulation.run(simulated, params, function, inputs, options["encryption"])
                return Params._of(core, hull)
            except ShapeError as error:
                # Rotations within one ciphertext need more slots.
                if error.details.get("limit") is None or slots == _SLOTS[1]:
                    raise
                slots *= 2
            except (NoiseError, ParamsError) as error:
                refused = error
                break
    raise ParamsError(
        f"no parameters hold {value_bits} bits with the sign, {outline.depth} products in a row and {outline.terms} "
        f"terms: state smaller ranges, or lower the depth; the last refusal: {refused}",
        code="spec",
        field="function",
        needed_bits=value_bits,
        depth=outline.depth,
        terms=outline.terms,
    ) from refused


def _requests(outline: OutlineEvaluator) -> Iterator[tuple[int, int, int]]:
    """Returns products in a row, rotations and terms to plan for, the smallest parameters first."""
    for products in range(outline.depth, outline.depth + _SPARE_PRODUCTS):
        yield products, 0, 1
        if outline.rotations or outline.terms > 1:
            yield products, outline.rotations, min(outline.terms, _MOST_TERMS)


def _outlined(function: Callable[..., Any], inputs: list[Integers]) -> _Outlined:
    """Runs a function on ranges alone."""
    outline = OutlineEvaluator()
    params = RangedParams.of(inputs, outline)
    server = Server._of(params, cast(_fathom.Evaluator, outline))
    stand_ins = (
        Vector._of(params, cast(_fathom.Ciphertexts, Outline(1)), given.length, given._range) for given in inputs
    )
    with server:
        result = function(*stand_ins)
    list(results_of(result, Vector))
    operation, found = params.largest
    return _Outlined(outline, operation, found)


def _for_reals(
    function: Callable[..., Any], inputs: Sequence[Input], precision: float, options: dict[str, Any]
) -> tuple[list[Reals], Params]:
    """Returns the inputs as real numbers, and the smallest parameters under which results have the precision."""
    reals = [_as_reals(given) for given in inputs]

    def circuit(core: _fathom.Evaluator) -> list[_fathom.Ciphertexts]:
        result = _simulation.run(core, Params._of(core.params, None), function, reals, options["encryption"])
        return [vector._parts for vector in results_of(result, Vector)]

    largest = max(given.magnitude for given in reals)
    try:
        core = _fathom.plan_reals(circuit, precision=precision, magnitude=largest, security=options["security"])
    except ParamsError as error:
        # A refusal that no parameters avoid says more than that there are none.
        if isinstance(error.__cause__, ShapeError):
            raise error.__cause__ from None
        raise
    return reals, Params._of(core, None)


def _as_reals(given: Input) -> Reals:
    if isinstance(given, Reals):
        return given
    if isinstance(given, Truth):
        raise KindError("ckks computes on numbers, not on truth values", code="type_mismatch", expected="float")
    return Reals(given.length, magnitude=float(max(abs(given.low), abs(given.high), 1)))


def _of_output(vector: Vector) -> str:
    count = "one" if vector.ndim == 0 else str(len(vector))
    if vector.range is not None:
        return f"{count}, {vector.range[0]} to {vector.range[1]}"
    return f"{count}, error below {vector.error_bound:.1e}"


def _joined(ranges: Iterable[Range]) -> Range:
    """Returns the least range that holds all of several."""
    first, *others = ranges
    for other in others:
        first = first.joined(other)
    return first
