"""Clear tables for the tests of encrypted columns."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa

from fathom import columns

#: Columns with all uses, missing values, and clear columns of every type.
WIDE = columns.Schema(
    amount=columns.Encrypted("int32", uses=["variance", "filter"], nulls=True),
    age=columns.Encrypted("uint8", range=(0, 150), uses=["filter"]),
    dept=columns.Clear("text"),
    year=columns.Clear("int64"),
    score=columns.Clear("float64"),
    active=columns.Clear("bool"),
)

#: The cheapest layout, arranged by a declared key.
CHEAP = columns.Schema(
    amount=columns.Encrypted("int32", nulls=True),
    age=columns.Encrypted("uint8", uses=["variance"]),
    dept=columns.Clear("text", group_by=True),
    year=columns.Clear("int64"),
)


def table(rows: int, seed: int = 1) -> Any:
    """Returns a table with missing values, whose first row has the least amount and whose last one the greatest."""
    numbers = random.Random(seed)

    def column(values: list[Any], missing: float) -> list[Any]:
        return [None if numbers.random() < missing else numbers.choice(values) for _ in range(rows)]

    amount = [None if numbers.random() < 0.1 else numbers.randrange(-(2**31), 2**31) for _ in range(rows)]
    if rows:
        amount[0], amount[-1] = -(2**31), 2**31 - 1
    return pa.table(
        {
            "amount": pa.array(amount, pa.int32()),
            "age": pa.array(column(list(range(151)), 0), pa.uint8()),
            "dept": pa.array(column(["ops", "eng", "law", "d'x", ""], 0.05), pa.string()),
            "year": pa.array(column(list(range(2000, 2012)), 0.1), pa.int32()),
            "score": pa.array(column([n / 4 for n in range(-20, 20)], 0.1), pa.float64()),
            "active": pa.array(column([True, False], 0.1), pa.bool_()),
            "left out": pa.array(range(rows), pa.int64()),
        }
    )


def long_table(rows: int) -> Any:
    """Returns a table of many rows for the cheapest layout."""
    numbers = np.random.default_rng(3)
    return pa.table(
        {
            "amount": numbers.integers(-(2**31), 2**31, rows, dtype=np.int32),
            "age": numbers.integers(0, 255, rows, dtype=np.uint8),
            "dept": pa.array(["ops", "eng"]).take(numbers.integers(0, 2, rows)),
            "year": numbers.integers(2000, 2012, rows),
        }
    )
