"""Encrypted tables in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from .. import _fathom
from .._bound import Made
from .._described import Described, size
from ._schema import Schema


class Table(Described, Made):
    """An encrypted table: a row for each block of rows, with clear columns as lists and ciphertexts as binary.

    A block has 4096 rows, or 16,384 if a column of the table has the use `compare`.

    It has the interface of Arrow: `pyarrow.table(table)`, `polars.DataFrame(table)` and DuckDB read it.
    """

    __slots__ = ("__weakref__", "_core")

    _title = "fathom.columns.Table"
    _maker = "encrypt a table with TableKey.encrypt, or read one with Table.from_arrow"
    _core: _fathom.EncryptedTable

    @classmethod
    def from_arrow(cls, table: Any) -> Table:
        """Reads an encrypted table of another package, whose schema has kept its metadata.

        Raises:
            KindError: The object is no table.
            WireError: The metadata is missing: make a `Server` from the file, and give it the table to query.
        """
        return cls._made(_core=_fathom.EncryptedTable.read(table))

    @classmethod
    def read_parquet(cls, path: str | os.PathLike[str]) -> Table:
        """Reads an encrypted table from a file.

        Raises:
            KindError: pyarrow is not installed.
            WireError: The file holds no encrypted table.
        """
        from ._parquet import pyarrow_parquet

        return cls.from_arrow(pyarrow_parquet().read_table(path))

    def write_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file that `fathom-columns` and every reader of Parquet take.

        Ciphertexts are stored plain, since no codec compresses them, and have no statistics. A file that is there
        already is replaced when the new one is whole, so that its readers never see a part.

        Raises:
            KindError: pyarrow is not installed.
            ResourceError: The file cannot be written, or holds a secret key.
        """
        from ._parquet import write

        write(self, path)

    @property
    def metadata(self) -> str:
        """The metadata of the table, in JSON."""
        return self._core.metadata

    @property
    def id(self) -> str:
        """The identifier of the table, which answers name."""
        import json

        return str(json.loads(self.metadata)["table"])

    @property
    def schema(self) -> Schema:
        """The columns before encryption."""
        import json

        return Schema._of(json.dumps(json.loads(self.metadata)["schema"]))

    @property
    def column_names(self) -> Sequence[str]:
        """The columns of the encrypted table."""
        return self._core.column_names

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self._core.blocks

    @property
    def rows(self) -> int:
        """The number of rows before encryption."""
        return self._core.rows

    @property
    def nbytes(self) -> int:
        """The bytes in memory."""
        return self._core.nbytes

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the table as a stream of Arrow, without copies."""
        return self._core.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """Returns the schema of the encrypted table."""
        return self._core.__arrow_c_schema__()

    def __reduce__(self) -> tuple[Any, ...]:
        from ._parquet import pyarrow

        return Table.from_arrow, (pyarrow("pickling an encrypted table").table(self),)

    def _facts(self) -> Sequence[tuple[str, str]]:
        names = ", ".join(self.schema.encrypted)
        return [
            ("rows", str(self.rows)),
            ("blocks", str(self.blocks)),
            ("encrypted", names),
            ("size", size(self.nbytes)),
        ]


class Rows:
    """The decrypted rows of a table, encrypted columns first.

    Data frames are made of them through the interface of Arrow: `pyarrow.table(rows)`, `polars.DataFrame(rows)`.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _fathom.Rows) -> None:
        """Wraps the rows that `TableKey.read_rows` decrypted."""
        self._core = core

    @property
    def column_names(self) -> Sequence[str]:
        """The names of the columns."""
        return self._core.column_names

    def __len__(self) -> int:
        return len(self._core)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the rows as a stream of Arrow, without copies."""
        return self._core.__arrow_c_stream__()

    def __repr__(self) -> str:
        return f"fathom.columns.Rows({len(self)} of {', '.join(self.column_names)})"
