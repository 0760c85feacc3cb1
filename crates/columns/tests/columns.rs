//! Encrypted tables against the computation on clear data. The server gets bytes only.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "every other variant fails the test")]
#![allow(clippy::float_cmp, reason = "the same computation gives the same number")]

use crate::support::{Clear, MASKED, PLAIN, all_of, ask, encrypt, folder, query, schema, serve};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray,
    UInt64Array,
};
use fathom_columns::files::EncryptedFile;
use fathom_columns::{
    Aggregate, Comparison, EncryptedResult, Encryptor, Error, Label, Literal, Predicate, Query,
    Server, TableKey, Use, Value, plan, read_table,
};
use std::path::PathBuf;
use std::sync::Arc;

#[test]
fn totals_of_a_table_are_those_of_the_clear_data() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    for rows in [0, 1, 4095, 4096, 4097, 20_000] {
        let clear = Clear::random(rows, 7, 0);
        let key = TableKey::generate(&schema(PLAIN)).unwrap();
        encrypt(&key, &clear, &path);
        let got = ask(&key, &path, &query(all_of("amount"))).rows.remove(0).values;
        let (n, sum, mean, _) = Clear::totals(clear.amount.iter().copied());
        let all = [Value::Count(n), Value::Count(n), Value::Sum(sum), Value::Real(mean)];
        let none = [Value::Count(0), Value::Count(0), Value::Null, Value::Null];
        assert_eq!(got, if rows == 0 { none } else { all }, "{rows} rows");
    }
}

#[test]
fn groups_of_the_declared_key_and_missing_values_are_exact() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let clear = Clear::random(30_000, 3, 0);
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    encrypt(&key, &clear, &path);
    let mut aggregates = all_of("amount");
    aggregates.extend([Aggregate::CountOf("age".into()), Aggregate::VarPop("age".into())]);
    let grouped = Query { group_by: vec!["dept".into()], ..query(aggregates) };
    let answer = ask(&key, &path, &grouped);
    assert_eq!(answer.rows.len(), 12);
    for row in &answer.rows {
        let dept = match &row.label {
            Label::Text(text) => Some(text.clone()),
            _ => None,
        };
        let own = |i: &usize| clear.dept[*i] == dept;
        let rows: Vec<usize> = (0..30_000).filter(own).collect();
        let (n, sum, mean, _) = Clear::totals(rows.iter().map(|&i| clear.amount[i]));
        let (ages, _, _, variance) = Clear::totals(rows.iter().map(|&i| clear.age[i]));
        assert_eq!(row.values[..3], [Value::Count(n), Value::Count(n), Value::Sum(sum)]);
        assert_eq!(row.values[3..5], [Value::Real(mean), Value::Count(ages)]);
        assert_close(row.values[5], variance);
    }
}

