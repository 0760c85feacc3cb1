"""The common part of the servers of all schemes: compiled evaluation keys of one secret key."""

from __future__ import annotations

from typing import Any, ClassVar

from ._described import Described
from ._stored import Stored
from .errors import KindError


class Served(Described, Stored):
    """Evaluation keys, which allow to compute and reveal nothing."""

    __slots__ = ("__weakref__", "_core")

    _core: Any
    #: The method of the secret key that makes a server.
    _maker: ClassVar[str]

    def __init__(self) -> None:
        raise KindError(f"make a server with {self._maker} or Server.from_bytes", code="no_init")

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
