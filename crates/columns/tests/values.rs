//! Columns of dates, times and decimal numbers, and integers in doubles.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::support::schema;
use arrow_array::{
    Array, ArrayRef, Date32Array, Decimal128Array, Float64Array, Int32Array, Int64Array,
    RecordBatch, StringArray, TimestampMicrosecondArray, TimestampMillisecondArray,
};
use fathom_columns::{
    Answer, EncryptedResult, EncryptedType, Encryptor, Error, Query, Schema, Server, TableKey,
    TimeUnit, Value,
};
use std::sync::Arc;

const TYPED: &str = "
    [[encrypted]]
    name = 'day'
    type = 'date'
    range = ['2020-01-01', '2029-12-31']
    uses = ['compare']
    nulls = true
    [[encrypted]]
    name = 'at'
    type = 'timestamp[ms]'
    uses = ['select']
    [[encrypted]]
    name = 'price'
    type = 'decimal(9,2)'
    range = ['-1000.00', 99999.99]
    uses = ['variance', 'compare']
";

fn key() -> TableKey {
    TableKey::generate(&schema(TYPED)).unwrap()
}

/// Cents of the prices, days, and milliseconds.
const PRICES: [i128; 4] = [1234, -100_000, 9_999_999, 5];
const DAYS: [Option<i32>; 4] = [Some(18_262), None, Some(20_000), Some(21_914)];
const TIMES: [i64; 4] = [1_577_836_800_001, -1, 0, 1_900_000_000_000];

fn table() -> RecordBatch {
    let price = Decimal128Array::from(PRICES.to_vec()).with_precision_and_scale(20, 2).unwrap();
    RecordBatch::try_from_iter_with_nullable([
        ("day", Arc::new(Date32Array::from(DAYS.to_vec())) as ArrayRef, true),
        ("at", Arc::new(TimestampMillisecondArray::from(TIMES.to_vec())) as ArrayRef, false),
        ("price", Arc::new(price) as ArrayRef, false),
    ])
    .unwrap()
}

fn asked(key: &TableKey, table: &RecordBatch, text: &str) -> Result<Answer, Error> {
    let query: Query = serde_json::from_str(text).unwrap();
    let encryptor = Encryptor::new(key, table)?;
    let blocks = encryptor.blocks(0..encryptor.block_count())?;
    let server = Server::open(&blocks.schema())?;
    let server = match key.evaluation_keys()? {
        Some(keys) => server.with_evaluation_keys(&keys)?,
        None => server,
    };
    let mut computation = server.start(&query)?;
    computation.push(&blocks)?;
    let sent = computation.finish()?.to_bytes();
    key.decrypt(&EncryptedResult::from_bytes(&sent)?)
}

#[test]
fn rows_are_read_back_in_their_types() {
    let key = key();
    let encryptor = Encryptor::new(&key, &table()).unwrap();
    let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
    let mut reader = key.read_rows(&blocks.schema()).unwrap();
    let rows = reader.push(&blocks).unwrap();
    reader.finish().unwrap();
    for (column, own) in table().columns().iter().zip(rows.columns()).take(2) {
        assert_eq!(column, own);
    }
    let price = Decimal128Array::from(PRICES.to_vec()).with_precision_and_scale(9, 2).unwrap();
    assert_eq!(rows.column(2).as_ref(), &price as &dyn Array);
}

#[test]
fn sums_of_decimals_and_means_of_times_are_in_their_units() {
    let key = key();
    let answer = asked(
        &key,
        &table(),
        r#"{"aggregates": [{"sum": "price"}, {"mean": "price"}, {"mean": "day"}, {"mean": "at"},
            {"sum_of": {"factors": {"price": 2}, "constant": 3}}, {"stddev_pop": "price"}]}"#,
    );
    let values = answer.unwrap().rows.remove(0).values;
    let sum: i128 = PRICES.iter().sum();
    assert_eq!(values[0], Value::Decimal { units: sum, scale: 2 });
    assert_eq!(values[0].to_string(), "99012.38");
    assert_eq!(values[1], Value::Real(sum as f64 / 4.0 / 100.0));
    let days = 86_400 * (18_262 + 20_000 + 21_914) / 3;
    assert_eq!(values[2], Value::Time { count: days, unit: TimeUnit::Second });
    assert_eq!(values[2].to_string(), "2024-12-01 16:00:00");
    let mean = TIMES.iter().sum::<i64>() / 4;
    assert_eq!(values[3], Value::Time { count: mean, unit: TimeUnit::Millisecond });
    assert_eq!(values[4], Value::Decimal { units: 2 * sum + 4 * 300, scale: 2 });
    let Value::Real(deviation) = values[5] else { panic!("{:?} is no deviation", values[5]) };
    let mean = sum as f64 / 400.0;
    let squares = PRICES.iter().map(|price| (*price as f64 / 100.0 - mean).powi(2));
    assert!((deviation / (squares.sum::<f64>() / 4.0).sqrt() - 1.0).abs() < 1e-12);
    let shown = serde_json::to_value(Value::Decimal { units: -5, scale: 2 }).unwrap();
    assert_eq!(shown, serde_json::json!("-0.05"));
}

