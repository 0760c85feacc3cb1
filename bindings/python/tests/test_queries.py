"""One tree from SQL, polars, ibis and Python; what is not possible is refused by name."""

from __future__ import annotations

import datetime
import decimal
import pickle
from collections.abc import Callable
from typing import Any

import ibis
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from column_data import CHEAP, WIDE, table

import fathom as fhe
from fathom import columns
from fathom.columns import Query, col

STAFF = ibis.table(
    {"dept": "string", "amount": "int32", "year": "int64", "score": "float64", "active": "boolean"}, name="staff"
)
year, dept, score, active = pl.col("year"), pl.col("dept"), pl.col("score"), pl.col("active")

#: The same queries in every form.
SAME: list[tuple[Query, str, Query, Any]] = [
    (
        Query("count(*)", "mean(amount)", where=col("year") >= 2010, by="dept", names=["n", "m"]),
        "select dept, count(*) as n, avg(amount) as m from staff where 2010 <= year group by 1",
        columns.from_polars(pl.len().alias("n"), pl.col("amount").mean().alias("m"), where=year >= 2010, by="dept"),
        STAFF.filter(STAFF.year >= 2010).group_by("dept").agg(n=ibis._.count(), m=ibis._.amount.mean()),
    ),
    (
        Query("var_samp(amount)", where=(col("score") < 1.5) | ~col("dept").is_null(), names=["v"]),
        "select variance(s.amount) as v from staff s where (s.score < 1.5) or s.dept is not null",
        columns.from_polars(pl.col("amount").var().alias("v"), where=(score < 1.5) | dept.is_not_null()),
        STAFF.filter((STAFF.score < 1.5) | STAFF.dept.notnull()).agg(v=ibis._.amount.var()),
    ),
    (
        Query("sum(amount)", "count(amount)", where=col("year").is_in([1, -2]) & (col("active") == True)),  # noqa: E712
        "select sum(amount), count(amount) from 'staff.parquet' where year in (1, -2) and active",
        columns.from_polars(pl.col("amount").sum(), pl.col("amount").count(), where=year.is_in([1, -2]) & active),
        STAFF.filter(STAFF.year.isin([1, -2]) & STAFF.active).agg(
            **{"sum(amount)": ibis._.amount.sum(), "count(amount)": ibis._.amount.count()}
        ),
    ),
    (
        Query("var_pop(amount)", where=(col("year") >= 1) & (col("year") <= 5)),
        "select var_pop(amount) from staff where year between 1 and 5",
        columns.from_polars(pl.col("amount").var(ddof=0), where=year.is_between(1, 5)),
        STAFF.filter(STAFF.year.between(1, 5)).agg(**{"var_pop(amount)": ibis._.amount.var(how="pop")}),
    ),
]


SAME += [
    (
        Query("sum(amount)", "stddev_samp(amount)", by=["dept", "year"], names=["s", "d"]),
        "select dept, year, sum(amount) as s, stddev(amount) as d from staff group by dept, 2",
        columns.from_polars(pl.col("amount").sum().alias("s"), pl.col("amount").std().alias("d"), by=["dept", "year"]),
        STAFF.group_by("dept", "year").agg(s=ibis._.amount.sum(), d=ibis._.amount.std()),
    ),
]


@pytest.mark.parametrize("written, sql, polars, expression", SAME)
def test_all_front_ends_give_one_tree(written: Query, sql: str, polars: Query, expression: Any) -> None:
    assert columns.from_sql(sql) == written == polars == columns.from_ibis(expression)
    assert Query.of(sql) == Query.of(expression) == Query.of(written)
    assert Query.of(written.to_dict()).to_dict() == written.to_dict()
    assert pickle.loads(pickle.dumps(written)) == written


def test_combinations_are_read_from_sql() -> None:
    (found,) = columns.from_sql("select sum(3 * (amount - age) + 2 - -amount * 2) as s from t").aggregates
    assert found == {"sum_of": {"factors": {"amount": 5, "age": -3}, "constant": 2}}
    assert columns.from_sql("select avg(amount - 1) from t").names == ["mean(amount - 1)"]
    assert columns.from_sql("select sum(-age * 2 + 3 * amount - 4) from t").names == ["sum(-2 * age + 3 * amount - 4)"]
    assert columns.from_sql("select sum((amount) * 1 + 0) from t").aggregates == [{"sum": "amount"}]


