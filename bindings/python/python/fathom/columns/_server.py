"""The party that computes on encrypted tables, without a secret key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from .. import _fathom, _frames
from .._described import Described
from .._stored import Stored
from ..errors import KindError
from ._query import Query
from ._schema import Schema


class Server(Described, Stored):
    """Computes on encrypted tables of one description. It holds no secret key.

    Conditions on encrypted values need the evaluation keys of the table; everything else needs no key of any kind.

    Attributes:
        LEAF_BLOCKS: The blocks of a leaf of the fixed tree in which blocks are added up.
        PART_BLOCKS: The blocks of a part of a result.
    """

    __slots__ = ("__weakref__", "_core", "_keys", "_table")

    LEAF_BLOCKS = _fathom.ColumnServer.LEAF_BLOCKS
    PART_BLOCKS = _fathom.ColumnServer.PART_BLOCKS

    _title = "fathom.columns.Server"
    _core: _fathom.ColumnServer
    _table: Any
    _keys: Any

    def __init__(self, table: Any, *, keys: Any = None) -> None:
        """Makes a server from an encrypted table, its Arrow schema, or its metadata in JSON.

        Args:
            table: What is asked unless `query` gets tables. Of a schema or metadata, there is no such table.
            keys: The bytes of `TableKey.evaluation_keys`, for conditions on encrypted values.

        Raises:
            KindError: It is none of them.
            WireError: It has no metadata of an encrypted table.
        """
        self._keys = keys
        if isinstance(table, str):
            self._core, self._table = _fathom.ColumnServer.from_metadata(table, keys), None
            return
        metadata = _fathom.table_metadata(table)
        if metadata is None:
            # The compiled half has the words for it.
            _fathom.EncryptedTable.read(table)
            raise KindError("the object is no encrypted table", code="type_mismatch")
        self._core = _fathom.ColumnServer.from_metadata(metadata, keys)
        self._table = table if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__") else None

    @classmethod
    def of_file(cls, path: str | os.PathLike[str], *, keys: Any = None) -> Server:
        """Makes a server from the metadata of an encrypted file.

        Raises:
            KindError: pyarrow is not installed.
            WireError: The file holds no encrypted table.
        """
        from ._parquet import metadata_of_file

        return cls(metadata_of_file(path), keys=keys)

    @property
    def metadata(self) -> str:
        """The metadata of the table, in JSON."""
        return self._core.metadata

    @property
    def schema(self) -> Schema:
        """The columns before encryption."""
        return Schema._of(self._core.schema)

    def columns(self, query: Any) -> list[str]:
        """Returns the columns of the encrypted table that a query reads, so that a reader can leave out the others.

        Raises:
            QueryError: The table does not serve the query.
        """
        return self._core.columns(Query.of(query).to_json())

    def query(self, query: Any, table: Any = None) -> bytes:
        """Answers a query on a table, by default that of the server, and returns the bytes for the owner of the key.

        Blocks must come in the order of the table. Tables that tools have changed are taken: binary and lists of any
        kind, other columns, and no metadata. `fathom.columns.run` asks files, and `join` joins results.

        Args:
            query: A `Query`, SQL, an expression of ibis, or the tree of JSON.
            table: A table with the interface of Arrow.

        Raises:
            QueryError: The table does not serve the query; the error names the use that would, and its price.
            WireError: A block is damaged or missing a column.
            KeyMismatchError: A ciphertext belongs to another key.
        """
        return self._core.query(Query.of(query).to_json(), self._given(table), None)

    def partial(self, query: Any, table: Any, first: int) -> bytes:
        """Returns a partial sum for `merge`: of blocks from number `first` on.

        `first` is a multiple of `LEAF_BLOCKS`, and the blocks are as many at most; `PART_BLOCKS` where it is a multiple
        of those.

        Raises:
            WireError: There are more blocks, or they are damaged.
        """
        return self._core.query(Query.of(query).to_json(), self._given(table), first)

    def merge(self, query: Any, partials: Iterable[Any]) -> bytes:
        """Joins the partial sums of a table, in their order, to the bytes that `query` returns for the whole of it.

        The noise bounds of partial sums are believed: take them from machines that you trust with the result.

        Raises:
            WireError: They do not follow each other, or belong to another query.
        """
        return self._core.merge(Query.of(query).to_json(), list(partials))

    def _given(self, table: Any) -> Any:
        given = self._table if table is None else table
        if given is None:
            raise KindError("the server was made from a schema: give it a table to query", code="no_table")
        return given

    def to_bytes(self) -> bytes:
        """Returns the metadata and the keys as bytes."""
        keys = b"" if self._keys is None else bytes(self._keys)
        return _frames.pack("column server", {}, [self.metadata.encode(), keys])

    @classmethod
    def from_bytes(cls, data: Any) -> Server:
        """Reads a server, which has no table.

        Raises:
            WireError: The bytes are damaged or no server.
        """
        _, frames = _frames.unpack(data, "column server", 2)
        try:
            return cls(str(frames[0], "utf-8"), keys=bytes(frames[1]) or None)
        except UnicodeDecodeError:
            raise _frames.malformed("metadata") from None

    def _facts(self) -> Sequence[tuple[str, str]]:
        schema = self.schema
        return [("encrypted", ", ".join(schema.encrypted)), ("clear", ", ".join(schema.clear) or "none")]


def join(results: Iterable[Any]) -> bytes:
    """Joins the results of one query on several tables of one key, such as files to which rows were appended.

    Raises:
        WireError: The queries differ.
        KeyMismatchError: The keys differ.
    """
    return _fathom.join_results(list(results))
