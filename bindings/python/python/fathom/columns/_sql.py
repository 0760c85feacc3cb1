"""Queries in SQL, read by sqlglot in the dialect of DuckDB."""

from __future__ import annotations

from typing import Any

from ..errors import QueryError
from ._query import (
    READERS,
    Aggregate,
    Column,
    Predicate,
    Query,
    aggregate,
    combined,
    decimal,
    missing_package,
    unaccepted,
)

#: What to do without clauses that no encrypted table serves.
_REMEDIES = {
    "joins": "join clear tables before encryption",
    "laterals": "take the columns of one table",
    "qualify": "select rows of the answer after decryption",
    "limit": "cut the answer after decryption",
    "offset": "cut the answer after decryption",
    "distinct": "group by the column instead",
    "windows": "group by a column instead",
    "with_": "ask the table itself",
    "sample": "select rows by a condition",
}

#: Relations, and the same with both sides exchanged.
_RELATIONS = {
    "EQ": ("equal", "equal"),
    "NEQ": ("not_equal", "not_equal"),
    "LT": ("less", "greater"),
    "LTE": ("less_or_equal", "greater_or_equal"),
    "GT": ("greater", "less"),
    "GTE": ("greater_or_equal", "less_or_equal"),
}

_FUNCTIONS = {
    "Variance": "var_samp",
    "VariancePop": "var_pop",
    "Stddev": "stddev_samp",
    "StddevSamp": "stddev_samp",
    "StddevPop": "stddev_pop",
    "Avg": "avg",
    "Sum": "sum",
    "Count": "count",
}


def from_sql(text: str) -> Query:
    """Returns the query of a SELECT over one table, whose name does not matter.

    Raises:
        QueryError: A part of it is not possible on encrypted columns; the error names the part and a remedy.
        KindError: sqlglot is not installed.
    """
    try:
        import sqlglot
    except ImportError:
        raise missing_package("sqlglot", "sql", "SQL") from None
    try:
        parsed = sqlglot.parse(text, dialect="duckdb")
    except sqlglot.errors.SqlglotError as error:
        raise QueryError(f"the text is no SQL: {error}", code="sql", text=text) from None
    # What stands after the last semicolon is nothing, or a comment.
    statements = [one for one in parsed if one is not None and _kind(one) != "Semicolon"]
    if not statements:
        raise QueryError("the text is no SQL: it is empty", code="sql", text=text)
    if len(statements) > 1:
        raise unaccepted(_kind(statements[1]), _text(statements[1]), "write one SELECT")
    return _Select(statements[0]).query()


READERS["sql"] = from_sql


def _kind(node: Any) -> str:
    return type(node).__name__


def _text(node: Any) -> str:
    return str(node.sql(dialect="duckdb"))


def _check_parts(node: Any, *accepted: str) -> None:
    """Refuses parts of a node that nothing reads."""
    for name, found in node.args.items():
        if found and name not in accepted:
            first = found[0] if isinstance(found, list) else found
            if not hasattr(first, "sql"):
                first = node
            raise unaccepted(_kind(first), _text(first), _REMEDIES.get(name, "leave it out"))


