"""An encrypted vector: ciphertexts with a length and a public range, and their bytes."""

from __future__ import annotations

from typing import Any, NoReturn, Self

from . import _fathom, _frames
from ._bound import Binding, Bound, entered
from ._described import Described, size
from ._layout import period_of
from ._progress import stepped
from ._ranges import Range, read_range
from .errors import KindError
from .params import Params

#: Operations that need no keys, and so no server.
_KEYLESS = frozenset({"add", "sub", "neg", "mul_clear", "at_level"})

_WITH_TYPES = "encrypt integers with fathom.tfhe, which have quotients, remainders, bits and comparisons"
_PLACES = "take one place of a vector, such as x[0], or x @ S with a clear matrix S that selects several"
_WHERE = "take fathom.where, or masks of zeros and ones: x * mask"
#: What to write instead of operations on integers.
_OF_INTEGERS = {
    "/": "decrypt it and divide, or take keys for real numbers: fathom.keygen(float)",
    **dict.fromkeys(("//", "%", "divmod", "&", "|", "^", "~", ">>"), _WITH_TYPES),
    **dict.fromkeys(("abs", "numpy.absolute", "numpy.maximum", "numpy.minimum", "numpy.sign"), _WITH_TYPES),
    "<<": "multiply by a power of two",
    "[]": _PLACES,
    "numpy.where": _WHERE,
}
#: The same on real numbers.
_OF_REALS = {
    "a power of a clear base": "take a polynomial that approximates it, with polyval",
    "/": "divide by clear numbers, or multiply by a polynomial that approximates the inverse, with polyval",
    **dict.fromkeys(("//", "%", "divmod", "round", "int", "float"), "decrypt it first"),
    "[]": _PLACES,
    "numpy.where": _WHERE,
}


