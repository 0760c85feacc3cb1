"""Encrypted columns: tables whose sums, means, counts and variances anybody computes without a secret key.

    from fathom import columns

    schema = columns.Schema(salary=columns.Encrypted("int32", range=(0, 500_000)), dept=columns.Clear("text"))
    key = columns.keygen(schema)
    table = key.encrypt(frame)  # of pyarrow, polars, pandas or DuckDB
    result = columns.Server(table).query("select count(*), avg(salary) from staff")
    print(key.decrypt(result))

An encrypted table is a table of Arrow again, with a row for each block of 4096 rows, or of 16,384 if a column has
the use `compare`: conditions on its values need `key.evaluation_keys()`, which the server takes as `keys=`. The table
goes into Parquet files and through data frames, and `fathom-columns` reads the same files. docs/columns.md describes
layouts and their prices.
"""

from __future__ import annotations

from ._answer import Answer
from ._duckdb import duckdb
from ._ibis import from_ibis
from ._keys import TableKey, keygen
from ._polars import from_polars, register_polars
from ._query import Predicate, Query, col
from ._run import Job, run
from ._schema import Clear, Cost, Encrypted, Schema
from ._server import Server, join
from ._sql import from_sql
from ._table import Rows, Table

__all__ = [
    "Answer",
    "Clear",
    "Cost",
    "Encrypted",
    "Job",
    "Predicate",
    "Query",
    "Rows",
    "Schema",
    "Server",
    "Table",
    "TableKey",
    "col",
    "duckdb",
    "from_ibis",
    "from_polars",
    "from_sql",
    "join",
    "keygen",
    "register_polars",
    "run",
]
