"""Encrypted tables against DuckDB on clear data, through every tool that carries them."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import threading
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import column_search
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from column_data import CHEAP, WIDE, long_table, table
from hypothesis import given, settings
from hypothesis import strategies as st

import fathom as fhe
from fathom import columns

SIZES = [0, 1, 4095, 4096, 4097, 9000]


@pytest.fixture(scope="module")
def key() -> columns.TableKey:
    """Returns the keys of the wide schema."""
    return columns.keygen(WIDE)


@pytest.fixture(scope="module")
def cheap() -> columns.TableKey:
    """Returns the keys of the cheapest layout."""
    return columns.keygen(CHEAP)


@pytest.fixture(scope="module")
def long(cheap: columns.TableKey) -> columns.Table:
    """Returns an encrypted table of more blocks than a part of a result has."""
    return cheap.encrypt(long_table(290 * 4096 + 7))


@pytest.fixture(scope="module")
def encrypted(key: columns.TableKey) -> columns.Table:
    """Returns an encrypted table of three blocks."""
    return key.encrypt(table(9000))


def asked(clear: Any, sql: str) -> list[dict[str, Any]]:
    """Returns the answer of DuckDB on clear data."""
    connection = duckdb.connect()
    connection.register("staff", clear)
    answer: list[dict[str, Any]] = connection.sql(sql).to_arrow_table().to_pylist()
    return answer


def assert_same(got: Sequence[dict[str, Any]], expected: list[dict[str, Any]], by: str | None) -> None:
    """Compares answers: integers exactly, means and variances to the rounding of either side."""
    if by is not None:
        name = by

        def place(row: dict[str, Any]) -> tuple[bool, Any]:
            # Missing labels come first, and are not compared with others.
            return (row[name] is not None, 0 if row[name] is None else row[name])

        got, expected = sorted(got, key=place), sorted(expected, key=place)
    assert len(got) == len(expected)
    for own, other in zip(got, expected, strict=True):
        assert own.keys() == other.keys()
        for name, value in own.items():
            if isinstance(value, float):
                assert value == pytest.approx(other[name], rel=1e-9)
            else:
                assert value == other[name], (name, own, other)


NAMES: dict[str, list[Any]] = {
    "dept": ["ops", "eng", "d'x", "", "none"],
    "year": [1999, 2003, 2011],
    "score": [-1.5, 0, 3.25],
}


def constant(value: Any) -> str:
    """Returns a constant of SQL."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def comparisons() -> st.SearchStrategy[str]:
    """Conditions on one column."""

    def of_column(name: str) -> st.SearchStrategy[str]:
        values = st.sampled_from(NAMES[name]).map(constant)
        relation = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
        return st.one_of(
            st.tuples(relation, values).map(lambda pair: f"{name} {pair[0]} {pair[1]}"),
            st.tuples(values, relation).map(lambda pair: f"{pair[0]} {pair[1]} {name}"),
            st.lists(values, min_size=1, max_size=3).map(lambda some: f"{name} in ({', '.join(some)})"),
            st.tuples(values, values).map(lambda pair: f"{name} between {pair[0]} and {pair[1]}"),
            st.just(f"{name} is null"),
        )

    others = st.sampled_from(["active", "not active", "amount is null", "age is not null", "active is null", "true"])
    return st.one_of(*(of_column(name) for name in NAMES), others)


CONDITIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        inner.map(lambda one: f"not ({one})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda three: f"({' '.join(three)})"),
    ),
    max_leaves=5,
)
AGGREGATES = [
    "count(*)",
    *(f"{function}({name})" for function in ("count", "sum", "avg") for name in ("amount", "age")),
    "var_samp(amount)",
    "var_pop(amount)",
    "stddev(amount)",
    "stddev_pop(amount)",
]


