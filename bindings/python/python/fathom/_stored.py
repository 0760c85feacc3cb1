"""Objects that are sent, pickled and kept in files."""

from __future__ import annotations

import os
from typing import Any, Self

from . import _frames
from ._bound import Unchanging
from ._whole_file import whole_file
from .errors import ResourceError


class Stored(Unchanging):
    """An object with bytes that hold all of it, and no secret."""

    __slots__ = ()

    def to_bytes(self) -> bytes:
        """Returns the object as bytes."""
        raise NotImplementedError

    @classmethod
    def from_bytes(cls, data: Any) -> Self:
        """Reads an object."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes to a file, which appears whole and replaces only an object of this library without secrets.

        Raises:
            ResourceError: The file cannot be written, or a file of another kind is there.
        """
        data = self.to_bytes()
        with whole_file(path, _is_public) as file:
            file.write(data)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Reads the object from a file.

        Raises:
            ResourceError: The file cannot be read.
            WireError: It holds another object, or is damaged.
        """
        return cls.from_bytes(read_file(path))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self).from_bytes, (_frames.for_pickle(self.to_bytes(), protocol),)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Returns the bytes of a file.

    Raises:
        ResourceError: It cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise _refused(path, error) from error


def _is_public(head: bytes) -> bool:
    """Returns whether a file starts as an object of this library does that holds no secret key."""
    return head.startswith(_frames.MAGIC) and b"secret key" not in head


def _refused(path: str | os.PathLike[str], error: OSError) -> ResourceError:
    return ResourceError(f"{path}: {error.strerror}", code="file", path=str(path))
