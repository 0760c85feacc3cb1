"""The secret keys of a table."""

from __future__ import annotations

from typing import Any

from .. import _fathom
from .._parties import Unpickled
from ..errors import QueryError, WireError
from ._answer import Answer
from ._query import Query
from ._schema import Schema
from ._table import Rows, Table


def keygen(schema: Schema) -> TableKey:
    """Makes the secret keys of a table: one for each set of parameters that its columns use.

    Raises:
        ParamsError: The schema describes no table.
    """
    return TableKey._made(_core=_fathom.TableKey.generate(schema._text))


class TableKey(Unpickled):
    """The secret keys of a table: whoever has them can read it. They are neither printed nor pickled."""

    __slots__ = ("__weakref__", "_core")

    _maker = "make a key with fathom.columns.keygen"
    _core: _fathom.TableKey

    @property
    def schema(self) -> Schema:
        """The columns of the table."""
        return Schema._of(self._core.schema)

    @property
    def ids(self) -> list[str]:
        """The public identifiers of the keys."""
        return self._core.ids

    def evaluation_keys(self) -> bytes:
        """Makes the keys with which a server compares encrypted values, and puts many groups into few ciphertexts.

        They reveal nothing. For columns with the use `filter` they are no more than a way to smaller results.

        Raises:
            QueryError: No column has the use `compare` or `filter`.
        """
        keys = self._core.evaluation_keys()
        if keys is None:
            raise QueryError("no column takes keys: declare the use `compare` or `filter`", code="no_keys")
        return keys

    def encrypt(self, table: Any) -> Table:
        """Encrypts a table of pyarrow, polars, pandas, DuckDB or any other package with the interface of Arrow.

        Columns that the schema does not name are left out. Rows that are appended later are a table of their own,
        encrypted under the same key: queries take any number of tables.

        Raises:
            KindError: A column is missing, or of another type.
            RangeError: A value is missing or outside of the declared range; the error has the row, not the value.
            QueryError: There are more groups of the declared key than slots.
        """
        return Table._made(_core=self._core.encrypt(table))

    def rekey(self, table: Table, new_key: TableKey) -> Table:
        """Encrypts a table of this key again, under another key of the same schema. Rows keep their places.

        Raises:
            KeyMismatchError: The table belongs to another key.
            WireError: The table is damaged, or the new key is one of another schema.
        """
        return Table._made(_core=self._core.rekey(table._core, new_key._core))

    def decrypt(self, result: Any, query: Any = None) -> Answer:
        """Decrypts the answer that a server computed.

        Args:
            result: The bytes of `Server.query`.
            query: The query that was sent, in any form. If the result is of another one, it is refused; the names of
                the query become those of the answer, and its conditions on aggregates and its order are applied.

        Raises:
            KeyMismatchError: The result belongs to another key.
            WireError: The bytes are damaged, no server computes them, or the query is another one.
            RangeError: No values of the declared range have such a total.
        """
        core = self._core.decrypt(result)
        if query is None:
            return Answer(core, core.aggregates)
        asked = Query.of(query)
        import json

        if json.loads(core.query) != json.loads(json.dumps(asked.to_dict())):
            raise WireError("the result is the answer to another query", code="other_query")
        having = None if asked.having is None else json.dumps(asked.having)
        return Answer(core.arranged(having, asked.order_by), asked.names)

    def read_rows(self, table: Any) -> Rows:
        """Decrypts the rows of an encrypted table: all of them, in the order of the table.

        With a declared key, rows are in the order of its groups within each block.

        Args:
            table: A `Table`, or one of another package that has kept its metadata.

        Raises:
            KeyMismatchError: The table belongs to another key.
            WireError: A cell is damaged or stands at another place, or blocks are missing.
        """
        return Rows(self._core.read_rows(table))

    def to_secret_bytes(self) -> bytes:
        """Returns the keys and the schema, for storage that only their owner can read. `fathom-columns` reads them."""
        return self._core.to_secret_bytes()

    @classmethod
    def from_secret_bytes(cls, data: Any) -> TableKey:
        """Reads secret keys, also those of `fathom-columns keygen`.

        Raises:
            WireError: The bytes are damaged or no secret keys.
        """
        return cls._made(_core=_fathom.TableKey.from_secret_bytes(data))

    def __repr__(self) -> str:
        return f"fathom.columns.TableKey(of {', '.join(self.schema.encrypted)}; keys {', '.join(self.ids)})"