def test_groups_are_selected_and_sorted_by_what_is_selected() -> None:
    written = Query(
        "count(*)",
        "sum(amount)",
        by="dept",
        names=["n", "sum(amount)"],
        having=(col("n") > 3) & ~(col("sum(amount)") == 0) & col("dept").is_in(["a", "b"]),
        order_by=[("sum(amount)", "desc"), "n", "dept"],
    )
    text = """
        select dept, count(*) as n, sum(amount) from staff group by dept
        having 3 < count(*) and not sum(amount) = 0 and dept in ('a', 'b')
        order by sum(amount) desc, n asc, 1
    """
    assert columns.from_sql(text) == written
    assert written.having is not None and written.having["all"][0]["compare"]["column"] == "count(*)"
    assert "having" not in written.to_dict()
    assert pickle.loads(pickle.dumps(written)) == written


def test_dates_and_decimals_are_constants() -> None:
    day, price = datetime.date(2020, 1, 31), decimal.Decimal("0.10")
    written = Query("count(*)", where=(col("day") >= day) & (col("price") == price))
    assert written.where == ((col("day") >= "2020-01-31") & (col("price") == "0.10")).tree
    condition = "day >= date '2020-01-31' and at < timestamp '2020-01-01 12:00:00'"
    read = columns.from_sql(f"select count(*) from t where {condition}")
    assert read.where == ((col("day") >= day) & (col("at") < "2020-01-01 12:00:00")).tree


def test_trees_of_every_condition() -> None:
    inner = columns.from_polars(pl.len(), where=~(dept == "x") & year.is_null() | (score != 3) & active.not_())
    assert (
        inner.where
        == (
            (~(col("dept") == "x") & col("year").is_null()) | ((col("score") != 3) & ~(col("active") == True))  # noqa: E712
        ).tree
    )
    halfway = columns.from_polars(pl.len(), where=year.is_between(1, 5, closed="left"))
    assert halfway.where == ((col("year") >= 1) & (col("year") < 5)).tree
    narrow = columns.from_polars(pl.len(), where=score > pl.lit(0.1, dtype=pl.Float32))
    assert narrow.where == (col("score") > 0.10000000149011612).tree
    texts = columns.from_polars(pl.len(), where=dept.is_in(["a", "b"]))
    assert texts.where == col("dept").is_in(["a", "b"]).tree
    assert columns.from_sql("select count(*) from t where 1.0 = year").where == (col("year") == 1).tree
    assert columns.from_ibis(STAFF.filter(STAFF.dept == "x").count()).where == (col("dept") == "x").tree
    assert columns.from_ibis(STAFF.amount.sum()).to_dict() == {"aggregates": [{"sum": "amount"}]}


def test_a_statement_ends_with_a_semicolon() -> None:
    assert columns.from_sql("select count(*) from t; -- all rows\n;") == Query("count(*)")


def test_many_terms_are_joined_in_one_list(wide: columns.Server) -> None:
    terms = [f"year <> {number}" for number in range(200)]
    for word in ("and", "or"):
        wide.query(f"select count(*) from t where {f' {word} '.join(terms)}")
    first, second, third = (col("year") == number for number in range(3))
    assert (first & (second & third)).tree == {"all": [first.tree, second.tree, third.tree]}
    assert (first | (second & third)).tree == {"any": [first.tree, {"all": [second.tree, third.tree]}]}
    three = STAFF.filter((STAFF.year == 0) & (STAFF.year == 1), STAFF.year == 2).count()
    assert columns.from_ibis(three).where == (first & second & third).tree


def test_no_value_is_one_of_none(wide: columns.Server) -> None:
    query = columns.from_polars(pl.len(), where=year.is_in([]))
    assert query.where == col("year").is_in([]).tree
    wide.query(query)


def sql(text: str) -> Callable[[], Any]:
    """Returns what reads a query in SQL."""
    return lambda: columns.from_sql(text)


def where(condition: Any) -> Callable[[], Any]:
    """Returns what reads a condition of polars."""
    return lambda: columns.from_polars(pl.len(), where=condition)


