"""Encrypted strings of bytes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn, overload

from .. import _fathom, _frames
from .._bound import Binding
from .._values import is_whole
from ..errors import KindError
from ._base import Encrypted, mismatch
from ._types import utf8
from ._value import Value


def _comparison(operation: str) -> Callable[[Bytes, Any], Value]:
    """Returns the operator that compares strings."""

    def compared(self: Bytes, other: Any) -> Value:
        return self._truth(operation, other)

    return compared


class Bytes(Encrypted, types=("bytes",)):
    """An encrypted string of bytes.

    Operands are other encrypted strings, and clear ones: `bytes`, or `str`, which is taken in UTF-8. The number of
    bytes is public, unless the string was encrypted with a capacity: then only the capacity is.
    """

    __slots__ = ("_core",)

    _shown = "string"
    _remedies: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("-", "*", "/", "%", "@", "&", "|", "^", "**"),
            "strings are joined with +, compared, searched with contains and find, and changed by lower and upper",
        ),
        "[]": "take a clear integer or a slice",
    }
    _core: _fathom.TfheValue

    @classmethod
    def _of(cls, core: _fathom.TfheValue, bound: Binding) -> Bytes:
        return cls._made(_core=core, _bound=bound)

    @classmethod
    def _received(cls, meta: dict[str, Any], parts: list[_fathom.TfheValue]) -> Bytes:
        if len(parts) != 1 or meta.keys() != {"type"}:
            raise _frames.malformed("type")
        return cls._of(parts[0], None)

    def _bound_to(self, bound: Binding) -> Bytes:
        return Bytes._of(self._core, bound)

    def _parts(self) -> Sequence[_fathom.TfheValue]:
        return (self._core,)

    def _meta(self) -> dict[str, Any]:
        return {"type": "bytes"}

    @property
    def dtype(self) -> str:
        """The type, `"bytes"`."""
        return "bytes"

    @property
    def capacity(self) -> int:
        """The number of bytes that it is made of, padding included, which is public."""
        return self._core.capacity

    @property
    def is_padded(self) -> bool:
        """True if zero bytes at the end are padding, so that the length is hidden."""
        return self._core.is_padded

    def _operand(self, other: Any) -> Any:
        """Returns an operand for the compiled half; none if it is no string."""
        if isinstance(other, Bytes):
            return other._core
        if isinstance(other, str):
            return utf8(other)
        return other if isinstance(other, (bytes, bytearray, memoryview)) else None

    def _binary(self, operation: str, other: Any) -> _fathom.TfheValue:
        operand = self._operand(other)
        if operand is None:
            raise mismatch(operation, self.dtype, other)
        return self._evaluator(operation, other).binary(operation, self._core, operand)

    def _truth(self, operation: str, other: Any) -> Value:
        return Value._of(self._binary(operation, other), self._bound_with(other))

    def _unary(self, operation: str) -> _fathom.TfheValue:
        return self._evaluator(operation).unary(operation, self._core)

    def __add__(self, other: Any) -> Bytes:
        return Bytes._of(self._binary("add", other), self._bound_with(other))

    def __radd__(self, other: Any) -> Bytes:
        operand = self._operand(other)
        if operand is None:
            raise mismatch("add", self.dtype, other)
        evaluator = self._evaluator("add")
        return Bytes._of(evaluator.binary("add", evaluator.trivial(self._core, operand), self._core), self._bound)

    __hash__ = Encrypted.__hash__
    __eq__ = _comparison("eq")  # type: ignore[assignment]
    __ne__ = _comparison("ne")  # type: ignore[assignment]
    __lt__ = _comparison("lt")
    __le__ = _comparison("le")
    __gt__ = _comparison("gt")
    __ge__ = _comparison("ge")

    def __contains__(self, other: Any) -> NoReturn:
        raise KindError("`in` cannot give an encrypted answer: take contains", code="no_bool")

    def contains(self, pattern: Any) -> Value:
        """Returns whether a pattern stands in the string."""
        return self._truth("contains", pattern)

    def startswith(self, pattern: Any) -> Value:
        """Returns whether the string starts with a pattern."""
        return self._truth("startswith", pattern)

    def endswith(self, pattern: Any) -> Value:
        """Returns whether the string ends with a pattern."""
        return self._truth("endswith", pattern)

    def find(self, pattern: Any) -> tuple[Value, Value]:
        """Returns the first place of a pattern, and whether there is one; if not, the place means nothing."""
        operand = self._operand(pattern)
        if operand is None:
            raise mismatch("find", self.dtype, pattern)
        bound = self._bound_with(pattern)
        place, found = self._evaluator("find", pattern).search("find", self._core, operand)
        return Value._of(place, bound), Value._of(found, bound)

    def lower(self) -> Bytes:
        """Returns the string with its ASCII letters in lower case."""
        return Bytes._of(self._unary("lower"), self._bound)

    def upper(self) -> Bytes:
        """Returns the string with its ASCII letters in upper case."""
        return Bytes._of(self._unary("upper"), self._bound)

    def length(self) -> Value:
        """Returns the number of bytes without the padding, encrypted as `u32`."""
        return Value._of(self._unary("length"), self._bound)

    def __len__(self) -> int:
        if self.is_padded:
            raise KindError("the length of a padded string is hidden: take length() or capacity", code="hidden_length")
        return self.capacity

    @overload
    def __getitem__(self, place: int) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> Bytes: ...
    def __getitem__(self, place: int | slice) -> Value | Bytes:
        """Returns the byte at a place as `u8`, or those of a range of places, which are public.

        Raises:
            KindError: A place counts from the end of a padded string, which is hidden.
        """
        if not isinstance(place, slice) and not is_whole(place):
            raise self._refused("[]")
        ends = (place.start, place.stop) if isinstance(place, slice) else (place,)
        if self.is_padded and any(end is not None and operator.index(end) < 0 for end in ends):
            raise KindError("the end of a padded string is hidden: take length()", code="hidden_length")
        if not isinstance(place, slice):
            return Value._of(self._core.byte(range(self.capacity)[place]), self._bound)
        start, stop, step = place.indices(self.capacity)
        if step != 1:
            raise KindError(f"a part of a string has step 1, not {step}", code="step", step=step)
        return Bytes._of(self._core.slice(start, max(start, stop)), self._bound)

    def __iter__(self) -> Iterator[Value]:
        return iter([self[place] for place in range(len(self))])

    def __repr__(self) -> str:
        return f"fathom.tfhe.Bytes({'up to ' if self.is_padded else ''}{self.capacity} bytes)"
