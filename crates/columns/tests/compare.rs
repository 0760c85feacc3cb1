//! Predicates on encrypted columns against the computation on clear data. The server gets bytes,
//! and evaluation keys.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "every other variant fails the test")]
#![allow(clippy::manual_try_fold, reason = "an unknown part does not end a conjunction")]
#![allow(clippy::float_cmp, reason = "the same computation gives the same number")]

use crate::support::{Numbers, schema};
use arrow_array::{Int64Array, RecordBatch};
use fathom_columns::files::{EncryptedFile, write};
use fathom_columns::{
    Aggregate, Answer, Comparison, EncryptedResult, Encryptor, Error, EvaluationKeys, Label,
    Literal, Predicate, Query, Server, TableKey, Use, Value, plan,
};
use std::sync::Arc;

const RELATIONS: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

const SCHEMA: &str = "
    [[encrypted]]
    name = 'a'
    type = 'int8'
    range = [-20, 20]
    uses = ['compare', 'variance']
    nulls = true
    [[encrypted]]
    name = 'b'
    type = 'int16'
    range = [-20, 5]
    uses = ['compare']
    nulls = true
    [[encrypted]]
    name = 'x'
    type = 'int32'
    uses = ['select']
    [[clear]]
    name = 'c'
    type = 'int64'
    [[clear]]
    name = 'g'
    type = 'int64'
    group_by = true
";

/// The rows of a test.
#[derive(Clone, Debug)]
struct Row {
    a: Option<i64>,
    b: Option<i64>,
    x: i64,
    c: Option<i64>,
    g: i64,
}

fn random_rows(count: usize, seed: u64) -> Vec<Row> {
    let mut numbers = Numbers(seed);
    let mut next = |n: u64| (numbers.next() >> 7) % n;
    (0..count)
        .map(|_| Row {
            a: Some(next(41) as i64 - 20).filter(|_| next(9) != 0),
            b: Some(next(26) as i64 - 20).filter(|_| next(7) != 0),
            x: i64::from(next(1 << 32) as u32 as i32),
            c: Some(next(10) as i64).filter(|_| next(8) != 0),
            g: next(3) as i64,
        })
        .collect()
}

fn batch(rows: &[Row]) -> RecordBatch {
    let column =
        |of: fn(&Row) -> Option<i64>| Arc::new(rows.iter().map(of).collect::<Int64Array>()) as _;
    RecordBatch::try_from_iter_with_nullable([
        ("a", column(|row| row.a), true),
        ("b", column(|row| row.b), true),
        ("x", column(|row| Some(row.x)), true),
        ("c", column(|row| row.c), true),
        ("g", column(|row| Some(row.g)), true),
    ])
    .unwrap()
}

/// A table in memory, its server with evaluation keys, and its owner.
struct Setup {
    rows: Vec<Row>,
    key: TableKey,
    blocks: RecordBatch,
    server: Server,
}

impl Setup {
    fn new(text: &str, rows: Vec<Row>) -> Setup {
        let key = TableKey::generate(&schema(text)).unwrap();
        let encryptor = Encryptor::new(&key, &batch(&rows)).unwrap();
        let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
        let sent = key.evaluation_keys().unwrap().unwrap().to_bytes();
        let keys = EvaluationKeys::from_bytes(&sent).unwrap();
        let server = Server::open(&blocks.schema()).unwrap();
        let server = server.with_evaluation_keys(&keys).unwrap();
        Setup { rows, key, blocks, server }
    }

    fn run(&self, query: &Query) -> Result<Vec<u8>, Error> {
        let mut computation = self.server.start(query)?;
        computation.push(&self.blocks)?;
        Ok(computation.finish()?.to_bytes())
    }

    fn ask(&self, query: &Query) -> Answer {
        let sent = self.run(query).unwrap();
        self.key.decrypt(&EncryptedResult::from_bytes(&sent).unwrap()).unwrap()
    }

    /// Compares the answer to a query on all aggregates with that on the clear rows.
    fn check(&self, filter: &Predicate) -> Result<(), Error> {
        let query = all_of(filter);
        let sent = self.run(&query)?;
        let answer = self.key.decrypt(&EncryptedResult::from_bytes(&sent).unwrap()).unwrap();
        let rows = self.rows.iter().filter(|row| holds(filter, row) == Some(true));
        assert_eq!(answer.rows[0].values, expected(rows), "{filter:?}");
        Ok(())
    }
}

