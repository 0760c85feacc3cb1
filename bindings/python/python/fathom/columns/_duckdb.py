"""Queries on encrypted files by DuckDB, which reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..errors import QueryError, WireError
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
        files: A path, or several, to which rows were appended. Each names one file.
        keys: The keys of `TableKey.evaluation_keys`, for conditions on encrypted values.
        connection: The connection, by default a new one. Its settings stay as they are.

    Raises:
        KindError: DuckDB is not installed.
        QueryError: A table does not serve the query, or a path is a pattern of several files.
        WireError: A file holds no encrypted table.
    """
    try:
        import duckdb as package
    except ImportError:
        raise missing_package("duckdb", "duckdb", "this function") from None
    asked = Query.of(query)
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    own = package.connect() if connection is None else connection.cursor()
    settings = own.cursor()
    ((ordered,),) = settings.execute("select current_setting('preserve_insertion_order')").fetchall()
    try:
        if not ordered:
            # Blocks keep their order: that of the file. All connections of a database share the setting.
            settings.execute("set preserve_insertion_order = true")
        return join([_answer(own, asked, os.fspath(path), keys) for path in paths])
    finally:
        if not ordered:
            settings.execute("set preserve_insertion_order = false")
        settings.close()
        own.close()


def _answer(connection: Any, query: Query, path: str, keys: Any) -> bytes:
    ((count,),) = connection.execute("select count(*) from parquet_file_metadata(?)", [path]).fetchall()
    if count != 1:
        # Their blocks would be read as those of one table, and a file that is also named elsewhere would count twice.
        raise QueryError(f"{path} names {count} files: name each of them", code="several_files", path=path)
    statement = "select value from parquet_kv_metadata(?) where key = ?"
    found = connection.execute(statement, [path, METADATA.encode()]).fetchall()
    if not found:
        raise WireError(f"{path} holds no encrypted table", code="no_metadata", path=path)
    server = Server(bytes(found[0][0]).decode(), keys=keys)
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in server.columns(query))
    return server.query(query, connection.sql(f"select {names} from read_parquet(?)", params=[path]))
