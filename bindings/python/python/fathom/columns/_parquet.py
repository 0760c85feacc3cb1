"""Encrypted tables in Parquet files, by pyarrow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .._stored import replace_file
from ..errors import ResourceError, WireError
from ._query import missing_package

#: The metadata of an encrypted table.
METADATA = "fathom.table"
#: Blocks of a row group, and of one with large blocks, which compare encrypted values.
_GROUP, _LARGE_GROUP = 64, 4
#: The bytes of a large block.
LARGE = 2 << 20


def pyarrow(what: str) -> Any:
    """Returns the package, or refuses what needs it."""
    try:
        import pyarrow as package
    except ImportError:
        raise missing_package("pyarrow", "arrow", what) from None
    return package


def pyarrow_parquet() -> Any:
    """Returns the module `pyarrow.parquet`."""
    pyarrow("reading and writing Parquet")
    from pyarrow import parquet

    return parquet


def write(table: Any, path: str | os.PathLike[str]) -> None:
    """Writes an encrypted table as `fathom-columns encrypt` does.

    Raises:
        ResourceError: The file cannot be written, or holds something else than an encrypted table.
    """
    rows = pyarrow("writing Parquet").table(table)
    clear = _clear_leaves(rows.schema)
    parquet = pyarrow_parquet()

    def write_beside(beside: str) -> None:
        _check_replaced(path)
        parquet.write_table(
            rows,
            beside,
            row_group_size=_LARGE_GROUP if table.nbytes > LARGE * table.blocks else _GROUP,
            compression="none",
            use_dictionary=clear,
            write_statistics=clear,
        )

    replace_file(path, write_beside)


def _clear_leaves(schema: Any) -> list[str]:
    """Returns the paths of the values that have dictionaries and statistics: those of clear columns, within lists."""
    types = pyarrow("writing Parquet").types
    return [
        f"{field.name}.list.element" if types.is_list(field.type) else field.name
        for field in schema
        if not (_holds_ciphertexts(field) or types.is_fixed_size_binary(field.type))
    ]


def _holds_ciphertexts(field: Any) -> bool:
    return (field.metadata or {}).get(b"ARROW:extension:name") == b"fathom.column"


def _check_replaced(path: str | os.PathLike[str]) -> None:
    """Refuses to replace a file of Parquet that is no encrypted table: it may be the only clear one."""
    if not os.path.isfile(path) or os.path.getsize(path) == 0:
        return
    try:
        found = METADATA.encode() in (pyarrow_parquet().read_schema(path).metadata or {})
    except (OSError, ValueError):
        found = False
    if not found:
        raise ResourceError(
            f"{path}: a file that is no encrypted table is there, and stays as it is; name another file, or move this "
            "one away",
            code="file",
            path=str(path),
        )


def metadata_of_file(path: str | os.PathLike[str]) -> str:
    """Returns the metadata of an encrypted table in a file.

    Raises:
        KindError: pyarrow is not installed.
        WireError: The file holds no encrypted table.
    """
    found = (pyarrow_parquet().read_schema(path).metadata or {}).get(METADATA.encode())
    if found is None:
        raise WireError(f"{path} holds no encrypted table", code="no_metadata", path=str(path))
    return str(found, "utf-8")


def count_blocks(path: str | os.PathLike[str]) -> int:
    """Returns the number of blocks of a file."""
    return int(pyarrow_parquet().read_metadata(path).num_rows)


def block_bytes(path: str | os.PathLike[str], columns: Sequence[str]) -> int:
    """Returns the bytes of a block of a file in some of its columns: those of the row group with the largest ones."""
    return _block_bytes(pyarrow_parquet().read_metadata(path), columns)


def _block_bytes(metadata: Any, columns: Sequence[str]) -> int:
    largest = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        chunks = map(group.column, range(group.num_columns))
        # The path of a list goes on with the names of its parts.
        size = sum(
            one.total_uncompressed_size
            for one in chunks
            if one.path_in_schema in columns or one.path_in_schema.rpartition(".list.")[0] in columns
        )
        largest = max(largest, -(-size // max(1, group.num_rows)))
    return largest


def read_blocks(path: str | os.PathLike[str], columns: Sequence[str], first: int, count: int) -> Any:
    """Reads blocks of a file: those of the row groups that hold them, cut to size."""
    file = pyarrow_parquet().ParquetFile(path)
    groups, start, before = [], None, 0
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if before < first + count and before + rows > first:
            groups.append(group)
            start = before if start is None else start
        before += rows
    return file.read_row_groups(groups, columns=list(columns)).slice(first - (start or 0), count)


def batches(path: str | os.PathLike[str], columns: Sequence[str]) -> Any:
    """Returns a stream of the blocks of a file."""
    file = pyarrow_parquet().ParquetFile(path)
    rows = pyarrow("reading Parquet")
    large = _block_bytes(file.metadata, columns) > LARGE
    read = file.iter_batches(_LARGE_GROUP if large else _GROUP, columns=list(columns))
    schema = rows.schema([file.schema_arrow.field(name) for name in columns], metadata=file.schema_arrow.metadata)
    return rows.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in read))