@pytest.mark.parametrize("seed", range(3))
def test_random_tables_and_queries_are_answered_as_by_duckdb(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    days = numbers.integers(18_000, 19_000, 3000)
    prices = numbers.integers(-9999, 99_999, 3000)
    clear = pa.table(
        {
            "Day": pa.array(days, pa.int32()).cast(pa.date32()),
            "price": [None if one % 7 == 0 else Decimal(int(one)).scaleb(-2) for one in prices],
            "double": np.where(prices % 5 == 0, np.nan, prices.astype(float)),
            "count": numbers.integers(0, 1000, 3000),
            "shop": pa.array(["a", "b'", None]).take(numbers.integers(0, 3, 3000)),
            "year": numbers.integers(2000, 2007, 3000),
            "open": pa.array([True, False, None]).take(numbers.integers(0, 3, 3000)),
            "score": numbers.random(3000),
        }
    )
    assert column_search.search(clear, 40, seed) == []


def test_a_table_moves_to_another_key(key: columns.TableKey, encrypted: columns.Table) -> None:
    other = columns.keygen(WIDE)
    moved = key.rekey(encrypted, other)
    sql = "select dept, count(*), sum(amount), variance(amount) from staff group by dept"
    answers = [own.decrypt(columns.Server(one).query(sql), sql) for own, one in ((key, encrypted), (other, moved))]
    assert answers[0] == answers[1] and answers[0].tables == [encrypted.id] != answers[1].tables == [moved.id]
    with pytest.raises(fhe.KeyMismatchError):
        key.rekey(moved, other)
    with pytest.raises(fhe.WireError, match="schema"):
        key.rekey(encrypted, columns.keygen(CHEAP))


def test_doubles_of_pandas_are_integers_where_all_of_them_are() -> None:
    key = columns.keygen(columns.Schema(v=columns.Encrypted("int32", nulls=True)))
    frame = pd.DataFrame({"v": [3.0, None, -5.0]})
    answer = key.decrypt(columns.Server(key.encrypt(frame)).query("select sum(v), count(v), count(*) from t"))
    assert answer == [{"sum(v)": -2, "count(v)": 2, "count(*)": 3}]
    with pytest.raises(fhe.KindError, match="row 1") as caught:
        key.encrypt(pd.DataFrame({"v": [3.0, 2.5]}))
    assert "2.5" not in str(caught.value)


def query_text(aggregates: list[str], where: str | None, by: str | None) -> str:
    """Returns a query in SQL, each of whose columns has a name."""
    named = [f"{one} as a{number}" for number, one in enumerate(aggregates)]
    text = f"select {', '.join([by, *named] if by else named)} from staff"
    return text + (f" where {where}" if where else "") + (f" group by {by}" if by else "")


@pytest.fixture(scope="module")
def tables(key: columns.TableKey) -> list[tuple[Any, columns.Server]]:
    """Returns clear tables of all sizes, and the servers of the encrypted ones."""
    clear = [table(rows, seed=rows) for rows in SIZES]
    return [(one, columns.Server(key.encrypt(one))) for one in clear]


@settings(max_examples=120, deadline=None)
@given(
    size=st.integers(0, len(SIZES) - 1),
    aggregates=st.lists(st.sampled_from(AGGREGATES), min_size=1, max_size=4, unique=True),
    where=st.none() | CONDITIONS,
    by=st.sampled_from([None, "dept", "year", "active"]),
)
def test_random_queries_are_answered_as_by_duckdb(
    key: columns.TableKey,
    tables: list[tuple[Any, columns.Server]],
    size: int,
    aggregates: list[str],
    where: str | None,
    by: str | None,
) -> None:
    clear, server = tables[size]
    sql = query_text(aggregates, where, by)
    assert_same(key.decrypt(server.query(sql), sql), asked(clear, sql), by)


@settings(max_examples=30, deadline=None)
@given(
    aggregates=st.lists(
        st.sampled_from(["count(*)", "sum(amount)", "count(amount)", "avg(age)", "var_samp(age)"]),
        min_size=1,
        unique=True,
    ),
    by=st.sampled_from([None, "dept"]),
)
def test_the_cheapest_layout_is_exact_over_appended_tables(
    cheap: columns.TableKey, aggregates: list[str], by: str | None
) -> None:
    parts = [table(rows, seed) for rows, seed in ((5000, 1), (1, 2), (700, 3))]
    sql = query_text(aggregates, None, by)
    results = [columns.Server(part).query(sql) for part in encrypted_parts(cheap, parts)]
    assert_same(cheap.decrypt(columns.join(results), sql), asked(pa.concat_tables(parts), sql), by)


_parts: dict[int, list[columns.Table]] = {}


def encrypted_parts(key: columns.TableKey, parts: list[Any]) -> list[columns.Table]:
    """Encrypts tables once for all queries."""
    return _parts.setdefault(id(key), [key.encrypt(part) for part in parts])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.none() | st.integers(-100, 100), st.none() | st.sampled_from("ab")), max_size=40))
