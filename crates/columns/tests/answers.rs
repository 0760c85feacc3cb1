//! Aggregates that the client finishes, groups of several columns, and the order of answers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::float_cmp, reason = "the same computation gives the same number")]

use crate::support::{query, schema};
use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use fathom_columns::{
    Aggregate, Answer, Combination, Comparison, Direction, EncryptedResult, Encryptor, Error,
    Label, Literal, Predicate, Query, Server, SortKey, TableKey, Value,
};
use std::sync::Arc;

const ORDERS: &str = "
    [[encrypted]]
    name = 'price'
    type = 'int32'
    uses = ['variance', 'filter']
    [[encrypted]]
    name = 'paid'
    type = 'int16'
    uses = ['filter']
    nulls = true
    [[clear]]
    name = 'shop'
    type = 'text'
    [[clear]]
    name = 'year'
    type = 'int64'
    [[clear]]
    name = 'online'
    type = 'bool'
";
const ROWS: usize = 5000;

struct Orders {
    price: Vec<i64>,
    paid: Vec<Option<i64>>,
    shop: Vec<Option<&'static str>>,
    year: Vec<Option<i64>>,
    online: Vec<Option<bool>>,
}

impl Orders {
    fn new() -> Orders {
        let rows = || 0..ROWS as i64;
        Orders {
            price: rows().map(|row| row * 7919 % 100_003 - 50_000).collect(),
            paid: rows().map(|row| (row % 9 > 0).then_some(row * 31 % 2001 - 1000)).collect(),
            shop: rows().map(|row| ["a", "b, c"].get(row as usize % 3).copied()).collect(),
            year: rows().map(|row| (row % 5 > 0).then_some(2000 + row % 4)).collect(),
            online: rows().map(|row| (row % 7 > 0).then_some(row % 2 == 0)).collect(),
        }
    }

    fn batch(&self) -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable([
            ("price", Arc::new(Int64Array::from(self.price.clone())) as ArrayRef, false),
            ("paid", Arc::new(Int64Array::from(self.paid.clone())) as ArrayRef, true),
            ("shop", Arc::new(StringArray::from(self.shop.clone())) as ArrayRef, true),
            ("year", Arc::new(Int64Array::from(self.year.clone())) as ArrayRef, true),
            ("online", Arc::new(BooleanArray::from(self.online.clone())) as ArrayRef, true),
        ])
        .unwrap()
    }
}

struct Parties {
    clear: Orders,
    key: TableKey,
    blocks: RecordBatch,
}

impl Parties {
    fn new() -> Parties {
        let (clear, key) = (Orders::new(), TableKey::generate(&schema(ORDERS)).unwrap());
        let encryptor = Encryptor::new(&key, &clear.batch()).unwrap();
        let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
        Parties { clear, key, blocks }
    }

    fn ask(&self, asked: &Query) -> Result<Answer, Error> {
        let server = Server::open(&self.blocks.schema()).unwrap();
        let mut computation = server.start(asked)?;
        computation.push(&self.blocks)?;
        let sent = computation.finish()?.to_bytes();
        self.key.decrypt(&EncryptedResult::from_bytes(&sent)?)
    }
}

fn combination(factors: &[(&str, i64)], constant: i64) -> Combination {
    let factors = factors.iter().map(|(name, factor)| ((*name).to_owned(), *factor));
    Combination { factors: factors.collect(), constant }
}

fn is_there(column: &str) -> Predicate {
    Predicate::Not(Box::new(Predicate::IsNull { column: column.to_owned() }))
}

#[test]
fn groups_of_several_columns_are_all_pairs_that_occur() {
    let parties = Parties::new();
    let clear = &parties.clear;
    let group_by = vec!["shop".to_owned(), "year".to_owned(), "online".to_owned()];
    let asked = Query {
        group_by: group_by.clone(),
        ..query(vec![Aggregate::Count, Aggregate::Sum("price".into())])
    };
    let answer = parties.ask(&asked).unwrap();
    assert_eq!(answer.group_by, group_by);
    let labels = |row: usize| {
        Label::Several(vec![
            clear.shop[row].map_or(Label::Null, |own| Label::Text(own.to_owned())),
            clear.year[row].map_or(Label::Null, Label::Int),
            clear.online[row].map_or(Label::Null, Label::Bool),
        ])
    };
    let mut expected = std::collections::BTreeMap::<Label, (u64, i128)>::new();
    for row in 0..ROWS {
        let own = expected.entry(labels(row)).or_default();
        *own = (own.0 + 1, own.1 + i128::from(clear.price[row]));
    }
    let found = answer.rows.iter().map(|row| (row.label.clone(), row.values.clone()));
    let expected = expected
        .into_iter()
        .map(|(label, (count, sum))| (label, vec![Value::Count(count), Value::Sum(sum)]));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    // Odd years have odd rows, of which none is online.
    assert_eq!(answer.rows.len(), 3 * (4 * 2 + 3));
}

