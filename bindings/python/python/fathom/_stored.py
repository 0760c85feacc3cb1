"""Objects that are sent, pickled and kept in files."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Self

from . import _frames
from ._bound import Unchanging
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
        """Writes the bytes to a file.

        Raises:
            ResourceError: The file cannot be written.
        """
        data = self.to_bytes()

        def write(beside: str) -> None:
            with open(beside, "wb") as file:
                file.write(data)

        replace_file(path, write)

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


def replace_file(path: str | os.PathLike[str], write: Callable[[str], object]) -> None:
    """Writes a file beside another one and renames it, so that a reader sees the old file or the new one, whole.

    Whatever ends the writing early, such as Ctrl-C or a full disk, leaves the old file as it was.

    Args:
        path: The file; one that holds a secret key is not replaced.
        write: Writes to the path that it is called with.

    Raises:
        ResourceError: The file cannot be written, or holds a secret key.
    """
    from tempfile import mkstemp

    # A link goes on to point to its file.
    target = os.path.realpath(path)
    if _holds_secret(target):
        raise ResourceError(
            f"{path} holds a secret key and is not replaced: name another file, or move this one away",
            code="file",
            path=str(path),
        )
    try:
        mode = _mode_of(target)
        handle, beside = mkstemp(prefix=f".{os.path.basename(target)}.", dir=os.path.dirname(target))
        os.close(handle)
        try:
            write(beside)
            os.chmod(beside, mode)
            with open(beside, "rb") as written:
                os.fsync(written.fileno())
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise
    except ResourceError:
        raise
    except OSError as error:
        raise _refused(path, error) from error


def _mode_of(path: str) -> int:
    """Returns the permissions of a file, or those of a new one."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


#: The first bytes of the secret keys of a table.
_TABLE_KEY = b"FTHMCSK1"


def _holds_secret(path: str) -> bool:
    """Returns whether a file holds the bytes of a secret key, whatever its name."""
    try:
        with open(path, "rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    return start.startswith(_TABLE_KEY) or (start.startswith(_frames.MAGIC) and b'secret key"' in start)


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


def _refused(path: str | os.PathLike[str], error: OSError) -> ResourceError:
    return ResourceError(f"{path}: {error.strerror}", code="file", path=str(path))
