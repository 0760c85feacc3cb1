"""Queries on encrypted files by DuckDB, which reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..errors import WireError
from ._parquet import METADATA
from ._query import Query, missing_package
from ._server import Server, join


def duckdb(
    query: Any,
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    keys: Any = None,
    connection: Any = None,
) -> bytes:
    """Answers a query on encrypted Parquet files that DuckDB reads: from disk, or wherever else it reads from.

    Args:
        query: A `Query`, SQL, an expression of ibis, or the tree of JSON.
        files: A path, or several, to which rows were appended.
        keys: The keys of `TableKey.evaluation_keys`, for conditions on encrypted values.
        connection: The connection, by default a new one.

    Raises:
        KindError: DuckDB is not installed.
        QueryError: A table does not serve the query.
        WireError: A file holds no encrypted table.
    """
    try:
        import duckdb as package
    except ImportError:
        raise missing_package("duckdb", "duckdb", "this function") from None
    asked = Query.of(query)
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    own = package.connect() if connection is None else connection.cursor()
    try:
        return join([_answer(own, asked, os.fspath(path), keys) for path in paths])
    finally:
        own.close()


def _answer(connection: Any, query: Query, path: str, keys: Any) -> bytes:
    statement = "select value from parquet_kv_metadata(?) where key = ?"
    found = connection.execute(statement, [path, METADATA.encode()]).fetchone()
    if found is None:
        raise WireError(f"{path} holds no encrypted table", code="no_metadata", path=path)
    server = Server(bytes(found[0]).decode(), keys=keys)
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in server.columns(query))
    # Blocks keep their order: that of the file.
    connection.execute("set preserve_insertion_order = true")
    return server.query(query, connection.sql(f"select {names} from read_parquet(?)", params=[path]))
