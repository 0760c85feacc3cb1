"""The representation of objects: in one line, and as a table in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class Described:
    """An object that shows public facts, and never a value."""

    __slots__ = ()

    #: Its name with the package.
    _title: ClassVar[str]

    def _facts(self) -> Sequence[tuple[str, str]]:
        """Returns what there is to know, by name."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{self._title}({', '.join(f'{name} {value}' for name, value in self._facts())})"

    def _repr_html_(self) -> str:
        return table(self._title, self._facts())


def table(title: str, facts: Sequence[tuple[str, str]]) -> str:
    """Returns facts as a table for notebooks."""
    import html

    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"


def size(count: int) -> str:
    """Returns a number of bytes for readers."""
    number, units = float(count), iter(["bytes", "KiB", "MiB", "GiB"])
    unit = next(units)
    while number >= 1024 and unit != "GiB":
        number, unit = number / 1024, next(units)
    return f"{number:.0f} {unit}" if unit == "bytes" or number >= 100 else f"{number:.1f} {unit}"
