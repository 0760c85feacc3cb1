"""Encrypted machine integers and truth values: every operation is possible, and none wears out.

    import fathom as fhe

    key = fhe.tfhe.keygen()
    a, b = key.encrypt(200, "u8"), key.encrypt(77, "u8")
    print(key.decrypt(fhe.tfhe.where(a > b, a - b, b - a)))

Arithmetic wraps around at the width of the type, as that of machine integers does. An operation takes milliseconds to
seconds; Ctrl-C ends it.
"""

from __future__ import annotations

import os
import pickle
import re
import weakref
from typing import Any, NoReturn

from . import _fathom, _frames
from .errors import KindError, NoServerError
from .params import table
from .server import size

__all__ = ["Key", "Server", "Value", "keygen", "where"]

#: The names of types: `u` or `i`, and an even number of bits.
_TYPE = re.compile(r"([ui])([1-9][0-9]{0,2})")


#: The most bits of a type.
_MOST_BITS = 128


def keygen() -> Key:
    """Makes a secret key for integers of up to 128 bits."""
    return Key._of(_fathom.TfheKey.generate())


class Key:
    """The secret key: whoever has it can read what is encrypted. It is neither printed nor pickled."""

    __slots__ = ("__weakref__", "_core", "_server")

    _core: _fathom.TfheKey
    _server: Server | None

    def __init__(self) -> None:
        raise KindError("make a key with fathom.tfhe.keygen", code="no_init")

    @classmethod
    def _of(cls, core: _fathom.TfheKey) -> Key:
        key = object.__new__(cls)
        key._core = core
        key._server = None
        return key

    @property
    def id(self) -> str:
        """The public identifier of the key."""
        return self._core.id

    @property
    def server(self) -> Server:
        """A server for computations on the same machine, made at the first use."""
        if self._server is None:
            self._server = self.make_server()
        return self._server

    def make_server(self, *, threads: int | None = None) -> Server:
        """Makes evaluation keys, about 34 MB.

        Args:
            threads: The number of threads of the server; by default one for each core.
        """
        return Server._made(self._core.params_bytes(), self._core.evaluation_keys(), threads)

    def encrypt(self, value: Any, dtype: str | None = None) -> Value:
        """Encrypts a truth value, or an integer of a type such as `"u8"`, `"i32"` or `"u10"`.

        Raises:
            RangeError: The type does not hold the value.
            KindError: There is no such type.
        """
        if isinstance(value, bool) and dtype in (None, "bool"):
            return Value._of(self._core.encrypt_truth(value), _Local(self))
        signed, bits = _type(dtype)
        core = self._core.encrypt_signed(value, bits) if signed else self._core.encrypt_unsigned(value, bits)
        return Value._of(core, _Local(self))

    def decrypt(self, value: Value) -> Any:
        """Returns the integer or the truth value.

        Raises:
            KeyMismatchError: The value belongs to another key.
        """
        clear = self._core.decrypt(value._core)
        return clear if isinstance(clear, bool) else int(clear)

    def load(self, data: Any) -> Value:
        """Reads a value, such as a result that a server sent back.

        Raises:
            WireError: The bytes are damaged.
        """
        return Value._read(self._core.params_bytes(), data, "computed")._bound_to(_Local(self))

    def to_secret_bytes(self) -> bytes:
        """Returns the parameters and the secret key, for storage that only its owner can read."""
        return _frames.pack("tfhe secret key", {}, [self._core.params_bytes(), self._core.to_secret_bytes()])

    @classmethod
    def from_secret_bytes(cls, data: Any) -> Key:
        """Reads a secret key.

        Raises:
            WireError: The bytes are damaged or no secret key.
        """
        _, frames = _frames.unpack(data, "tfhe secret key")
        if len(frames) != 2:
            raise _frames.malformed("frames")
        return cls._of(_fathom.TfheKey.from_secret_bytes(*frames))

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Key:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise KindError("secret keys are not pickled; use to_secret_bytes, and keep the bytes secret", code="secret")

    def __repr__(self) -> str:
        return f"fathom.tfhe.Key(parameters {self._core.params_name}, key {self.id})"


