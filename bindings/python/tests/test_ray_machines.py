"""Machines of a cluster of Ray that die, fall silent, or belong to somebody else: the same bytes, or a reason."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ray: Any = pytest.importorskip("ray", reason="ray is not installed: queries on a cluster are not tested")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: queries on files are not tested")

from column_data import WIDE, table  # noqa: E402
from test_ray import processes  # noqa: E402

import fathom as fhe  # noqa: E402
import fathom.ray  # noqa: E402
from fathom import _actors, _assignments, columns  # noqa: E402

QUERY = "select year, avg(amount), count(*) from staff group by year"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns an encrypted file of 171 blocks, which is computed in eleven tasks."""
    path = tmp_path_factory.mktemp("tables") / "0.parquet"
    columns.keygen(WIDE).encrypt(table(700_000)).write_parquet(path)
    return [path]


@pytest.fixture(scope="module")
def expected(files: list[Path]) -> bytes:
    return columns.run(QUERY, files)


def parent_of(process: int) -> int:
    """Returns the process that started another one."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("PPid:"))


class _Worker(_actors._Worker):
    """An actor whose tasks take long enough for something to happen."""

    def compute(self, task: tuple[int, int, int]) -> list[bytes]:
        time.sleep(1)
        return super().compute(task)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes tasks slow."""
    monkeypatch.setattr(_actors, "_Worker", _Worker)


class Once:
    """Something that happens when all of so many actors are at work, as a callback of progress."""

    def __init__(self, actors: int, happens: Callable[[], None]) -> None:
        self.actors = actors
        self.happens = happens
        self.calls = 0

    def __call__(self, done: int, total: int | None) -> None:
        """Waits for the actors at the first call, and lets it happen two calls later, when they have tasks."""
        self.calls += 1
        if self.calls == 1:
            while len(processes()) < self.actors:
                time.sleep(0.1)
        if self.calls == 3:
            self.happens()


class Machines:
    """A cluster of machines with one processor each, which are raylets of this machine. The first one is ours."""

    def __init__(self, count: int) -> None:
        from ray.cluster_utils import Cluster

        options = {"num_cpus": 1, "object_store_memory": 80 << 20}
        self.cluster = Cluster(initialize_head=True, head_node_args={**options, "include_dashboard": False})
        self.others = [self.cluster.add_node(**options) for _ in range(count - 1)]
        # Workers import what the tests import.
        paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(paths)}}
        ray.init(address=self.cluster.address, log_to_driver=False, logging_level="ERROR", runtime_env=environment)

    def kill(self) -> None:
        """Kills a machine that is not ours, as a loss of power does."""
        self._send(self.others.pop(), signal.SIGKILL)

    def stop(self) -> None:
        """Silences a machine that is not ours, as a cut cable does: its raylet, and all of its processes."""
        self._send(self.others[-1], signal.SIGSTOP)

    def _send(self, machine: Any, what: signal.Signals) -> None:
        for process in machine.all_processes["raylet"]:
            raylet = process.process.pid
            own = [pid for pid in processes() if parent_of(pid) == raylet] if what == signal.SIGSTOP else []
            for pid in [raylet, *own]:
                os.kill(pid, what)

    def shutdown(self) -> None:
        """Ends all machines."""
        ray.shutdown()
        self.cluster.shutdown()


@pytest.fixture
def machines(request: pytest.FixtureRequest) -> Iterator[Machines]:
    """Starts a cluster of as many machines as the test asks for."""
    made = Machines(request.param)
    yield made
    made.shutdown()


def holder() -> Any:
    """Starts an actor of another job, which holds a processor until it is killed."""

    class Other:
        def ready(self) -> bool:
            return True

    actor = ray.remote(Other).options(num_cpus=1).remote()
    assert ray.get(actor.ready.remote())
    return actor


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("machines", [2, 3], indirect=True)
def test_a_machine_that_dies_changes_the_time_alone(machines: Machines, files: list[Path], expected: bytes) -> None:
    dies = Once(1 + len(machines.others), machines.kill)
    assert fathom.ray.run(QUERY, files, progress=dies) == expected and dies.calls == 11
    # What is left of the cluster serves the next job.
    assert fathom.ray.run(QUERY, files) == expected


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("machines", [3], indirect=True)
def test_a_machine_that_falls_silent_changes_the_time_alone(
    machines: Machines, files: list[Path], expected: bytes
) -> None:
    stops = Once(3, machines.stop)
    assert fathom.ray.run(QUERY, files, progress=stops) == expected and stops.calls == 11
    assert fathom.ray.run(QUERY, files) == expected


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("machines", [2], indirect=True)
def test_a_silent_actor_changes_the_time_alone(
    machines: Machines, files: list[Path], expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_assignments, "_PATIENCE", 3.0)
    stops = Once(2, lambda: os.kill(processes()[0], signal.SIGSTOP))
    assert fathom.ray.run(QUERY, files, progress=stops) == expected and stops.calls == 11


@pytest.mark.timeout(300)
@pytest.mark.parametrize("machines", [2], indirect=True)
def test_a_job_takes_the_processors_that_are_free(machines: Machines, files: list[Path], expected: bytes) -> None:
    other = holder()
    seen: set[int] = set()

    def look(done: int, total: int | None) -> None:
        seen.add(len(processes()))

    assert fathom.ray.run(QUERY, files, progress=look) == expected
    assert fathom.ray.run(QUERY, files, workers=2, progress=look) == expected
    assert seen == {1}
    ray.kill(other)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("machines", [1], indirect=True)
def test_a_job_says_what_it_waits_for_and_ends_in_time(
    machines: Machines,
    files: list[Path],
    expected: bytes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(fathom.ray, "_MESSAGES", 1.0)
    other = holder()
    with caplog.at_level(logging.WARNING, "fathom.ray"), pytest.raises(fhe.ResourceError) as caught:
        fathom.ray.run(QUERY, files, timeout=3)
    assert caught.value.code == "timeout" and caught.value.answered == 0 and caught.value.tasks == 11
    for words in ("0 of 11 tasks", "0 of 1 processor free, 1 held by other jobs"):
        assert words in caplog.text and words in str(caught.value)
    # The job goes on as soon as a processor is free.
    threading.Timer(4, lambda: ray.kill(other)).start()
    assert fathom.ray.run(QUERY, files, timeout=None) == expected


@pytest.mark.timeout(300)
@pytest.mark.parametrize("machines", [1], indirect=True)
def test_actors_that_cannot_start_end_the_job_with_the_reason(
    machines: Machines, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __init__(self, shared: list[Any], threads: int) -> None:
            raise ImportError("there is no such package here")

        def process(self) -> int:
            return 0

    monkeypatch.setattr("fathom._actors._Worker", Broken)
    with pytest.raises(fhe.ResourceError, match="no such package") as caught:
        fathom.ray.run(QUERY, files)
    assert caught.value.code == "actor" and caught.value.deaths == 1
