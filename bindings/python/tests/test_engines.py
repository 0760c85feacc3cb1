"""The recipes of the documentation for engines that call functions on other machines."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from column_data import WIDE, table

from fathom import columns

QUERY = "select dept, avg(amount), count(*) from staff where year >= 2003 group by dept"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Returns two encrypted files of one key."""
    folder, key = tmp_path_factory.mktemp("tables"), columns.keygen(WIDE)
    paths = [folder / "0.parquet", folder / "1.parquet"]
    for path, rows in zip(paths, (150_000, 9000), strict=True):
        key.encrypt(table(rows, seed=rows)).write_parquet(path)
    return paths


@pytest.mark.timeout(180)
def test_dask_gives_the_bytes_of_one_process(files: list[Path]) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    job = columns.Job(QUERY, files, workers=2)
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        sent = client.scatter(job, broadcast=True)
        parts = client.gather(client.map(lambda task, job: job.compute(task), job.tasks, job=sent, pure=False))
    assert job.merge(parts) == columns.run(QUERY, files)


@pytest.mark.timeout(180)
def test_spark_gives_the_bytes_of_one_process(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    # The Python of the workers, where the package is installed.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        job = columns.Job(QUERY, files, workers=2)
        sent = spark.sparkContext.broadcast(job)
        tasks = spark.sparkContext.parallelize(job.tasks, len(job.tasks))
        parts = tasks.map(lambda task: sent.value.compute(task)).collect()
    finally:
        spark.stop()
    assert job.merge(parts) == columns.run(QUERY, files)
