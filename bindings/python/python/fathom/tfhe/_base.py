"""The common part of all encrypted values: a server, bytes, copies and pickles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from .. import _fathom, _frames
from .._bound import Binding, Bound
from .._described import size, table
from .._refusals import check_trust
from .._values import INTEGERS, TRUTHS, Kind
from ..errors import KindError

#: What to write instead of quotients of Python, which rounds them down, and of shifts.
QUOTIENTS = {
    "/": "take x.div(y), which rounds towards zero",
    "//": "take x.div(y), which rounds towards zero",
    "%": "take x.rem(y), which has the sign of x",
    "divmod": "take x.div(y) and x.rem(y)",
    "<<": "multiply by a power of two",
    ">>": "take x.div(y) with a power of two",
    "numpy.where": "take fathom.where(condition, x, y)",
}


class Encrypted(Bound):
    """A value that was encrypted or computed, bound to the server that computes on it."""

    __slots__ = ()

    _instead = "take fathom.tfhe.where, or decrypt it first"
    #: The classes by the type that their bytes state.
    _classes: ClassVar[dict[str, type[Encrypted]]] = {}

    def __init_subclass__(cls, *, types: Sequence[str] = ()) -> None:
        Encrypted._classes.update(dict.fromkeys(types, cls))

    @property
    def dtype(self) -> str:
        """The name of the type."""
        raise NotImplementedError

    def _parts(self) -> Sequence[_fathom.TfheValue]:
        """Returns the compiled values that it consists of."""
        raise NotImplementedError

    def _meta(self) -> dict[str, Any]:
        """Returns the metadata that the bytes of the value state."""
        raise NotImplementedError

    @classmethod
    def _received(cls, meta: dict[str, Any], parts: list[_fathom.TfheValue]) -> Self:
        """Returns the value that was sent."""
        raise NotImplementedError

    def _bound_to(self, bound: Binding) -> Self:
        raise NotImplementedError

    def _evaluator(self, operation: str, *others: Any) -> _fathom.TfheEvaluator:
        evaluator: _fathom.TfheEvaluator = self._core_for(operation, *others)
        return evaluator

    def to_bytes(self) -> bytes:
        """Returns the value as bytes."""
        return _frames.pack("tfhe value", self._meta(), [part.to_bytes() for part in self._parts()])

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self.to_bytes()
        params = self._parts()[0].params_bytes()
        return _unpickled, (params, _frames.for_pickle(data, protocol))

    def __repr__(self) -> str:
        return f"fathom.tfhe.{type(self).__name__}({self.dtype})"

    def _repr_html_(self) -> str:
        parts = self._parts()
        facts = [("type", self.dtype), ("size", size(len(parts) * len(parts[0].to_bytes())))]
        return table(f"fathom.tfhe.{type(self).__name__}", facts)


def read(params: bytes, data: Any, trust: str) -> Encrypted:
    """Reads a value of any type.

    Raises:
        WireError: The bytes are damaged, or those of another object.
        KindError: `trust` is neither `"fresh"` nor `"computed"`.
    """
    check_trust(trust)
    meta, frames = _frames.unpack(data, "tfhe value")
    kind = meta.get("type")
    found = Encrypted._classes.get(kind) if isinstance(kind, str) else None
    element = meta.get("of", kind)
    if found is None or not frames or element not in ("bool", "integer", "bytes"):
        raise _frames.malformed("type")
    parts = [_fathom.TfheValue.from_bytes(params, frame, element, trust) for frame in frames]
    return found._received(meta, parts)


def _unpickled(params: bytes, data: Any) -> Encrypted:
    """Returns the value that was pickled, bound to no server."""
    return read(params, data, "computed")


def kind_of(dtype: str) -> Kind:
    """Returns the clear values that stand beside encrypted ones of a type."""
    return TRUTHS if dtype == "bool" else INTEGERS


def mismatch(operation: str, expected: str, got: Any) -> KindError:
    """Returns the refusal of an operand of another type."""
    name = got.dtype if isinstance(got, Encrypted) else type(got).__name__
    return KindError(
        f"{operation} takes operands of one type, {expected}, got {name}",
        code="type_mismatch",
        expected=expected,
        got=name,
    )
