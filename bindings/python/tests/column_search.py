"""Random queries on encrypted tables against DuckDB on the clear ones.

    python column_search.py COUNT SEED FILE...    # of Parquet or CSV

Each table is described from its values: integers, dates, times and short decimals are encrypted, columns of few values
stay clear. Queries have every aggregate, condition, group, and order that the package has.
"""

from __future__ import annotations

import datetime
import decimal
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from fathom import columns

#: The most values of a clear column that groups rows, and the most groups of a query.
FEW, MOST_GROUPS = 40, 400
#: The widest range whose squares are stored.
SQUARED = 2**32 - 1


class Described:
    """A clear table, and the schema that encrypts it."""

    def __init__(self, clear: Any, numbers: random.Random) -> None:
        """Chooses for each column whether it is encrypted."""
        fields: dict[str, columns.Encrypted | columns.Clear] = {}
        kept: dict[str, Any] = {}
        self.sums: list[str] = []
        self.squares: list[str] = []
        self.times: list[str] = []
        self.groups: dict[str, int] = {}
        self.clear: dict[str, list[Any]] = {}
        self.nulls: set[str] = set()
        for number, (name, column) in enumerate(zip(clear.column_names, clear.columns, strict=True)):
            own = f"c{number}_{''.join(one if one.isalnum() else '_' for one in name)}".lower()
            values, kind = _values(column)
            distinct = pc.count_distinct(values, mode="only_valid").as_py()
            is_point = kind == "date" or kind.startswith("timestamp")
            is_clear = distinct <= FEW and numbers.random() < 0.7
            # Points in time stay encrypted until another column is.
            if kind in ("text", "bool", "float64") or (is_clear and (kind == "int64" or (is_point and self.sums))):
                fields[own] = columns.Clear(kind)
                if kind != "float64" and distinct <= FEW:
                    self.groups[own] = distinct + (values.null_count > 0)
                self.clear[own] = [one for one in values.to_pylist() if one is not None][:500] or [0]
            elif distinct > 1:
                low, high = pc.min(values).as_py(), pc.max(values).as_py()
                squared = kind == "int64" and high - low <= SQUARED
                squared |= kind.startswith("decimal") and (high - low).scaleb(_scale(kind)) <= SQUARED
                uses = ["filter", *(["variance"] * squared)]
                nulls = values.null_count > 0 or numbers.random() < 0.2
                fields[own] = columns.Encrypted(kind, range=(low, high), uses=uses, nulls=nulls)
                self.nulls |= {own} if nulls else set()
                if is_point:
                    self.times.append(own)
                else:
                    self.sums.append(own)
                    self.squares += [own] * squared
            else:
                continue
            kept[own] = values
        if not self.sums and not self.times:
            raise ValueError("no column is encrypted")
        self.table = pa.table(kept)
        self.schema = columns.Schema(fields)

    def query(self, numbers: random.Random) -> tuple[str, list[str]]:
        """Returns a query in SQL, and its groups."""
        where = self._condition(numbers, 3) if self.clear and numbers.random() < 0.7 else None
        by: list[str] = []
        for name in numbers.sample(sorted(self.groups), min(len(self.groups), numbers.choice([0, 0, 1, 1, 2, 3]))):
            if math.prod(self.groups[one] for one in [*by, name]) <= MOST_GROUPS:
                by.append(name)
        asked = [f"{one} as a{number}" for number, one in enumerate(self._aggregates(numbers))]
        combined = [one for one in asked if " * " in one]
        needed = [f"{name} is not null" for name in sorted(self.nulls) if any(name in one for one in combined)]
        conditions = " and ".join([*needed, *([f"({where})"] if where else [])])
        text = f"select {', '.join([*by, *asked])} from t" + (f" where {conditions}" if conditions else "")
        if by:
            text += f" group by {', '.join(by)}"
            if numbers.random() < 0.3:
                text += f" having a0 {numbers.choice(['<', '>=', '<>'])} {numbers.choice([0, 3, 100])}"
        return text, by

    def _aggregates(self, numbers: random.Random) -> list[str]:
        found = [f"count({numbers.choice(['*', *self.sums, *self.times])})"]
        for _ in range(numbers.randrange(4)):
            kind = numbers.random()
            if self.times and kind < 0.15:
                found.append(f"avg({numbers.choice(self.times)})")
            elif self.squares and kind < 0.45:
                function = numbers.choice(["var_samp", "var_pop", "stddev", "stddev_pop"])
                found.append(f"{function}({numbers.choice(self.squares)})")
            elif self.sums and kind < 0.65:
                terms = [
                    f"{numbers.randrange(-9, 10)} * {name}"
                    for name in numbers.sample(self.sums, min(len(self.sums), numbers.randrange(1, 4)))
                ]
                found.append(f"{numbers.choice(['sum', 'avg'])}({' + '.join(terms)} - {numbers.randrange(100)})")
            elif self.sums:
                found.append(f"{numbers.choice(['sum', 'avg', 'count'])}({numbers.choice(self.sums)})")
        return found

    def _condition(self, numbers: random.Random, depth: int) -> str:
        if depth and numbers.random() < 0.4:
            inner = self._condition(numbers, depth - 1)
            if numbers.random() < 0.3:
                return f"not ({inner})"
            return f"({inner}) {numbers.choice(['and', 'or'])} ({self._condition(numbers, depth - 1)})"
        name = numbers.choice(sorted(self.clear))
        values = [_constant(numbers.choice(self.clear[name])) for _ in range(3)]
        is_bool = isinstance(self.clear[name][0], bool)
        return numbers.choice(
            [
                f"{name} {numbers.choice(['=', '<>'] if is_bool else ['=', '<>', '<', '<=', '>', '>='])} {values[0]}",
                f"{name} in ({', '.join(values)})",
                f"{name} is null",
                f"{numbers.choice([*self.sums, *self.times])} is not null",
            ]
        )