class VectorBase(Described, Bound):
    """The ciphertexts of a vector, with what is publicly stated about its values."""

    __slots__ = ("_clean", "_length", "_params", "_parts", "_range")

    _title = "fathom.Vector"
    _shown = "vector"
    _maker = "encrypt vectors with SecretKey.encrypt or PublicKey.encrypt"
    _reading = "write it inside 'with server:', or read the operand with server.load"
    _params: Params
    _parts: _fathom.Ciphertexts
    _length: int | None
    _range: Range | None
    #: Whether the slots without a value hold zeros.
    _clean: bool

    @classmethod
    def _of(
        cls,
        params: Params,
        parts: _fathom.Ciphertexts,
        length: int | None,
        stated: Range | None,
        *,
        clean: bool = True,
        bound: Binding = None,
    ) -> Self:
        return cls._made(_params=params, _parts=parts, _length=length, _range=stated, _clean=clean, _bound=bound)

    def _bound_to(self, binding: Binding) -> Self:
        return self._of(self._params, self._parts, self._length, self._range, clean=self._clean, bound=binding)

    def _with(self, parts: _fathom.Ciphertexts, stated: Range | None, *, clean: bool | None = None) -> Self:
        """Returns a result of the same length."""
        kept = self._clean if clean is None else clean
        return self._of(self._params, parts, self._length, stated, clean=kept or self._is_full, bound=self._bound)

    def _evaluator(self, operation: str, *others: Any) -> _fathom.Evaluator:
        """Returns the evaluator of the server that was entered last, or of the first operand that is bound to one.

        Without a server, sums and products with clear operands are possible, which need no keys.
        """
        evaluator: _fathom.Evaluator
        if servers := entered.get():
            evaluator = servers[-1]._core
        elif operation in _KEYLESS and self._server_of(*others) is None:
            evaluator = self._params._keyless
        else:
            evaluator = self._core_for(operation, *others)
        return stepped(evaluator)

    @property
    def params(self) -> Params:
        """The parameters."""
        return self._params

    @property
    def ndim(self) -> int:
        """The number of dimensions: 1, or 0 for one number."""
        return 0 if self._length is None else 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The length as a tuple, which is empty for one number."""
        return () if self._length is None else (self._length,)

    @property
    def nbytes(self) -> int:
        """The bytes of the ciphertexts."""
        return self._parts.nbytes

    @property
    def ciphertexts(self) -> int:
        """The number of ciphertexts."""
        return len(self._parts)

    @property
    def key_id(self) -> str | None:
        """The identifier of the secret key that decrypts."""
        return self._parts.key_id

    @property
    def level(self) -> int:
        """The number of primes that can still be dropped."""
        return self._parts.level

    @property
    def noise_left_bits(self) -> float:
        """The bits by which the noise may still grow."""
        return self._parts.noise_left_bits

    @property
    def error_bound(self) -> float:
        """The bound on the error of every value; zero for integers."""
        return self._parts.error_bound

    @property
    def range(self) -> tuple[int, int] | None:
        """The least and the greatest integer that a value may be; none for real numbers and modulo `t`."""
        return None if self._range is None else (self._range.low, self._range.high)

    @property
    def _period(self) -> int:
        return period_of(self._length, self._params._row)

    @property
    def _is_spread(self) -> bool:
        """True if every slot holds the same value, so that it joins vectors of any length."""
        return self._length is None or self._length == 1

    @property
    def _is_full(self) -> bool:
        """True if every slot holds a value."""
        if self._length is None:
            return True
        return self._length % (self._period or self._params.slots) == 0

    def __len__(self) -> int:
        if self._length is None:
            raise KindError("one encrypted number has no length", code="no_length")
        return self._length

    def to_bytes(self) -> bytes:
        """Returns the vector as bytes, with its length and its range, without the parameters."""
        meta = {
            "scheme": self._params.scheme,
            "length": self._length,
            "range": None if self._range is None else [self._range.low, self._range.high],
            "clean": self._clean,
        }
        return _frames.pack("vector", meta, self._parts.to_frames())

    @classmethod
    def from_bytes(cls, params: Params, data: Any, trust: str = "fresh") -> Self:
        """Reads a vector of these parameters, bound to no server: see `Server.load` and `SecretKey.load`.

        The range is a statement of the sender: if it is false, results may wrap around.

        Args:
            params: The parameters.
            data: The bytes.
            trust: `"fresh"` reads fresh encryptions of anybody, `"computed"` believes the noise bounds of a result.

        Raises:
            WireError: The bytes are damaged, or the result of a computation.
            KeyMismatchError: They belong to other parameters.
        """
        meta, frames = _frames.unpack(data, "vector")
        length, clean = meta.get("length"), meta.get("clean")
        if length is not None and (type(length) is not int or length < 1):
            raise _frames.malformed("length")
        if type(clean) is not bool:
            raise _frames.malformed("clean")
        period = period_of(length, params._row)
        expected = -(-(length or 1) // params.slots) if period == 0 else 1
        if len(frames) != expected:
            raise _frames.malformed("frames")
        stated = read_range(meta.get("range"), params._allowed, "range")
        parts = _fathom.Ciphertexts.from_frames(params._core, frames, trust)
        return cls._of(params, parts, length, stated, clean=clean)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        buffer = _frames.for_pickle(self.to_bytes(), protocol)
        return type(self).from_bytes, (self._params, buffer, "computed")

    # What the values of a secret do not have.

    def __array__(self, *args: Any, **options: Any) -> NoReturn:
        raise KindError(
            "an encrypted vector is no array: take its operators and methods, such as x * values, or decrypt it first",
            code="no_array",
        )

    def __iter__(self) -> NoReturn:
        raise KindError("an encrypted vector has no clear items: add them up with sum, or decrypt it", code="no_items")

    def _not_compared(self, other: object) -> NoReturn:
        raise KindError(
            "encrypted vectors of numbers cannot be compared: decrypt them, or encrypt integers with fathom.tfhe",
            code="no_comparison",
        )

    def _remedy_for(self, operation: str) -> str:
        if not self._params.is_exact:
            return _OF_REALS.get(operation, "sums and products alone are computed, take polyval, or decrypt it first")
        return _OF_INTEGERS.get(operation, "decrypt it first")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_compared
    __hash__ = Bound.__hash__

    def _facts(self) -> list[tuple[str, str]]:
        facts = [("length", "one number" if self._length is None else str(self._length))]
        if self._range is not None:
            facts.append(("range", f"{self._range.low} to {self._range.high}"))
        elif self._params.is_exact:
            facts.append(("range", f"modulo {self._params.plain_modulus}"))
        else:
            facts.append(("error", f"below {self.error_bound:.1e}"))
        return [
            *facts,
            ("scheme", self._params.scheme),
            ("ciphertexts", str(self.ciphertexts)),
            ("size", size(self.nbytes)),
            ("noise left", f"{self.noise_left_bits:.0f} bits"),
            ("key", str(self.key_id)),
        ]