fn all_of(filter: &Predicate) -> Query {
    let aggregates = vec![
        Aggregate::Count,
        Aggregate::CountOf("a".into()),
        Aggregate::Sum("a".into()),
        Aggregate::Mean("b".into()),
        Aggregate::Sum("x".into()),
    ];
    Query { aggregates, filter: Some(filter.clone()), group_by: Vec::new() }
}

fn expected<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Vec<Value> {
    let sum = |values: Vec<i64>| values.iter().map(|&v| i128::from(v)).sum::<i128>();
    let a: Vec<i64> = rows.clone().filter_map(|row| row.a).collect();
    let b: Vec<i64> = rows.clone().filter_map(|row| row.b).collect();
    let x: Vec<i64> = rows.map(|row| row.x).collect();
    let or_null =
        |values: &[i64], value: Value| if values.is_empty() { Value::Null } else { value };
    vec![
        Value::Count(x.len() as u64),
        Value::Count(a.len() as u64),
        or_null(&a, Value::Sum(sum(a.clone()))),
        or_null(&b, Value::Real(sum(b.clone()) as f64 / b.len() as f64)),
        or_null(&x, Value::Sum(sum(x.clone()))),
    ]
}

/// The logic of SQL on a clear row.
fn holds(predicate: &Predicate, row: &Row) -> Option<bool> {
    let value = |name: &str| match name {
        "a" => row.a,
        "b" => row.b,
        _ => row.c,
    };
    let related = |relation: Comparison, order: std::cmp::Ordering| match relation {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    };
    let not = |value: Option<bool>| value.map(|value| !value);
    let either = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    };
    let number = |literal: &Literal| match literal {
        Literal::Int(value) => *value as f64,
        Literal::Float(value) => *value,
        other => panic!("{other:?}"),
    };
    match predicate {
        Predicate::Compare { column, relation, literal } => value(column)
            .map(|own| related(*relation, (own as f64).partial_cmp(&number(literal)).unwrap())),
        Predicate::CompareColumns { left, relation, right } => {
            Some(related(*relation, value(left)?.cmp(&value(right)?)))
        }
        Predicate::In { column, literals } => {
            value(column).map(|own| literals.iter().any(|l| number(l) == own as f64))
        }
        Predicate::IsNull { column } => Some(value(column).is_none()),
        Predicate::All(parts) => {
            not(parts.iter().fold(Some(false), |all, p| either(all, not(holds(p, row)))))
        }
        Predicate::Any(parts) => {
            parts.iter().fold(Some(false), |all, part| either(all, holds(part, row)))
        }
        Predicate::Not(part) => not(holds(part, row)),
    }
}

fn compare(column: &str, relation: Comparison, constant: i64) -> Predicate {
    Predicate::compare(column, relation, Literal::Int(constant))
}

#[test]
fn every_relation_holds_for_constants_within_beyond_and_at_the_ends_of_the_range() {
    let setup = Setup::new(SCHEMA, random_rows(700, 3));
    for relation in RELATIONS {
        for constant in [-21, -20, -19, -5, 0, 11, 19, 20, 21, i64::MIN, i64::MAX] {
            setup.check(&compare("a", relation, constant)).unwrap();
        }
        let half = Predicate::compare("a", relation, Literal::Float(-2.5));
        setup.check(&half).unwrap();
        setup.check(&Predicate::Not(Box::new(half))).unwrap();
    }
}

#[test]
fn columns_are_compared_with_each_other() {
    let setup = Setup::new(SCHEMA, random_rows(900, 5));
    for relation in RELATIONS {
        for (left, right) in [("a", "b"), ("b", "a")] {
            let (left, right) = (left.to_owned(), right.to_owned());
            let pair = Predicate::CompareColumns { left, relation, right };
            setup.check(&pair).unwrap();
            setup.check(&Predicate::Not(Box::new(pair))).unwrap();
        }
    }
}