def selected_by_sql() -> Any:
    """Returns what `connection.sql` of ibis returns."""
    text = "select * from staff where year >= 2010"
    return ibis.expr.operations.SQLQueryResult(text, STAFF.schema(), object()).to_expr()


#: Columns that are computed from encrypted ones, which the namespace of polars does not compute.
CHANGES: list[tuple[str, Callable[[Any], Any]]] = [
    ("BinaryExpr", lambda column: column * 2),
    ("Slice", lambda column: column.head(10)),
    ("Function", lambda column: column.abs()),
    ("Function", lambda column: column.fill_null(0)),
    ("Function", lambda column: column.unique()),
    ("Cast", lambda column: column.cast(pl.Int64)),
    ("Filter", lambda column: column.filter(pl.lit(False))),
]


def of_column(change: Callable[[Any], Any]) -> Callable[[], Any]:
    """Returns what asks for the sum of a changed column."""
    columns.register_polars()
    return lambda: change(pl.col("amount")).fhe.sum(None)


REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("Max", sql("select max(amount) from t"), "count the rows above a bound"),
    ("Median", sql("select median(amount) from t"), "not ordered"),
    ("Filter", sql("select sum(amount) filter (where year > 1) from t"), "after WHERE"),
    ("Window", sql("select sum(amount) over () from t"), "group by"),
    ("Distinct", sql("select count(distinct amount) from t"), "one column"),
    ("Distinct", sql("select distinct sum(amount) from t"), "group by"),
    ("Mul", sql("select sum(amount * age) from t"), "integers alone"),
    ("Div", sql("select sum(amount / 2) from t"), "times integers"),
    ("Literal", sql("select sum(amount + 0.5) from t"), "times integers"),
    ("var_samp", sql("select variance(amount + 1) from t"), "sum or avg"),
    ("sum", sql("select sum(1) from t"), "sum or avg"),
    ("Cast", sql("select sum(amount::bigint) from t"), "one column"),
    ("Column", sql("select sum(amount), year from t"), "group by it"),
    ("Star", sql("select * from t"), "count, sum"),
    ("Join", sql("select sum(amount) from t, u"), "join clear tables"),
    ("Join", sql("select sum(amount) from t join u on t.a = u.a"), "join clear tables"),
    ("With", sql("with q as (select 1) select sum(amount) from q"), "ask the table"),
    ("Subquery", sql("select sum(amount) from (select * from t)"), "name the table"),
    ("Union", sql("select sum(amount) from t union select 1"), "one SELECT"),
    ("Insert", sql("insert into t values (1)"), "one SELECT"),
    ("Avg", sql("select sum(amount) from t having avg(amount) > 1"), "selected too"),
    ("Column", sql("select sum(amount) from t order by year"), "selected too"),
    ("Ordered", sql("select sum(amount) from t order by 1 nulls first"), "missing values last"),
    ("Limit", sql("select sum(amount) from t limit 1"), "after decryption"),
    ("TableSample", sql("select sum(amount) from t tablesample 10%"), "by a condition"),
    ("Add", sql("select sum(amount) from t group by year + 1"), "clear columns"),
    ("Alias", sql("select dept as d, sum(amount) from t group by dept"), "keeps its name"),
    ("Subquery", sql("select sum(amount) from t where year in (select 1)"), "leave it out"),
    ("Null", sql("select sum(amount) from t where year = null"), "constant"),
    ("Null", sql("select sum(amount) from t where year in (1, null)"), "constant"),
    ("Like", sql("select sum(amount) from t where dept like 'a%'"), "compare columns"),
    ("Add", sql("select sum(amount) from t where year + 1 in (2)"), "compare a column"),
    ("Cast", sql("select sum(amount) from t where year > '2010'::int"), "constant"),
    ("Column", sql("select sum(u.amount) from t"), "one column"),
    ("Max", lambda: columns.from_polars(pl.col("amount").max()), "not ordered"),
    ("BinaryExpr", lambda: columns.from_polars((pl.col("amount") + 1).sum()), "one column"),
    ("Filter", lambda: columns.from_polars(pl.col("amount").filter(year > 1).sum()), "one column"),
    ("Over", lambda: columns.from_polars(pl.col("amount").sum().over("dept")), "aggregate"),
    ("Column", lambda: columns.from_polars(pl.col("amount")), "aggregate"),
    ("Date", where(year > datetime.date(2020, 1, 1)), "compare a column"),
    ("Null", where(year == pl.lit(None)), "compare a column"),
    ("NotEqValidity", where(year.ne_missing(3)), "compare columns"),
    ("Max", lambda: columns.from_ibis(STAFF.agg(x=STAFF.amount.max())), "not ordered"),
    ("Max", lambda: columns.from_ibis(STAFF.amount.max()), "aggregate the table"),
    ("Add", lambda: columns.from_ibis((STAFF.amount + 1).sum()), "take a column"),
    ("Sort", lambda: columns.from_ibis(STAFF.order_by("year").agg(x=ibis._.amount.sum())), "filter and aggregate"),
    ("Sum", lambda: columns.from_ibis(STAFF.agg(x=STAFF.amount.sum(where=STAFF.active))), "filter the table"),
    ("Alias", lambda: columns.from_ibis(STAFF.group_by(d=STAFF.dept).agg(x=ibis._.amount.sum())), "keeps its name"),
    ("StringSQLLike", lambda: columns.from_ibis(STAFF.filter(STAFF.dept.like("a%")).count()), "compare columns"),
    ("UnboundTable", lambda: columns.from_ibis(STAFF), "aggregate the table"),
    ("SQLQueryResult", lambda: columns.from_ibis(selected_by_sql().agg(x=ibis._.amount.sum())), "filter and aggregate"),
    ("TableAlias", sql("select sum(a) from staff as s(b, a)"), "names of the columns"),
    ("Select", sql("select sum(a) from t; select sum(b) from t"), "one SELECT"),
    ("Literal", sql("select sum(a) from t group by 1.5"), "clear columns"),
    *[(kind, of_column(change), "one encrypted column") for kind, change in CHANGES],
    ("max", lambda: Query("max(amount)"), "not ordered"),
    ("amount", lambda: Query("amount"), "count(*)"),
]


