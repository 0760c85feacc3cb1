"""Decrypted answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from .. import _fathom


class Answer(Sequence[dict[str, Any]]):
    """The rows of an answer, each a dictionary: one for each group, in the order of the groups, or one in all.

    It equals the list of its rows. Data frames are made of it through the interface of Arrow: `pyarrow.table(answer)`,
    `polars.DataFrame(answer)`.

    Attributes:
        group_by: The column that groups the rows, or a list of several; none without groups.
        names: The names of the aggregates.
        tables: The identifiers of the tables that were added up: `Table.id`.
    """

    def __init__(self, core: _fathom.Answer, names: Sequence[str]) -> None:
        """Reads the rows of a decrypted result."""
        self._core = core
        groups = core.group_by
        self.group_by: str | list[str] | None = groups if len(groups) > 1 else (groups[0] if groups else None)
        self.names = list(names)
        self.tables = core.tables
        self._rows: list[dict[str, Any]] = []
        for labels, values in core.rows():
            own = dict(zip(groups, labels, strict=True))
            self._rows.append(own | dict(zip(self.names, values, strict=True)))

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        return self._rows == (other._rows if isinstance(other, Answer) else other)

    __hash__ = None  # type: ignore[assignment]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the answer as a stream of Arrow; sums beyond 64 bits are decimals."""
        return self._core.to_arrow(self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self._rows,)

    def __repr__(self) -> str:
        return repr(self._rows)
