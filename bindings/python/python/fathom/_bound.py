"""What encrypted values have that are bound to the server of one scheme."""

from __future__ import annotations

import weakref
from typing import Any, ClassVar, NoReturn, Protocol, Self

from .errors import KindError, NoServerError


class _HasCore(Protocol):
    """A server with compiled evaluation keys."""

    _core: Any


class _HasServer(Protocol):
    """A secret key with a server for the same machine."""

    @property
    def server(self) -> Any:
        """The server."""


class Local:
    """The server of a key's holder, which it makes when it is needed first."""

    __slots__ = ("_key",)

    def __init__(self, key: _HasServer) -> None:
        self._key = weakref.ref(key)

    def server(self) -> _HasCore | None:
        """Returns the server, or none if the secret key is gone."""
        key = self._key()
        return None if key is None else key.server


#: What computes on a value: a server, that of a key's holder, or nothing.
Binding = _HasCore | Local | None


class Unchanging:
    """An object that its copies may share."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Bound(Unchanging):
    """A value that was encrypted or computed, bound to the server that computes on it."""

    __slots__ = ("__weakref__", "_bound")

    __array_ufunc__ = None
    __hash__ = object.__hash__

    _bound: Binding
    #: What to do instead of asking whether a value is true.
    _instead: ClassVar[str] = "decrypt it first"

    def __init__(self) -> None:
        raise KindError("encrypt values with Key.encrypt", code="no_init")

    def _core_for(self, operation: str, *others: Any) -> Any:
        """Returns the compiled evaluator of the first operand that is bound to a server."""
        for value in (self, *others):
            bound = value._bound if isinstance(value, Bound) else None
            server = bound.server() if isinstance(bound, Local) else bound
            if server is not None:
                return server._core
        raise NoServerError(
            f"{operation} needs evaluation keys: read the operand with server.load",
            code="no_server",
            operation=operation,
        )

    def _bound_with(self, *others: Any) -> Binding:
        """Returns what the first of some operands is bound to."""
        bounds = (value._bound for value in (self, *others) if isinstance(value, Bound))
        return next((bound for bound in bounds if bound is not None), None)

    def __bool__(self) -> NoReturn:
        raise KindError(f"an encrypted value is neither true nor false: {self._instead}", code="no_bool")
