"""Queries on a cluster of Ray: the same bytes, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray: Any = pytest.importorskip("ray", reason="ray is not installed: queries on a cluster are not tested")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: queries on files are not tested")

from column_data import CHEAP, WIDE, long_table, table  # noqa: E402

import fathom as fhe  # noqa: E402
import fathom.ray  # noqa: E402
from fathom import columns  # noqa: E402

QUERY = columns.Query("mean(amount)", "var_samp(amount)", where=columns.col("year") >= 2003, by="dept")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Starts a cluster of two processors on this machine."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Workers import what the tests import.
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(["tests", os.environ.get("PYTHONPATH", "")])}}
    ray.init(
        num_cpus=2,
        object_store_memory=200 << 20,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env=environment,
    )
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns two encrypted files of one key, of 74 and 3 blocks."""
    folder, key = tmp_path_factory.mktemp("tables"), columns.keygen(WIDE)
    paths = [folder / "0.parquet", folder / "1.parquet"]
    for path, rows in zip(paths, (300_000, 9000), strict=True):
        key.encrypt(table(rows, seed=rows)).write_parquet(path)
    return paths


@pytest.mark.timeout(300)
def test_a_cluster_gives_the_bytes_of_one_process(files: list[Path], tmp_path: Path) -> None:
    expected = columns.run(QUERY, files)
    seen: list[tuple[int, int | None]] = []
    result = fathom.ray.run(QUERY, files, workers=2, progress=lambda done, total: seen.append((done, total)))
    assert result == expected and seen[-1] == (77, 77) and seen == sorted(seen)
    assert fathom.ray.run(QUERY, files, in_flight=1) == expected
    key = columns.keygen(CHEAP)
    key.encrypt(long_table(300 * 4096)).write_parquet(tmp_path / "long.parquet")
    sql = "select dept, sum(amount), avg(age) from staff group by dept"
    assert fathom.ray.run(sql, tmp_path / "long.parquet", workers=2) == columns.run(sql, tmp_path / "long.parquet")


@pytest.mark.timeout(300)
def test_a_killed_worker_changes_the_time_alone(files: list[Path]) -> None:
    expected = columns.run(QUERY, files)
    killed: list[int] = []

    def kill(done: int, total: int | None) -> None:
        # One of the actors dies in the middle, and those of its tasks that are not answered are repeated.
        if not killed and done >= 16:
            killed.extend(processes()[:1])
            os.kill(killed[0], signal.SIGKILL)

    assert fathom.ray.run(QUERY, files, workers=2, progress=kill) == expected and killed


def processes() -> list[int]:
    """Returns the processes of the actors, which Ray names after their class."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::_Worker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.timeout(120)
def test_misuse_is_refused(files: list[Path]) -> None:
    with pytest.raises(fhe.ResourceError) as caught:
        fathom.ray.run(QUERY, files, workers=3)
    assert caught.value.code == "processors" and caught.value.processors == 2
    with pytest.raises(fhe.ResourceError, match="at least 1"):
        fathom.ray.run(QUERY, files, workers=0)
    with pytest.raises(fhe.QueryError, match="no column"):
        fathom.ray.run("select sum(nothing) from t", files)
