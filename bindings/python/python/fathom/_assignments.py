"""Assigns the tasks of a divided job to workers, whatever happens to the workers.

Tasks are pure functions, so that a task may be computed twice: the first answer counts. A worker that died gives its
tasks back. A worker that is late keeps them, in case that it is only slow; but it gets no others, and workers that have
nothing to do compute them too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from typing import Any, NamedTuple

#: A worker is late when it has had a task for as many times the longest time of an answered one,
_LATE = 3.0
#: and for at least as many seconds.
_PATIENCE = 10.0
#: The tasks of a worker, one of which it computes, unless their number is stated.
_EACH = 2


class _Sent(NamedTuple):
    task: int
    worker: int
    since: float


class Assignments:
    """The tasks of a job: those that wait, those that are sent, and those that are answered."""

    def __init__(self, tasks: int, in_flight: int | None = None) -> None:
        """Takes the number of tasks, and how many are sent and not yet answered at most."""
        self.tasks = tasks
        self._in_flight = in_flight
        self._waiting = deque(range(tasks))
        self._sent: dict[Any, _Sent] = {}
        self._answered: set[int] = set()
        self._longest = 0.0

    @property
    def answered(self) -> int:
        """The number of tasks that are answered."""
        return len(self._answered)

    @property
    def sent(self) -> list[Any]:
        """The tasks whose answers are awaited, in the names of `send`."""
        return list(self._sent)

    def late(self, now: float) -> set[int]:
        """Returns the workers that are late."""
        limit = max(_PATIENCE, _LATE * self._longest)
        return {sent.worker for sent in self._sent.values() if now - sent.since > limit}

    def has_work(self, now: float) -> bool:
        """Returns whether there is a task for one more worker."""
        return bool(self._waiting) or self._overdue(self.late(now)) is not None

    def next(self, workers: Collection[int], now: float) -> tuple[int, int] | None:
        """Returns a worker, and the task to be sent to it; none if no worker takes one now."""
        late = self.late(now)
        able = [worker for worker in workers if worker not in late]
        if not able:
            return None
        loads = Counter(sent.worker for sent in self._sent.values())
        limit = _EACH * len(able) if self._in_flight is None else self._in_flight
        worker = min(able, key=lambda one: loads[one])
        if sum(loads[one] for one in able) >= limit or loads[worker] * len(able) >= limit:
            return None
        if self._waiting:
            return worker, self._waiting.popleft()
        task = None if loads[worker] else self._overdue(late)
        return None if task is None else (worker, task)

    def _overdue(self, late: set[int]) -> int | None:
        """Returns the task that late workers, and no others, have had longest."""
        held = {sent.task for sent in self._sent.values() if sent.worker not in late}
        overdue = [sent for sent in self._sent.values() if sent.task not in held | self._answered]
        return min(overdue, key=lambda sent: sent.since).task if overdue else None

    def send(self, name: Any, worker: int, task: int, now: float) -> None:
        """Notes that a worker was sent a task, whose answer has a name."""
        self._sent[name] = _Sent(task, worker, now)

    def worker_of(self, name: Any) -> int:
        """Returns the worker that will answer."""
        return self._sent[name].worker

    def answer(self, name: Any, now: float) -> int | None:
        """Notes an answer, and returns its task if it is the first one."""
        sent = self._sent.pop(name)
        if sent.task in self._answered:
            return None
        self._answered.add(sent.task)
        self._longest = max(self._longest, now - sent.since)
        return sent.task

    def lose(self, worker: int) -> None:
        """Notes that a worker died, so that its tasks wait again unless another worker has them."""
        lost = [name for name, sent in self._sent.items() if sent.worker == worker]
        tasks = [self._sent.pop(name).task for name in lost]
        held = {sent.task for sent in self._sent.values()}
        self._waiting.extendleft(task for task in reversed(tasks) if task not in held | self._answered)
