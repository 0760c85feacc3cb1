"""The parties of all schemes: secret keys, public keys, and the servers that compute, with their bytes."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Self, TypeVar

from . import _frames
from ._bound import Local, Made
from ._described import Described
from ._stored import Stored
from .errors import KindError

S = TypeVar("S")


class _Framed(Made):
    """An object of a scheme with parameters, which travel before what it has of its own."""

    __slots__ = ()

    _core: Any
    #: The name of the object in its bytes.
    _frame: ClassVar[str]

    def _params_bytes(self) -> bytes:
        """Returns the bytes of the parameters."""
        raise NotImplementedError

    def _meta(self) -> dict[str, Any]:
        """Returns what the bytes state besides."""
        return {}

    def _pack(self, own: bytes) -> bytes:
        return _frames.pack(self._frame, self._meta(), [self._params_bytes(), own])

    @classmethod
    def _unpack(cls, data: Any, **options: Any) -> Self:
        meta, (params, own) = _frames.unpack(data, cls._frame, 2)
        return cls._read(meta, params, own, **options)

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        """Returns the object whose bytes these are."""
        raise NotImplementedError


class Unpickled(Made):
    """A secret, which is written to bytes by name only."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise KindError("secret keys are not pickled; use to_secret_bytes, and keep the bytes secret", code="secret")


class Secret(Unpickled, _Framed, Generic[S]):
    """A secret key, with the server of its holder."""

    __slots__ = ("__weakref__", "_core", "_local")

    _local: Local

    @classmethod
    def _made(cls, **fields: Any) -> Self:
        key = super()._made(**fields)
        key._local = Local(key)
        return key

    @property
    def id(self) -> str:
        """The public identifier of the key, which everything made with it carries."""
        found: str = self._core.id
        return found

    @property
    def server(self) -> S:
        """A server for computations on the same machine, made at the first use."""
        server: S = self._local.server()
        return server

    def make_server(self) -> S:
        """Makes evaluation keys."""
        raise NotImplementedError

    def to_secret_bytes(self) -> bytes:
        """Returns the parameters and the secret key, for storage that only its owner can read."""
        return self._pack(self._core.to_secret_bytes())

    @classmethod
    def from_secret_bytes(cls, data: Any) -> Self:
        """Reads a secret key.

        Raises:
            WireError: The bytes are damaged or no secret key.
        """
        return cls._unpack(data)


class Sent(Stored, _Framed):
    """Keys that are sent."""

    __slots__ = ("__weakref__", "_core")

    def to_bytes(self) -> bytes:
        """Returns the parameters and the keys as bytes."""
        return self._pack(self._core.to_bytes())

    @classmethod
    def from_bytes(cls, data: Any) -> Self:
        """Reads keys.

        Raises:
            WireError: The bytes are damaged or another object.
        """
        return cls._unpack(data)


class Public(Sent):
    """A public key, which encrypts and cannot decrypt."""

    __slots__ = ()

    @property
    def key_id(self) -> str:
        """The identifier of the secret key that decrypts."""
        found: str = self._core.key_id
        return found


class Served(Described, Sent):
    """Evaluation keys, which allow to compute and reveal nothing."""

    __slots__ = ()

    @property
    def key_id(self) -> str | None:
        """The identifier of the secret key that the keys belong to."""
        found: str | None = self._core.key_id
        return found

    @property
    def nbytes(self) -> int:
        """The bytes of the keys, as they are sent."""
        count: int = self._core.nbytes
        return count
