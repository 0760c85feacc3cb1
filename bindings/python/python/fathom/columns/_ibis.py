"""Queries as expressions of ibis."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ._query import READERS, Aggregate, Column, Predicate, Query, aggregate, unaccepted

_RELATIONS = {
    "Equals": ("equal", "equal"),
    "NotEquals": ("not_equal", "not_equal"),
    "Less": ("less", "greater"),
    "LessEqual": ("less_or_equal", "greater_or_equal"),
    "Greater": ("greater", "less"),
    "GreaterEqual": ("greater_or_equal", "less_or_equal"),
}


def from_ibis(expression: Any) -> Query:
    """Returns the query of an aggregation of one table, such as `t.filter(..).group_by("dept").agg(total=t.pay.sum())`.

    Raises:
        QueryError: A part of it is not possible on encrypted columns; the error names the part and a remedy.
    """
    node = expression.op()
    if _kind(node) in ("Sum", "Mean", "Variance", "StandardDev", "Count", "CountStar"):
        # An aggregate of its own is a query of one row.
        where = _joined(_conditions(_parent(node)))
        return Query(_aggregate(node), where=where, names=[expression.get_name()])
    if _kind(node) != "Aggregate":
        raise unaccepted(_kind(node), _shown(node), "aggregate the table")
    groups = list(node.groups.items())
    by = [_column(column) for _, column in groups]
    renamed = [name for (name, _), own in zip(groups, by, strict=True) if name != own]
    if renamed:
        raise unaccepted("Alias", renamed[0], "the column of the groups keeps its name")
    metrics = [(name, _aggregate(metric)) for name, metric in node.metrics.items()]
    where = _joined(_conditions(node.parent))
    return Query(*(one for _, one in metrics), where=where, by=by, names=[name for name, _ in metrics])


READERS["ibis"] = from_ibis


def _kind(node: Any) -> str:
    return type(node).__name__


def _shown(node: Any) -> str:
    return str(getattr(node, "name", _kind(node)))


def _parent(node: Any) -> Any:
    """Returns the table of an aggregate that stands alone."""
    if _kind(node) == "CountStar":
        return node.arg
    if _kind(node.arg) != "Field":
        raise unaccepted(_kind(node.arg), _shown(node.arg), "take a column")
    return node.arg.rel


def _conditions(table: Any) -> list[Predicate]:
    """Returns the conditions that select rows of a table."""
    found: list[Predicate] = []
    while _kind(table) not in ("UnboundTable", "DatabaseTable", "InMemoryTable"):
        if _kind(table) != "Filter":
            raise unaccepted(_kind(table), _shown(table), "filter and aggregate one table")
        found = [_predicate(one) for one in table.predicates] + found
        table = table.parent
    return found


def _joined(conditions: list[Predicate]) -> Predicate | None:
    return reduce(Predicate.__and__, conditions) if conditions else None


def _column(node: Any) -> str:
    if _kind(node) != "Field":
        raise unaccepted(_kind(node), _shown(node), "take a column")
    return str(node.name)


def _aggregate(node: Any) -> Aggregate:
    while _kind(node) == "Alias":
        node = node.arg
    kind = _kind(node)
    if getattr(node, "where", None) is not None:
        raise unaccepted(kind, _shown(node), "filter the table instead")
    if kind == "CountStar":
        return aggregate("count", None, _shown(node))
    if kind in ("Variance", "StandardDev"):
        name = "var" if kind == "Variance" else "stddev"
        return aggregate(f"{name}_{'pop' if node.how == 'pop' else 'samp'}", _column(node.arg), _shown(node))
    if kind in ("Sum", "Mean", "Count"):
        return aggregate(kind, _column(node.arg), _shown(node))
    return aggregate(kind, None, _shown(node))


def _predicate(node: Any) -> Predicate:
    kind = _kind(node)
    if kind == "And":
        return _predicate(node.left) & _predicate(node.right)
    if kind == "Or":
        return _predicate(node.left) | _predicate(node.right)
    if kind == "Not":
        return ~_predicate(node.arg)
    if kind in _RELATIONS:
        relation, exchanged = _RELATIONS[kind]
        left, right = node.left, node.right
        if _kind(left) != "Field":
            left, right, relation = right, left, exchanged
        other = Column(_column(right)) if _kind(right) == "Field" else _constant(right)
        return Column(_column(left))._compared(relation, other)
    if kind == "Between":
        return Column(_column(node.arg)).is_between(_constant(node.lower_bound), _constant(node.upper_bound))
    if kind == "InValues":
        return Column(_column(node.value)).is_in([_constant(one) for one in node.options])
    if kind == "IsNull":
        return Column(_column(node.arg)).is_null()
    if kind == "NotNull":
        return ~Column(_column(node.arg)).is_null()
    if kind == "Field":
        return Column(str(node.name))._compared("equal", True)
    raise unaccepted(kind, _shown(node), "compare columns with constants, and join conditions by &, | and ~")


def _constant(node: Any) -> Any:
    if _kind(node) != "Literal" or node.value is None:
        raise unaccepted(_kind(node), _shown(node), "compare a column with a constant")
    return node.value