@pytest.mark.parametrize(
    "node, read, remedy", REFUSED, ids=[f"{number} {one[0]}" for number, one in enumerate(REFUSED)]
)
def test_what_is_not_possible_is_refused_by_name(node: str, read: Callable[[], Any], remedy: str) -> None:
    with pytest.raises(fhe.QueryError) as caught:
        read()
    assert caught.value.code == "unaccepted"
    assert caught.value.node == node and remedy in caught.value.remedy


@pytest.fixture(scope="module")
def wide() -> columns.Server:
    """Returns the server of a table with all uses."""
    return columns.Server(columns.keygen(WIDE).encrypt(table(20)))


@pytest.fixture(scope="module")
def cheap() -> columns.Server:
    """Returns the server of a table in the cheapest layout."""
    return columns.Server(columns.keygen(CHEAP).encrypt(table(20)))


Misuse = Callable[[columns.Server, columns.Server], Any]

MISUSES: list[tuple[str, type[fhe.FathomError], str, str, Misuse]] = [
    ("text", fhe.QueryError, "sql", "no SQL", lambda w, c: w.query("select (")),
    ("tree", fhe.QueryError, "form", "aggregates", lambda w, c: w.query({"sum": "amount"})),
    ("aggregate in JSON", fhe.QueryError, "form", "JSON", lambda w, c: w.query({"aggregates": ["sum"]})),
    (
        "condition in JSON",
        fhe.QueryError,
        "form",
        "docs/columns.md",
        lambda w, c: w.query(Query("count(*)", where={"like": "a"})),
    ),
    ("no aggregate", fhe.WireError, "malformed", "0 aggregates", lambda w, c: w.query(Query())),
    ("unknown column", fhe.QueryError, "unknown_column", "amount, age", lambda w, c: w.query("select sum(x) from t")),
    ("clear", fhe.QueryError, "unsupported", "it is clear", lambda w, c: w.query("select sum(year) from t")),
    (
        "encrypted key",
        fhe.QueryError,
        "unsupported",
        "group by a clear column",
        lambda w, c: w.query("select count(*) from t group by age"),
    ),
    (
        "real key",
        fhe.QueryError,
        "unsupported",
        "double precision",
        lambda w, c: w.query("select count(*) from t group by score"),
    ),
    (
        "type of a constant",
        fhe.QueryError,
        "unsupported",
        "no constant of the type int64",
        lambda w, c: w.query("select count(*) from t where year = 'x'"),
    ),
    (
        "filter",
        fhe.QueryError,
        "missing_use",
        "`filter`",
        lambda w, c: c.query("select sum(amount) from t where year = 2003"),
    ),
    ("variance", fhe.QueryError, "missing_use", "`variance`", lambda w, c: c.query("select var_pop(amount) from t")),
    (
        "names",
        fhe.QueryError,
        "names",
        "named 's'",
        lambda w, c: w.query("select sum(amount) s, sum(age) s from t"),
    ),
    (
        "wide constant",
        fhe.QueryError,
        "literal",
        "64 bits",
        lambda w, c: Query("count(*)", where=col("year") < 2**63),
    ),
    (
        "rounded constant",
        fhe.QueryError,
        "literal",
        "rounded",
        lambda w, c: w.query("select count(*) from t where year > 9007199254740993.5"),
    ),
    (
        "constant that rounds to an integer",
        fhe.QueryError,
        "literal",
        "rounded",
        lambda w, c: w.query("select count(*) from t where year >= 2010.00000000000000000001"),
    ),
    *[
        (
            f"{date.dtype} of numpy",
            fhe.KindError,
            "type_mismatch",
            "a truth value, a number or text",
            lambda w, c, date=date: Query("count(*)", where=col("year") == date),
        )
        for date in (np.datetime64("2020-01-01", "ns"), np.timedelta64(5, "ns"), np.array(5, "m8[ns]"))
    ],
    (
        "longest real number of numpy",
        fhe.KindError,
        "type_mismatch",
        "longdouble",
        lambda w, c: Query("count(*)", where=col("score") == np.longdouble(1)),
    ),
    ("token", fhe.QueryError, "sql", "no SQL", lambda w, c: w.query("select 'a")),
    ("nothing", fhe.QueryError, "sql", "empty", lambda w, c: w.query("")),
    (
        "infinite constant",
        fhe.QueryError,
        "literal",
        "infinite",
        lambda w, c: Query("count(*)", where=col("score") < float("inf")),
    ),
    (
        "kind of a constant",
        fhe.QueryError,
        "unsupported",
        "no constant of the type int64",
        lambda w, c: w.query(Query("count(*)", where=col("year") < datetime.date(2020, 1, 1))),
    ),
    (
        "times with a zone",
        fhe.KindError,
        "type_mismatch",
        "datetime",
        lambda w, c: Query("count(*)", where=col("year") < datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)),
    ),
    (
        "digits that doubles lose",
        fhe.QueryError,
        "literal",
        "rounded",
        lambda w, c: w.query("select count(*) from t where score > 0.123456789012345678"),
    ),
    (
        "direction",
        fhe.QueryError,
        "form",
        "'asc' or 'desc'",
        lambda w, c: Query("count(*)", order_by=[("count(*)", "up")]),
    ),
    (
        "group twice",
        fhe.QueryError,
        "names",
        "named 'year'",
        lambda w, c: Query("count(*)", by=["year", "year"]),
    ),
    ("truth", fhe.KindError, "no_bool", "join conditions by", lambda w, c: 1 < col("year") < 3),
    ("no query", fhe.KindError, "type_mismatch", "expected a Query", lambda w, c: w.query(7)),
    ("no table", fhe.KindError, "type_mismatch", "__arrow_c_stream__", lambda w, c: columns.Server(7)),
    (
        "clear table",
        fhe.WireError,
        "no_metadata",
        "not encrypted",
        lambda w, c: columns.Server(pa.table({"a": [1]})),
    ),
    (
        "server of a schema",
        fhe.KindError,
        "no_table",
        "give it a table",
        lambda w, c: columns.Server(w.metadata).query("select count(*) from t"),
    ),
    ("metadata", fhe.WireError, "malformed", "metadata", lambda w, c: columns.Server("{}")),
    (
        "schema",
        fhe.ParamsError,
        "schema",
        "interval within",
        lambda w, c: columns.Schema(a=columns.Encrypted("int8", range=(0, 300))),
    ),
    ("type", fhe.ParamsError, "schema", "unknown type", lambda w, c: columns.Schema(a=columns.Encrypted("int7"))),
    (
        "use",
        fhe.ParamsError,
        "schema",
        "unknown variant",
        lambda w, c: columns.Schema(a=columns.Encrypted("int8", uses="x")),
    ),
    ("column", fhe.KindError, "type_mismatch", "Encrypted or Clear", lambda w, c: columns.Schema({"a": "int8"})),  # type: ignore[dict-item]
    ("toml", fhe.ParamsError, "schema", "no TOML", lambda w, c: columns.Schema.from_toml("a = ")),
    (
        "out of range",
        fhe.RangeError,
        "value_out_of_range",
        "row 1",
        lambda w, c: columns.keygen(columns.Schema(a=columns.Encrypted("int8"))).encrypt(pa.table({"a": [1, 200]})),
    ),
    (
        "missing value",
        fhe.RangeError,
        "null",
        "nulls = true",
        lambda w, c: columns.keygen(columns.Schema(a=columns.Encrypted("int8"))).encrypt(pa.table({"a": [None, 1]})),
    ),
    (
        "missing column",
        fhe.KindError,
        "type",
        "missing",
        lambda w, c: columns.keygen(columns.Schema(a=columns.Encrypted("int8"))).encrypt(pa.table({"b": [1]})),
    ),
    (
        "no numbers",
        fhe.KindError,
        "type",
        "Utf8",
        lambda w, c: columns.keygen(columns.Schema(a=columns.Encrypted("int8"))).encrypt(pa.table({"a": ["1"]})),
    ),
    (
        "groups",
        fhe.QueryError,
        "groups",
        "fewer values",
        lambda w, c: columns.keygen(
            columns.Schema(a=columns.Encrypted("int16"), b=columns.Clear("int64", group_by=True))
        ).encrypt(pa.table({"a": range(5000), "b": range(5000)})),
    ),
    ("series", fhe.KindError, "arrow", "not read", lambda w, c: columns.keygen(WIDE).encrypt(pa.chunked_array([[1]]))),
    (
        "first block",
        fhe.WireError,
        "malformed",
        "multiple of 16",
        lambda w, c: w.partial("select count(*) from t", w._table, 3),
    ),
    ("no results", fhe.WireError, "malformed", "none to join", lambda w, c: columns.join([])),
]


