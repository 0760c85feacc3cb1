"""The common part of encrypted values that are bound to the server of one scheme."""

from __future__ import annotations

import weakref
from contextvars import ContextVar
from threading import Lock
from typing import Any, ClassVar, NoReturn, Protocol, Self

from ._operators import Operators
from .errors import KindError, NoServerError


class _HasCore(Protocol):
    """A server with compiled evaluation keys."""

    _core: Any


class _MakesServers(Protocol):
    """A secret key."""

    def make_server(self) -> Any:
        """Makes evaluation keys."""


class Local:
    """The server of a key's holder, whose keys are made when they are needed first.

    Values that the key encrypted refer to it, and do not keep the secret key alive.
    """

    __slots__ = ("_key", "_lock", "_made")

    def __init__(self, key: _MakesServers) -> None:
        self._key = weakref.ref(key)
        self._made: Any = None
        self._lock = Lock()

    def server(self) -> Any:
        """Returns the server, or none if the secret key is gone before it was made."""
        with self._lock:
            if self._made is None:
                key = self._key()
                self._made = None if key is None else key.make_server()
            return self._made


#: What computes on a value: a server, that of a key's holder, or nothing.
Binding = _HasCore | Local | None
#: The servers of vectors whose `with` is open, the innermost last.
entered: ContextVar[tuple[_HasCore, ...]] = ContextVar("fathom_servers", default=())


class Unchanging:
    """An object that its copies may share."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Made(Unchanging):
    """An object that the package alone makes."""

    __slots__ = ()

    #: How to get one.
    _maker: ClassVar[str]

    def __init__(self) -> None:
        raise KindError(self._maker, code="no_init")

    @classmethod
    def _made(cls, **fields: Any) -> Self:
        """Returns an object with these fields."""
        made = object.__new__(cls)
        for name, value in fields.items():
            setattr(made, name, value)
        return made


class Bound(Made, Operators):
    """A value that was encrypted or computed, bound to the server that computes on it."""

    __slots__ = ("__weakref__", "_bound")

    __hash__ = object.__hash__

    _maker = "encrypt values with Key.encrypt"
    _bound: Binding
    #: What to do instead of asking whether a value is true.
    _instead: ClassVar[str] = "decrypt it first"

    #: How to get what computes.
    _reading: ClassVar[str] = "read the operand with server.load"

    def _server_of(self, *others: Any) -> Any:
        """Returns the server of the first operand that is bound to one, or none."""
        for value in (self, *others):
            bound = value._bound if isinstance(value, Bound) else None
            server = bound.server() if isinstance(bound, Local) else bound
            if server is not None:
                return server
        return None

    def _core_for(self, operation: str, *others: Any) -> Any:
        """Returns the compiled evaluator of the first operand that is bound to a server."""
        server = self._server_of(*others)
        if server is not None:
            return server._core
        raise NoServerError(
            f"{operation} needs evaluation keys: {self._reading}", code="no_server", operation=operation
        )

    def _bound_with(self, *others: Any) -> Binding:
        """Returns what the first of some operands is bound to."""
        bounds = (value._bound for value in (self, *others) if isinstance(value, Bound))
        return next((bound for bound in bounds if bound is not None), None)

    def __bool__(self) -> NoReturn:
        raise KindError(f"an encrypted value is neither true nor false: {self._instead}", code="no_bool")
