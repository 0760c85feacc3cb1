"""Secret keys, which encrypt and decrypt, and public keys, which encrypt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from . import _fathom, _simulation
from ._bound import Local, Made
from ._described import Described
from ._layout import period_of
from ._parties import Public, Secret
from ._progress import counting
from ._ranges import Range
from ._refusals import check_callable, of_type
from ._values import REALS, ends_of, number, read, shape_of, whole
from .errors import KindError, RangeError, ShapeError
from .inputs import Truth, bits_of, stated
from .params import Params
from .server import Server
from .vector import Vector


def keygen(
    kind: type | Params = int, function: Callable[..., Any] | None = None, *examples: Any, **options: Any
) -> SecretKey:
    """Makes a secret key.

    With a function, the server of the key has the keys that a run of the function without data uses, and no others,
    each for the level at which it is used. `fathom.plan` chooses the parameters for a function too.

    Args:
        kind: `int` for exact integers, `float` for real numbers, or parameters.
        function: A function of encrypted vectors, whose keys `SecretKey.server` has; by default it has those of sums.
        examples: The inputs of the function, as in `SecretKey.make_server`.
        options: What is computed: those of `Params.for_integers` or `Params.for_reals`.

    Raises:
        ParamsError: There are no such parameters.
        KindError: The kind of values is not known.
        FathomError: The function does not run under the parameters.
    """
    params = _params_for(kind, options)
    used = None if function is None else _used_keys(params, function, examples)
    return SecretKey._of(params, _fathom.SecretKey.generate(params._core), used)


def _params_for(kind: type | Params, options: dict[str, Any]) -> Params:
    if isinstance(kind, Params):
        if options:
            raise KindError(f"parameters are given, {', '.join(options)} cannot change them", code="options")
        return kind
    if kind is int:
        return Params.for_integers(**options)
    if kind is float:
        return Params.for_reals(**options)
    raise KindError(f"keys are made for int, float or parameters, not for {kind!r}", code="type_unknown")


def _used_keys(params: Params, function: Callable[..., Any], examples: Iterable[Any]) -> _fathom.KeyPlan:
    """Returns the keys that a function uses on inputs like the examples."""
    check_callable(function)
    inputs = [stated(example, bits=params._input_bits, magnitude=params.magnitude) for example in examples]
    numbers = [given for given in inputs if not isinstance(given, Truth)]
    if len(numbers) < len(inputs):
        raise KindError("vectors hold numbers, not truth values", code="type_mismatch", expected="numbers")
    with counting():
        return _simulation.keys_of(params, function, numbers)


class _Encrypting(Described, Made):
    """A key that encrypts."""

    __slots__ = ()

    _core: Any
    _params: Params
    #: The server to which encryptions are bound; none for a public key.
    _local: Local | None

    @property
    def params(self) -> Params:
        """The parameters."""
        return self._params

    def _params_bytes(self) -> bytes:
        return self._params.to_bytes()

    def encrypt(
        self,
        values: Any,
        *,
        bits: int | None = None,
        range: tuple[int, int] | None = None,
        modular: bool = False,
        magnitude: float | None = None,
    ) -> Vector:
        """Encrypts a number, or a sequence or buffer of numbers of any length.

        Args:
            values: Integers or real numbers, as the parameters have them.
            bits: Integers have an absolute value below `2**bits`, a public statement; by default that of the
                parameters.
            range: The least and the greatest integer, in place of `bits`.
            modular: Whether integers are computed modulo `t` on purpose, so that no range is tracked.
            magnitude: The largest absolute value of real numbers, a public statement; by default that of the
                parameters.

        Raises:
            NoiseError: The parameters have no noise budget for encryption with a public key.
            RangeError: A value exceeds the stated range, or is not finite.
            KindError: A value is of another kind.
            ShapeError: There are no values.
        """
        vector = _encrypt(self._core, self._params, values, _Statement(bits, range, modular, magnitude))
        return vector._bound_to(self._local)


class SecretKey(_Encrypting, Secret[Server]):
    """The secret key: whoever has it can read what is encrypted. It is neither printed nor pickled."""

    __slots__ = ("_params", "_used")

    _title = "fathom.SecretKey"
    _maker = "make a key with fathom.keygen or SecretKey.generate"
    _frame = "secret key"
    _core: _fathom.SecretKey
    _local: Local
    _used: _fathom.KeyPlan | None

    @classmethod
    def _of(cls, params: Params, core: _fathom.SecretKey, used: _fathom.KeyPlan | None = None) -> Self:
        return cls._made(_params=params, _core=core, _used=used)

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        read = Params.from_bytes(params)
        return cls._of(read, _fathom.SecretKey.from_secret_bytes(read._core, own))

    @classmethod
    def generate(cls, params: Params) -> Self:
        """Makes a key from random numbers of the operating system."""
        return cls._of(params, _fathom.SecretKey.generate(params._core))

    def make_server(
        self,
        function: Callable[..., Any] | None = None,
        *examples: Any,
        rotations: Iterable[int] = (),
        matrices: Iterable[Any] = (),
        sums: str = "slots",
    ) -> Server:
        """Makes evaluation keys: those that a function needs, or for products and for what is asked for.

        A function is run once without data, on inputs like the examples. The server gets the keys that the run used,
        each for the levels at which it is used and no higher: fewer bytes than keys for everything.

        Args:
            function: A function of encrypted vectors, such as `lambda x, y: x @ y`. Without one, and without other
                options, the server has the keys of the function that the key was made for.
            examples: Its inputs: `fathom.Integers` or `fathom.Reals`, or clear values, of which only the kind and the
                number matter.
            rotations: Steps by which `roll` moves values at the price of one rotation. With the keys for sums, every
                other step takes several.
            matrices: Shapes of the clear matrices, or the matrices, that multiply vectors.
            sums: `"slots"` for the keys of `sum`, `dot` and `roll`, or `"none"`.

        Raises:
            ShapeError: A matrix does not fit the slots.
            FathomError: The function does not run under the parameters.
        """
        rotations, matrices = list(rotations), list(matrices)
        asked = bool(rotations or matrices) or sums != "slots"
        used = self._used if function is None else _used_keys(self._params, function, examples)
        if function is not None and asked:
            raise KindError("state either a function, or rotations, matrices and sums", code="options")
        if used is not None and not asked:
            return Server._of(self._params, self._core.planned_evaluator(used))
        if sums not in ("slots", "none"):
            raise KindError(f"sums {sums!r}: take 'slots' or 'none'", code="options")
        row = self._params._row
        steps = {-whole(step, "a rotation") % row for step in rotations}
        if sums == "slots":
            steps.update(1 << bit for bit in range(row.bit_length() - 1))
        for matrix in matrices:
            rows, columns = shape_of(matrix)
            ones = [[1] * columns] * rows
            steps.update(self._params._keyless.linear_map(ones, self._params.top_level).steps)
        steps.discard(0)
        return Server._of(self._params, self._core.evaluator(sorted(steps)))

    def public_key(self) -> PublicKey:
        """Makes a public key, with which others encrypt for this one.

        Parameters that are planned for encryption with the secret key may have no noise budget for it: plan them with
        `encryption="public"`.
        """
        return PublicKey._made(_params=self._params, _core=self._core.public_key())

    def decrypt(self, vector: Vector, *, with_error: bool = False) -> Any:
        """Returns the value or the list of values of a vector.

        Real numbers carry the noise of the computation in their last bits. Do not publish decryptions of ciphertexts
        that somebody else chose.

        Args:
            vector: The result of a computation, or an encryption.
            with_error: Whether to return a pair with the bound on the error of every value.

        Raises:
            KeyMismatchError: The vector belongs to another key.
            RangeError: A value is outside of the range that its sender stated.
        """
        data, error = self._opened(vector)
        values = self._viewed(data).tolist()
        result = values[0] if vector.ndim == 0 else values
        return (result, error) if with_error else result

    def decrypt_buffer(self, vector: Vector) -> memoryview[int] | memoryview[float]:
        """Returns the values of a vector as a buffer of 64-bit integers or floating-point numbers.

        `numpy.asarray` makes an array of it without a copy.

        Raises:
            KeyMismatchError: The vector belongs to another key.
            RangeError: A value is outside of the range that its sender stated.
        """
        data, _ = self._opened(vector)
        return self._viewed(data)

    def _viewed(self, data: bytes) -> memoryview[int] | memoryview[float]:
        return memoryview(data).cast("q") if self._params.is_exact else memoryview(data).cast("d")

    def _opened(self, vector: Vector) -> tuple[bytes, float]:
        if not isinstance(vector, Vector):
            raise of_type("a Vector", vector, "Vector")
        count = 1 if vector.ndim == 0 else len(vector)
        data, error = self._core.decrypt(vector._parts, count)
        stated = vector._range
        if stated is not None and count:
            low, high = _fathom.extent(memoryview(data).cast("q"))
            if not stated.contains(Range(low, high)):
                raise RangeError(
                    f"a decrypted value is not in {stated.low} to {stated.high}, the range that the vector states: "
                    "its sender stated a false range",
                    code="decrypted_outside_range",
                    low=stated.low,
                    high=stated.high,
                )
        return data, error

    def load(self, data: Any) -> Vector:
        """Reads a vector, such as a result that a server sent back.

        Raises:
            WireError: The bytes are damaged.
            KeyMismatchError: They belong to other parameters.
        """
        return Vector.from_bytes(self._params, data, "computed")._bound_to(self._local)

    def _facts(self) -> list[tuple[str, str]]:
        return [*self._params._facts(), ("key", self.id)]


class PublicKey(_Encrypting, Public):
    """A public key, which encrypts and cannot decrypt. Its encryptions are bound to no server."""

    __slots__ = ("_params",)

    _title = "fathom.PublicKey"
    _maker = "make a public key with SecretKey.public_key"
    _frame = "public key"
    _core: _fathom.PublicKey
    _local = None

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        read = Params.from_bytes(params)
        return cls._made(_params=read, _core=_fathom.PublicKey.from_bytes(read._core, own))

    def _facts(self) -> list[tuple[str, str]]:
        return [*self._params._facts(), ("key", self.key_id)]


class _Statement:
    """The statements of a sender about the values."""

    __slots__ = ("bits", "ends", "magnitude", "modular")

    def __init__(self, bits: int | None, ends: tuple[int, int] | None, modular: bool, magnitude: float | None) -> None:
        self.bits = bits
        self.ends = ends
        self.modular = modular
        self.magnitude = magnitude

    def range_in(self, params: Params) -> Range | None:
        """Returns the range of integers, or none for those modulo `t` and for real numbers."""
        allowed = params._allowed
        if allowed is None:
            if self.bits is not None or self.ends is not None or self.modular:
                raise KindError(
                    "bits, range and modular are for integers; state the magnitude of real numbers", code="options"
                )
            return None
        if self.magnitude is not None:
            raise KindError("magnitude is for real numbers; state the bits of integers", code="options")
        if not isinstance(self.modular, bool):
            raise KindError("modular is True or False", code="options")
        if sum((self.bits is not None, self.ends is not None, self.modular)) > 1:
            raise KindError("state one of bits, range and modular", code="options")
        if self.modular:
            return None
        if self.ends is not None:
            return self._held(Range(*ends_of(self.ends)), allowed)
        if self.bits is None:
            return params._inputs
        return self._held(Range.of_bits(bits_of(self.bits)), allowed)

    @staticmethod
    def _held(found: Range, allowed: Range) -> Range:
        if allowed.contains(found):
            return found
        raise RangeError(
            f"integers from {found.low} to {found.high} do not fit the parameters, which hold {allowed.low} to "
            f"{allowed.high}: make the key with keygen(int, bits={found.bits})",
            code="bits",
            bits=found.bits,
            low=allowed.low,
            high=allowed.high,
        )


def _encrypt(
    core: _fathom.SecretKey | _fathom.PublicKey,
    params: Params,
    values: Any,
    statement: _Statement,
) -> Vector:
    stated = statement.range_in(params)
    limits = stated or params._allowed
    bounds = None if limits is None else (limits.low, limits.high)
    magnitude = None if statement.magnitude is None else float(number(statement.magnitude, REALS))
    clear = read(values, params._numbers)
    if clear.length is None:
        return Vector._of(params, core.encrypt((clear.data,), 1, bounds, magnitude), None, stated)
    if clear.length == 0:
        raise ShapeError("there are no values to encrypt", code="empty")
    parts = core.encrypt(clear.data, period_of(clear.length, params._row), bounds, magnitude)
    return Vector._of(params, parts, clear.length, stated)