/// Parameters for one column have no room for a disjunction of two selections.
#[test]
fn a_table_with_one_compared_column_serves_every_set_of_its_values() {
    let text = SCHEMA.replace("range = [-20, 5]\n    uses = ['compare']", "uses = ['select']");
    let setup = Setup::new(&text, random_rows(800, 13));
    let clear = compare("c", Comparison::Less, 6);
    let literals = [-20, -3, 0, 20].map(Literal::Int).to_vec();
    let list = Predicate::In { column: "a".into(), literals };
    let between = Predicate::All(vec![
        compare("a", Comparison::GreaterOrEqual, -9),
        compare("a", Comparison::NotEqual, 3),
        compare("a", Comparison::Less, 14),
    ]);
    for own in [list, between] {
        let not = Predicate::Not(Box::new(own.clone()));
        for own in [own, not] {
            setup.check(&own).unwrap();
            setup.check(&Predicate::All(vec![own.clone(), clear.clone()])).unwrap();
            setup.check(&Predicate::Any(vec![clear.clone(), own])).unwrap();
        }
    }
    let [low, high] = [Comparison::Less, Comparison::Greater].map(|r| compare("a", r, 2));
    let deep = Predicate::Any(vec![
        Predicate::All(vec![clear.clone(), low]),
        Predicate::All(vec![Predicate::Not(Box::new(clear)), high]),
    ]);
    assert!(matches!(setup.check(&deep), Err(Error::Depth { .. })));
}

/// Draws a predicate over clear and encrypted columns.
fn random_predicate(numbers: &mut Numbers, depth: u32) -> Predicate {
    let mut next = |n: u64| (numbers.next() >> 7) % n;
    if depth == 0 || next(3) == 0 {
        let column = ["a", "b", "c", "a"][next(4) as usize].to_owned();
        let relation = RELATIONS[next(6) as usize];
        let kind = next(8);
        let mut constant = || Literal::Int(next(50) as i64 - 25);
        return match kind {
            0 => Predicate::IsNull { column },
            1 => Predicate::In { column, literals: vec![constant(), constant(), constant()] },
            _ => Predicate::Compare { column, relation, literal: constant() },
        };
    }
    let (kind, count) = (next(5), 1 + next(3));
    let mut part = || random_predicate(numbers, depth - 1);
    let mut parts = || (0..count).map(|_| part()).collect();
    match kind {
        0 | 1 => Predicate::All(parts()),
        2 | 3 => Predicate::Any(parts()),
        _ => Predicate::Not(Box::new(part())),
    }
}

#[test]
fn predicates_of_any_shape_follow_the_logic_of_sql_or_are_refused_with_numbers() {
    let setup = Setup::new(SCHEMA, random_rows(600, 7));
    let mut numbers = Numbers(12);
    let (mut served, mut refused) = (0, 0);
    while served < 40 {
        let filter = random_predicate(&mut numbers, 3);
        let is_encrypted = |name: &&str| ["a", "b"].contains(name);
        let text = format!("{filter:?}");
        if !filter.columns().iter().any(is_encrypted) || !text.contains("literal") {
            continue;
        }
        match setup.check(&filter) {
            Ok(()) => served += 1,
            Err(Error::Depth { .. }) => refused += 1,
            // Clear predicates that only ask which encrypted values are missing.
            Err(Error::MissingUse { needed: Use::Filter, .. }) => {}
            Err(other) => panic!("{other} for {filter:?}"),
        }
    }
    assert!(refused < served, "{refused} of {served} are too deep");
}