def test_random_tables_are_summed_as_by_duckdb(rows: list[tuple[int | None, str | None]]) -> None:
    schema = columns.Schema(
        v=columns.Encrypted("int8", uses="filter", nulls=True, range=(-100, 100)), g=columns.Clear("text")
    )
    key = columns.keygen(schema)
    clear = pa.table(
        {"v": pa.array([v for v, _ in rows], pa.int64()), "g": pa.array([g for _, g in rows], pa.string())}
    )
    sql = "select g, count(*) n, sum(v) s from staff where g <> 'b' group by g"
    assert_same(key.decrypt(columns.Server(key.encrypt(clear)).query(sql), sql), asked(clear, sql), "g")


QUERY = columns.Query("count(*)", "mean(amount)", "var_samp(amount)", where=columns.col("year") >= 2003, by="dept")


def carried(encrypted: columns.Table, folder: Path) -> dict[str, Any]:
    """Returns an encrypted table as every tool returns it."""
    arrow = pa.table(encrypted)
    plain, own = folder / "plain.parquet", folder / "own.parquet"
    pq.write_table(arrow, plain, row_group_size=2)
    encrypted.write_parquet(own)
    pl.DataFrame(encrypted).write_parquet(folder / "polars.parquet")
    connection = duckdb.connect()
    connection.sql(f"copy (select * from '{own}') to '{folder}/duckdb.parquet'")
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, arrow.schema) as writer:
        writer.write_table(arrow)
    return {
        "itself": encrypted,
        "read from its own file": columns.Table.read_parquet(own),
        "pyarrow": arrow,
        "pyarrow from parquet": pq.read_table(plain),
        "pyarrow reader": pq.ParquetFile(plain).iter_batches(1) and arrow.to_reader(1),
        "pyarrow batch": arrow.combine_chunks().to_batches()[0],
        "ipc": pa.ipc.open_stream(buffer.getvalue()).read_all(),
        "columns in another order": arrow.select(arrow.column_names[::-1]),
        "polars": pl.DataFrame(encrypted),
        "polars from parquet": pl.read_parquet(own),
        "polars from its own parquet": pl.read_parquet(folder / "polars.parquet"),
        "polars lazily": pl.scan_parquet(own).with_columns(x=1).collect(),
        "duckdb": connection.sql(f"select * from '{own}'"),
        "duckdb from its own parquet": connection.sql(f"select *, 1 as x from '{folder}/duckdb.parquet'"),
        "pandas of arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
    }


def test_every_tool_carries_an_encrypted_table(key: columns.TableKey, encrypted: columns.Table, tmp_path: Path) -> None:
    server = columns.Server(encrypted)
    expected = server.query(QUERY)
    assert_same(
        key.decrypt(expected),
        asked(
            table(9000),
            'select dept, count(*) "count(*)", avg(amount) "mean(amount)", var_samp(amount) '
            '"var_samp(amount)" from staff where year >= 2003 group by dept',
        ),
        "dept",
    )
    alone = columns.Server(encrypted.metadata)
    for name, other in carried(encrypted, tmp_path).items():
        assert alone.query(QUERY, other) == expected, name
    # Columns of NumPy hold lists without missing values alone: others become real numbers there.
    frame = pa.table(encrypted).to_pandas()
    everyone = columns.Query("mean(amount)", by="dept")
    assert alone.query(everyone, frame) == server.query(everyone)
    with pytest.raises(fhe.WireError, match="which holds no"):
        alone.query(QUERY, frame)