#[test]
fn combinations_are_those_of_the_clear_rows() {
    let parties = Parties::new();
    let clear = &parties.clear;
    let both = combination(&[("price", 3), ("paid", -2)], 5);
    let scaled = combination(&[("paid", -7)], 1);
    let aggregates = vec![
        Aggregate::SumOf(both.clone()),
        Aggregate::MeanOf(both.clone()),
        Aggregate::SumOf(scaled.clone()),
    ];
    assert_eq!(aggregates[0].to_string(), "sum(-2 * paid + 3 * price + 5)");
    let asked = Query { filter: Some(is_there("paid")), ..query(aggregates.clone()) };
    let rows = || (0..ROWS).filter_map(|row| Some((clear.price[row], clear.paid[row]?)));
    let sum: i128 = rows().map(|(price, paid)| i128::from(3 * price - 2 * paid + 5)).sum();
    let single: i128 = rows().map(|(_, paid)| i128::from(1 - 7 * paid)).sum();
    let mean = Value::Real(sum as f64 / rows().count() as f64);
    let expected = [Value::Sum(sum), mean, Value::Sum(single)];
    assert_eq!(parties.ask(&asked).unwrap().rows[0].values, expected);
    // Missing values of one column need no condition, and those of two would count other rows.
    let alone = query(vec![Aggregate::SumOf(scaled)]);
    assert_eq!(parties.ask(&alone).unwrap().rows[0].values, [Value::Sum(single)]);
    let refused = parties.ask(&query(aggregates)).unwrap_err().to_string();
    assert!(refused.contains("not null") && refused.contains("paid"), "{refused}");
    let wide = query(vec![Aggregate::SumOf(combination(&[("price", 1 << 33)], 0))]);
    let refused = parties.ask(&wide).unwrap_err().to_string();
    assert!(refused.contains("exceeds 2^32"), "{refused}");
}

#[test]
fn deviations_are_the_roots_of_variances() {
    let parties = Parties::new();
    let of = |aggregate: fn(String) -> Aggregate| aggregate("price".to_owned());
    let aggregates = [
        of(Aggregate::VarPop),
        of(Aggregate::StddevPop),
        of(Aggregate::VarSamp),
        of(Aggregate::StddevSamp),
    ];
    let answer = parties.ask(&query(aggregates.to_vec())).unwrap();
    assert_eq!(answer.aggregates[3], "stddev_samp(price)");
    let values = &answer.rows[0].values;
    for pair in values.chunks(2) {
        let [Value::Real(variance), Value::Real(deviation)] = pair else { panic!("{pair:?}") };
        assert_eq!(variance.sqrt(), *deviation);
    }
    // The deviation of a sample of one, and of none, is missing.
    let nobody = Predicate::compare("year", Comparison::Equal, Literal::Int(1));
    let asked = Query { filter: Some(nobody), ..query(vec![of(Aggregate::StddevPop)]) };
    assert_eq!(parties.ask(&asked).unwrap().rows[0].values, [Value::Null]);
}

fn row(label: Label, values: Vec<Value>) -> fathom_columns::AnswerRow {
    fathom_columns::AnswerRow { label, values }
}

/// An answer with sums beyond doubles, missing values, and means.
fn answer() -> Answer {
    let text = |text: &str| Label::Text(text.to_owned());
    let big = 1i128 << 80;
    Answer {
        group_by: vec!["shop".to_owned()],
        aggregates: vec!["sum(a)".to_owned(), "mean(a)".to_owned(), "sum(b)".to_owned()],
        tables: Vec::new(),
        rows: vec![
            row(Label::Null, vec![Value::Sum(3), Value::Real(0.1), Value::Null]),
            row(text("a"), vec![Value::Sum(big + 1), Value::Null, cents(-5)]),
            row(text("b"), vec![Value::Sum(big), Value::Real(2.0), cents(1234)]),
            row(text("c"), vec![Value::Sum(3), Value::Real(-1.0), cents(1234)]),
        ],
    }
}

