"""Tasks of a divided job reach workers that answer, whatever happens to the others."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace

import pytest

import fathom as fhe
from fathom._actors import placements
from fathom._assignments import Assignments
from fathom.ray import _machines


def sent(assignments: Assignments, workers: list[int], now: float) -> list[tuple[int, int]]:
    """Sends all tasks that workers take now, each answer named by worker and task, and returns them."""
    found = []
    while (one := assignments.next(workers, now)) is not None:
        worker, task = one
        assignments.send((worker, task, now), worker, task, now)
        found.append(one)
    return found


def test_every_worker_has_two_tasks_or_the_number_that_is_stated() -> None:
    assert sent(Assignments(9), [1, 2], 0) == [(1, 0), (2, 1), (1, 2), (2, 3)]
    assert sent(Assignments(9, 1), [1, 2], 0) == [(1, 0)]
    assert Counter(worker for worker, _ in sent(Assignments(9, 5), [1, 2], 0)).total() == 5
    assert sent(Assignments(1), [1, 2], 0) == [(1, 0)]


def test_tasks_of_a_dead_worker_are_the_next_ones() -> None:
    assignments = Assignments(6)
    sent(assignments, [1, 2], 0)
    assignments.lose(1)
    assert sent(assignments, [2, 3], 1) == [(3, 0), (3, 2)]
    assert assignments.answer((2, 1, 0), 2) == 1
    assert sent(assignments, [2, 3], 2) == [(2, 4)]


def test_a_silent_worker_gets_no_tasks_and_an_idle_one_computes_its_own() -> None:
    assignments = Assignments(3)
    assert sent(assignments, [1, 2], 0) == [(1, 0), (2, 1), (1, 2)]
    assert assignments.answer((2, 1, 0), 1) == 1
    assert sent(assignments, [1, 2], 5) == [] and not assignments.has_work(5)
    assert assignments.late(11) == {1} and assignments.has_work(11)
    assert sent(assignments, [1, 2], 11) == [(2, 0)]
    assert assignments.answer((2, 0, 11), 12) == 0
    assert sent(assignments, [1, 2], 12) == [(2, 2)]
    # The silent worker was slow: its answers do no harm, and the first one counts.
    assert assignments.answer((1, 0, 0), 13) is None and assignments.answer((1, 2, 0), 13) == 2
    assert assignments.answer((2, 2, 12), 14) is None and assignments.answered == 3


def test_slow_tasks_do_not_make_workers_late() -> None:
    assignments = Assignments(4)
    sent(assignments, [1, 2], 0)
    assert assignments.answer((1, 0, 0), 60) == 0
    assert assignments.late(170) == set() and assignments.late(181) == {1, 2}


def test_nothing_is_sent_where_every_worker_is_late() -> None:
    assignments = Assignments(9)
    sent(assignments, [1], 0)
    assert sent(assignments, [1], 20) == [] and sent(assignments, [], 20) == []
    # A new worker takes what waits before it repeats what others have.
    assert sent(assignments, [1, 2], 20) == [(2, 2), (2, 3)]


def test_every_task_is_answered_once_whatever_happens() -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    draw = random.Random(seed)
    for _ in range(50):
        tasks = draw.randrange(1, 30)
        assignments = Assignments(tasks, draw.choice([None, 1, 2, 5]))
        workers, newest, now = [0], 0, 0.0
        answers: Counter[int] = Counter()
        for _ in range(3000):
            now += draw.choice([0.1, 1, 20])
            sent(assignments, workers, now)
            what = draw.random()
            if what < 0.1 or not workers:
                newest += 1
                workers.append(newest)
            elif what < 0.2:
                dead = draw.choice(workers)
                workers.remove(dead)
                assignments.lose(dead)
            elif assignments.sent and what < 0.8:
                first = assignments.answer(draw.choice(assignments.sent), now)
                answers.update([] if first is None else [first])
            if assignments.answered == tasks:
                break
        assert answers == Counter(range(tasks)), f"seed {seed}"


def test_actors_fit_on_machines() -> None:
    def sizes(machines: list[int], workers: int) -> list[int]:
        free = {str(number): cpus for number, cpus in enumerate(machines)}
        placed = placements(free, workers)
        for machine, cpus in free.items():
            assert sum(size for name, size in placed if name == machine) <= cpus
        return [size for _, size in placed]

    assert sizes([4, 4], 2) == [4, 4] and sizes([4, 4], 1) == [4] and sizes([4, 4], 3) == [2, 2, 2]
    assert sizes([5, 5, 5], 4) == [2] * 4 and sizes([3, 3], 6) == [1] * 6 and sizes([64, 1], 2) == [32, 32]
    # Where fewer processors are free, fewer actors start.
    assert sizes([3, 3], 7) == [1] * 6 and sizes([1], 3) == [1] and sizes([], 3) == [] and sizes([2], 0) == []


def test_more_actors_than_processors_are_refused() -> None:
    nodes = [{"NodeID": name, "Alive": True, "Resources": {"CPU": 3.0}} for name in "ab"]
    cluster = SimpleNamespace(nodes=lambda: nodes)
    assert _machines(cluster, 6) == _machines(cluster, None) == {"a": 3, "b": 3}
    with pytest.raises(fhe.ResourceError) as caught:
        _machines(cluster, 7)
    assert caught.value.code == "processors" and caught.value.processors == 6
    with pytest.raises(fhe.ResourceError):
        _machines(SimpleNamespace(nodes=list), None)