class _Select:
    """A SELECT, whose clauses are read one by one."""

    def __init__(self, select: Any) -> None:
        if _kind(select) != "Select":
            raise unaccepted(_kind(select), _text(select), "write one SELECT")
        _check_parts(select, "expressions", "from_", "from", "where", "group", "having", "order")
        source = select.args.get("from_") or select.args.get("from")
        table = None if source is None else source.this
        if table is None or _kind(table) != "Table":
            raise unaccepted(_kind(table or select), _text(table or select), "name the table after FROM")
        _check_parts(source, "this")
        _check_parts(table, "this", "alias", "db", "catalog")
        if table.alias_column_names:
            raise unaccepted("TableAlias", _text(table.args["alias"]), "take the names of the columns")
        self._select = select
        self._table = {table.alias_or_name, table.name}
        # The columns of the answer, while conditions on groups are read.
        self._answer: list[str] | None = None

    def query(self) -> Query:
        by = self._groups()
        aggregates: list[Aggregate] = []
        names: list[str] = []
        for item in self._select.expressions:
            node = item.unalias()
            if _kind(node) == "Column" and self._column(node) in by:
                if item.alias and item.alias != self._column(node):
                    raise unaccepted("Alias", _text(item), "the column of the groups keeps its name")
                continue
            aggregates.append(self._aggregate(node))
            names.append(item.alias or Query(aggregates[-1]).names[0])
        where = self._select.args.get("where")
        condition = None if where is None else self.predicate(where.this)
        self._answer = [*by, *names]
        self._names = {Query(one).names[0]: name for one, name in zip(aggregates, names, strict=True)}
        having = self._select.args.get("having")
        kept = None if having is None else self.predicate(having.this)
        return Query(*aggregates, where=condition, by=by, names=names, having=kept, order_by=self._order())

    def _order(self) -> list[tuple[str, str]]:
        order = self._select.args.get("order")
        keys: list[tuple[str, str]] = []
        for key in [] if order is None else order.expressions:
            if _kind(key) != "Ordered" or key.args.get("nulls_first"):
                raise unaccepted(_kind(key), _text(key), "sort by columns of the answer, missing values last")
            name = self._of_answer(self._placed(key.this), key)
            keys.append((name, "desc" if key.args.get("desc") else "asc"))
        return keys

    def _of_answer(self, node: Any, whole: Any) -> str:
        """Returns the column of the answer that a node names: by its name, or as the aggregate itself."""
        remedy = "take a column of the groups, or an aggregate that is selected too"
        while _kind(node) == "Paren":
            node = node.this
        answer = self._answer or []
        if _kind(node) == "Column":
            name = self._column(node, remedy)
        elif _kind(node) in _FUNCTIONS:
            name = self._names.get(Query(self._aggregate(node)).names[0], "")
        else:
            raise unaccepted(_kind(node), _text(whole), remedy)
        if name not in answer:
            raise unaccepted(_kind(node), _text(whole), remedy)
        return name

    def _placed(self, node: Any) -> Any:
        """Returns what a number of a selected column stands for."""
        if _kind(node) == "Literal" and not node.is_string and node.this.isdecimal():
            place = int(node.this)
            if 1 <= place <= len(self._select.expressions):
                return self._select.expressions[place - 1].unalias()
        return node

    def _groups(self) -> list[str]:
        group = self._select.args.get("group")
        if group is None:
            return []
        _check_parts(group, "expressions")
        return [self._column(self._placed(node), "group by clear columns") for node in group.expressions]

    def _column(self, node: Any, remedy: str = "take a column") -> str:
        if _kind(node) != "Column" or (node.table and node.table not in self._table):
            raise unaccepted(_kind(node), _text(node), remedy)
        return str(node.name)

    def _aggregate(self, node: Any) -> Aggregate:
        if _kind(node) == "Column":
            raise unaccepted("Column", _text(node), "take an aggregate of it, or group by it")
        function = _FUNCTIONS.get(_kind(node))
        if function is None:
            return aggregate(_kind(node), None, _text(node))
        _check_parts(node, "this", "big_int")
        if node.this is None or _kind(node.this) == "Star":
            return aggregate(function, None, _text(node))
        if _kind(node.this) == "Column":
            return aggregate(function, self._column(node.this, "take an aggregate of one column"), _text(node))
        factors, constant = self._combination(node.this, _text(node))
        return combined(function, factors, constant, _text(node))

    def _combination(self, node: Any, text: str) -> tuple[dict[str, int], int]:
        """Returns the factors of columns, and what is added, of a linear combination."""
        kind = _kind(node)
        if kind == "Paren":
            return self._combination(node.this, text)
        if kind == "Column":
            return {self._column(node): 1}, 0
        if kind == "Literal" and not node.is_string and isinstance(decimal(node.this), int):
            return {}, int(decimal(node.this))
        if kind == "Neg":
            return _times(-1, *self._combination(node.this, text))
        if kind in ("Add", "Sub", "Mul"):
            left, right = self._combination(node.left, text), self._combination(node.right, text)
            if kind == "Mul":
                for (none, factor), other in ((left, right), (right, left)):
                    if not none:
                        return _times(factor, *other)
                raise unaccepted(kind, text, "multiply columns by integers alone")
            right = _times(-1 if kind == "Sub" else 1, *right)
            factors = {name: left[0].get(name, 0) + right[0].get(name, 0) for name in left[0] | right[0]}
            return factors, left[1] + right[1]
        raise unaccepted(kind, text, "take an aggregate of one column, or of columns times integers")

    def predicate(self, node: Any) -> Predicate:
        kind = _kind(node)
        if kind == "Paren":
            return self.predicate(node.this)
        if kind == "And":
            return self.predicate(node.left) & self.predicate(node.right)
        if kind == "Or":
            return self.predicate(node.left) | self.predicate(node.right)
        if kind == "Not":
            return ~self.predicate(node.this)
        if kind in _RELATIONS:
            return self._compared(node, *_RELATIONS[kind])
        if kind == "Between":
            _check_parts(node, "this", "low", "high")
            low, high = self._constant(node.args["low"]), self._constant(node.args["high"])
            return self._operand(node.this, node).is_between(low, high)
        if kind == "In":
            _check_parts(node, "this", "expressions")
            return self._operand(node.this, node).is_in([self._constant(one) for one in node.expressions])
        if kind == "Is" and _kind(node.expression) == "Null":
            return self._operand(node.this, node).is_null()
        if kind == "Column" and self._answer is None:
            return self._operand(node, node)._compared("equal", True)
        if kind == "Boolean":
            return Predicate({"all": []} if node.this else {"any": []})
        raise unaccepted(kind, _text(node), "compare columns with constants, and join conditions by and, or, not")

    def _compared(self, node: Any, relation: str, exchanged: str) -> Predicate:
        left, right = node.left, node.right
        if not self._names_values(left):
            left, right, relation = right, left, exchanged
        other = self._operand(right, node) if self._names_values(right) else self._constant(right)
        return self._operand(left, node)._compared(relation, other)

    def _names_values(self, node: Any) -> bool:
        return _kind(node) == "Column" or (self._answer is not None and _kind(node) in _FUNCTIONS)

    def _operand(self, node: Any, whole: Any) -> Column:
        if self._answer is not None:
            return Column(self._of_answer(node, whole))
        while _kind(node) == "Paren":
            node = node.this
        if _kind(node) != "Column":
            raise unaccepted(_kind(node), _text(whole), "compare a column with a constant")
        return Column(self._column(node))

    def _constant(self, node: Any) -> Any:
        kind = _kind(node)
        if kind == "Paren":
            return self._constant(node.this)
        if kind == "Literal":
            return str(node.this) if node.is_string else decimal(node.this)
        if kind == "Boolean":
            return bool(node.this)
        if kind in ("Cast", "TryCast") and _kind(node.this) == "Literal" and node.this.is_string:
            # Dates and times are compared as text, which the library reads.
            if _text(node.args["to"]) in ("DATE", "TIMESTAMP"):
                return str(node.this.this)
        if kind == "Neg" and _kind(node.this) == "Literal" and not node.this.is_string:
            return decimal(f"-{node.this.this}")
        raise unaccepted(kind, _text(node), "compare a column with a constant")


def _times(number: int, factors: dict[str, int], constant: int) -> tuple[dict[str, int], int]:
    """Returns a combination times a number."""
    return {name: number * factor for name, factor in factors.items()}, number * constant