fn cents(units: i128) -> Value {
    Value::Decimal { units, scale: 2 }
}

fn shops(answer: &Answer) -> Vec<String> {
    answer.rows.iter().map(|row| row.label.to_string()).collect()
}

#[test]
fn groups_are_kept_where_a_condition_on_the_answer_is_true() {
    use Comparison::{Equal, Greater, Less, LessOrEqual, NotEqual};
    let kept = |condition: &Predicate| shops(&answer().having(condition).unwrap());
    let compare = |column: &str, relation, literal| Predicate::compare(column, relation, literal);
    assert_eq!(kept(&compare("sum(a)", Greater, Literal::Float(2f64.powi(80)))), ["a"]);
    assert_eq!(kept(&compare("sum(a)", LessOrEqual, Literal::Float(3.5))), ["", "c"]);
    assert_eq!(kept(&compare("sum(a)", NotEqual, Literal::Int(3))), ["a", "b"]);
    assert_eq!(kept(&compare("sum(b)", Equal, Literal::Float(12.34))), ["b", "c"]);
    assert_eq!(kept(&compare("sum(b)", Greater, Literal::Text("-0.055".into()))), ["a", "b", "c"]);
    assert_eq!(kept(&compare("mean(a)", Less, Literal::Int(2))), ["", "c"]);
    assert_eq!(kept(&compare("shop", Equal, Literal::Text("b".into()))), ["b"]);
    // Missing values are unknown, negated or not.
    let low = compare("mean(a)", Less, Literal::Int(9));
    assert_eq!(kept(&Predicate::Not(Box::new(low.clone()))), Vec::<String>::new());
    let missing = Predicate::IsNull { column: "mean(a)".into() };
    assert_eq!(kept(&Predicate::Any(vec![low.clone(), missing.clone()])).len(), 4);
    assert_eq!(kept(&Predicate::All(vec![low, missing])), Vec::<String>::new());
    let literals = vec![Literal::Int(3), Literal::Int(4)];
    assert_eq!(kept(&Predicate::In { column: "sum(a)".into(), literals }), ["", "c"]);
    let refuse = |condition: &Predicate| answer().having(condition).unwrap_err().to_string();
    let text = refuse(&compare("sum(a)", Equal, Literal::Text("x".into())));
    assert!(text.contains("no constant of the type"), "{text}");
    let text = refuse(&compare("sum(c)", Equal, Literal::Int(1)));
    assert!(text.contains("shop, sum(a), mean(a), sum(b)"), "{text}");
}

#[test]
fn groups_are_sorted_with_missing_values_last() {
    use Direction::{Ascending, Descending};
    let order = |keys: &[(&str, Direction)]| {
        let keys = keys.iter().map(|(column, direction)| SortKey {
            column: (*column).to_owned(),
            direction: *direction,
        });
        shops(&answer().order_by(&keys.collect::<Vec<_>>()).unwrap())
    };
    assert_eq!(order(&[]), ["", "a", "b", "c"]);
    assert_eq!(order(&[("sum(a)", Descending)]), ["a", "b", "", "c"]);
    assert_eq!(order(&[("mean(a)", Ascending)]), ["c", "", "b", "a"]);
    assert_eq!(order(&[("mean(a)", Descending)]), ["b", "", "c", "a"]);
    assert_eq!(order(&[("shop", Descending)]), ["c", "b", "a", ""]);
    assert_eq!(order(&[("sum(b)", Descending), ("shop", Descending)]), ["c", "b", "a", ""]);
    let unknown = SortKey { column: "x".into(), direction: Ascending };
    assert!(matches!(answer().order_by(&[unknown]), Err(Error::UnknownColumn { .. })));
}

/// An answer names the tables whose rows it counts.
#[test]
fn answers_name_their_tables() {
    let parties = Parties::new();
    let asked = query(vec![Aggregate::Count]);
    let answer = parties.ask(&asked).unwrap();
    assert_eq!(answer.tables, [Server::open(&parties.blocks.schema()).unwrap().table()]);
}
