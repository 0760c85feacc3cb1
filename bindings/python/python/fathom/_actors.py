"""The actors of a job on a Ray cluster: started on the processors that are free, replaced when they die.

Every actor is bound to one machine. Ray could start a dead one again itself, but would do so on the machines that are
left, where it would wait for processors that the other actors hold.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from .columns._run import Job, Task
from .errors import ResourceError

#: How often an actor is started again on a machine where one died.
_RESTARTS = 3
#: Seconds for which processors that an actor has taken may still be reported as free.
_LAG = 3.0
#: The letters of a reason that a message shows.
_SHOWN = 200
#: Seconds after which an actor that has not started no longer counts.
_START = 15.0


class _Worker:
    """An actor: the job, and the servers of its files."""

    def __init__(self, shared: list[Any], threads: int) -> None:
        import ray

        from . import set_threads

        set_threads(threads)
        # The reference travels in a list, so that the actor reads the object of its machine.
        self._job: Job = ray.get(shared[0])

    def compute(self, task: tuple[int, int, int]) -> list[bytes]:
        """Returns the partial sums of a task."""
        return self._job.compute(Task(*task))

    def process(self) -> int:
        """Returns the number of the process, as soon as the actor has started."""
        return os.getpid()


class _Actor:
    """An actor with its machine and processors, and the times when it was asked for and started."""

    __slots__ = ("asked", "cpus", "handle", "machine", "since")

    def __init__(self, handle: Any, machine: str, cpus: int, asked: float) -> None:
        self.handle = handle
        self.machine = machine
        self.cpus = cpus
        self.asked = asked
        #: When it started; none if it has not.
        self.since: float | None = None


class Actors:
    """The actors of a job."""

    def __init__(self, ray: Any, job: Job, workers: int | None) -> None:
        """Takes the job, and the number of actors; without one, there is one on each machine, or several."""
        self._ray = ray
        self._shared = ray.put(job)
        self._workers = workers
        self._actors: dict[int, _Actor] = {}
        self._starting: dict[Any, int] = {}
        self._deaths: Counter[str] = Counter()
        #: Machines on which actors cannot start, such as those without the package.
        self._unfit: set[str] = set()
        self._numbers = 0
        self.last_death: Exception | None = None

    @property
    def ready(self) -> list[int]:
        """The numbers of the actors that have started."""
        return [number for number, actor in self._actors.items() if actor.since is not None]

    @property
    def starting(self) -> list[Any]:
        """The references that are answered when an actor has started."""
        return list(self._starting)

    @property
    def deaths(self) -> int:
        """The number of actors that died."""
        return self._deaths.total()

    def send(self, number: int, task: Task) -> Any:
        """Sends a task to an actor, and returns the reference to the answer."""
        return self._actors[number].handle.compute.remote(tuple(task))

    def start(self, now: float, late: Collection[Any] = ()) -> None:
        """Starts actors on processors that are free, if there are fewer than there should be.

        Raises:
            ResourceError: Actors died too often on every machine.
        """
        machines = processors(self._ray)
        unfit = self._unfit | {name for name, count in self._deaths.items() if count > _RESTARTS}
        usable = {name: cpus for name, cpus in machines.items() if name not in unfit}
        if machines and not usable and not self._actors:
            raise ResourceError(
                f"actors died on all of {_counted(len(machines), 'machine')}, {_counted(self.deaths, 'time')}, at last "
                f"because: {self.last_death}",
                code="actor",
                deaths=self.deaths,
            ) from self.last_death
        free = self._free(usable, now)
        live = [actor for number, actor in self._actors.items() if number not in late and self._counts(actor, now)]
        if self._workers is None:
            held: Counter[str] = Counter()
            for actor in live:
                held[actor.machine] += actor.cpus
            placed = [(name, cpus) for name, cpus in free.items() if cpus > 2 * held[name]]
        else:
            placed = placements(free, self._workers - len(live))
        for machine, cpus in placed:
            self._start_one(machine, cpus, now)

    def _counts(self, actor: _Actor, now: float) -> bool:
        return actor.since is not None or now - actor.asked < _START

    def _free(self, machines: Mapping[str, int], now: float) -> dict[str, int]:
        """Returns the processors of machines that are free, without those that an actor is about to take."""
        free = Counter({name: min(cpus, machines[name]) for name, cpus in available(self._ray) if name in machines})
        for actor in self._actors.values():
            if actor.since is None or now - actor.since < _LAG:
                free[actor.machine] -= actor.cpus
        return {name: cpus for name, cpus in free.items() if cpus > 0}

    def _start_one(self, machine: str, cpus: int, now: float) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        made = self._ray.remote(_Worker).options(
            num_cpus=cpus, scheduling_strategy=NodeAffinitySchedulingStrategy(machine, soft=False)
        )
        actor = _Actor(made.remote([self._shared], cpus), machine, cpus, now)
        self._numbers += 1
        self._actors[self._numbers] = actor
        self._starting[actor.handle.process.remote()] = self._numbers

    def started(self, reference: Any) -> int | None:
        """Returns the number of the actor that answers by one of `starting`."""
        return self._starting.get(reference)

    def confirm(self, reference: Any) -> None:
        """Notes that the actor of one of `starting` has started."""
        actor = self._actors[self._starting.pop(reference)]
        actor.since = time.monotonic()

    def lose(self, number: int, why: Exception) -> None:
        """Notes that an actor died, or that its answer cannot be had."""
        actor = self._actors.pop(number)
        self._starting = {reference: other for reference, other in self._starting.items() if other != number}
        self._deaths[actor.machine] += 1
        if getattr(why, "actor_init_failed", False):
            self._unfit.add(actor.machine)
        self.last_death = why
        self._end(actor)

    def end(self) -> None:
        """Ends all actors."""
        for actor in self._actors.values():
            self._end(actor)

    def _end(self, actor: _Actor) -> None:
        # It may be dead, or its machine.
        with contextlib.suppress(self._ray.exceptions.RayError, ValueError):
            self._ray.kill(actor.handle)

    def described(self, late: Collection[Any]) -> str:
        """Returns the state of the actors and the processors in words."""
        ready = self.ready
        silent = sum(number in late for number in ready)
        facts = [f"{_counted(len(ready), 'actor')} at work" + (f", {silent} of them silent" if silent else "")]
        if self._starting:
            facts.append(f"{len(self._starting)} starting")
        if self.deaths:
            facts.append(f"{self.deaths} dead, the last one because: {str(self.last_death)[:_SHOWN]}")
        total, free = sum(processors(self._ray).values()), sum(cpus for _, cpus in available(self._ray))
        own = sum(actor.cpus for actor in self._actors.values())
        held = max(0, total - free - own)
        return f"{', '.join(facts)}; {free} of {_counted(total, 'processor')} free, {held} held by other jobs"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def processors(ray: Any) -> dict[str, int]:
    """Returns the processors of every machine that is alive and has any."""
    found = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]}
    return {name: cpus for name, cpus in found.items() if cpus > 0}


def available(ray: Any) -> list[tuple[str, int]]:
    """Returns the machines with their processors that nobody holds."""
    from ray._private.state import available_resources_per_node

    if ray.util.client.ray.is_connected():
        # A client is no part of the cluster, and asks there.
        found = ray.get(ray.remote(num_cpus=0)(available_resources_per_node).remote())
    else:
        found = available_resources_per_node()
    return [(name, int(resources.get("CPU", 0))) for name, resources in found.items()]


def placements(free: Mapping[str, int], count: int) -> list[tuple[str, int]]:
    """Returns the machines of as many actors, or of as many as find a processor, with equally many for each."""
    total = sum(free.values())
    if count < 1 or total < 1:
        return []
    size = max(1, total // count)
    # An actor is on one machine, which may have processors left over.
    while size > 1 and sum(cpus // size for cpus in free.values()) < count:
        size -= 1
    left = Counter(free)
    placed: list[tuple[str, int]] = []
    while len(placed) < count and left and left.most_common(1)[0][1] >= size:
        machine = left.most_common(1)[0][0]
        left[machine] -= size
        placed.append((machine, size))
    return placed
