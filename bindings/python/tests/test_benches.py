"""The times beside TenSEAL are taken, where it is installed."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "benches/tenseal_rows.py"


def test_rows_are_right_or_skipped() -> None:
    printed = subprocess.check_output([sys.executable, BENCH, "1"], text=True)
    if printed.startswith("skipped"):
        pytest.skip(printed)
    rows = [line for line in printed.splitlines() if line.startswith(("| integer:", "| real:"))]
    assert len(rows) == 16
