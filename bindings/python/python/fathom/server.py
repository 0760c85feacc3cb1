"""The party that computes: evaluation keys without a secret."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _fathom, _frames
from .errors import KindError, NoServerError, ResourceError
from .params import Params, table

if TYPE_CHECKING:
    from .vector import Vector

_entered: ContextVar[tuple[Server, ...]] = ContextVar("fathom_servers", default=())


class Server:
    """Evaluation keys, which allow to compute on vectors and reveal nothing about them.

    A key's holder makes one with `SecretKey.server` or `SecretKey.make_server` and sends its bytes. Vectors that a
    server loads are bound to it; within `with server:` all operations use it.
    """

    __slots__ = ("__weakref__", "_core", "_params")

    _core: _fathom.Evaluator
    _params: Params

    def __init__(self) -> None:
        raise KindError("make a server with SecretKey.make_server or Server.from_bytes", code="no_init")

    @classmethod
    def _of(cls, params: Params, core: _fathom.Evaluator) -> Server:
        server = object.__new__(cls)
        server._core = core
        server._params = params
        return server

    @property
    def params(self) -> Params:
        """The parameters."""
        return self._params

    @property
    def key_id(self) -> str | None:
        """The identifier of the secret key that the keys belong to."""
        return self._core.key_id

    @property
    def nbytes(self) -> int:
        """The bytes of the keys."""
        return self._core.nbytes

    def _evaluator(self) -> _fathom.Evaluator:
        return self._core

    def load(self, data: Any, trust: str = "fresh") -> Vector:
        """Reads a vector and binds it to this server.

        Args:
            data: The bytes of `Vector.to_bytes`.
            trust: With `"fresh"`, anybody may have sent them: only fresh encryptions are read, with the noise bound
                of such. With `"computed"`, the sender's noise bounds are believed.

        Raises:
            WireError: The bytes are damaged, or the result of a computation.
            KeyMismatchError: They belong to other parameters or another key.
        """
        from .vector import Vector

        vector = Vector.from_bytes(self._params, data, trust)
        return vector._bound_to(self)

    def to_bytes(self) -> bytes:
        """Returns the parameters and the keys as bytes."""
        return _frames.pack("server", {}, [self._params.to_bytes(), self._core.to_bytes()])

    @classmethod
    def from_bytes(cls, data: Any) -> Server:
        """Reads a server.

        Raises:
            WireError: The bytes are damaged or no server.
        """
        _, frames = _frames.unpack(data, "server")
        if len(frames) != 2:
            raise _frames.malformed("frames")
        params = Params.from_bytes(frames[0])
        return cls._of(params, _fathom.Evaluator.from_bytes(params._core, frames[1]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes of the server to a file.

        Raises:
            ResourceError: The file cannot be written.
        """
        try:
            with open(path, "wb") as file:
                file.write(self.to_bytes())
        except OSError as error:
            raise ResourceError(f"{path}: {error.strerror}", code="file", path=str(path)) from error

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Server:
        """Reads a server from a file.

        Raises:
            ResourceError: The file cannot be read.
            WireError: It holds no server.
        """
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise ResourceError(f"{path}: {error.strerror}", code="file", path=str(path)) from error
        return cls.from_bytes(data)

    def __enter__(self) -> Server:
        _entered.set((*_entered.get(), self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _entered.set(_entered.get()[:-1])

    def __copy__(self) -> Server:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Server:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        data = self.to_bytes()
        return Server.from_bytes, (_frames.for_pickle(data, protocol),)

    def _facts(self) -> list[tuple[str, str]]:
        return [*self._params._facts(), ("key", str(self.key_id)), ("keys", size(self.nbytes))]

    def __repr__(self) -> str:
        return "fathom.Server(" + ", ".join(f"{name} {value}" for name, value in self._facts()) + ")"

    def _repr_html_(self) -> str:
        return table("fathom.Server", self._facts())


class LocalServer:
    """The server of a key's holder, whose keys are made when they are needed first.

    It refers to the secret key through a function that does not keep it alive.
    """

    __slots__ = ("_find", "_lock", "_made")

    def __init__(self, find: Callable[[], Server | None]) -> None:
        self._find = find
        self._made: Server | None = None
        self._lock = Lock()

    def server(self) -> Server | None:
        """Returns the server, or none if the secret key is gone before it was made."""
        with self._lock:
            if self._made is None:
                self._made = self._find()
            return self._made


Binding = Server | LocalServer | None


def evaluator_of(operation: str, params: Params, bindings: Iterable[Binding]) -> _fathom.Evaluator:
    """Returns the evaluator of the server that was entered last, or of the first operand that is bound to one.

    Without a server, sums and products with clear operands are possible, which need no keys.
    """
    if entered := _entered.get():
        return entered[-1]._evaluator()
    for binding in bindings:
        server = binding.server() if isinstance(binding, LocalServer) else binding
        if server is not None:
            return server._evaluator()
    if operation in _KEYLESS:
        return params._keyless
    raise NoServerError(
        f"{operation} needs evaluation keys: write it inside 'with server:', or read the operand with server.load",
        code="no_server",
        operation=operation,
    )


_KEYLESS = frozenset({"add", "sub", "neg", "mul_clear", "at_level"})


def size(count: int) -> str:
    """Returns a number of bytes for readers."""
    number, units = float(count), iter(["bytes", "KiB", "MiB", "GiB"])
    unit = next(units)
    while number >= 1024 and unit != "GiB":
        number, unit = number / 1024, next(units)
    return f"{number:.0f} {unit}" if unit == "bytes" or number >= 100 else f"{number:.1f} {unit}"
