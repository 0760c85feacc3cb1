"""Queries on encrypted columns, divided among the machines of a Ray cluster.

    import fathom.ray

    result = fathom.ray.run("select dept, avg(salary) from staff group by dept", ["staff-0.parquet", "staff-1.parquet"])

Each machine has one actor with all of its processors. The bytes of the result are those of `fathom.columns.run`, which
needs no cluster; an actor that dies is started again, and changes nothing but the time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ._progress import Callback, report, reporting
from .columns._query import missing_package
from .columns._run import Files, Job, Task
from .errors import ResourceError

__all__ = ["run"]

#: How often an actor is started again, and its task repeated, on the machine where it died or on another one.
_RESTARTS = 3


class _Worker:
    """An actor: the job, and the servers of its files."""

    def __init__(self, shared: list[Any], threads: int) -> None:
        import ray

        from . import set_threads

        set_threads(threads)
        # The reference travels in a list, so that the actor reads the object of its machine, also when it starts again.
        self._job: Job = ray.get(shared[0])

    def compute(self, task: tuple[int, int, int]) -> list[bytes]:
        """Returns the partial sums of a task."""
        return self._job.compute(Task(*task))

    def process(self) -> int:
        """Returns the number of the process."""
        return os.getpid()


def run(
    query: Any,
    files: Files,
    *,
    keys: Any = None,
    workers: int | None = None,
    in_flight: int | None = None,
    progress: Callback | None = None,
) -> bytes:
    """Answers a query on encrypted Parquet files, which all machines read under the same paths.

    Ray is connected before by `ray.init`, or starts on this machine.

    Args:
        query: A `Query`, SQL, an expression of ibis, or the tree of JSON.
        files: The paths of the files.
        keys: The keys of `TableKey.evaluation_keys`, for conditions on encrypted values.
        workers: The number of actors, which share the processors; by default one for each machine.
        in_flight: The tasks that are sent and not yet answered, by default two for each actor. Each takes the memory of
            at most 256 blocks of the columns that the query reads, fewer if blocks are large, and at least 16.
        progress: Called with the number of blocks that are added up, and of all, as by `fathom.progress`.

    Raises:
        KindError: ray or pyarrow is not installed.
        QueryError: A table does not serve the query.
        ResourceError: There is no processor, or an actor died too often.
    """
    try:
        import ray
    except ImportError:
        raise missing_package("ray", "ray", "fathom.ray") from None
    if not ray.is_initialized():
        ray.init(include_dashboard=False)
    sizes = _sizes(ray, workers)
    job = Job(query, files, keys=keys, workers=len(sizes))
    shared = ray.put(job)
    actors = []
    try:
        for cpus in sizes:
            options = {
                "num_cpus": cpus,
                "max_restarts": _RESTARTS,
                "max_task_retries": _RESTARTS,
                "scheduling_strategy": "SPREAD",
            }
            actors.append(ray.remote(_Worker).options(**options).remote([shared], cpus))
        parts: list[Any] = [None] * len(job.tasks)
        with reporting(progress, job.blocks):
            for number, part in _answered(ray, actors, job, in_flight or 2 * len(actors)):
                parts[number] = part
                report(job.tasks[number].blocks, ended=True)
        return job.merge(parts)
    finally:
        for actor in actors:
            ray.kill(actor)


def _sizes(ray: Any, workers: int | None) -> list[int]:
    """Returns the processors of each actor."""
    machines = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    machines = [cpus for cpus in machines if cpus > 0]
    if workers is None:
        sizes = machines
    elif workers < 1:
        raise ResourceError(f"{workers} workers were requested, at least 1 is needed", code="workers", workers=workers)
    else:
        size = max(1, sum(machines) // workers)
        # An actor is on one machine, which may have processors left over.
        while size > 1 and sum(cpus // size for cpus in machines) < workers:
            size -= 1
        sizes = [size] * workers
    if not machines or sum(sizes) > sum(machines):
        raise ResourceError(
            f"{len(sizes)} workers need {sum(sizes)} processors, and the cluster has {sum(machines)}",
            code="processors",
            workers=len(sizes),
            processors=sum(machines),
        )
    return sizes


def _answered(ray: Any, actors: list[Any], job: Job, limit: int) -> Iterator[tuple[int, Any]]:
    """Returns the numbers of the tasks and their partial sums, as they are answered; `limit` are on their way."""
    waiting = iter(range(len(job.tasks)))
    load = [0] * len(actors)
    running: dict[Any, tuple[int, int]] = {}
    while True:
        while len(running) < limit and (number := next(waiting, None)) is not None:
            actor = load.index(min(load))
            load[actor] += 1
            running[actors[actor].compute.remote(tuple(job.tasks[number]))] = (number, actor)
        if not running:
            return
        (done, *_), _ = ray.wait(list(running), num_returns=1)
        number, actor = running.pop(done)
        load[actor] -= 1
        try:
            yield number, ray.get(done)
        except ray.exceptions.RayActorError as error:
            raise ResourceError(f"an actor died too often: {error}", code="actor") from error