@pytest.mark.parametrize("kind, code, words, misuse", [case[1:] for case in MISUSES], ids=[case[0] for case in MISUSES])
def test_misuse_of_columns_is_refused(
    wide: columns.Server,
    cheap: columns.Server,
    kind: type[fhe.FathomError],
    code: str,
    words: str,
    misuse: Misuse,
) -> None:
    with pytest.raises(fhe.FathomError) as caught:
        misuse(wide, cheap)
    error = caught.value
    assert type(error) is kind and error.code == code and words in str(error), error
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code, again.details) == (kind, str(error), code, error.details)


def test_a_missing_use_has_its_price(cheap: columns.Server) -> None:
    with pytest.raises(fhe.QueryError) as caught:
        columns.Server(cheap.metadata).columns("select var_pop(amount) from t")
    error = caught.value
    assert error.needed == "variance" and error.column == "amount"
    assert 9 < error.present < 10 < 29 < error.price < 30


def test_schemas_are_those_of_the_command_line() -> None:
    text = """
        [[encrypted]]
        name = "salary"
        type = "int32"
        range = [0, 500000]
        uses = ["variance", "filter"]
        nulls = true
        [[clear]]
        name = "dept"
        type = "text"
        group_by = true
    """
    schema = columns.Schema(
        salary=columns.Encrypted("int32", range=(0, 500_000), uses={"filter", "variance"}, nulls=True),
        dept=columns.Clear("text", group_by=True),
    )
    assert columns.Schema.from_toml(text) == schema and schema.encrypted == ["salary"] and schema.clear == ["dept"]
    assert hash(columns.Schema.from_toml(text)) == hash(schema) and columns.keygen(schema).schema == schema
    assert "range=(0, 500000)" in repr(columns.Encrypted("int8", range=(0, 500_000), uses="filter", nulls=True))
    assert "group_by=True" in repr(columns.Clear("text", group_by=True))