fn assert_close(value: Value, expected: f64) {
    let Value::Real(value) = value else { panic!("{value:?} is not a real number") };
    assert!((value / expected - 1.0).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn any_predicate_and_any_group_select_rows() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let clear = Clear::random(9000, 5, 10);
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    encrypt(&key, &clear, &path);
    let text = |text: &str| Literal::Text(text.to_owned());
    let filter = Predicate::All(vec![
        Predicate::In { column: "dept".into(), literals: vec![text("dept 3"), text("dept 4")] },
        Predicate::Any(vec![
            Predicate::compare("score", Comparison::GreaterOrEqual, Literal::Int(50)),
            Predicate::Not(Box::new(Predicate::Not(Box::new(Predicate::IsNull {
                column: "score".into(),
            })))),
        ]),
    ]);
    let mut aggregates = all_of("amount");
    aggregates.push(Aggregate::VarSamp("amount".into()));
    let asked = Query { aggregates, filter: Some(filter), group_by: vec!["dept".into()] };
    let answer = ask(&key, &path, &asked);
    assert_eq!(answer.rows.len(), 2);
    for (row, dept) in answer.rows.iter().zip(["dept 3", "dept 4"]) {
        let own = |i: &usize| {
            clear.dept[*i].as_deref() == Some(dept) && clear.score[*i].is_none_or(|s| s >= 50.0)
        };
        let rows: Vec<usize> = (0..9000).filter(own).collect();
        let (n, sum, mean, variance) = Clear::totals(rows.iter().map(|&i| clear.amount[i]));
        let counts = [Value::Count(rows.len() as u64), Value::Count(n)];
        assert_eq!(row.values[..2], counts);
        assert_eq!(row.values[2..4], [Value::Sum(sum), Value::Real(mean)]);
        assert_close(row.values[4], variance * n as f64 / (n - 1) as f64);
    }
}

#[test]
fn a_condition_on_a_missing_value_selects_nothing_either_way() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let clear = Clear::random(5000, 9, 10);
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    encrypt(&key, &clear, &path);
    let low = Predicate::compare("score", Comparison::Less, Literal::Float(20.0));
    let count = |filter: Predicate| {
        let asked = Query { filter: Some(filter), ..query(vec![Aggregate::Count]) };
        match ask(&key, &path, &asked).rows[0].values[0] {
            Value::Count(count) => count,
            other => panic!("{other:?} is no count"),
        }
    };
    let known = clear.score.iter().filter(|score| score.is_some()).count() as u64;
    let both = count(low.clone()) + count(Predicate::Not(Box::new(low)));
    assert_eq!(both, known);
    let missing = clear.amount.iter().filter(|amount| amount.is_none()).count() as u64;
    assert_eq!(count(Predicate::IsNull { column: "amount".into() }), missing);
}

#[test]
fn bytes_of_a_result_depend_neither_on_threads_nor_on_batches() {
    let clear = Clear::random(300_000, 11, 10);
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    let encryptor = Encryptor::new(&key, &clear.batch()).unwrap();
    let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
    let server = Server::open(&blocks.schema()).unwrap();
    let asked = Query {
        filter: Some(Predicate::compare("score", Comparison::Less, Literal::Int(90))),
        ..query(all_of("amount"))
    };
    let run = |threads: usize, batch: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut computation = server.start(&asked).unwrap();
            for first in (0..blocks.num_rows()).step_by(batch) {
                let count = batch.min(blocks.num_rows() - first);
                computation.push(&blocks.slice(first, count)).unwrap();
            }
            computation.finish().unwrap().to_bytes()
        })
    };
    let expected = run(1, 1000);
    for (threads, batch) in [(2, 1000), (3, 64), (2, 7), (1, 1)] {
        assert!(run(threads, batch) == expected, "{threads} threads, batches of {batch}");
    }
}

#[test]
fn sums_of_more_blocks_than_a_ciphertext_holds_do_not_wrap() {
    // All values are the greatest: 300 blocks, of which 256 fill the plaintext modulus.
    let text = "
        [[encrypted]]
        name = 'a'
        type = 'uint16'
    ";
    let key = TableKey::generate(&schema(text)).unwrap();
    let rows = 300 * 4096;
    let column = Arc::new(Int32Array::from(vec![65_535; rows])) as _;
    let table = RecordBatch::try_from_iter([("a", column)]).unwrap();
    let encryptor = Encryptor::new(&key, &table).unwrap();
    let server = Server::open(&encryptor.arrow_schema()).unwrap();
    let mut computation = server.start(&query(vec![Aggregate::Sum("a".into())])).unwrap();
    for first in (0..300).step_by(50) {
        computation.push(&encryptor.blocks(first..first + 50).unwrap()).unwrap();
    }
    let answer = key.decrypt(&computation.finish().unwrap()).unwrap();
    assert_eq!(answer.rows[0].values, [Value::Sum(65_535 * rows as i128)]);
}

