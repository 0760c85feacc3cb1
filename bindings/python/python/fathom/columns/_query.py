"""Queries: aggregates of encrypted columns, a condition on rows, and a column that groups them.

All front ends make the tree of JSON that the library reads; what a table serves is decided there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .._bound import Unchanging
from ..errors import FathomError, KindError, QueryError

#: Names of aggregates, and how the library calls them.
AGGREGATES = {
    "count": "count_of",
    "sum": "sum",
    "mean": "mean",
    "avg": "mean",
    "var": "var_samp",
    "var_samp": "var_samp",
    "var_pop": "var_pop",
    "std": "stddev_samp",
    "stddev": "stddev_samp",
    "stddev_samp": "stddev_samp",
    "stddev_pop": "stddev_pop",
}

#: What to do about functions that are asked for often and that no layout serves.
_REMEDIES = {
    "min": "encrypted values are not ordered: count the rows above a bound instead",
    "max": "encrypted values are not ordered: count the rows above a bound instead",
    "median": "encrypted values are not ordered: count the rows above a bound instead",
    "filter": "write the condition after WHERE",
    "window": "group by a column instead",
}

Aggregate = str | dict[str, Any]


def aggregate(function: str, column: str | None, text: str) -> Aggregate:
    """Returns an aggregate of a column, or of rows.

    Raises:
        QueryError: There is no such aggregate.
    """
    name = function.lower()
    if name == "count" and column is None:
        return "count"
    if name not in AGGREGATES or column is None:
        remedy = _REMEDIES.get(name, "take count, sum, mean, var_samp or var_pop of a column, or count(*)")
        raise unaccepted(function, text, remedy)
    return {AGGREGATES[name]: column}


def combined(function: str, factors: dict[str, int], constant: int, text: str) -> Aggregate:
    """Returns the sum or the mean of a linear combination of columns.

    Raises:
        QueryError: The combination has no column, or no such aggregate.
    """
    if factors == {next(iter(factors), ""): 1} and constant == 0:
        return aggregate(function, next(iter(factors)), text)
    name = {"sum": "sum_of", "avg": "mean_of", "mean": "mean_of"}.get(function.lower())
    if name is None or not factors:
        raise unaccepted(function, text, "take sum or avg of encrypted columns times integers")
    return {name: {"factors": factors, "constant": constant}}


def unaccepted(node: str, text: str, remedy: str) -> QueryError:
    """Returns the refusal of a part of a query."""
    message = f"{node}: {text!r} is not possible on encrypted columns; {remedy}"
    return QueryError(message, code="unaccepted", node=node, text=text, remedy=remedy)


def literal(value: Any) -> bool | int | float | str:
    """Returns a constant as the library compares it.

    Raises:
        KindError: It is no truth value, number or text.
        QueryError: It is a number that comparisons could round.
    """
    import datetime
    from decimal import Decimal

    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (datetime.date, datetime.datetime)) and getattr(value, "tzinfo", None) is None:
        # Dates, times and exact decimal numbers are text, which the library reads.
        return value.isoformat()
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        plain = value.item()
        # Dates of numpy turn into their number of nanoseconds, and its longest real numbers stay what they are.
        if getattr(getattr(value, "dtype", None), "kind", "") not in ("m", "M") and type(plain) is not type(value):
            return literal(plain)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise QueryError(f"the constant {value} does not fit 64 bits", code="literal", literal=str(value))
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise QueryError(f"the constant {value} is infinite or not a number", code="literal", literal=str(value))
        return value
    name = type(value).__name__
    raise KindError(f"a constant is a truth value, a number or text, not {name}", code="type_mismatch", got=name)


def decimal(text: str) -> int | float:
    """Returns the constant that a text states in decimal digits.

    Raises:
        QueryError: It is a number that comparisons could round.
    """
    from decimal import Decimal, InvalidOperation

    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise QueryError(f"the constant {text} is no number", code="literal", literal=text) from None
    if exact.is_finite() and exact == exact.to_integral_value() and abs(exact) < 2**63:
        return int(exact)
    value = float(exact)
    # A fraction has the digits of the shortest number that is read as the same double.
    if not math.isfinite(value) or (Decimal(value) if value.is_integer() else Decimal(repr(value))) != exact:
        raise QueryError(f"the constant {text} would be rounded", code="literal", literal=text)
    return value


class Predicate(Unchanging):
    """A condition on the rows of a table. It joins others by `&`, `|` and `~`.

    As in SQL, a comparison with a missing value is unknown, and selects nothing, negated or not.
    """

    __slots__ = ("tree",)

    #: The condition in JSON.
    tree: dict[str, Any]

    def __init__(self, tree: dict[str, Any]) -> None:
        """Takes a condition in the form of docs/columns.md."""
        self.tree = tree

    def __and__(self, other: Predicate) -> Predicate:
        return self._joined("all", other)

    def __or__(self, other: Predicate) -> Predicate:
        return self._joined("any", other)

    def _joined(self, kind: str, other: Predicate) -> Predicate:
        """Joins the terms of both in one list, since the library limits how deep conditions nest."""
        terms: list[Any] = []
        for tree in (self.tree, other.tree):
            inner = tree.get(kind) if len(tree) == 1 else None
            terms += inner if isinstance(inner, list) else [tree]
        return Predicate({kind: terms})

    def __invert__(self) -> Predicate:
        return Predicate({"not": self.tree})

    def __bool__(self) -> bool:
        raise KindError("a condition is neither true nor false: join conditions by `&`, `|` and `~`", code="no_bool")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Predicate) and self.tree == other.tree

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"fathom.columns.Predicate({self.tree!r})"


class Column:
    """A column, which comparisons with constants, and with other encrypted columns, turn into conditions."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """Names a column."""
        self.name = name

    def _compared(self, relation: str, constant: Any) -> Predicate:
        if isinstance(constant, Column):
            sides = {"left": self.name, "relation": relation, "right": constant.name}
            return Predicate({"compare_columns": sides})
        return Predicate({"compare": {"column": self.name, "relation": relation, "literal": literal(constant)}})

    def __eq__(self, constant: object) -> Predicate:  # type: ignore[override]
        return self._compared("equal", constant)

    def __ne__(self, constant: object) -> Predicate:  # type: ignore[override]
        return self._compared("not_equal", constant)

    def __lt__(self, constant: Any) -> Predicate:
        return self._compared("less", constant)

    def __le__(self, constant: Any) -> Predicate:
        return self._compared("less_or_equal", constant)

    def __gt__(self, constant: Any) -> Predicate:
        return self._compared("greater", constant)

    def __ge__(self, constant: Any) -> Predicate:
        return self._compared("greater_or_equal", constant)

    __hash__ = None  # type: ignore[assignment]

    def is_in(self, constants: Iterable[Any]) -> Predicate:
        """Returns the condition that the value is one of several."""
        return Predicate({"in": {"column": self.name, "literals": [literal(constant) for constant in constants]}})

    def is_between(self, low: Any, high: Any) -> Predicate:
        """Returns the condition that the value is at least `low` and at most `high`."""
        return self._compared("greater_or_equal", low) & self._compared("less_or_equal", high)

    def is_null(self) -> Predicate:
        """Returns the condition that the value is missing, in clear and in encrypted columns."""
        return Predicate({"is_null": {"column": self.name}})

    def __repr__(self) -> str:
        return f"fathom.columns.col({self.name!r})"


def col(name: str) -> Column:
    """Returns a column for conditions, such as `col("year") >= 2010`."""
    return Column(name)


class Query(Unchanging):
    """A query on a table."""

    __slots__ = ("aggregates", "group_by", "having", "names", "order_by", "where")

    #: The aggregates in JSON.
    aggregates: list[Aggregate]
    #: The condition on the rows in JSON; none for all of them.
    where: dict[str, Any] | None
    #: The column that groups the rows, or a list of several.
    group_by: str | list[str] | None
    #: The names of the aggregates in the answer.
    names: list[str]
    #: The condition on groups in JSON, by the library's names of aggregates, which decryption applies.
    having: dict[str, Any] | None
    #: The columns that sort the groups, each with `"asc"` or `"desc"`, which decryption applies.
    order_by: list[tuple[str, str]]

    def __init__(
        self,
        *aggregates: str | Aggregate,
        where: Predicate | dict[str, Any] | None = None,
        by: str | Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        having: Predicate | dict[str, Any] | None = None,
        order_by: str | Sequence[str | tuple[str, str]] = (),
    ) -> None:
        """Asks for aggregates such as `"count(*)"`, `"mean(salary)"` and `"var_samp(salary)"`.

        Args:
            aggregates: The aggregates; each may be in JSON too.
            where: The condition on the rows.
            by: The clear column that groups the rows, or several.
            names: The names of the aggregates in the answer, by default themselves.
            having: The condition on groups, such as `col("count(*)") > 9`. The server does not see it: `decrypt`
                applies it when it is given the query.
            order_by: The columns of the answer that sort the groups, such as `"dept"` or `("sum(salary)", "desc")`,
                missing values last. The server does not see them either.

        Raises:
            QueryError: There is no such aggregate.
        """
        self.aggregates = [_parsed(one) if isinstance(one, str) else one for one in aggregates]
        self.where = where.tree if isinstance(where, Predicate) else where
        groups = [] if by is None else [by] if isinstance(by, str) else list(by)
        self.group_by = groups if len(groups) > 1 else (groups[0] if groups else None)
        self.names = list(names) if names is not None else [_shown(one) for one in self.aggregates]
        if len(self.names) != len(self.aggregates):
            counts = f"{len(self.names)} names and {len(self.aggregates)} aggregates"
            raise QueryError(f"there are {counts}", code="names")
        taken = [*self.names, *groups]
        twice = next((name for name in taken if taken.count(name) > 1), None)
        if twice is not None:
            raise QueryError(f"two columns of the answer are named {twice!r}", code="names", name=twice)
        shown = dict(zip(self.names, map(_shown, self.aggregates), strict=True))
        tree = having.tree if isinstance(having, Predicate) else having
        self.having = None if tree is None else _renamed(tree, shown)
        keys = [order_by] if isinstance(order_by, str) else order_by
        pairs = [(key, "asc") if isinstance(key, str) else key for key in keys]
        self.order_by = [(shown.get(name, name), _direction(direction)) for name, direction in pairs]

    @classmethod
    def of(cls, query: Any) -> Query:
        """Returns a query that is written in any accepted form: SQL, an expression of ibis, or the tree of JSON.

        Raises:
            QueryError: A part of it is not possible on encrypted columns.
            KindError: It is no query.
        """
        if isinstance(query, Query):
            return query
        if isinstance(query, dict):
            return cls._of_tree(query)
        form = "sql" if isinstance(query, str) else type(query).__module__.partition(".")[0]
        if form in READERS:
            return READERS[form](query)
        name = type(query).__name__
        raise KindError(
            f"expected a Query, SQL, an expression of ibis, or a tree of JSON, got {name}",
            code="type_mismatch",
            got=name,
        )

    @classmethod
    def _of_tree(cls, tree: dict[str, Any]) -> Query:
        unknown = tree.keys() - {"aggregates", "filter", "group_by"}
        aggregates = tree.get("aggregates")
        if unknown or not isinstance(aggregates, list):
            raise QueryError("a query in JSON has aggregates, and perhaps filter and group_by", code="form")
        return cls(
            *(one if isinstance(one, dict) else _parsed_tree(one) for one in aggregates),
            where=tree.get("filter"),
            by=tree.get("group_by"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the tree of JSON."""
        tree: dict[str, Any] = {"aggregates": self.aggregates}
        if self.where is not None:
            tree["filter"] = self.where
        if self.group_by is not None:
            tree["group_by"] = self.group_by
        return tree

    def to_json(self) -> str:
        """Returns the tree as text."""
        import json

        return json.dumps(self.to_dict())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Query) and self._all() == other._all()

    def _all(self) -> tuple[Any, ...]:
        return self.to_dict(), self.names, self.having, self.order_by

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.aggregates, self.where, self.group_by, self.names, self.having, self.order_by)

    def __repr__(self) -> str:
        asked = [repr(_shown(one)) for one in self.aggregates]
        asked += [f"where={self.where!r}"] * (self.where is not None)
        asked += [f"by={self.group_by!r}"] * (self.group_by is not None)
        asked += [f"having={self.having!r}"] * (self.having is not None)
        asked += [f"order_by={self.order_by!r}"] * bool(self.order_by)
        return f"fathom.columns.Query({', '.join(asked)})"


