"""The columns of a table and their costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .. import _fathom
from .._bound import Unchanging
from .._values import ends_of
from ..errors import KindError, ParamsError
from ._query import literal


class Encrypted:
    """An encrypted column: integers, or what is stored as integers. Sums, means and counts are always possible."""

    __slots__ = ("nulls", "range", "type", "uses")

    def __init__(
        self,
        type: str,
        *,
        range: tuple[Any, Any] | None = None,
        uses: Iterable[str] = (),
        nulls: bool = False,
    ) -> None:
        """Describes a column.

        Args:
            type: `"int8"` to `"int64"`, `"uint8"` to `"uint32"`, `"date"`, `"timestamp[s]"`, `"timestamp[ms]"`,
                `"timestamp[us]"`, `"timestamp[ns]"`, or `"decimal(P,S)"` with P digits, S of them after the point.
            range: The least and the greatest value, a public statement; by default those of the type. Dates, times
                and decimal numbers may be text, or objects of `datetime` and `decimal`.
            uses: `"variance"` for variances, `"filter"` for selected rows and groups of any clear column, `"compare"`
                for conditions on its values, `"select"` for its sums over rows that such conditions select.
            nulls: Whether values can be missing. Which ones are missing is public.
        """
        self.type = type
        self.range = None if range is None else _ends(range)
        self.uses = tuple(sorted({uses} if isinstance(uses, str) else set(uses)))
        self.nulls = nulls

    def _described(self, name: str) -> dict[str, Any]:
        stated = {} if self.range is None else {"range": list(self.range)}
        return {"name": name, "type": self.type, "uses": list(self.uses), "nulls": self.nulls, **stated}

    def __repr__(self) -> str:
        stated = [repr(self.type)]
        stated += [f"range={self.range}"] * (self.range is not None)
        stated += [f"uses={self.uses}"] * bool(self.uses) + ["nulls=True"] * self.nulls
        return f"fathom.columns.Encrypted({', '.join(stated)})"


def _ends(ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """Returns the ends of a range: integers, or values of other types as text."""
    import datetime
    from decimal import Decimal

    def is_value(end: Any) -> bool:
        return isinstance(end, (str, Decimal, datetime.date))

    if isinstance(ends, (tuple, list)) and len(ends) == 2 and any(map(is_value, ends)):
        low, high = (literal(end) if is_value(end) else str(end) for end in ends)
        return low, high
    return ends_of(ends)


class Clear:
    """A column that everybody who has the table can read, any of whose values may be missing."""

    __slots__ = ("group_by", "type")

    def __init__(self, type: str, *, group_by: bool = False) -> None:
        """Describes a column.

        Args:
            type: `"bool"`, `"int64"`, `"float64"`, `"text"`, `"date"`, `"timestamp[s]"`, `"timestamp[ms]"`,
                `"timestamp[us]"` or `"timestamp[ns]"`. Groups of dates and times are named by their text.
            group_by: Whether rows are arranged by it, so that grouping by it costs no more than a sum. At most one
                column is.
        """
        self.type = type
        self.group_by = group_by

    def _described(self, name: str) -> dict[str, Any]:
        return {"name": name, "type": self.type, "group_by": self.group_by}

    def __repr__(self) -> str:
        return f"fathom.columns.Clear({self.type!r}{', group_by=True' * self.group_by})"


class Cost(NamedTuple):
    """The costs of an encrypted column."""

    #: The name of the column.
    name: str
    #: The parameters of its ciphertexts.
    family: str
    #: The ciphertexts of a block.
    ciphertexts: int
    #: The bytes of each.
    ciphertext_bytes: int
    #: Those of a block for conditions, and for sums over rows that they select: numbers and bytes.
    compared: list[dict[str, int]]
    #: The bytes a row of a full block.
    bytes_a_row: float
    #: The bits of security of the parameters, by the estimator.
    security_bits: float


class Schema(Unchanging):
    """The columns of a table: what is encrypted, for which operations, and what stays clear."""

    __slots__ = ("_text",)

    _text: str

    def __init__(self, columns: Mapping[str, Encrypted | Clear] | None = None, /, **named: Encrypted | Clear) -> None:
        """Describes the columns by their names, as keyword arguments or in a mapping.

        Raises:
            ParamsError: A name, a range or a use is not possible; the error has the column and the reason.
        """
        import json

        all_columns = {**(columns or {}), **named}
        for name, column in all_columns.items():
            if not isinstance(column, (Encrypted, Clear)):
                raise KindError(
                    f"column {name!r} is described by fathom.columns.Encrypted or Clear, not by {column!r}",
                    code="type_mismatch",
                    column=name,
                )
        pairs = all_columns.items()
        encrypted = [column._described(name) for name, column in pairs if isinstance(column, Encrypted)]
        clear = [column._described(name) for name, column in pairs if isinstance(column, Clear)]
        self._text = _fathom.check_schema(json.dumps({"encrypted": encrypted, "clear": clear}))

    @classmethod
    def _of(cls, text: str) -> Schema:
        schema = object.__new__(cls)
        schema._text = _fathom.check_schema(text)
        return schema

    @classmethod
    def from_toml(cls, text: str) -> Schema:
        """Reads a schema as `fathom-columns` does.

        Raises:
            ParamsError: The text is no schema.
        """
        import json
        import tomllib

        try:
            return cls._of(json.dumps(tomllib.loads(text)))
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise ParamsError(f"the schema is no TOML: {error}", code="schema") from None

    def to_dict(self) -> dict[str, Any]:
        """Returns the schema as it stands in files."""
        import json

        described: dict[str, Any] = json.loads(self._text)
        return described

    @property
    def encrypted(self) -> list[str]:
        """The names of the encrypted columns."""
        return [column["name"] for column in self.to_dict()["encrypted"]]

    @property
    def clear(self) -> list[str]:
        """The names of the clear columns."""
        return [column["name"] for column in self.to_dict()["clear"]]

    def costs(self) -> list[Cost]:
        """Returns what every encrypted column costs, before anything is encrypted."""
        import json

        return [Cost(**column) for column in json.loads(_fathom.plan_columns(self._text))]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Schema._of, (self._text,)

    def __repr__(self) -> str:
        return f"fathom.columns.Schema(encrypted {', '.join(self.encrypted)}; clear {', '.join(self.clear) or 'none'})"