#[test]
fn masked_sums_of_more_blocks_than_a_ciphertext_holds_do_not_wrap() {
    let text = "
        [[encrypted]]
        name = 'a'
        type = 'uint16'
        uses = ['filter']
        [[clear]]
        name = 'even'
        type = 'bool'
    ";
    let key = TableKey::generate(&schema(text)).unwrap();
    let rows = 300 * 4096;
    let greatest = Arc::new(Int32Array::from(vec![65_535; rows])) as _;
    let even = Arc::new((0..rows).map(|row| Some(row % 2 == 0)).collect::<BooleanArray>()) as _;
    let table = RecordBatch::try_from_iter([("a", greatest), ("even", even)]).unwrap();
    let encryptor = Encryptor::new(&key, &table).unwrap();
    let server = Server::open(&encryptor.arrow_schema()).unwrap();
    let even = Predicate::compare("even", Comparison::Equal, Literal::Bool(true));
    let asked = Query { filter: Some(even), ..query(vec![Aggregate::Sum("a".into())]) };
    let mut computation = server.start(&asked).unwrap();
    for first in (0..300).step_by(50) {
        computation.push(&encryptor.blocks(first..first + 50).unwrap()).unwrap();
    }
    let answer = key.decrypt(&computation.finish().unwrap()).unwrap();
    assert_eq!(answer.rows[0].values, [Value::Sum(65_535 * rows as i128 / 2)]);
}

#[test]
fn appended_files_are_joined() {
    let folder = folder();
    let paths = ["a.parquet", "b.parquet"].map(|name| folder.path().join(name));
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let parts = [Clear::random(6000, 1, 0), Clear::random(2000, 2, 0)];
    for (path, clear) in paths.iter().zip(&parts) {
        encrypt(&key, clear, path);
    }
    let asked = Query { group_by: vec!["dept".into()], ..query(all_of("amount")) };
    let read = |path: &PathBuf| EncryptedResult::from_bytes(&serve(path, &asked).unwrap()).unwrap();
    let joined = EncryptedResult::join(paths.iter().map(read).collect()).unwrap();
    for row in &key.decrypt(&joined).unwrap().rows {
        let own = parts.iter().flat_map(|clear| {
            let pairs = clear.dept.iter().zip(&clear.amount);
            pairs.filter(|(dept, _)| match &row.label {
                Label::Text(text) => dept.as_ref() == Some(text),
                _ => dept.is_none(),
            })
        });
        let (n, sum, mean, _) = Clear::totals(own.map(|(_, amount)| *amount));
        let expected = [Value::Count(n), Value::Count(n), Value::Sum(sum), Value::Real(mean)];
        assert_eq!(row.values, expected);
    }
    let other = TableKey::generate(&schema(PLAIN)).unwrap();
    assert!(matches!(other.decrypt(&joined), Err(Error::OtherKey { .. })));
}

#[test]
fn a_refused_query_names_the_use_that_serves_and_its_price() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    encrypt(&key, &Clear::random(100, 1, 0), &path);
    let refused = |query: &Query| serve(&path, query).unwrap_err();
    let amounts = || query(vec![Aggregate::Sum("amount".into())]);
    let by_year = Query { group_by: vec!["year".into()], ..amounts() };
    let selected = Query {
        filter: Some(Predicate::compare("year", Comparison::Equal, Literal::Int(2001))),
        ..amounts()
    };
    let with = |needed: Use| {
        let mut schema = schema(PLAIN);
        schema.encrypted[0].uses.insert(needed);
        plan(&schema).unwrap()[0].bytes_a_row
    };
    let own = plan(&schema(PLAIN)).unwrap()[0].bytes_a_row;
    for (query, expected) in [(by_year, Use::Filter), (selected, Use::Filter)] {
        let Error::MissingUse { needed, price, present, .. } = refused(&query) else {
            panic!("another error");
        };
        assert_eq!((needed, price, present), (expected, with(expected), own));
    }
    let variance = refused(&query(vec![Aggregate::VarPop("amount".into())]));
    let Error::MissingUse { needed: Use::Variance, price, .. } = &variance else {
        panic!("{variance}");
    };
    assert_eq!(*price, with(Use::Variance));
    assert!(variance.to_string().contains("`variance`"), "{variance}");
    // The remedy serves: the same query on a table with the use.
    let mut served = schema(PLAIN);
    served.encrypted[0].uses.insert(Use::Variance);
    let key = TableKey::generate(&served).unwrap();
    encrypt(&key, &Clear::random(100, 1, 0), &path);
    serve(&path, &query(vec![Aggregate::VarPop("amount".into())])).unwrap();
}

