"""Parameters: chosen by name, or for what is to be computed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from . import _fathom, _frames
from ._bound import Made
from ._described import Described
from ._ranges import Range, check, read_range
from ._values import INTEGERS, REALS, Kind, is_whole, number, whole
from .errors import ParamsError

#: The largest absolute values of real numbers that are taken without a statement, the first that is possible.
EVERYDAY = (1000.0, 100.0, 10.0, 1.0)
#: The number of slots below which no ring is secure.
_FEWEST_SLOTS = 1024


class Params(Described, Made):
    """Checked parameters of BFV, BGV or CKKS, which all objects that belong together share.

    Make them with `Params.preset`, `Params.for_integers` or `Params.for_reals`.
    """

    __slots__ = ("__weakref__", "_core", "_inputs", "_keyless")

    _title = "fathom.Params"
    _maker = "make parameters with Params.preset, Params.for_integers or Params.for_reals"
    _core: _fathom.Params
    _inputs: Range | None
    _keyless: _fathom.Evaluator

    @classmethod
    def _of(cls, core: _fathom.Params, inputs: Range | None) -> Params:
        return cls._made(_core=core, _inputs=inputs, _keyless=_fathom.Evaluator.without_keys(core))

    def _within(self, core: _fathom.Params) -> Params:
        """Returns the same statements for the parameters of a simulation."""
        return Params._of(core, self._inputs)

    @classmethod
    def preset(cls, scheme: str, name: str) -> Params:
        """Returns a ready set of a scheme, one of `Params.presets`.

        Raises:
            ParamsError: There is no such scheme or set.
        """
        core = _fathom.Params.preset(scheme, name)
        return cls._of(core, _held(core))

    @staticmethod
    def presets(scheme: str) -> list[str]:
        """Returns the names of the ready sets of `"bfv"`, `"bgv"` or `"ckks"`.

        Raises:
            ParamsError: There is no such scheme.
        """
        return _fathom.Params.preset_names(scheme)

    @classmethod
    def for_integers(
        cls,
        *,
        bits: int = 8,
        depth: int = 1,
        terms: int = 64,
        slots: int = 4096,
        scheme: str = "bfv",
        encryption: str = "secret",
        security: int = 128,
    ) -> Params:
        """Returns the smallest parameters for exact integers and what is computed with them.

        Args:
            bits: Inputs have an absolute value below `2**bits`.
            depth: Products in a row.
            terms: Results of these products that are added up, by `sum`, `dot` or `+`.
            slots: The least number of values that one ciphertext holds.
            scheme: `"bfv"`, or `"bgv"`, where levels are in the caller's hands.
            encryption: The key that encrypts, `"secret"` or `"public"`.
            security: 128, 192 or 256 bits.

        Raises:
            ParamsError: There are no such parameters; the message names the bits needed and allowed.
        """
        bits = _count("bits", bits, 1, 40)
        depth = _count("depth", depth, 0, 63)
        terms = _count("terms", terms, 1, 1 << 16)
        slots = _count("slots", slots, 1, 1 << 16)
        inputs = Range.of_bits(bits)
        result = inputs
        for _ in range(depth):
            result = result * result
        # A modulus above twice the largest absolute value of a result.
        value_bits = result.times(terms).bits + 1
        if value_bits > 40:
            raise ParamsError(
                f"results of {bits} bits, {depth} products in a row and {terms} terms take {value_bits} bits with the "
                "sign, the parameters hold 40: lower one of them, or take wide integers",
                code="spec",
                field="bits",
                needed_bits=value_bits,
                held_bits=40,
            )
        core = _fathom.Params.for_integers(
            scheme,
            slots=max(slots, _FEWEST_SLOTS),
            value_bits=value_bits,
            products=depth,
            rotations=0 if terms == 1 else (terms - 1).bit_length() + 1,
            terms=terms,
            encryption=encryption,
            security=_count("security", security, 0, 1 << 16),
        )
        return cls._of(core, inputs)

    @classmethod
    def for_reals(
        cls,
        *,
        depth: int = 1,
        terms: int = 64,
        precision: float = 20.0,
        magnitude: float | None = None,
        encryption: str = "secret",
        security: int = 128,
    ) -> Params:
        """Returns the smallest parameters for real numbers and what is computed with them.

        Args:
            depth: Products in a row; one with a clear array or a fraction counts too.
            terms: Results of these products that are added up.
            precision: Bits behind the binary point that are correct in every result.
            magnitude: The largest absolute value of inputs, a public statement that every encryption publishes. By
                default 1000, or for many products the greatest of 100, 10 and 1 that leaves the precision;
                `Params.magnitude` tells it. Results up to the magnitude have the precision. Products of two inputs, and
                sums of such products, have room above it with less precision; larger results are refused.
            encryption: The key that encrypts, `"secret"` or `"public"`.
            security: 128, 192 or 256 bits.

        Raises:
            ParamsError: There are no such parameters; the message names the bits needed and allowed.
        """
        stated = {
            "depth": _count("depth", depth, 0, 48),
            "terms": _count("terms", terms, 1, 1 << 15),
            "precision": number(precision, REALS),
            "encryption": encryption,
            "security": _count("security", security, 0, 1 << 16),
        }
        magnitudes = EVERYDAY if magnitude is None else (number(magnitude, REALS),)
        for most in magnitudes:
            try:
                return cls._of(_fathom.Params.for_reals(magnitude=most, **stated), None)
            except ParamsError as error:
                refused = error
        raise _too_deep(stated, magnitudes[-1], refused) from refused

    @property
    def scheme(self) -> str:
        """The scheme: `"bfv"`, `"bgv"` or `"ckks"`."""
        return self._core.scheme

    @property
    def name(self) -> str:
        """The name of the set."""
        return self._core.name

    @property
    def slots(self) -> int:
        """The number of values that one ciphertext holds."""
        return self._core.slots

    @property
    def degree(self) -> int:
        """The degree of the ring."""
        return self._core.degree

    @property
    def top_level(self) -> int:
        """The level of a fresh encryption."""
        return self._core.top_level

    @property
    def plain_modulus(self) -> int | None:
        """The modulus of exact integers; none for real numbers."""
        return self._core.plain_modulus

    @property
    def magnitude(self) -> float | None:
        """The largest absolute value of real numbers, unless `encrypt` is told another; none for integers."""
        return self._core.magnitude

    @property
    def scale_bits(self) -> float | None:
        """The base-2 logarithm of the scale of real numbers; none for integers."""
        return self._core.scale_bits

    @property
    def log2_modulus(self) -> float:
        """The base-2 logarithm of the largest modulus, that of the evaluation keys, on which the security rests."""
        return self._core.log2_modulus

    def log2_modulus_at(self, level: int) -> float:
        """Returns the base-2 logarithm of the modulus of ciphertexts at a level, from 0 to `top_level`.

        Raises:
            ParamsError: There is no such level.
        """
        return self._core.log2_modulus_at(_count("level", level, 0, self.top_level))

    @property
    def failure_log2(self) -> float:
        """The base-2 logarithm of the probability allowed that a noise bound fails."""
        return self._core.failure_log2

    @property
    def kernel(self) -> str:
        """The name of the kernel that computes modulo these primes on this processor, such as `"avx512"`.

        Primes above 45.8 bits, which precise real numbers take, are too long for vector units: their kernel is
        `"portable"`.
        """
        return self._core.kernel

    @property
    def security_bits(self) -> float:
        """The bits of security against the best known classical attack."""
        return self._core.security_bits

    @property
    def id(self) -> str:
        """The identifier that all objects of these parameters carry."""
        return self._core.id

    @property
    def is_exact(self) -> bool:
        """True if values are integers and results exact."""
        return self.scheme != "ckks"

    @property
    def _numbers(self) -> Kind:
        """The kind of numbers that vectors hold."""
        return INTEGERS if self.is_exact else REALS

    @property
    def _row(self) -> int:
        """The largest number of values that rotations move within one ciphertext."""
        return self._core.degree // 2

    @property
    def _input_bits(self) -> int | None:
        """The bits of inputs whose range is not stated; none for real numbers."""
        return None if self._inputs is None else self._inputs.bits

    @property
    def _allowed(self) -> Range | None:
        """The range of integers that do not wrap around."""
        return _held(self._core)

    def _checked(self, operation: str, found: Range | None) -> Range | None:
        """Returns the range of a result, after checking that the parameters hold it."""
        return check(operation, found, self._allowed)

    def to_bytes(self) -> bytes:
        """Returns the parameters as bytes."""
        inputs = None if self._inputs is None else [self._inputs.low, self._inputs.high]
        return _frames.pack("params", {"scheme": self.scheme, "inputs": inputs}, [self._core.to_bytes()])

    @classmethod
    def from_bytes(cls, data: Any) -> Params:
        """Reads parameters and repeats every check of them.

        Raises:
            WireError: The bytes are damaged or no parameters.
            ParamsError: The parameters are insecure.
        """
        whole = bytes(data) if isinstance(data, (bytes, bytearray, memoryview)) else data
        with _lock:
            if isinstance(whole, bytes) and whole in _recent:
                _recent.move_to_end(whole)
                return _recent[whole]
        meta, frames = _frames.unpack(whole, "params", 1)
        core = _fathom.Params.from_bytes(str(meta.get("scheme")), frames[0])
        inputs = read_range(meta.get("inputs"), _held(core), "inputs")
        if (inputs is None) != (_held(core) is None):
            raise _frames.malformed("inputs")
        params = cls._of(core, inputs)
        with _lock:
            _recent[bytes(whole)] = params
            while len(_recent) > _MOST_RECENT:
                _recent.popitem(last=False)
        return params

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Params):
            return NotImplemented
        return (self.scheme, self.id, self._inputs) == (other.scheme, other.id, other._inputs)

    def __hash__(self) -> int:
        return hash((self.scheme, self.id))

    def __reduce__(self) -> tuple[Any, ...]:
        return Params.from_bytes, (self.to_bytes(),)

    def _facts(self) -> list[tuple[str, str]]:
        modulus = [] if self.plain_modulus is None else [("plaintext modulus", str(self.plain_modulus))]
        return [
            ("scheme", self.scheme),
            ("slots", str(self.slots)),
            *modulus,
            ("security", f"{self.security_bits:.0f} bits"),
        ]


_MOST_RECENT = 16
_recent: OrderedDict[bytes, Params] = OrderedDict()
_lock = Lock()


def _held(core: _fathom.Params) -> Range | None:
    """Returns the integers that parameters hold without wrapping around."""
    modulus = core.plain_modulus
    return None if modulus is None else Range(-(modulus - 1) // 2, (modulus - 1) // 2)


def _too_deep(stated: dict[str, Any], magnitude: float, refused: ParamsError) -> ParamsError:
    """Returns the refusal of real numbers for which there are no parameters, with the depth for which there are."""

    def fits(depth: int) -> bool:
        try:
            _fathom.Params.for_reals(magnitude=magnitude, **{**stated, "depth": depth})
        except ParamsError:
            return False
        return True

    # The depth that fits is `low`, and `high` does not.
    low, high = -1, int(stated["depth"])
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    if low < 1:
        # Fewer products do not help; the library names the precision that there is.
        return refused
    return ParamsError(
        f"no parameters have {stated['depth']} products in a row with {stated['precision']:g} bits of precision for "
        f"numbers up to {magnitude:g}; {low} products have: state smaller magnitudes, precision or depth, "
        "or decrypt and encrypt on the way; a polynomial of degree d, by polyval, takes at most log2(d) + 1 products",
        code="spec",
        field="depth",
        depth=stated["depth"],
        deepest=low,
        magnitude=magnitude,
    )


def _count(field: str, stated: Any, least: int, most: int) -> int:
    """Returns a number of something, and refuses one that is out of range."""
    count = whole(stated, f"parameter {field}") if is_whole(stated) else None
    if count is None or not least <= count <= most:
        raise ParamsError(
            f"parameter {field}: {stated!r} is not an integer from {least} to {most}",
            code="spec",
            field=field,
            least=least,
            most=most,
        )
    return count
