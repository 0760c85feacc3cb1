"""The timed loop of `run`: a monotonic clock around calls of one operation and nothing else."""

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
    """How much to run."""

    warmup: int
    """Calls before the first sample."""
    iterations: int
    """Calls in a sample."""
    samples: int
    """Samples wanted."""
    budget_ns: float
    """No further sample starts once this long was spent on samples."""


@dataclass(slots=True)
class Outcome:
    """What the run gave."""

    samples_ns: list[int]
    cpu_ns: int
    """Processor time of the samples over all threads of the process."""
    involuntary_switches: int
    last: list[Any]
    """One a call: what it returned last."""
    called: list[bool]
    """One a call: whether it was made at all."""


_NOT_CALLED = object()


def measure(calls: Sequence[Callable[[], Any]], plan: Plan) -> Outcome:
    """Makes `calls` in turn, as `plan` says. The garbage collector rests meanwhile."""
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
    """One call that makes all `steps`, one after another."""
    if len(steps) == 1:
        return steps[0]

    def program() -> None:
        for step in steps:
            step()

    return program


def _involuntary_switches() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