#[test]
fn queries_that_no_layout_serves_say_why() {
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    let encryptor = Encryptor::new(&key, &Clear::random(10, 1, 10).batch()).unwrap();
    let server = Server::open(&encryptor.arrow_schema()).unwrap();
    let text = |query: Query| match server.start(&query) {
        Ok(_) => panic!("it is served"),
        Err(error) => error.to_string(),
    };
    let compare = |column, literal| {
        let filter = Some(Predicate::compare(column, Comparison::Less, literal));
        Query { filter, ..query(vec![Aggregate::Count]) }
    };
    assert!(text(compare("amount", Literal::Int(1))).contains("use `compare`"));
    assert!(text(compare("nothing", Literal::Int(1))).contains("amount, dept, score"));
    assert!(text(compare("dept", Literal::Int(1))).contains("type text"));
    let by =
        |column: &str| Query { group_by: vec![column.into()], ..query(vec![Aggregate::Count]) };
    assert!(text(by("amount")).contains("encrypted"));
    assert!(text(by("score")).contains("double precision"));
    assert!(text(query(vec![Aggregate::Sum("dept".into())])).contains("clear"));
    assert!(text(query(Vec::new())).contains("0 aggregates"));
}

#[test]
fn more_groups_than_a_result_holds_are_refused() {
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    let mut clear = Clear::random(1025, 1, 10);
    clear.dept = (0..1025).map(|i| Some(i.to_string())).collect();
    let encryptor = Encryptor::new(&key, &clear.batch()).unwrap();
    let blocks = encryptor.blocks(0..1).unwrap();
    let server = Server::open(&blocks.schema()).unwrap();
    let asked = Query { group_by: vec!["dept".into()], ..query(all_of("amount")) };
    let refused = server.start(&asked).unwrap().push(&blocks).unwrap_err();
    assert!(matches!(refused, Error::Groups { count: 1025, limit: 1024, .. }), "{refused}");
}

#[test]
fn values_outside_the_schema_are_refused_before_encryption() {
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let mut clear = Clear::random(10, 1, 0);
    clear.age[7] = Some(151);
    let refused = |clear: &Clear| Encryptor::new(&key, &clear.batch()).err().unwrap();
    let outside = refused(&clear);
    assert!(matches!(outside, Error::ValueOutOfRange { row: 7, .. }));
    assert!(outside.to_string().contains("range 0 to 150"), "{outside}");
    clear.age[7] = None;
    clear.amount[3] = None;
    assert!(matches!(refused(&clear), Error::Null { row: 3, .. }));
    clear.amount[3] = Some(1);
    let short = clear.batch().project(&[0, 1, 2]).unwrap();
    assert!(matches!(Encryptor::new(&key, &short), Err(Error::Type { .. })));
}

#[test]
fn a_csv_file_is_read_as_its_schema_says() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_table(&path, &schema(MASKED))
    };
    let table = read("score,dept,amount\n1.5,a,-3\n,,\n").unwrap();
    let expected = [
        ("amount", Arc::new(Int64Array::from(vec![Some(-3), None])) as _, true),
        ("dept", Arc::new(StringArray::from(vec![Some("a"), None])) as _, true),
        ("score", Arc::new(Float64Array::from(vec![Some(1.5), None])) as _, true),
    ];
    assert_eq!(table, RecordBatch::try_from_iter_with_nullable(expected).unwrap());
    let wrong = read("score,dept,amount\n1,a,1\n1,b,x\n").unwrap_err();
    assert!(matches!(wrong, Error::Cell { line: 3, .. }), "{wrong}");
    assert!(matches!(read("dept,amount\n"), Err(Error::Type { .. })));
}

#[test]
fn keys_are_read_back_and_hide_their_secrets() {
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    let bytes = key.to_secret_bytes();
    let again = TableKey::from_secret_bytes(&bytes).unwrap();
    assert_eq!(again.to_secret_bytes(), bytes);
    assert!(format!("{key:?}").contains("hidden"));
    assert!(TableKey::from_secret_bytes(&bytes[..bytes.len() - 1]).is_err());
}

