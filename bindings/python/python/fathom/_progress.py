"""The progress of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, TypeVar, cast

E = TypeVar("E")
#: What is called with the number of steps so far and in all.
Callback = Callable[[int, int | None], object]


class _Progress:
    """The steps of the operations within one `with`."""

    __slots__ = ("callback", "finished", "total")

    def __init__(self, callback: Callback | None, total: int | None) -> None:
        self.callback = callback
        self.total = total
        self.finished = 0


_current: ContextVar[_Progress | None] = ContextVar("fathom_progress", default=None)


@contextmanager
def _entered(progress: _Progress) -> Iterator[_Progress]:
    token = _current.set(progress)
    try:
        yield progress
    finally:
        _current.reset(token)


@contextmanager
def progress(callback: Callback, total: int | None = None) -> Iterator[None]:
    """Calls a function with the progress of operations, which under TFHE take milliseconds to minutes.

    Within `with fathom.progress(callback):`, it is called at the end of each operation, and under TFHE about every
    50 ms too, with the number of steps so far and the total, as far as it is known. The steps of TFHE are bootstraps,
    counted layer by layer; those of other threads that use the same server meanwhile count too. Of the other schemes,
    they are operations. An exception that the function raises ends the operation; operations of its own are not
    reported.

    Args:
        callback: The function of both numbers.
        total: The number of steps in all, such as `plan.steps`.
    """
    with _entered(_Progress(callback, total)):
        yield


def reporting(callback: Callback | None, total: int) -> AbstractContextManager[None]:
    """Returns `progress` for a callback, or nothing without one."""
    return nullcontext() if callback is None else progress(callback, total)


def counting() -> AbstractContextManager[_Progress]:
    """Counts the steps of a run that is not reported: that of a plan without data."""
    return _entered(_Progress(None, None))


def report(done: int, ended: bool) -> None:
    """Reports the steps of the operation that runs; the compiled half calls it for those of TFHE."""
    current = _current.get()
    if current is None:
        return
    shown = current.finished + done
    if ended:
        current.finished = shown
    if current.callback is None:
        return
    # What the callback computes would call it again.
    token = _current.set(None)
    try:
        current.callback(shown, current.total)
    finally:
        _current.reset(token)


class _Stepped:
    """An evaluator each of whose operations is one step."""

    __slots__ = ("_core",)

    def __init__(self, core: Any) -> None:
        self._core = core

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self._core, name)

        def computed(*operands: Any) -> Any:
            result = operation(*operands)
            report(1, ended=True)
            return result

        return computed


def stepped(evaluator: E) -> E:
    """Returns an evaluator whose operations are reported, if anything is."""
    return evaluator if _current.get() is None else cast(E, _Stepped(evaluator))
