"""How far long work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class _Progress:
    """The bootstraps of the operations within one `with`."""

    __slots__ = ("callback", "finished", "total")

    def __init__(self, callback: Callable[[int, int | None], object], total: int | None) -> None:
        self.callback = callback
        self.total = total
        self.finished = 0


_current: ContextVar[_Progress | None] = ContextVar("fathom_progress", default=None)


@contextmanager
def progress(callback: Callable[[int, int | None], object], total: int | None = None) -> Iterator[None]:
    """Calls a function with the progress of operations under TFHE, which take milliseconds to minutes.

    Within `with fathom.progress(callback):`, it is called about every 50 ms and at the end of each operation, with the
    number of bootstraps so far and the total, as far as it is known. An exception that it raises ends the operation.
    Bootstraps are counted layer by layer; those of other threads that use the same server meanwhile count too.

    Args:
        callback: The function of both numbers.
        total: The number of bootstraps in all, such as `plan.bootstraps`.
    """
    token = _current.set(_Progress(callback, total))
    try:
        yield
    finally:
        _current.reset(token)


def report(done: int, ended: bool) -> None:
    """Reports the bootstraps of the operation that runs; the compiled half calls it."""
    current = _current.get()
    if current is None:
        return
    shown = current.finished + done
    if ended:
        current.finished = shown
    current.callback(shown, current.total)