#: The front ends by the form that they read: `"sql"`, or the package of an expression. Each enters itself, so that
#: queries know none of them.
READERS: dict[str, Callable[[Any], Query]] = {}


def _again(
    aggregates: list[Aggregate],
    where: dict[str, Any] | None,
    group_by: str | list[str] | None,
    names: list[str],
    having: dict[str, Any] | None,
    order_by: list[tuple[str, str]],
) -> Query:
    """Returns the query that was pickled."""
    again = Query(*aggregates, where=where, by=group_by, names=names)
    again.having, again.order_by = having, order_by
    return again


def _renamed(tree: Any, shown: dict[str, str]) -> Any:
    """Returns a condition on groups with the library's names of aggregates."""
    if isinstance(tree, list):
        return [_renamed(one, shown) for one in tree]
    if not isinstance(tree, dict):
        return tree
    return {
        kind: shown.get(inner, inner) if kind == "column" else _renamed(inner, shown) for kind, inner in tree.items()
    }


def _direction(text: str) -> str:
    if text.lower() not in ("asc", "desc"):
        raise QueryError(f"groups are sorted by 'asc' or 'desc', not {text!r}", code="form", text=text)
    return text.lower()


def _parsed(text: str) -> Aggregate:
    """Returns the aggregate that a text such as `sum(salary)` names."""
    if text == "count":
        return text
    function, opened, rest = text.partition("(")
    if not opened or not rest.endswith(")"):
        raise unaccepted(text, text, "write an aggregate such as count(*) or mean(salary)")
    column = rest[:-1].strip()
    return aggregate(function.strip(), None if column in ("*", "") else column, text)


