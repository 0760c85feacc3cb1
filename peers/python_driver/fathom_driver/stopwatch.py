"""The timed loop of `run`: a monotonic clock around the calls of one operation."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from time import perf_counter_ns, process_time_ns
from typing import Any


@dataclass(frozen=True, slots=True)
class Plan:
    """Number of calls and samples of a run."""

    warmup: int
    """Calls before the first sample."""
    iterations: int
    """Calls in a sample."""
    samples: int
    """Number of samples requested."""
    budget_ns: float
    """Time spent on samples after which no further sample starts."""


@dataclass(slots=True)
class Outcome:
    """Result of a run."""

    samples_ns: list[int]
    cpu_ns: int
    """Processor time of the samples over all threads of the process."""
    involuntary_switches: int
    last: list[Any]
    """Last return value of each call."""
    called: list[bool]
    """For each call, true if it was made."""


_NOT_CALLED = object()


def measure(calls: Sequence[Callable[[], Any]], plan: Plan) -> Outcome:
    """Runs `calls` in turn, as `plan` specifies, with the garbage collector disabled."""
    turns = cycle(list(enumerate(calls)))
    last: list[Any] = [_NOT_CALLED] * len(calls)

    def go(count: int) -> None:
        for index, call in islice(turns, count):
            last[index] = call()

    gc.collect()
    gc.disable()
    try:
        go(plan.warmup)
        samples: list[int] = []
        spent = 0
        switches, cpu = _involuntary_switches(), process_time_ns()
        while len(samples) < plan.samples and (not samples or spent < plan.budget_ns):
            start = perf_counter_ns()
            go(plan.iterations)
            sample = perf_counter_ns() - start
            samples.append(sample)
            spent += sample
        cpu = process_time_ns() - cpu
        switches = _involuntary_switches() - switches
    finally:
        gc.enable()
    return Outcome(samples, cpu, switches, last, [value is not _NOT_CALLED for value in last])


def in_order(steps: Sequence[Callable[[], Any]]) -> Callable[[], Any]:
    """Returns one call that runs all `steps` in sequence."""
    if len(steps) == 1:
        return steps[0]

    def program() -> None:
        for step in steps:
            step()

    return program


def _involuntary_switches() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
