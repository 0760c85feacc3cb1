"""Times a query on a Ray cluster of this machine beside the same query in this process.

    python benches/ray_rows.py [--rows 16000000] [--workers 2] [--rounds 3]

The query groups by a clear column that was not declared: 50 masks for each block. Both sides have as many threads, and
alternate. The efficiency is the time of this process by that of the cluster, on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

import fathom as fhe
import fathom.ray
from fathom import columns

GROUPS = 50
ROWS_A_FILE = 4_000_000


def write(folder: Path, rows: int) -> list[Path]:
    """Encrypts a table to files of some million rows."""
    key = columns.keygen(columns.Schema(v=columns.Encrypted("int32", uses="filter"), g=columns.Clear("int64")))
    numbers = np.random.default_rng(1)
    paths = []
    for first in range(0, rows, ROWS_A_FILE):
        count = min(ROWS_A_FILE, rows - first)
        values = numbers.integers(-(2**31), 2**31, count, dtype=np.int32)
        paths.append(folder / f"{first}.parquet")
        key.encrypt(pa.table({"v": values, "g": numbers.integers(0, GROUPS, count)})).write_parquet(paths[-1])
    return paths


def memory() -> list[int]:
    """Returns the private memory of the actors in MiB."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::_Worker" not in (folder / "cmdline").read_bytes():
                continue
            lines = (folder / "smaps_rollup").read_text().splitlines()
            found.append(sum(int(line.split()[1]) for line in lines if line.startswith("Private")) // 1024)
        except OSError:
            continue
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=16_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    ray.init(num_cpus=wanted.workers, object_store_memory=1 << 30, include_dashboard=False, logging_level="ERROR")
    fhe.set_threads(wanted.workers)
    query = "select g, sum(v), count(*) from t group by g"
    with TemporaryDirectory() as folder:
        files: list[Any] = list(write(Path(folder), wanted.rows))
        ratios: list[float] = []
        private: list[int] = []
        for number in range(wanted.rounds):
            before = time.monotonic()
            expected = columns.run(query, files)
            here = time.monotonic() - before
            before = time.monotonic()
            result = fathom.ray.run(
                query, files, workers=wanted.workers, progress=lambda done, total: private.extend(memory())
            )
            there = time.monotonic() - before
            assert result == expected, "the bytes differ"
            ratios.append(here / there)
            print(f"round {number}: here {here:.2f} s, cluster {there:.2f} s, efficiency {ratios[-1]:.3f}")
    print(f"efficiency {statistics.median(ratios):.3f}, {max(private)} MiB private memory for each actor, bytes equal")
    ray.shutdown()


if __name__ == "__main__":
    main()