class OneArray:
    """A batch whose package has the older half of the interface alone."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._batch.__arrow_c_array__(requested_schema)


def test_tables_of_every_tool_are_encrypted(key: columns.TableKey) -> None:
    clear = table(5000, seed=9)
    sql = "select dept, sum(amount) s, count(*) n from staff where active group by dept"
    expected = asked(clear, sql)
    frame = pl.DataFrame(clear)
    sources = [
        clear,
        OneArray(clear.combine_chunks().to_batches()[0]),
        clear.to_reader(700),
        frame,
        frame.with_columns(pl.col("dept").cast(pl.Categorical)),
        clear.to_pandas(types_mapper=pd.ArrowDtype),
        clear.set_column(2, "dept", clear["dept"].dictionary_encode()),
        duckdb.connect().from_arrow(clear),
    ]
    for source in sources:
        answer = key.decrypt(columns.Server(key.encrypt(source)).query(sql), sql)
        assert_same(answer, expected, "dept")


def test_pandas_with_numpy_columns_is_encrypted() -> None:
    schema = columns.Schema({"v 1": columns.Encrypted("int16"), "g": columns.Clear("text")})
    key = columns.keygen(schema)
    frame = pd.DataFrame({"v 1": np.array([1, -2, 300], np.int16), "g": pd.Categorical(["a", "b", "a"])})
    encrypted = key.encrypt(frame)
    assert key.decrypt(columns.Server(encrypted).query('select sum("v 1") s from t')) == [{"sum(v 1)": 299}]
    assert encrypted.rows == 3 and encrypted.blocks == 1 and encrypted.schema == schema


def test_files_give_the_bytes_of_tables(key: columns.TableKey, tmp_path: Path) -> None:
    parts = [table(9000, 1), table(3000, 2)]
    paths = []
    for number, part in enumerate(parts):
        paths.append(tmp_path / f"{number}.parquet")
        key.encrypt(part).write_parquet(paths[-1])
    result = columns.run(QUERY, paths)
    assert result == columns.duckdb(QUERY, paths)
    tables = [columns.Table.read_parquet(path) for path in paths]
    assert result == columns.join([columns.Server(one).query(QUERY) for one in tables])
    sql = "select dept, count(*) n from staff where year >= 2003 group by dept"
    assert_same(key.decrypt(columns.run(sql, paths), sql), asked(pa.concat_tables(parts), sql), "dept")
    with pytest.raises(fhe.WireError, match="no encrypted table"):
        pq.write_table(parts[0], tmp_path / "clear.parquet")
        columns.duckdb(sql, tmp_path / "clear.parquet")
    with pytest.raises(fhe.WireError, match="no encrypted table"):
        columns.run(sql, tmp_path / "clear.parquet")


@pytest.mark.parametrize("workers, step", [(1, None), (3, None), (1, 16), (1, 32), (1, 64), (1, 256)])
def test_a_divided_query_gives_the_bytes_of_a_whole_one(
    cheap: columns.TableKey, long: columns.Table, tmp_path: Path, workers: int, step: int | None
) -> None:
    paths = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    long.write_parquet(paths[0])
    cheap.encrypt(long_table(70_000)).write_parquet(paths[1])
    query = columns.Query("mean(age)", "sum(amount)", by="dept")
    job = columns.Job(query, paths, workers=workers, step=step)
    assert job.blocks == long.blocks + 18 and len(job.tasks) >= (3 if step == 256 else 4 * workers)
    job = pickle.loads(pickle.dumps(job))
    parts = [job.compute(tuple(task)) for task in reversed(job.tasks)][::-1]
    assert job.merge(parts) == columns.run(query, paths)
    with pytest.raises(fhe.WireError, match="follows"):
        job.merge([parts[1], parts[0], *parts[2:]])


DATA = Path(__file__).resolve().parents[3] / "crates/columns/tests/data"


@pytest.mark.parametrize("case", json.loads((DATA / "golden.json").read_text())["results"])
def test_the_golden_file_gives_the_bytes_of_rust(case: dict[str, Any]) -> None:
    key = columns.TableKey.from_secret_bytes((DATA / "golden.key").read_bytes())
    path = DATA / "golden.parquet"
    for result in (
        columns.run(case["query"], path),
        columns.duckdb(case["query"], path),
        columns.Server.of_file(path).query(case["query"], pl.read_parquet(path)),
    ):
        assert (len(result), result[-16:].hex()) == (case["byte_len"], case["checksum"])
        rows = [list(row.values()) for row in key.decrypt(result)]
        assert rows == [
            [row["label"], *row["values"]] if "group_by" in case["query"] else row["values"] for row in case["rows"]
        ]


def test_polars_computes_in_its_expressions(key: columns.TableKey, encrypted: columns.Table, tmp_path: Path) -> None:
    columns.register_polars()
    server = columns.Server(encrypted)
    amount: Any = pl.col("amount")
    path = tmp_path / "t.parquet"
    encrypted.write_parquet(path)
    asked_for = {
        "sum": (amount.fhe.sum(server), columns.Query("sum(amount)")),
        "mean": (
            amount.fhe.mean(server, where=pl.col("active") & (pl.col("year") > 2003)),
            columns.Query("mean(amount)", where=(columns.col("active") == True) & (columns.col("year") > 2003)),  # noqa: E712
        ),
        "count": (amount.fhe.count(server, by="dept"), columns.Query("count(amount)", by="dept")),
        "var": (amount.fhe.var(server, ddof=0), columns.Query("var_pop(amount)")),
    }
    for frame in (pl.DataFrame(encrypted), pl.scan_parquet(path)):
        selected = frame.lazy().select(**{name: expression for name, (expression, _) in asked_for.items()}).collect()
        for name, (_, query) in asked_for.items():
            assert selected[name].to_list() == [server.query(query)]
    assert columns.from_polars(amount.mean(), where=pl.col("year") >= 2003).to_dict() == {
        "aggregates": [{"mean": "amount"}],
        "filter": {"compare": {"column": "year", "relation": "greater_or_equal", "literal": 2003}},
    }


COMPARED = columns.Schema(
    amount=columns.Encrypted("int8", uses=["compare", "filter"], nulls=True),
    fee=columns.Encrypted("int8", uses=["compare"]),
    dept=columns.Clear("text"),
)


def test_rows_are_selected_by_encrypted_values(tmp_path: Path) -> None:
    numbers = np.random.default_rng(5)
    values = {name: numbers.integers(-128, 128, 700, dtype=np.int8) for name in ("amount", "fee")}
    missing = numbers.integers(0, 9, 700) == 0
    clear = pa.table(
        {
            "amount": pa.array(values["amount"], mask=missing),
            "fee": values["fee"],
            "dept": pa.array(["ops", "eng"]).take(numbers.integers(0, 2, 700)),
        }
    )
    key = columns.keygen(COMPARED)
    keys, path = key.evaluation_keys(), tmp_path / "t.parquet"
    key.encrypt(clear).write_parquet(path)
    for aggregates, condition in (
        ("count(*) n, sum(amount) s", "amount > 5 and dept = 'ops'"),
        ("count(*) n, sum(amount) s", "amount between -3 and 40"),
        ("count(*) n", "amount > fee"),
    ):
        sql = f"select {aggregates} from staff where {condition}"
        result = columns.run(sql, path, keys=keys)
        assert_same(key.decrypt(result, sql), asked(clear, sql), None)
        assert columns.duckdb(sql, path, keys=keys) == result
        job = pickle.loads(pickle.dumps(columns.Job(sql, path, keys=keys)))
        assert job.merge([job.compute(task) for task in job.tasks]) == result
        server = pickle.loads(pickle.dumps(columns.Server.of_file(path, keys=keys)))
        assert server.query(sql, pl.read_parquet(path)) == result
    with pytest.raises(fhe.MissingKeyError) as caught:
        columns.run("select count(*) from staff where amount > 5", path)
    assert caught.value.code == "missing_evaluation_keys" and caught.value.column == "amount"
    with pytest.raises(fhe.KeyMismatchError):
        columns.Server.of_file(path, keys=columns.keygen(COMPARED).evaluation_keys())
    with pytest.raises(fhe.QueryError, match="compare"):
        columns.keygen(CHEAP).evaluation_keys()


def test_duckdb_reads_one_file_a_path(key: columns.TableKey, tmp_path: Path) -> None:
    for name in ("a", "b"):
        key.encrypt(table(20)).write_parquet(tmp_path / f"{name}.parquet")
    sql, one = "select sum(amount) from staff", tmp_path / "a.parquet"
    for files in (tmp_path / "*.parquet", [one, tmp_path / "*.parquet"]):
        with pytest.raises(fhe.QueryError, match="names 2 files") as caught:
            columns.duckdb(sql, files)
        assert caught.value.code == "several_files"
    for ordered in (True, False):
        connection = duckdb.connect()
        connection.execute(f"set preserve_insertion_order = {ordered}")
        assert columns.duckdb(sql, one, connection=connection) == columns.run(sql, one)
        assert connection.execute("select current_setting('preserve_insertion_order')").fetchone() == (ordered,)


class Capsules:
    """The two capsules of an array, which are given again and again."""

    def __init__(self, batch: Any) -> None:
        self.pair = batch.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.pair


class EmptySchema(Capsules):
    """The capsules of an array, of which somebody has taken over the schema."""

    def __init__(self, batch: Any) -> None:
        super().__init__(batch)
        schema = batch.schema.__arrow_c_schema__()
        pa.Schema._import_from_c_capsule(schema)
        self.pair = (schema, self.pair[1])

    def __arrow_c_schema__(self) -> Any:
        return self.pair[0]


def test_emptied_capsules_are_refused(key: columns.TableKey) -> None:
    batch = table(20).to_batches()[0]
    once = Capsules(batch)
    key.encrypt(once)
    for read in (lambda: key.encrypt(once), lambda: key.encrypt(EmptySchema(batch))):
        with pytest.raises(fhe.KindError, match="capsules are empty") as caught:
            read()
        assert caught.value.code == "arrow"
    with pytest.raises(fhe.KindError, match="capsules are empty"):
        columns.Server(EmptySchema(batch))


def test_contents_of_other_packages_are_checked() -> None:
    key = columns.keygen(columns.Schema(a=columns.Encrypted("int8"), b=columns.Clear("text")))
    numbers, places = pa.array([1, 2], pa.int8()), np.array([0, 1, 2], np.int32)
    for data, offsets in ((b"a\xff", places), (b"ab", np.array([0, 9, 2], np.int32)), ("é".encode(), places)):
        text = pa.StringArray.from_buffers(2, pa.py_buffer(offsets), pa.py_buffer(data))
        batch = pa.record_batch({"a": numbers, "b": text})
        for clear in (batch, pa.table(batch), Capsules(batch)):
            with pytest.raises(fhe.KindError, match="column") as caught:
                key.encrypt(clear)
            assert caught.value.code == "arrow"


def test_large_blocks_are_read_a_few_at_a_time(tmp_path: Path) -> None:
    from fathom.columns import _parquet, _run

    path = tmp_path / "t.parquet"
    values = {"large": pa.array([bytes(3 << 20)] * 20), "s.mall": pa.array([[n] for n in range(20)])}
    pq.write_table(pa.table(values), path, row_group_size=4, compression="none", use_dictionary=False)
    assert 3 << 20 <= _parquet.block_bytes(path, ["large", "s.mall"]) < 4 << 20
    assert 1 <= _parquet.block_bytes(path, ["s.mall"]) < 200
    assert {batch.num_rows for batch in _parquet.batches(path, ["large"])} == {4}
    assert [batch.num_rows for batch in _parquet.batches(path, ["s.mall"])] == [20]
    assert [_run._step([10_000], size, 1) for size in (1 << 20, 3 << 20, 30 << 20)] == [256, 64, 16]


def test_answers_become_tables(key: columns.TableKey, encrypted: columns.Table) -> None:
    sql = "select dept, sum(amount) total, avg(amount) mean, count(*) n from staff group by dept"
    answer = key.decrypt(columns.Server(encrypted).query(sql), sql)
    assert answer.group_by == "dept" and answer.names == ["total", "mean", "n"]
    arrow = pa.table(answer)
    assert arrow.to_pylist() == list(answer) and arrow.schema.field("total").type == pa.int64()
    assert pl.DataFrame(answer).rows() == [tuple(row.values()) for row in answer]
    assert pickle.loads(pickle.dumps(answer)) == list(answer)
    for by, kind in (("year", pa.int64()), ("active", pa.bool_())):
        grouped = key.decrypt(columns.Server(encrypted).query(columns.Query("sum(age)", by=by)))
        assert pa.table(grouped).schema.field(by).type == kind and pa.table(grouped).to_pylist() == list(grouped)
    wide = columns.keygen(columns.Schema(v=columns.Encrypted("int64")))
    large = wide.encrypt(pa.table({"v": [2**63 - 1, 2**63 - 1]}))
    total = wide.decrypt(columns.Server(large).query("select sum(v) s from t"), "select sum(v) s from t")
    assert total == [{"s": 2**64 - 2}] and pa.table(total).to_pylist() == [{"s": 2**64 - 2}]


def test_keys_travel_as_bytes_and_are_not_pickled(key: columns.TableKey, encrypted: columns.Table) -> None:
    again = columns.TableKey.from_secret_bytes(key.to_secret_bytes())
    assert again.ids == key.ids and again.schema == WIDE and len(key.ids) == 1
    result = columns.Server(encrypted).query("select count(*) from t")
    assert again.decrypt(result) == [{"count(*)": 9000}]
    with pytest.raises(fhe.KindError, match="to_secret_bytes"):
        pickle.dumps(key)
    assert str(key.to_secret_bytes()) not in repr(key) and key.ids[0] in repr(key)
    with pytest.raises(fhe.KeyMismatchError) as caught:
        columns.keygen(WIDE).decrypt(result)
    assert caught.value.code == "other_key" and caught.value.found != caught.value.expected


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_servers_and_tables_are_pickled(encrypted: columns.Table, protocol: int) -> None:
    server, carried, query, schema = pickle.loads(
        pickle.dumps((columns.Server(encrypted), encrypted, QUERY, WIDE), protocol)
    )
    assert schema == WIDE and query == QUERY
    assert server.query(QUERY, carried) == columns.Server(encrypted).query(QUERY)
    again = columns.Server.from_bytes(server.to_bytes())
    assert again.metadata == server.metadata and again.schema == WIDE


def test_results_of_other_queries_and_damaged_ones_are_refused(key: columns.TableKey, encrypted: columns.Table) -> None:
    result = columns.Server(encrypted).query(QUERY)
    with pytest.raises(fhe.WireError, match="another query"):
        key.decrypt(result, "select count(*) from t")
    for at in (0, 20, len(result) // 2, len(result) - 1):
        damaged = bytearray(result)
        damaged[at] ^= 1
        for data in (damaged, result[:at]):
            with pytest.raises(fhe.WireError) as caught:
                key.decrypt(data)
            assert caught.value.code == "malformed" and caught.value.what == "a result of columns"


def test_damaged_ciphertexts_are_refused(key: columns.TableKey, encrypted: columns.Table) -> None:
    arrow = pa.table(encrypted)
    name = next(name for name in arrow.column_names if name.startswith("amount__values"))
    frames = [bytearray(frame) for frame in arrow[name].to_pylist()]
    frames[1][5000] ^= 1
    at = arrow.column_names.index(name)
    damaged = arrow.set_column(
        at, arrow.schema.field(at), pa.array([bytes(frame) for frame in frames], arrow[name].type)
    )
    with pytest.raises(fhe.WireError) as caught:
        columns.Server(encrypted).query(QUERY, damaged)
    assert (caught.value.code, caught.value.column, caught.value.block) == ("misplaced", name, 1)
    with pytest.raises(fhe.WireError, match="which holds no"):
        columns.Server(encrypted).query(QUERY, arrow.set_column(at, name, pa.array([1, 2, 3])))
    with pytest.raises(fhe.WireError, match="is missing"):
        columns.Server(encrypted).query(QUERY, arrow.drop_columns([name]))
    other = columns.keygen(WIDE).encrypt(table(10))
    with pytest.raises(fhe.KeyMismatchError) as mixed:
        columns.Server(encrypted).query(QUERY, other)
    assert mixed.value.code == "other_table"


def test_work_goes_on_in_forked_processes(key: columns.TableKey, encrypted: columns.Table) -> None:
    server = columns.Server(encrypted)
    expected = server.query(QUERY)
    clear = table(50)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            same = server.query(QUERY) == expected
            own = pa.table(key.encrypt(clear))["age__values_0"].to_pylist()[0]
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(bytes([same]) + own)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    assert os.waitpid(child, 0)[1] == 0 and data[0] == 1
    assert data[1:] != pa.table(key.encrypt(clear))["age__values_0"].to_pylist()[0]


def test_progress_counts_blocks_and_ctrl_c_ends_the_work(long: columns.Table) -> None:
    server = columns.Server(long)
    seen: list[tuple[int, int | None]] = []
    with fhe.progress(lambda done, total: seen.append((done, total)), total=long.blocks):
        server.query("select sum(amount) from t")
    assert seen[-1] == (291, 291) and seen == sorted(seen)
    before = time.monotonic()
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            server.query("select sum(amount) from t")
    assert time.monotonic() - before < 10


def test_other_threads_run_meanwhile(long: columns.Table) -> None:
    server, steps, done = columns.Server(long), 0, threading.Event()

    def count() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1

    other = threading.Thread(target=count)
    other.start()
    for _ in range(5):
        server.query("select dept, avg(age) from t group by dept")
    done.set()
    other.join()
    assert steps > 1000


def test_objects_are_not_made_by_hand() -> None:
    for kind in (columns.TableKey, columns.Table):
        with pytest.raises(fhe.KindError):
            kind()


def test_shows_public_facts_alone(key: columns.TableKey, encrypted: columns.Table) -> None:
    server = columns.Server(encrypted)
    for shown in (repr(encrypted), encrypted._repr_html_(), repr(server), server._repr_html_(), repr(WIDE)):
        assert "amount" in shown
    assert "9000" in repr(encrypted) and encrypted.nbytes > 500_000
    costs = CHEAP.costs()
    assert [cost.name for cost in costs] == ["amount", "age"]
    assert costs[0].bytes_a_row < 10 and costs[0].security_bits >= 128


def test_a_table_appears_whole_and_replaces_only_a_table(cheap: columns.TableKey, tmp_path: Path) -> None:
    path, clear, secret = tmp_path / "t.parquet", tmp_path / "clear.parquet", tmp_path / "key"
    rows = long_table(5000)
    cheap.encrypt(rows).write_parquet(path)
    pq.write_table(rows, clear)
    secret.write_bytes(cheap.to_secret_bytes())
    for kept in (clear, secret):
        before = kept.read_bytes()
        with pytest.raises(fhe.ResourceError, match="name another file"):
            cheap.encrypt(rows).write_parquet(kept)
        assert kept.read_bytes() == before
    # A reader beside a writer sees one table or the other, never a part.
    other, stop, failures = cheap.encrypt(rows), threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            try:
                pq.read_metadata(path)
            except (OSError, pa.ArrowInvalid) as error:
                failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(50):
        other.write_parquet(path)
    stop.set()
    reader.join()
    assert not failures
    assert sorted(file.name for file in tmp_path.iterdir()) == ["clear.parquet", "key", "t.parquet"]


def test_an_object_is_saved_over_no_key(cheap: columns.TableKey, tmp_path: Path) -> None:
    table, path = cheap.encrypt(long_table(10)), tmp_path / "object"
    server = columns.Server(table)
    server.save(path)
    server.save(path)
    assert columns.Server.open(path).to_bytes() == server.to_bytes()
    for secret in (cheap.to_secret_bytes(), fhe.keygen(int).to_secret_bytes()):
        path.write_bytes(secret)
        with pytest.raises(fhe.ResourceError, match="name another file"):
            server.save(path)
        assert path.read_bytes() == secret


def test_files_have_dictionaries_and_statistics_on_clear_columns(key: columns.TableKey, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    key.encrypt(table(9000)).write_parquet(path)
    group = pq.read_metadata(path).row_group(0)
    for chunk in map(group.column, range(group.num_columns)):
        is_clear = ".list." in chunk.path_in_schema or chunk.path_in_schema == "rows"
        assert chunk.is_stats_set == is_clear, chunk.path_in_schema
        assert ("RLE_DICTIONARY" in chunk.encodings) <= is_clear, chunk.path_in_schema
    assert "RLE_DICTIONARY" in next(
        chunk.encodings for chunk in map(group.column, range(group.num_columns)) if "dept" in chunk.path_in_schema
    )


def test_rows_are_read_back(tmp_path: Path) -> None:
    for schema, made in ((WIDE, table(9000)), (CHEAP, long_table(9000))):
        key = columns.keygen(schema)
        encrypted = key.encrypt(made)
        encrypted.write_parquet(tmp_path / f"{len(schema.clear)}.parquet")
        stored = columns.Table.read_parquet(tmp_path / f"{len(schema.clear)}.parquet")
        names = [*schema.encrypted, *schema.clear]
        for one in (encrypted, stored, pa.table(encrypted)):
            rows = key.read_rows(one)
            assert len(rows) == 9000 and list(rows.column_names) == names
            read, clear = pl.DataFrame(rows), pl.DataFrame(made).select(names).cast(dict(pl.DataFrame(rows).schema))
            if schema is CHEAP:
                # Rows are in the order of the groups within each block.
                read, clear = read.sort(names), clear.sort(names)
            assert read.equals(clear)
    assert "9000 of amount" in repr(key.read_rows(encrypted))


def test_rows_that_are_not_whole_or_of_another_key_are_refused() -> None:
    key, other = columns.keygen(WIDE), columns.keygen(WIDE)
    encrypted = pa.table(key.encrypt(table(9000)))
    with pytest.raises(fhe.KeyMismatchError):
        other.read_rows(encrypted)
    with pytest.raises(fhe.WireError, match="2 blocks were read of 3"):
        key.read_rows(encrypted.slice(0, 2))
    with pytest.raises(fhe.WireError):
        key.read_rows(pa.concat_tables([encrypted.slice(1, 2), encrypted.slice(0, 1)]))
    with pytest.raises(fhe.WireError):
        key.read_rows(pa.table({"v": [1]}))
