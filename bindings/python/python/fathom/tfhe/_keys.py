"""The keys of TFHE: the secret one, and those that compute."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, overload

from .. import _fathom
from .._described import size
from .._parties import Secret, Served
from .._refusals import of_type
from .._stored import read_file
from .._values import TYPED, whole
from .._values import read as read_clear
from ..errors import KindError, ShapeError
from ._array import Array
from ._base import Encrypted, read
from ._text import Bytes
from ._types import parsed, utf8
from ._value import Value

if TYPE_CHECKING:
    from typing_extensions import Buffer


def keygen(params: str = "integers") -> Key:
    """Makes a secret key.

    Args:
        params: `"integers"`, for integers of up to 128 bits and truth values; `"gates"`, for truth values alone, with
            smaller keys and faster gates; or the name of a parameter set of the library, such as `"u_bool_64"`.

    Raises:
        ParamsError: There are no such parameters.
    """
    return Key._made(_core=_fathom.TfheKey.generate(params))


class Key(Secret["Server"]):
    """The secret key: whoever has it can read what is encrypted. It is neither printed nor pickled."""

    __slots__ = ()

    _maker = "make a key with fathom.tfhe.keygen"
    _frame = "tfhe secret key"
    _core: _fathom.TfheKey

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        return cls._made(_core=_fathom.TfheKey.from_secret_bytes(params, own))

    def _params_bytes(self) -> bytes:
        return self._core.params_bytes()

    def make_server(self, *, threads: int | None = None) -> Server:
        """Makes evaluation keys, about 34 MB for integers and 10 MB for gates.

        Args:
            threads: The number of threads of the server; by default one for each core.
        """
        count = None if threads is None else whole(threads, "a number of threads")
        return Server._read({}, self._core.params_bytes(), self._core.evaluation_keys(), count)

    @overload
    def encrypt(self, value: int, dtype: str | None = None) -> Value: ...
    @overload
    def encrypt(  # type: ignore[overload-overlap]  # Bytes are a string, although they are a sequence too.
        self, value: str | bytes, dtype: None = None, *, capacity: int | None = None
    ) -> Bytes: ...
    @overload
    def encrypt(self, value: Sequence[int] | Buffer, dtype: str | None = None) -> Array: ...
    def encrypt(self, value: Any, dtype: str | None = None, *, capacity: int | None = None) -> Value | Bytes | Array:
        """Encrypts a truth value, an integer of a type such as `"u8"`, `"i32"` or `"u10"`, a string, or an array.

        Args:
            value: The value. Of `str`, the bytes of UTF-8 are encrypted. A sequence or a buffer is an array.
            dtype: The type of an integer, or of the elements of an array; buffers have one by themselves.
            capacity: The most bytes of a string, a public statement that hides its length. Such a string has no zero
                byte. By default, the length is public.

        Raises:
            RangeError: The type does not hold the value, or a padded string has a zero byte.
            ShapeError: The capacity is too small.
            KindError: There is no such type.
        """
        if isinstance(value, (str, bytes, bytearray)) and dtype is None:
            data = utf8(value) if isinstance(value, str) else value
            most = None if capacity is None else _capacity(capacity)
            return Bytes._of(self._core.encrypt_bytes(data, most), self._local)
        if capacity is not None:
            raise KindError("strings alone have a capacity", code="options")
        clear = read_clear(value, TYPED)
        if clear.length is None:
            return Value._of(self._encrypted(clear.data, dtype), self._local)
        if clear.length == 0:
            raise ShapeError("there are no values to encrypt", code="empty")
        listed = clear.listed()
        found = dtype or clear.dtype or ("bool" if isinstance(listed[0], bool) else None)
        return Array._of([self._encrypted(item, found) for item in listed], self._local)

    def _encrypted(self, value: Any, dtype: str | None) -> _fathom.TfheValue:
        """Encrypts a truth value or an integer."""
        if dtype == "bool" or (isinstance(value, bool) and dtype is None):
            return self._core.encrypt_truth(value)
        signed, bits = parsed(dtype)
        return self._core.encrypt_signed(value, bits) if signed else self._core.encrypt_unsigned(value, bits)

    def decrypt(self, value: Value | Bytes | Array) -> Any:
        """Returns the integer, the truth value, the bytes of a string without its padding, or the list of an array.

        Raises:
            KeyMismatchError: The value belongs to another key.
        """
        if not isinstance(value, Encrypted):
            raise of_type("a value of fathom.tfhe", value, "Value")
        clear = [self._decrypted(part) for part in value._parts()]
        return clear if isinstance(value, Array) else clear[0]

    def _decrypted(self, core: _fathom.TfheValue) -> int | bytes:
        """Returns the clear value of one part."""
        clear = self._core.decrypt(core)
        return int(clear) if isinstance(clear, str) else clear

    def load(self, data: Any) -> Any:
        """Reads a value, such as a result that a server sent back.

        Raises:
            WireError: The bytes are damaged.
        """
        return read(self._core.params_bytes(), data, "computed")._bound_to(self._local)

    def __repr__(self) -> str:
        return f"fathom.tfhe.Key(parameters {self._core.params_name}, key {self.id})"


class Server(Served):
    """Evaluation keys, which allow to compute and reveal nothing, with threads of their own.

    The threads do not survive a fork: in a forked process, operations raise `ForkError`.
    """

    __slots__ = ()

    _title = "fathom.tfhe.Server"
    _maker = "make a server with Key.make_server or Server.from_bytes"
    _frame = "tfhe server"
    _core: _fathom.TfheEvaluator

    @classmethod
    def _read(cls, meta: dict[str, Any], params: Any, own: Any, threads: int | None = None) -> Self:
        return cls._made(_core=_fathom.TfheEvaluator(params, own, threads or os.cpu_count() or 1))

    def _params_bytes(self) -> bytes:
        return self._core.params_bytes()

    def load(self, data: Any, trust: str = "fresh") -> Any:
        """Reads a value and binds it to this server, with `trust` as in `fathom.Server.load`.

        Raises:
            WireError: The bytes are damaged, or the result of a computation.
        """
        return read(self._core.params_bytes(), data, trust)._bound_to(self)

    @classmethod
    def from_bytes(cls, data: Any, *, threads: int | None = None) -> Self:
        """Reads a server, with so many threads, or one for each core.

        Raises:
            WireError: The bytes are damaged or no server.
        """
        return cls._unpack(data, threads=threads)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, threads: int | None = None) -> Self:
        """Reads a server from a file, with so many threads, or one for each core.

        Raises:
            ResourceError: The file cannot be read.
            WireError: It holds no server.
        """
        return cls.from_bytes(read_file(path), threads=threads)

    def _facts(self) -> list[tuple[str, str]]:
        return [("parameters", self._core.params_name), ("keys", size(self.nbytes)), ("key", str(self.key_id))]


def _capacity(stated: Any) -> int:
    """Returns a stated capacity of a string.

    Raises:
        ShapeError: It is negative.
    """
    most = whole(stated, "a capacity")
    if most < 0:
        raise ShapeError(f"a string has a capacity of at least 0 bytes, not {most}", code="capacity", capacity=most)
    return most
