"""Queries as expressions of polars, and encrypted tables in its data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._query import Aggregate, Column, Predicate, Query, aggregate, literal, missing_package, unaccepted

if TYPE_CHECKING:
    from ._server import Server

_RELATIONS = {
    "Eq": ("equal", "equal"),
    "NotEq": ("not_equal", "not_equal"),
    "Lt": ("less", "greater"),
    "LtEq": ("less_or_equal", "greater_or_equal"),
    "Gt": ("greater", "less"),
    "GtEq": ("greater_or_equal", "less_or_equal"),
}

#: Constants whose value stands in the tree.
_PLAIN = frozenset(
    ["Boolean", "String", "Int", "Float", "Float64"]
    + [f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64, 128)]
)


def from_polars(*aggregates: Any, where: Any = None, by: str | Sequence[str] | None = None) -> Query:
    """Returns the query of expressions of polars, such as `pl.len()`, `pl.col("pay").mean()` and `.alias("name")`.

    Args:
        aggregates: The aggregates.
        where: The condition on the rows, such as `pl.col("year") >= 2010`.
        by: The clear column that groups the rows, or several.

    Raises:
        QueryError: A part is not possible on encrypted columns; the error names the part and a remedy.
    """
    found: list[Aggregate] = []
    names: list[str] = []
    for expression in aggregates:
        tree, alias = _tree(expression), None
        while isinstance(tree, dict) and "Alias" in tree:
            tree, outer = tree["Alias"]
            alias = alias or outer
        found.append(_aggregate(tree))
        names.append(alias or Query(found[-1]).names[0])
    condition = None if where is None else where if isinstance(where, Predicate) else _predicate(_tree(where))
    return Query(*found, where=condition, by=by, names=names)


def register_polars() -> None:
    """Registers the namespace `fhe` on expressions of polars.

    `frame.select(pl.col("pay").fhe.mean(server))` computes on a frame with the columns of an encrypted table, eagerly
    and lazily, and gives the bytes for the owner of the key. `pl.col("pay")` names the column before encryption, and
    nothing else may be done to it; what is read are its ciphertexts, `rows`, `rows__checksums`, and the columns of the
    condition and of the groups.

    Raises:
        KindError: polars is not installed.
    """
    try:
        import polars
    except ImportError:
        raise missing_package("polars", "polars", "the namespace") from None
    if getattr(polars.Expr, "fhe", None) is None:
        polars.api.register_expr_namespace("fhe")(_Namespace)


class _Namespace:
    """The aggregates of an encrypted column as expressions."""

    def __init__(self, expression: Any) -> None:
        self._expression = expression

    def _asked(self, function: str, server: Server, where: Any, by: str | None) -> Any:
        import polars

        column = _column(_tree(self._expression), "take one encrypted column")
        condition = where if where is None or isinstance(where, Predicate) else _predicate(_tree(where))
        query = Query(aggregate(function, column, function), where=condition, by=by)
        columns = server.columns(query)

        def computed(series: Iterable[Any]) -> Any:
            return server.query(query, polars.DataFrame(list(series)))

        own = polars.map_batches(
            [polars.col(name) for name in columns], computed, return_dtype=polars.Binary, returns_scalar=True
        )
        return own.alias(Query(query.aggregates[0]).names[0])

    def sum(self, server: Server, *, where: Any = None, by: str | None = None) -> Any:
        """Computes the sum."""
        return self._asked("sum", server, where, by)

    def mean(self, server: Server, *, where: Any = None, by: str | None = None) -> Any:
        """Computes the mean."""
        return self._asked("mean", server, where, by)

    def count(self, server: Server, *, where: Any = None, by: str | None = None) -> Any:
        """Computes the number of values that are not missing."""
        return self._asked("count", server, where, by)

    def var(self, server: Server, *, ddof: int = 1, where: Any = None, by: str | None = None) -> Any:
        """Computes the variance."""
        if ddof not in (0, 1):
            raise unaccepted("var", f"ddof={ddof}", "take 0 or 1 degrees of freedom")
        return self._asked("var_samp" if ddof else "var_pop", server, where, by)


def _tree(expression: Any) -> Any:
    """Returns the tree of an expression in JSON."""
    import json

    return json.loads(expression.meta.serialize(format="json"))


def _part(tree: Any) -> tuple[str, Any]:
    """Returns the kind of a node and its content."""
    if isinstance(tree, dict) and len(tree) == 1:
        ((kind, content),) = tree.items()
        return kind, content
    return str(tree), None


def _column(tree: Any, remedy: str) -> str:
    kind, content = _part(tree)
    if kind != "Column" or not isinstance(content, str):
        raise unaccepted(kind, str(tree), remedy)
    return content


def _aggregate(tree: Any) -> Aggregate:
    kind, content = _part(tree)
    if kind == "Len":
        return "count"
    if kind != "Agg":
        raise unaccepted(kind, str(tree), "take an aggregate of a column")
    function, operand = _part(content)
    remedy = "take an aggregate of one column"
    if function in ("Var", "Std"):
        inner, ddof = operand if isinstance(operand, list) else (operand["input"], operand.get("ddof", 1))
        if ddof not in (0, 1):
            raise unaccepted(function, str(tree), "take 0 or 1 degrees of freedom")
        name = "var" if function == "Var" else "stddev"
        return aggregate(f"{name}_{'samp' if ddof else 'pop'}", _column(inner, remedy), function)
    if function not in ("Sum", "Mean", "Count"):
        return aggregate(function, None, str(tree))
    if isinstance(operand, dict) and "input" in operand:
        if operand.get("include_nulls"):
            return "count"
        operand = operand["input"]
    return aggregate(function, _column(operand, remedy), function)


def _predicate(tree: Any) -> Predicate:
    kind, content = _part(tree)
    if kind == "Alias":
        return _predicate(content[0])
    if kind == "Column":
        return Column(content)._compared("equal", True)
    if kind == "Literal" and isinstance(_constant(tree), bool):
        return Predicate({"all": []} if _constant(tree) else {"any": []})
    if kind == "BinaryExpr":
        return _binary(content)
    if kind == "Function":
        return _function(content)
    raise unaccepted(kind, str(tree), "compare columns with constants, and join conditions by &, | and ~")


def _binary(content: Any) -> Predicate:
    left, right, operator = content["left"], content["right"], content["op"]
    if operator in ("And", "LogicalAnd"):
        return _predicate(left) & _predicate(right)
    if operator in ("Or", "LogicalOr"):
        return _predicate(left) | _predicate(right)
    if operator not in _RELATIONS:
        raise unaccepted(str(operator), str(content), "compare columns with constants")
    relation, exchanged = _RELATIONS[operator]
    if _part(left)[0] != "Column":
        left, right, relation = right, left, exchanged
    other = Column(_column(right, "")) if _part(right)[0] == "Column" else _constant(right)
    return Column(_column(left, "compare a column with a constant"))._compared(relation, other)


def _function(content: Any) -> Predicate:
    function = content["function"]
    if isinstance(function, dict) and set(function) == {"Boolean"}:
        function = function["Boolean"]
    inputs = content["input"]
    name, options = _part(function)
    if name == "Not":
        return ~_predicate(inputs[0])
    if name == "IsNull":
        return Column(_column(inputs[0], "take a column")).is_null()
    if name == "IsNotNull":
        return ~Column(_column(inputs[0], "take a column")).is_null()
    if name == "IsBetween":
        column = Column(_column(inputs[0], "take a column"))
        closed = (options or {}).get("closed", "Both")
        low, high = _constant(inputs[1]), _constant(inputs[2])
        above = "greater_or_equal" if closed in ("Both", "Left") else "greater"
        below = "less_or_equal" if closed in ("Both", "Right") else "less"
        return column._compared(above, low) & column._compared(below, high)
    if name == "IsIn" and not (options or {}).get("nulls_equal"):
        return Column(_column(inputs[0], "take a column")).is_in(_constants(inputs[1]))
    raise unaccepted(name, str(function), "compare columns with constants, and join conditions by &, | and ~")


def _constant(tree: Any) -> Any:
    kind, content = _part(tree)
    name, value = _part(_part(content)[1]) if kind == "Literal" else (kind, None)
    if name in _PLAIN:
        return literal(value)
    if name == "Float32":
        # It is printed with as many digits as tell it from other numbers of its type.
        from struct import pack, unpack

        return literal(unpack("f", pack("f", value))[0])
    raise unaccepted(name, str(tree), "compare a column with a truth value, a number or text")


def _constants(tree: Any) -> list[Any]:
    """Returns the constants of a list, which stands in the tree as a stream of Arrow."""
    import io

    import polars

    kind, content = _part(tree)
    name, data = _part(_part(content)[1]) if kind == "Literal" else (kind, None)
    if name != "List" or not isinstance(data, list):
        raise unaccepted(name, str(tree)[:200], "compare a column with a list of constants")
    values = polars.read_ipc_stream(io.BytesIO(bytes(data))).to_series().to_list()
    while any(isinstance(value, list) for value in values):
        values = [inner for value in values for inner in value]
    return [literal(value) for value in values]
