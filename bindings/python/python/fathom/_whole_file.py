"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .errors import ResourceError

#: The first bytes that `may_replace` is given.
_HEAD = 4096


@contextmanager
def whole_file(path: str | os.PathLike[str], may_replace: Callable[[bytes], bool]) -> Iterator[BinaryIO]:
    """Opens a file beside `path` that gets this name when all of it is written and on disk.

    Until then, and after an error or a killed process, the earlier file is what it was.

    Args:
        path: The path. A link stays a link: the file behind it is replaced.
        may_replace: Whether an earlier file, which is not empty, with these first bytes may be replaced.

    Raises:
        ResourceError: The file cannot be written, or the earlier one is of another kind.
    """
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            # A device or a pipe has no earlier content.
            with open(target, "wb") as file:
                yield file
            return
        mode = _check(target, path, may_replace)
        part, file = _part(target)
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(part, mode)
            os.replace(part, target)
        except BaseException:
            with suppress(OSError):
                os.remove(part)
            raise
    except OSError as error:
        raise ResourceError(f"{path}: {error.strerror or error}", code="file", path=str(path)) from error


def _check(target: str, path: str | os.PathLike[str], may_replace: Callable[[bytes], bool]) -> int | None:
    """Returns the permissions of the earlier file, if there is one, or refuses to replace it."""
    try:
        with open(target, "r+b") as file:
            head = file.read(_HEAD)
            mode = os.fstat(file.fileno()).st_mode & 0o7777
    except FileNotFoundError:
        return None
    if head and not may_replace(head):
        raise ResourceError(
            f"{path}: a file of another kind is there, such as a key, and stays as it is; name another file, or move "
            "this one away",
            code="file",
            path=str(path),
        )
    return mode


def _part(target: str) -> tuple[str, BinaryIO]:
    """Creates a file beside a path that no other writer has."""
    number = 0
    while True:
        part = f"{target}.part-{number}"
        try:
            return part, open(part, "xb")
        except FileExistsError:
            number += 1