#[test]
fn conditions_on_dates_and_decimals_take_their_values() {
    let key = key();
    let count = |column: &str, relation: &str, literal: &str| {
        let query = format!(
            r#"{{"aggregates": ["count"], "filter": {{"compare": {{"column": "{column}",
                "relation": "{relation}", "literal": {literal}}}}}}}"#
        );
        match asked(&key, &table(), &query).map(|answer| answer.rows[0].values[0]) {
            Ok(Value::Count(count)) => Ok(count),
            Ok(other) => panic!("{other:?} is no count"),
            Err(error) => Err(error.to_string()),
        }
    };
    assert_eq!(count("day", "greater", r#""2020-01-01""#), Ok(2));
    assert_eq!(count("day", "less_or_equal", r#""2024-10-04""#), Ok(2));
    assert_eq!(count("price", "equal", "12.34"), Ok(1));
    assert_eq!(count("price", "greater", r#""12.335""#), Ok(2));
    assert_eq!(count("price", "less", "0.051"), Ok(2));
    assert_eq!(count("price", "greater_or_equal", "-1000"), Ok(4));
    let refused = count("day", "equal", "18262").unwrap_err();
    assert!(refused.contains("no constant of the type date"), "{refused}");
    let refused = count("day", "equal", r#""2020-02-30""#).unwrap_err();
    assert!(refused.contains("no constant of the type date"), "{refused}");
    let refused = count("at", "less", r#""2020-01-01""#).unwrap_err();
    assert!(refused.contains("declare a narrower `range`"), "{refused}");
}

#[test]
fn points_in_time_have_no_sums() {
    let key = key();
    for aggregate in [r#"{"sum": "day"}"#, r#"{"sum_of": {"factors": {"at": 2}}}"#] {
        let query = format!(r#"{{"aggregates": [{aggregate}]}}"#);
        let refused = asked(&key, &table(), &query).unwrap_err().to_string();
        assert!(refused.contains("counts and means"), "{refused}");
    }
}

#[test]
fn schemas_state_ranges_in_their_own_units() {
    let text = serde_json::to_string(&schema(TYPED)).unwrap();
    assert!(text.contains(r#""range":["2020-01-01","2029-12-31"]"#), "{text}");
    assert!(text.contains(r#""range":["-1000.00","99999.99"]"#), "{text}");
    assert_eq!(serde_json::from_str::<Schema>(&text).unwrap(), schema(TYPED));
    let refuse = |kind: &str, range: &str| {
        let text = format!("[[encrypted]]\nname = 'a'\ntype = '{kind}'\nrange = {range}\n");
        toml::from_str::<Schema>(&text).unwrap_err().to_string()
    };
    assert!(refuse("decimal(9,2)", "[0, 0.001]").contains("2 digits after the point"));
    assert!(refuse("date", "['2020-01-01', '2020-02-30']").contains("2020-01-31"));
    assert!(refuse("int8", "[0, 1.5]").contains("an integer"));
    assert!(refuse("decimal(19,2)", "[0, 1]").contains("up to 18 digits"));
    assert!(refuse("int7", "[0, 1]").contains("unknown type `int7`"));
    for kind in ["int8", "uint32", "date", "timestamp[s]", "timestamp[ns]", "decimal(18,18)"] {
        assert_eq!(kind.parse::<EncryptedType>().unwrap().to_string(), kind);
    }
    let outside = schema("[[encrypted]]\nname = 'a'\ntype = 'decimal(3,1)'\nrange = [0, 100]\n");
    let refused = outside.check().unwrap_err().to_string();
    assert!(refused.contains("within -99.9 to 99.9"), "{refused}");
}

/// The error of a table of one column `a`, or nothing if it is encrypted.
fn refused(kind: &str, array: ArrayRef) -> Option<String> {
    let text = format!("[[encrypted]]\nname = 'a'\ntype = '{kind}'\nnulls = true\n");
    let key = TableKey::generate(&schema(&text)).unwrap();
    let table = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
    Encryptor::new(&key, &table).err().map(|error| error.to_string())
}

#[test]
fn doubles_are_taken_where_they_are_integers() {
    let doubles = |values: Vec<Option<f64>>| Arc::new(Float64Array::from(values)) as ArrayRef;
    assert_eq!(refused("int32", doubles(vec![Some(-3.0), None, Some(-0.0), Some(7e8)])), None);
    let far = 9_007_199_254_740_994.0;
    for value in [0.5, f64::NAN, f64::INFINITY, far] {
        let text = refused("int64", doubles(vec![Some(1.0), Some(value)])).unwrap();
        assert!(text.contains("row 1") && text.contains("no integer"), "{text}");
        assert!(!text.contains("0.5"), "{text}");
    }
    assert!(refused("int8", doubles(vec![Some(200.0)])).unwrap().contains("-128 to 127"));
    assert_eq!(refused("decimal(5,2)", doubles(vec![Some(0.07), Some(-1.1), None])), None);
    for value in [0.1 + 0.2, far, f64::NAN] {
        let text = refused("decimal(18,2)", doubles(vec![Some(value)])).unwrap();
        assert!(text.contains("row 0"), "{text}");
    }
}

#[test]
fn values_that_would_be_rounded_are_refused_by_row() {
    let micros = |values: Vec<i64>| Arc::new(TimestampMicrosecondArray::from(values)) as ArrayRef;
    assert_eq!(refused("timestamp[ms]", micros(vec![1000, -2000])), None);
    let text = refused("timestamp[ms]", micros(vec![1000, 1001])).unwrap();
    assert!(text.contains("row 1"), "{text}");
    let zoned = Arc::new(TimestampMicrosecondArray::from(vec![0]).with_timezone("Europe/Oslo"));
    let text = refused("timestamp[us]", zoned).unwrap();
    assert!(text.contains("convert it to UTC"), "{text}");
    let thousandths = |values: Vec<i128>| {
        let array = Decimal128Array::from(values).with_precision_and_scale(30, 3).unwrap();
        Arc::new(array) as ArrayRef
    };
    assert_eq!(refused("decimal(5,2)", thousandths(vec![10, -99_990])), None);
    let text = refused("decimal(5,2)", thousandths(vec![10, 11])).unwrap();
    assert!(text.contains("row 1"), "{text}");
    let text = refused("decimal(5,2)", thousandths(vec![1_000_000])).unwrap();
    assert!(text.contains("-999.99 to 999.99"), "{text}");
    assert_eq!(refused("decimal(5,2)", Arc::new(Int32Array::from(vec![-999]))), None);
    assert!(refused("date", Arc::new(Int64Array::from(vec![1]))).unwrap().contains("date"));
    let text = refused("date", Arc::new(StringArray::from(vec!["2020-01-01"]))).unwrap();
    assert!(text.contains("Utf8"), "{text}");
}

const EVENTS: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int16'
    uses = ['filter']
    [[clear]]
    name = 'day'
    type = 'date'
    [[clear]]
    name = 'at'
    type = 'timestamp[ms]'
";

fn events() -> RecordBatch {
    let at =
        TimestampMicrosecondArray::from(vec![Some(1_577_836_800_001_000), None, Some(0), None]);
    RecordBatch::try_from_iter_with_nullable([
        ("amount", Arc::new(Int32Array::from(vec![1, 20, 300, 4000])) as ArrayRef, false),
        ("day", Arc::new(Date32Array::from(DAYS.to_vec())) as ArrayRef, true),
        // The table has another unit than the schema.
        ("at", Arc::new(at) as ArrayRef, true),
    ])
    .unwrap()
}

/// Rows are grouped and selected by clear dates and times, with constants in their own units, and
/// read back in their types.
#[test]
fn clear_dates_and_times_group_and_select_rows() {
    let key = TableKey::generate(&schema(EVENTS)).unwrap();
    let sums = |filter: &str| {
        let text = format!(r#"{{"aggregates": [{{"sum": "amount"}}]{filter}}}"#);
        let answer = asked(&key, &events(), &text).unwrap();
        answer.rows.iter().map(|row| (row.label.to_string(), row.values[0])).collect::<Vec<_>>()
    };
    let by_day = sums(r#", "group_by": "day""#);
    let expected = [("", 20), ("2020-01-01", 1), ("2024-10-04", 300), ("2029-12-31", 4000)];
    assert_eq!(by_day, expected.map(|(day, sum)| (day.to_owned(), Value::Sum(sum))));
    let by_time = sums(r#", "group_by": "at""#);
    let expected = [("", 4020), ("1970-01-01 00:00:00.000", 300), ("2020-01-01 00:00:00.001", 1)];
    assert_eq!(by_time, expected.map(|(at, sum)| (at.to_owned(), Value::Sum(sum))));
    let one = |column: &str, relation: &str, literal: &str| {
        let filter = format!(
            r#", "filter": {{"compare": {{"column": "{column}", "relation": "{relation}",
                 "literal": "{literal}"}}}}"#
        );
        sums(&filter)[0].1
    };
    assert_eq!(one("day", "equal", "2020-01-01"), Value::Sum(1));
    assert_eq!(one("day", "greater", "2020-01-01"), Value::Sum(4300));
    assert_eq!(one("day", "not_equal", "2024-10-04"), Value::Sum(4001));
    assert_eq!(one("at", "greater", "2020-01-01"), Value::Sum(1));
    assert_eq!(one("at", "less_or_equal", "2020-01-01T00:00:00.001"), Value::Sum(301));
    // A constant between two milliseconds equals neither.
    for (relation, sum) in [("less", 301), ("less_or_equal", 301), ("not_equal", 301)] {
        assert_eq!(one("at", relation, "2020-01-01 00:00:00.0015"), Value::Sum(sum), "{relation}");
    }
    for relation in ["greater", "greater_or_equal", "equal"] {
        assert_eq!(one("at", relation, "2020-01-01 00:00:00.0015"), Value::Null, "{relation}");
    }
    let filter = r#", "filter": {"compare": {"column": "day", "relation": "less", "literal": 5}}"#;
    let text = format!(r#"{{"aggregates": ["count"]{filter}}}"#);
    let refused = asked(&key, &events(), &text).unwrap_err();
    assert!(refused.to_string().contains("constant of the type date"), "{refused}");
    let encryptor = Encryptor::new(&key, &events()).unwrap();
    let mut reader = key.read_rows(&encryptor.arrow_schema()).unwrap();
    let rows = reader.push(&encryptor.blocks(0..1).unwrap()).unwrap();
    assert_eq!(rows.column(1).as_ref(), events().column(1).as_ref());
    assert!(rows.column(2).as_any().is::<TimestampMillisecondArray>());
    assert_eq!(serde_json::to_value(key.schema()).unwrap()["clear"][1]["type"], "timestamp[ms]");
}

/// The error of a table with this clear column beside an encrypted one.
fn clear_refused(kind: &str, array: ArrayRef) -> Option<String> {
    let text = format!(
        "[[encrypted]]\nname = 'a'\ntype = 'int8'\n[[clear]]\nname = 'c'\ntype = '{kind}'\n"
    );
    let key = TableKey::generate(&schema(&text)).unwrap();
    let amount = Arc::new(Int32Array::from(vec![1; array.len()])) as ArrayRef;
    let table = RecordBatch::try_from_iter_with_nullable([("a", amount, true), ("c", array, true)]);
    Encryptor::new(&key, &table.unwrap()).err().map(|error| error.to_string())
}

#[test]
fn clear_values_that_would_be_rounded_are_refused_by_row() {
    let doubles = |values: Vec<f64>| Arc::new(Float64Array::from(values)) as ArrayRef;
    assert_eq!(clear_refused("int64", doubles(vec![1.0, -7.0])), None);
    let text = clear_refused("int64", doubles(vec![1.0, 0.5])).unwrap();
    assert!(text.contains("row 1") && text.contains("round the column"), "{text}");
    let zoned = Arc::new(TimestampMicrosecondArray::from(vec![0]).with_timezone("Europe/Oslo"));
    let text = clear_refused("timestamp[us]", zoned).unwrap();
    assert!(text.contains("convert it to UTC without a zone"), "{text}");
    let text = clear_refused("date", Arc::new(Date32Array::from(vec![0, i32::MAX]))).unwrap();
    assert!(text.contains("row 1") && text.contains("9999-12-31"), "{text}");
    let micros = Arc::new(TimestampMicrosecondArray::from(vec![1_000_000, 1]));
    let text = clear_refused("timestamp[s]", micros).unwrap();
    assert!(text.contains("row 1") && text.contains("declare the unit"), "{text}");
    let unknown =
        toml::from_str::<Schema>("encrypted = []\n[[clear]]\nname = 'c'\ntype = 'time'\n");
    let text = unknown.unwrap_err().to_string();
    assert!(text.contains("unknown type `time`") && text.contains("timestamp[us]"), "{text}");
}
