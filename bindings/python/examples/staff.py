"""A filter over encrypted Parquet files: a server sums the salaries of selected rows, group by group, without any key.

The owner encrypts one column and leaves two clear, writes a file for each year, and sends both. The server reads only
the columns that the query needs.
"""

import random
from pathlib import Path
from typing import Any

import parties
import pyarrow as pa

from fathom import columns

#: What is public: types, ranges, the clear columns, and what the column is used for.
SCHEMA = columns.Schema(
    salary=columns.Encrypted("int32", range=(0, 500_000), uses=["filter", "variance"], nulls=True),
    dept=columns.Clear("text"),
    age=columns.Clear("int64"),
)
#: Files and their numbers of rows.
YEARS = {"2025": 9000, "2026": 3000}
QUERY = columns.Query(
    "count(*)",
    "mean(salary)",
    where=(columns.col("age") >= 50) & ~(columns.col("dept") == "law"),
    by="dept",
    names=["people", "salary"],
)


def staff(year: str) -> Any:
    """Returns the clear table of a year, which stands for a real one."""
    draw = random.Random(year)
    rows = range(YEARS[year])
    return pa.table(
        {
            "salary": [None if draw.random() < 0.02 else int(draw.gauss(60_000, 9_000)) for _ in rows],
            "dept": [draw.choice(["ops", "eng", "law"]) for _ in rows],
            "age": [draw.randrange(18, 68) for _ in rows],
            "name": [f"employee {row}" for row in rows],
        }
    )


def prepare(own: Path, server: Path) -> None:
    """Makes the key and encrypts the files as the owner. Names are no column of the schema, and stay at home."""
    key = columns.keygen(SCHEMA)
    parties.keep(key, own)
    for year in YEARS:
        key.encrypt(staff(year)).write_parquet(server / f"{year}.parquet")


def compute(folder: Path) -> None:
    """Answers the query as the server."""
    files = sorted(folder.glob("*.parquet"))
    (folder / "result").write_bytes(columns.run(QUERY, files))


def finish(own: Path, server: Path) -> None:
    """Decrypts the answer as the owner, and compares it with the clear tables."""
    key = columns.TableKey.from_secret_bytes((own / "secret.key").read_bytes())
    answer = key.decrypt((server / "result").read_bytes(), QUERY)
    rows = [row for year in YEARS for row in staff(year).to_pylist()]
    for row in answer:
        chosen = [one for one in rows if one["dept"] == row["dept"] and one["age"] >= 50]
        paid = [one["salary"] for one in chosen if one["salary"] is not None]
        assert row == {"dept": row["dept"], "people": len(chosen), "salary": sum(paid) / len(paid)}
        print(f"{row['dept']}: {row['people']} people of 50 and more, mean salary {row['salary']:.2f}")


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)