/// JSON from the command line: nothing in it is passed over, and numbers are those written.
#[test]
fn predicates_are_read_to_the_letter() {
    let read = |text: &str| serde_json::from_str::<Predicate>(text);
    let negated = r#"{"in": {"column": "dept", "literals": ["eng"], "negate": true}}"#;
    assert!(read(negated).is_err());
    for number in ["94.52706955539223", "0.1", "5e-324", "1.7976931348623157e308"] {
        let literal = Literal::Float(number.parse().unwrap());
        let text = format!(
            r#"{{"compare": {{"column": "x", "relation": "equal", "literal": {number}}}}}"#
        );
        assert_eq!(read(&text).unwrap(), Predicate::compare("x", Comparison::Equal, literal));
    }
}

/// Rows come back with their values, missing ones too; with a declared key, in another order.
#[test]
fn rows_are_read_back() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let clear = Clear::random(9000, 21, 4);
    for text in
        [MASKED.to_owned(), MASKED.replace("type = 'text'", "type = 'text'\ngroup_by = true")]
    {
        let key = TableKey::generate(&schema(&text)).unwrap();
        encrypt(&key, &clear, &path);
        let file = EncryptedFile::open(&path).unwrap();
        let (mut found, mut done) = (Vec::new(), 0);
        file.decrypt_rows(&key, |bytes| found.extend_from_slice(bytes), |n| done = n).unwrap();
        assert_eq!(done, 3);
        let found = String::from_utf8(found).unwrap();
        let mut lines = found.lines();
        assert_eq!(lines.next(), Some("amount,dept,score"));
        let mut found: Vec<_> = lines.map(String::from).collect();
        let shown = |value: Option<String>| value.unwrap_or_default();
        let mut expected: Vec<_> = (0..9000)
            .map(|row| {
                let amount = shown(clear.amount[row].map(|value| value.to_string()));
                let score = shown(clear.score[row].map(|value| value.to_string()));
                format!("{amount},{},{score}", shown(clear.dept[row].clone()))
            })
            .collect();
        if text != MASKED {
            assert_ne!(found, expected);
            found.sort();
            expected.sort();
        }
        assert_eq!(found, expected);
    }
}

/// A damaged table is not read in part, and a strange key reads nothing.
#[test]
fn rows_of_other_keys_places_and_parts_of_tables_are_refused() {
    let [key, other] = [(); 2].map(|()| TableKey::generate(&schema(MASKED)).unwrap());
    let encryptor = Encryptor::new(&key, &Clear::random(9000, 3, 4).batch()).unwrap();
    let blocks = encryptor.blocks(0..3).unwrap();
    assert!(matches!(other.read_rows(&blocks.schema()), Err(Error::OtherKey { .. })));
    let mut reader = key.read_rows(&blocks.schema()).unwrap();
    let refused = reader.push(&blocks.slice(1, 1)).unwrap_err();
    assert!(matches!(refused, Error::Misplaced { block: 0, .. }), "{refused}");
    let mut reader = key.read_rows(&blocks.schema()).unwrap();
    assert_eq!(reader.push(&blocks.slice(0, 2)).unwrap().num_rows(), 8192);
    assert!(matches!(reader.finish(), Err(Error::Malformed { .. })));
}

/// Integers beyond 64 bits with a sign are named by their row.
#[test]
fn integers_beyond_64_bits_are_named_by_their_row() {
    let text = "[[encrypted]]\nname = 'a'\ntype = 'int64'\n[[clear]]\nname = 'b'\ntype = 'int64'";
    let key = TableKey::generate(&schema(text)).unwrap();
    let large = Arc::new(UInt64Array::from(vec![1, 2, 1 << 63])) as ArrayRef;
    let small = Arc::new(UInt64Array::from(vec![1, 2, (1 << 63) - 1])) as ArrayRef;
    for (a, b, column) in [(&large, &small, "a"), (&small, &large, "b")] {
        let table = RecordBatch::try_from_iter([("a", a.clone()), ("b", b.clone())]).unwrap();
        let refused = Encryptor::new(&key, &table).err().unwrap().to_string();
        let named = format!("column {column:?} is UInt64 with a value above 2^63 - 1 in row 2");
        assert!(refused.starts_with(&named), "{refused}");
    }
    let fits = RecordBatch::try_from_iter([("a", small.clone()), ("b", small)]).unwrap();
    assert!(Encryptor::new(&key, &fits).is_ok());
}
