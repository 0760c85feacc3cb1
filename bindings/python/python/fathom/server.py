"""The party that computes: evaluation keys without a secret."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from . import _fathom
from ._bound import entered
from ._described import size
from ._parties import Served
from .params import Params
from .vector import Vector


class Server(Served):
    """Evaluation keys, which allow to compute on vectors and reveal nothing about them.

    A key's holder makes one with `SecretKey.server` or `SecretKey.make_server` and sends its bytes. Vectors that a
    server loads are bound to it; within `with server:` all operations use it.
    """

    __slots__ = ("_params",)

    _title = "fathom.Server"
    _maker = "make a server with SecretKey.make_server or Server.from_bytes"
    _frame = "server"
    _core: _fathom.Evaluator
    _params: Params

    @classmethod
    def _of(cls, params: Params, core: _fathom.Evaluator) -> Self:
        return cls._made(_params=params, _core=core)

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        read = Params.from_bytes(params)
        return cls._of(read, _fathom.Evaluator.from_bytes(read._core, own))

    def _params_bytes(self) -> bytes:
        return self._params.to_bytes()

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
        vector = Vector.from_bytes(self._params, data, trust)
        return vector._bound_to(self)

    def __enter__(self) -> Server:
        entered.set((*entered.get(), self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        entered.set(entered.get()[:-1])

    def _facts(self) -> list[tuple[str, str]]:
        return [*self._params._facts(), ("key", str(self.key_id)), ("keys", size(self.nbytes))]