def _parsed_tree(one: Any) -> Aggregate:
    if one != "count":
        raise QueryError(f"{one!r} is no aggregate in JSON; see docs/columns.md", code="form")
    return "count"


def _shown(one: Aggregate) -> str:
    """Returns the name that the library gives to an aggregate."""
    if isinstance(one, str):
        return "count(*)"
    if len(one) != 1:
        raise QueryError(f"{one!r} is no aggregate in JSON; see docs/columns.md", code="form")
    ((function, column),) = one.items()
    if isinstance(column, dict):
        return f"{function.removesuffix('_of')}({_shown_combination(column)})"
    return f"{'count' if function == 'count_of' else function}({column})"


def _shown_combination(one: dict[str, Any]) -> str:
    """Returns the text of a combination, as the library writes it."""
    factors: dict[str, int] = one.get("factors", {})
    terms = [(number, name if abs(number) == 1 else f"{abs(number)} * {name}") for name, number in _in_order(factors)]
    constant = one.get("constant", 0)
    terms += [(constant, str(abs(constant)))] * (constant != 0)
    text = "".join(f" {'-' if number < 0 else '+'} {term}" for number, term in terms)
    return f"-{text[3:]}" if text.startswith(" -") else text[3:]


def _in_order(factors: dict[str, int]) -> list[tuple[str, int]]:
    """Returns the columns of a combination in the order of their bytes, as the library has them."""
    return sorted(factors.items(), key=lambda pair: pair[0].encode())


def missing_package(package: str, extra: str, what: str) -> FathomError:
    """Returns the refusal of what needs a package that is not installed."""
    return KindError(
        f"{what} needs the package {package}: pip install 'fathom-fhe[{extra}]'",
        code="no_package",
        package=package,
    )