#[test]
fn a_predicate_that_is_too_deep_is_refused_before_any_work() {
    let column = |name: &str| {
        format!(
            "[[encrypted]]\nname = '{name}'\ntype = 'int8'\nrange = [0, 3]\nuses = ['compare']\n"
        )
    };
    let names = ["p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "o"];
    let text: String = names.map(column).concat();
    let key = TableKey::generate(&schema(&text)).unwrap();
    let one = || Arc::new(Int64Array::from(vec![1])) as _;
    let table = RecordBatch::try_from_iter(names.map(|name| (name, one())));
    let encryptor = Encryptor::new(&key, &table.unwrap()).unwrap();
    let server = Server::open(&encryptor.arrow_schema()).unwrap();
    let parts = names.map(|name| compare(name, Comparison::Equal, 1));
    let query = |count: usize| Query {
        aggregates: vec![Aggregate::Sum("p".into())],
        filter: Some(Predicate::All(parts[..count].to_vec())),
        group_by: Vec::new(),
    };
    // Depth is refused first: keys would not help.
    let refused = server.start(&query(names.len())).err().unwrap();
    assert!(matches!(refused, Error::Depth { .. }), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("bits of noise budget") && text.contains("combine fewer"), "{text}");
    // Whoever asks a query has a table, and no parameters to choose.
    assert!(!text.contains("Params"), "{text}");
    let keys = key.evaluation_keys().unwrap().unwrap();
    assert!(server.with_evaluation_keys(&keys).unwrap().start(&query(2)).is_ok());
}

#[test]
fn keys_that_are_missing_or_of_another_table_are_refused_with_the_remedy() {
    let setup = Setup::new(SCHEMA, random_rows(10, 1));
    let server = Server::open(&setup.blocks.schema()).unwrap();
    let query = all_of(&compare("a", Comparison::Less, 3));
    let refused = server.start(&query).err().unwrap();
    assert!(matches!(refused, Error::MissingEvaluationKeys { .. }), "{refused}");
    assert!(refused.to_string().contains("--eval"), "{refused}");
    let other = TableKey::generate(&schema(SCHEMA)).unwrap().evaluation_keys().unwrap().unwrap();
    let refused = server.with_evaluation_keys(&other).err().unwrap();
    assert!(matches!(refused, Error::OtherKey { .. }), "{refused}");
    let plain = "[[encrypted]]\nname = 'a'\ntype = 'int8'\n";
    assert!(TableKey::generate(&schema(plain)).unwrap().evaluation_keys().unwrap().is_none());
    let sent = other.to_bytes();
    for at in [0, 20, sent.len() / 2, sent.len() - 1] {
        let mut changed = sent.clone();
        changed[at] ^= 1;
        assert!(EvaluationKeys::from_bytes(&changed).is_err());
    }
}

#[test]
fn queries_that_lack_a_use_name_it_and_its_price() {
    let text =
        SCHEMA.replace("uses = ['select']", "").replace("'compare', 'variance'", "'compare'");
    let setup = Setup::new(&text, random_rows(10, 1));
    let with = |at: usize, needed: Use| {
        let mut schema = schema(&text);
        schema.encrypted[at].uses.insert(needed);
        plan(&schema).unwrap()[at].bytes_a_row
    };
    let filter = compare("a", Comparison::Less, 3);
    let refused = |aggregate, filter: &Predicate| {
        let aggregates = vec![aggregate];
        let query = Query { aggregates, filter: Some(filter.clone()), group_by: Vec::new() };
        match setup.server.start(&query).err().unwrap() {
            Error::MissingUse { needed, price, column, .. } => (needed, column, price),
            other => panic!("{other}"),
        }
    };
    let select = (Use::Select, "x".to_owned(), with(2, Use::Select));
    assert_eq!(refused(Aggregate::Sum("x".into()), &filter), select);
    let variance = (Use::Variance, "a".to_owned(), with(0, Use::Variance));
    assert_eq!(refused(Aggregate::VarPop("a".into()), &filter), variance);
    let compared = (Use::Compare, "x".to_owned(), with(2, Use::Compare));
    assert_eq!(refused(Aggregate::Count, &compare("x", Comparison::Less, 3)), compared);
    let by_clear = Query { group_by: vec!["c".into()], ..all_of(&filter) };
    let by_clear = Query { aggregates: vec![Aggregate::Count], ..by_clear };
    assert!(matches!(setup.server.start(&by_clear), Err(Error::Unsupported { .. })));
    let differ = text.replace("range = [-20, 5]", "range = [-19, 5]");
    let apart = Setup::new(&differ, Vec::new());
    let (left, right) = ("a".to_owned(), "b".to_owned());
    let pair = Predicate::CompareColumns { left, relation: Comparison::Less, right };
    let query = Query { aggregates: vec![Aggregate::Count], ..all_of(&pair) };
    let refused = apart.server.start(&query).err().unwrap().to_string();
    assert!(refused.contains("same least value"), "{refused}");
    let alone = schema(&SCHEMA.replace("'compare'", "'filter'").replace(", 'variance'", ""));
    assert!(matches!(alone.check(), Err(Error::Schema { .. })));
}

#[test]
fn variances_and_groups_of_the_declared_key_are_exact() {
    let setup = Setup::new(SCHEMA, random_rows(2000, 9));
    let filter = Predicate::All(vec![
        compare("a", Comparison::Greater, -7),
        compare("c", Comparison::Less, 8),
    ]);
    let aggregates = vec![Aggregate::Count, Aggregate::VarPop("a".into())];
    let query = Query { aggregates, filter: Some(filter.clone()), group_by: vec!["g".into()] };
    let answer = setup.ask(&query);
    assert_eq!(answer.rows.len(), 3);
    for (row, g) in answer.rows.iter().zip(0..) {
        assert_eq!(row.label, Label::Int(g));
        let own = setup.rows.iter().filter(|r| r.g == g && holds(&filter, r) == Some(true));
        let a: Vec<f64> = own.map(|row| row.a.unwrap() as f64).collect();
        let mean = a.iter().sum::<f64>() / a.len() as f64;
        let variance = a.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / a.len() as f64;
        assert_eq!(row.values[0], Value::Count(a.len() as u64));
        let Value::Real(got) = row.values[1] else { panic!("{:?}", row.values[1]) };
        assert!((got / variance - 1.0).abs() < 1e-9, "{got} is not {variance}");
    }
    // From a file, of which only the columns that the query needs are read.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    write(&path, &Encryptor::new(&setup.key, &batch(&setup.rows)).unwrap(), |_| {}).unwrap();
    let keys = setup.key.evaluation_keys().unwrap().unwrap();
    let file = EncryptedFile::open(&path).unwrap().with_evaluation_keys(&keys).unwrap();
    let query = Query { aggregates: vec![Aggregate::Sum("x".into())], ..query };
    let answer = setup.key.decrypt(&file.run(&query, |_| {}).unwrap()).unwrap();
    for (row, g) in answer.rows.iter().zip(0..) {
        let own = setup.rows.iter().filter(|r| r.g == g && holds(&filter, r) == Some(true));
        assert_eq!(row.values, [Value::Sum(own.map(|row| i128::from(row.x)).sum())]);
    }
}

/// Stored for selections, columns need no form for masks.
#[test]
fn conditions_on_clear_columns_alone_take_no_further_use() {
    let setup = Setup::new(SCHEMA, random_rows(500, 13));
    setup.check(&compare("c", Comparison::Less, 6)).unwrap();
}

#[test]
fn several_files_with_tails_are_joined_and_the_bytes_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let text = SCHEMA.replace("group_by = true", "");
    let key = TableKey::generate(&schema(&text)).unwrap();
    let keys = key.evaluation_keys().unwrap().unwrap();
    let parts = [random_rows(16_384 + 500, 21), random_rows(300, 22), Vec::new()];
    let filter = Predicate::All(vec![
        compare("a", Comparison::LessOrEqual, 4),
        Predicate::Not(Box::new(compare("b", Comparison::Less, -3))),
    ]);
    let query = all_of(&filter);
    let mut results = Vec::new();
    for (number, rows) in parts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.parquet"));
        write(&path, &Encryptor::new(&key, &batch(rows)).unwrap(), |_| {}).unwrap();
        let file = EncryptedFile::open(&path).unwrap().with_evaluation_keys(&keys).unwrap();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| file.run(&query, |_| {}).unwrap().to_bytes())
        };
        let sent = run(1);
        assert!(run(3) == sent, "the bytes of file {number} depend on the number of threads");
        results.push(EncryptedResult::from_bytes(&sent).unwrap());
    }
    let answer = key.decrypt(&EncryptedResult::join(results).unwrap()).unwrap();
    let rows = parts.iter().flatten().filter(|row| holds(&filter, row) == Some(true));
    assert_eq!(answer.rows[0].values, expected(rows));
    // Queries without encrypted predicates need no keys, on the same file.
    let server = EncryptedFile::open(&folder.path().join("0.parquet")).unwrap();
    let query =
        Query { aggregates: vec![Aggregate::Sum("x".into())], filter: None, group_by: Vec::new() };
    let sent = server.run(&query, |_| {}).unwrap();
    let sum: i128 = parts[0].iter().map(|row| i128::from(row.x)).sum();
    assert_eq!(key.decrypt(&sent).unwrap().rows[0].values, [Value::Sum(sum)]);
}
