"""Queries on encrypted columns, divided among the machines of a Ray cluster.

    import fathom.ray

    result = fathom.ray.run("select dept, avg(salary) from staff group by dept", ["staff-0.parquet", "staff-1.parquet"])

Each machine has an actor with the processors that are free there. The bytes of the result are those of
`fathom.columns.run`, which needs no cluster. An actor or a machine that dies, or falls silent, changes nothing but the
time: others compute its tasks.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

from ._actors import Actors, processors
from ._assignments import Assignments
from ._progress import Callback, report, reporting
from ._values import REALS, whole
from ._values import number as number_of
from .columns._query import missing_package
from .columns._run import Files, Job
from .errors import ResourceError

__all__ = ["run"]

#: Messages while nothing is answered: on standard error, unless logging is set up.
_log = logging.getLogger("fathom.ray")
#: Seconds between two messages.
_MESSAGES = 10.0
#: Seconds between two looks at the cluster.
_LOOKS = 1.0
#: Seconds in which the answer of an actor that has computed it travels here.
_JOURNEY = 60.0


def run(
    query: Any,
    files: Files,
    *,
    keys: Any = None,
    workers: int | None = None,
    in_flight: int | None = None,
    timeout: float | None = 600.0,
    progress: Callback | None = None,
) -> bytes:
    """Answers a query on encrypted Parquet files, which all machines read under the same paths.

    Ray is connected before by `ray.init`, or starts on this machine. The job takes the processors that are free, and
    those that become free later. While nothing is answered, the logger `fathom.ray` says every ten seconds what it
    waits for.

    Args:
        query: A `Query`, SQL, an expression of ibis, or the tree of JSON.
        files: The paths of the files.
        keys: The keys of `TableKey.evaluation_keys`, for conditions on encrypted values.
        workers: The number of actors, which share the processors; by default one for each machine, and another one
            where more processors become free than it has.
        in_flight: The tasks that are sent and not yet answered, by default two for each actor. Each takes the memory of
            at most 256 blocks of the columns that the query reads, fewer if blocks are large, and at least 16.
        timeout: Seconds without an answer or a new actor after which the job ends; none waits for ever.
        progress: Called with the number of blocks that are added up, and of all, as by `fathom.progress`.

    Raises:
        KindError: ray or pyarrow is not installed.
        QueryError: A table does not serve the query.
        ResourceError: There is no processor, actors died too often, or nothing was answered in time.
    """
    try:
        import ray
    except ImportError:
        raise missing_package("ray", "ray", "fathom.ray") from None
    workers = None if workers is None else _at_least_one("workers", workers)
    in_flight = None if in_flight is None else _at_least_one("tasks in flight", in_flight)
    patience = None if timeout is None else number_of(timeout, REALS)
    if not ray.is_initialized():
        ray.init(include_dashboard=False)
    machines = _machines(ray, workers)
    job = Job(query, files, keys=keys, workers=workers or len(machines))
    actors = Actors(ray, job, workers)
    try:
        parts: list[Any] = [None] * len(job.tasks)
        with reporting(progress, job.blocks):
            for task, part in _answers(ray, actors, job, Assignments(len(job.tasks), in_flight), patience):
                parts[task] = part
                report(job.tasks[task].blocks, ended=True)
        return job.merge(parts)
    finally:
        actors.end()


def _at_least_one(name: str, stated: Any) -> int:
    count = whole(stated, f"the number of {name}")
    if count < 1:
        raise ResourceError(f"{count} {name} were requested, at least 1 is needed", code="workers", workers=count)
    return count


def _machines(ray: Any, workers: int | None) -> dict[str, int]:
    """Returns the processors of the machines, after checking that the actors find one each when all are free."""
    machines = processors(ray)
    total, wanted = sum(machines.values()), workers or 1
    if total < wanted:
        raise ResourceError(
            f"{wanted} workers need {wanted} processors, and the cluster has {total}: ask for fewer workers, or add "
            "machines",
            code="processors",
            workers=wanted,
            processors=total,
        )
    return machines


def _answers(
    ray: Any, actors: Actors, job: Job, assignments: Assignments, timeout: float | None
) -> Iterator[tuple[int, Any]]:
    """Returns the numbers of the tasks and their partial sums, as they are answered."""
    waiting, looked = _Waiting(timeout), 0.0
    while assignments.answered < assignments.tasks:
        now = time.monotonic()
        if now - looked >= _LOOKS:
            looked = now
            if assignments.has_work(now):
                actors.start(now, assignments.late(now))
        while (found := assignments.next(actors.ready, now)) is not None:
            worker, task = found
            assignments.send(actors.send(worker, job.tasks[task]), worker, task, now)
        references = [*assignments.sent, *actors.starting]
        if not references:
            time.sleep(_LOOKS)
        answered, _ = ray.wait(references, num_returns=1, timeout=_LOOKS) if references else ([], [])
        if not answered:
            waiting.check(actors, assignments, now)
        for reference in answered:
            starting = actors.started(reference)
            worker = assignments.worker_of(reference) if starting is None else starting
            try:
                part = ray.get(reference, timeout=_JOURNEY)
            except ray.exceptions.RayTaskError:
                # The computation refused, which another actor would do too.
                raise
            except ray.exceptions.RayError as error:
                actors.lose(worker, error)
                assignments.lose(worker)
                continue
            waiting.end()
            if starting is not None:
                actors.confirm(reference)
            elif (number := assignments.answer(reference, time.monotonic())) is not None:
                yield number, part


class _Waiting:
    """The time since the last answer."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._since = self._said = time.monotonic()

    def end(self) -> None:
        """Notes an answer."""
        self._since = self._said = time.monotonic()

    def check(self, actors: Actors, assignments: Assignments, now: float) -> None:
        """Says what the job waits for, if it has waited for long.

        Raises:
            ResourceError: It has waited for too long.
        """
        waited = now - self._since
        ended = self._timeout is not None and waited >= self._timeout
        if not ended and now - self._said < _MESSAGES:
            return
        self._said = now
        reason = (
            f"no answer in {waited:.0f} s: {assignments.answered} of {assignments.tasks} tasks are answered, "
            f"{actors.described(assignments.late(now))}"
        )
        if not ended:
            _log.warning("%s", reason)
            return
        raise ResourceError(
            f"{reason}: end other jobs, add machines, or state a longer timeout",
            code="timeout",
            timeout=self._timeout,
            answered=assignments.answered,
            tasks=assignments.tasks,
        ) from actors.last_death