def _values(column: Any) -> tuple[Any, str]:
    """Returns the values of a column in the type that describes it."""
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    kind = values.type
    if pa.types.is_boolean(kind):
        return values, "bool"
    if pa.types.is_integer(kind):
        return values.cast(pa.int64()), "int64"
    if pa.types.is_date(kind):
        return values.cast(pa.date32()), "date"
    if pa.types.is_timestamp(kind):
        return values.cast(pa.timestamp("us")), "timestamp[us]"
    if pa.types.is_floating(kind):
        return _numbers(values.cast(pa.float64()))
    return pc.cast(values, pa.string()), "text"


def _numbers(values: Any) -> tuple[Any, str]:
    """Returns doubles as integers or decimals, if all are some with few digits."""
    plain = [None if one is None or math.isnan(one) else one for one in values.to_pylist()]
    there = [decimal.Decimal(repr(one)) for one in plain if one is not None and math.isfinite(one)]
    if len(there) == sum(one is not None for one in plain) and there:
        places = max(max(0, -int(one.normalize().as_tuple().exponent)) for one in there)
        digits = max(len(str(abs(int(one.scaleb(places))))) for one in there)
        if places == 0 and digits <= 15:
            return pa.array([None if one is None else int(one) for one in plain], pa.int64()), "int64"
        if places <= 4 and digits <= 12:
            exact = [None if one is None else decimal.Decimal(repr(one)) for one in plain]
            return pa.array(exact, pa.decimal128(digits + 1, places)), f"decimal({digits + 1},{places})"
    return pa.array(plain, pa.float64()), "float64"


def _scale(kind: str) -> int:
    return int(kind.rstrip(")").partition(",")[2])


def _constant(value: Any) -> str:
    if isinstance(value, datetime.date):
        return f"{'timestamp' if isinstance(value, datetime.datetime) else 'date'} '{value}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def _named(value: Any) -> Any:
    """Returns the name of a group: dates and times are text."""
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S.%f")
    return str(value) if isinstance(value, datetime.date) else value


def same(own: Any, other: Any) -> bool:
    """Compares values: integers and decimals exactly, others to the rounding of either side."""
    if own is None or other is None:
        return own is other
    if isinstance(other, datetime.datetime):
        return abs((own - other).total_seconds()) <= 1
    if isinstance(own, float) or isinstance(other, float):
        return math.isclose(own, other, rel_tol=1e-6, abs_tol=1e-6)
    return bool(own == other)


def differences(
    key: columns.TableKey, server: columns.Server, clear: Any, sql: str, by: Sequence[str]
) -> list[tuple[Any, Any]]:
    """Returns the rows in which the encrypted answer differs from that of DuckDB."""
    connection = duckdb.connect()
    connection.register("t", clear)
    expected = connection.sql(sql).to_arrow_table().to_pylist()
    expected = [row | {name: _named(row[name]) for name in by} for row in expected]
    found = list(key.decrypt(server.query(sql), sql))

    def place(row: dict[str, Any]) -> list[tuple[bool, Any]]:
        return [(row[name] is not None, 0 if row[name] is None else row[name]) for name in by]

    found, expected = sorted(found, key=place), sorted(expected, key=place)
    if len(found) != len(expected):
        return [(found, expected)]
    pairs = zip(found, expected, strict=True)
    return [(a, b) for a, b in pairs if a.keys() != b.keys() or not all(same(a[name], b[name]) for name in a)]


def search(clear: Any, count: int, seed: int) -> list[tuple[str, Any]]:
    """Asks random queries of a table, and returns those whose answers differ."""
    numbers = random.Random(seed)
    described = Described(clear, numbers)
    key = columns.keygen(described.schema)
    # With keys, groups are folded.
    keys = key.evaluation_keys() if numbers.random() < 0.6 else None
    server = columns.Server(key.encrypt(described.table), keys=keys)
    found = []
    for _ in range(count):
        sql, by = described.query(numbers)
        wrong = differences(key, server, described.table, sql, by)
        if wrong:
            found.append((sql, wrong[0]))
    return found


def main() -> None:
    """Searches in files."""
    count, seed, *paths = sys.argv[1:]
    for path in paths:
        source = f"read_csv('{path}', nullstr=['', 'NA'])" if path.endswith(".csv") else f"'{path}'"
        clear = duckdb.connect().sql(f"select * from {source}").to_arrow_table()
        wrong = search(clear, int(count), int(seed))
        print(f"{Path(path).name}: {clear.num_rows} rows, {count} queries, {len(wrong)} wrong", *wrong[:3], sep="\n  ")


if __name__ == "__main__":
    main()