class Server:
    """Evaluation keys, which allow to compute and reveal nothing, with threads of their own.

    The threads do not survive a fork: in a forked process, operations raise `ForkError`.
    """

    __slots__ = ("__weakref__", "_core")

    _core: _fathom.TfheEvaluator

    def __init__(self) -> None:
        raise KindError("make a server with Key.make_server or Server.from_bytes", code="no_init")

    @classmethod
    def _made(cls, params: Any, keys: Any, threads: int | None) -> Server:
        return cls._of(_fathom.TfheEvaluator(params, keys, threads or os.cpu_count() or 1))

    @classmethod
    def _of(cls, core: _fathom.TfheEvaluator) -> Server:
        server = object.__new__(cls)
        server._core = core
        return server

    @property
    def key_id(self) -> str | None:
        """The identifier of the secret key that the keys belong to."""
        return self._core.key_id

    def load(self, data: Any, trust: str = "fresh") -> Value:
        """Reads a value and binds it to this server, with `trust` as in `fathom.Server.load`.

        Raises:
            WireError: The bytes are damaged, or the result of a computation.
        """
        return Value._read(self._core.params_bytes(), data, trust)._bound_to(self)

    def to_bytes(self) -> bytes:
        """Returns the parameters and the keys as bytes."""
        return _frames.pack("tfhe server", {}, [self._core.params_bytes(), self._core.keys_bytes()])

    @classmethod
    def from_bytes(cls, data: Any, *, threads: int | None = None) -> Server:
        """Reads a server.

        Raises:
            WireError: The bytes are damaged or no server.
        """
        _, frames = _frames.unpack(data, "tfhe server")
        if len(frames) != 2:
            raise _frames.malformed("frames")
        return cls._made(frames[0], frames[1], threads)

    def __copy__(self) -> Server:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Server:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self.to_bytes()
        return Server.from_bytes, (pickle.PickleBuffer(data) if protocol >= 5 else data,)

    def __repr__(self) -> str:
        return f"fathom.tfhe.Server(key {self.key_id})"


def _type(dtype: str | None) -> tuple[bool, int]:
    """Returns whether a type has a sign, and its bits."""
    found = _TYPE.fullmatch(str(dtype))
    if found is None or int(found[2]) % 2 or int(found[2]) > _MOST_BITS:
        raise KindError(
            f"no type is named {dtype!r}; take bool, or u or i and an even number of up to {_MOST_BITS} bits, such as "
            "u8 or i32",
            code="type_unknown",
            dtype=str(dtype),
        )
    return found[1] == "i", int(found[2])


class _Local:
    """The server of a key's holder, which it makes when it is needed first."""

    __slots__ = ("_key",)

    def __init__(self, key: Key) -> None:
        self._key = weakref.ref(key)

    def server(self) -> Server | None:
        """Returns the server, or none if the secret key is gone."""
        key = self._key()
        return None if key is None else key.server


