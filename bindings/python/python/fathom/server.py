"""The party that computes: evaluation keys without a secret."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _fathom, _frames
from ._bound import Local
from ._described import size
from ._progress import stepped
from ._served import Served
from .errors import NoServerError
from .params import Params

if TYPE_CHECKING:
    from .vector import Vector

_entered: ContextVar[tuple[Server, ...]] = ContextVar("fathom_servers", default=())


class Server(Served):
    """Evaluation keys, which allow to compute on vectors and reveal nothing about them.

    A key's holder makes one with `SecretKey.server` or `SecretKey.make_server` and sends its bytes. Vectors that a
    server loads are bound to it; within `with server:` all operations use it.
    """

    __slots__ = ("_params",)

    _title = "fathom.Server"
    _maker = "SecretKey.make_server"
    _core: _fathom.Evaluator
    _params: Params

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

    def load(self, data: Any, trust: str = "fresh") -> Vector:
        """Reads a vector and binds it to this server.

        Args:
            data: The bytes of `Vector.to_bytes`.
            trust: With `"fresh"`, anybody may have sent them: only fresh encryptions are read. They get the noise bound
                of an encryption under the secret key if they come with a seed, else of one under the public key, and
                the larger one of the magnitudes that they and the parameters state. With `"computed"`, the bounds
                that the sender states are believed.

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
        _, frames = _frames.unpack(data, "server", 2)
        params = Params.from_bytes(frames[0])
        return cls._of(params, _fathom.Evaluator.from_bytes(params._core, frames[1]))

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

    def _facts(self) -> list[tuple[str, str]]:
        return [*self._params._facts(), ("key", str(self.key_id)), ("keys", size(self.nbytes))]


Binding = Server | Local | None


def evaluator_of(operation: str, params: Params, bindings: Iterable[Binding]) -> _fathom.Evaluator:
    """Returns the evaluator of the server that was entered last, or of the first operand that is bound to one.

    Without a server, sums and products with clear operands are possible, which need no keys.
    """
    if entered := _entered.get():
        return stepped(entered[-1]._core)
    for binding in bindings:
        server = binding.server() if isinstance(binding, Local) else binding
        if server is not None:
            return stepped(server._core)
    if operation in _KEYLESS:
        return stepped(params._keyless)
    raise NoServerError(
        f"{operation} needs evaluation keys: write it inside 'with server:', or read the operand with server.load",
        code="no_server",
        operation=operation,
    )


_KEYLESS = frozenset({"add", "sub", "neg", "mul_clear", "at_level"})