class Value:
    """An encrypted integer or truth value. Operators take encrypted operands of the same type and clear ones."""

    __slots__ = ("__weakref__", "_bound", "_core")

    __array_ufunc__ = None

    _core: _fathom.TfheValue
    _bound: Server | _Local | None

    def __init__(self) -> None:
        raise KindError("encrypt values with Key.encrypt", code="no_init")

    @classmethod
    def _of(cls, core: _fathom.TfheValue, bound: Server | _Local | None) -> Value:
        value = object.__new__(cls)
        value._core = core
        value._bound = bound
        return value

    @classmethod
    def _read(cls, params: bytes, data: Any, trust: str) -> Value:
        meta, frames = _frames.unpack(data, "tfhe value")
        if len(frames) != 1 or meta.get("type") not in ("bool", "integer"):
            raise _frames.malformed("type")
        return cls._of(_fathom.TfheValue.from_bytes(params, frames[0], meta["type"], trust), None)

    def _bound_to(self, bound: Server | _Local | None) -> Value:
        return Value._of(self._core, bound)

    @property
    def dtype(self) -> str:
        """The type: `"u8"`, `"i32"` and so on, or `"bool"`."""
        return self._core.dtype

    def to_bytes(self) -> bytes:
        """Returns the value as bytes."""
        kind = "bool" if self.dtype == "bool" else "integer"
        return _frames.pack("tfhe value", {"type": kind}, [self._core.to_bytes()])

    def _evaluator(self, operation: str, *others: Value) -> _fathom.TfheEvaluator:
        for value in (self, *others):
            bound = value._bound.server() if isinstance(value._bound, _Local) else value._bound
            if bound is not None:
                return bound._core
        raise NoServerError(
            f"{operation} needs evaluation keys: read the operand with server.load",
            code="no_server",
            operation=operation,
        )

    def _binary(self, operation: str, other: Any) -> Value:
        if isinstance(other, Value):
            core = self._evaluator(operation, other).binary(operation, self._core, other._core)
            return Value._of(core, self._bound or other._bound)
        if isinstance(other, bool) != (self.dtype == "bool") or not hasattr(other, "__index__"):
            return NotImplemented  # type: ignore[no-any-return]
        return Value._of(self._evaluator(operation).binary(operation, self._core, other), self._bound)

    def _reversed(self, operation: str, other: Any) -> Value:
        if isinstance(other, bool) != (self.dtype == "bool") or not hasattr(other, "__index__"):
            return NotImplemented  # type: ignore[no-any-return]
        evaluator = self._evaluator(operation)
        first = evaluator.trivial(self._core, other)
        return Value._of(evaluator.binary(operation, first, self._core), self._bound)

    def _unary(self, operation: str) -> Value:
        return Value._of(self._evaluator(operation).unary(operation, self._core), self._bound)

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._reversed("sub", other)

    def __mul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __and__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __rand__(self, other: Any) -> Value:
        return self._binary("and", other)

    def __or__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __ror__(self, other: Any) -> Value:
        return self._binary("or", other)

    def __xor__(self, other: Any) -> Value:
        return self._binary("xor", other)

    def __rxor__(self, other: Any) -> Value:
        return self._binary("xor", other)

    def __neg__(self) -> Value:
        return self._unary("neg")

    def __invert__(self) -> Value:
        return self._unary("not")

    def div(self, other: Any) -> Value:
        """Returns the quotient, rounded towards zero as machines do, unlike `//` of Python.

        Raises:
            DivisionError: The divisor is a clear zero.
        """
        return self._defined("div", other)

    def rem(self, other: Any) -> Value:
        """Returns the remainder of `div`, which has the sign of the dividend, unlike `%` of Python.

        Raises:
            DivisionError: The divisor is a clear zero.
        """
        return self._defined("rem", other)

    def max(self, other: Any) -> Value:
        """Returns the greater of two integers."""
        return self._defined("max", other)

    def min(self, other: Any) -> Value:
        """Returns the lesser of two integers."""
        return self._defined("min", other)

    def _defined(self, operation: str, other: Any) -> Value:
        result = self._binary(operation, other)
        if result is NotImplemented:
            name = type(other).__name__
            raise KindError(f"{operation} takes integers, got {name}", code="type_mismatch", expected="int", got=name)
        return result

    def __eq__(self, other: Any) -> Value:  # type: ignore[override]
        return self._defined("eq", other)

    def __ne__(self, other: Any) -> Value:  # type: ignore[override]
        return self._defined("ne", other)

    def __lt__(self, other: Any) -> Value:
        return self._binary("lt", other)

    def __le__(self, other: Any) -> Value:
        return self._binary("le", other)

    def __gt__(self, other: Any) -> Value:
        return self._binary("gt", other)

    def __ge__(self, other: Any) -> Value:
        return self._binary("ge", other)

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise KindError(
            "an encrypted value is neither true nor false: take fathom.tfhe.where, or decrypt it first", code="no_bool"
        )

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self.to_bytes()
        return _unpickled, (self._core.params_bytes(), pickle.PickleBuffer(data) if protocol >= 5 else data)

    def __repr__(self) -> str:
        return f"fathom.tfhe.Value({self.dtype})"

    def _repr_html_(self) -> str:
        return table("fathom.tfhe.Value", [("type", self.dtype), ("size", size(len(self._core.to_bytes())))])


def _unpickled(params: bytes, data: Any) -> Value:
    """Returns the value that was pickled, bound to no server."""
    return Value._read(params, data, "computed")


def where(condition: Value, chosen: Any, other: Any) -> Value:
    """Returns `chosen` where an encrypted truth value is true, and `other` where it is false.

    One of both may be clear.

    Raises:
        KindError: The operands are of different types, or both are clear.
    """
    known = chosen if isinstance(chosen, Value) else other
    if not isinstance(condition, Value) or not isinstance(known, Value):
        raise KindError("where takes an encrypted condition, and at least one encrypted value", code="type_unknown")
    evaluator = condition._evaluator("where", known)
    first, second = (
        value._core if isinstance(value, Value) else evaluator.trivial(known._core, value) for value in (chosen, other)
    )
    return Value._of(evaluator.select(condition._core, first, second), condition._bound or known._bound)
