//! Results of many tables, joined: as large as that of one table with all rows.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::support::{query, schema, with_header};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use fathom_columns::{
    Aggregate, EncryptedResult, Encryptor, Label, Query, Server, TableKey, Value,
};
use std::sync::Arc;

const DAILY: &str = "
    [[encrypted]]
    name = 'delay'
    type = 'int16'
    uses = ['filter']
    nulls = true
    [[clear]]
    name = 'dest'
    type = 'text'
";
const DAYS: usize = 31;
const GROUPS: usize = 6;

/// The rows of a day: a delay for each destination and hour. On every fifth day one is missing.
fn rows(day: usize) -> Vec<(Option<i64>, usize)> {
    let groups = GROUPS - usize::from(day.is_multiple_of(5));
    let delay = |hour: usize| (!hour.is_multiple_of(7)).then_some((day * 100 + hour) as i64 - 700);
    (0..24 * groups).map(|at| (delay(at / groups), at % groups)).collect()
}

/// Encrypts the rows of a day, and returns the server of their table.
fn served(key: &TableKey, day: usize) -> (RecordBatch, Server) {
    let (delays, dest): (Vec<_>, Vec<_>) = rows(day).into_iter().unzip();
    let dest = dest.into_iter().map(|group| Some(format!("dest {group}")));
    let table = RecordBatch::try_from_iter_with_nullable([
        ("delay", Arc::new(Int64Array::from(delays)) as ArrayRef, true),
        ("dest", Arc::new(dest.collect::<StringArray>()) as ArrayRef, true),
    ]);
    let encryptor = Encryptor::new(key, &table.unwrap()).unwrap();
    let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
    let server = Server::open(&blocks.schema()).unwrap();
    (blocks, server)
}

fn run(server: &Server, blocks: &RecordBatch, asked: &Query) -> EncryptedResult {
    let mut computation = server.start(asked).unwrap();
    computation.push(blocks).unwrap();
    computation.finish().unwrap()
}

fn answered(key: &TableKey, day: usize, asked: &Query) -> EncryptedResult {
    let (blocks, server) = served(key, day);
    run(&server, &blocks, asked)
}

fn sent(result: &EncryptedResult) -> EncryptedResult {
    EncryptedResult::from_bytes(&result.to_bytes()).unwrap()
}

#[test]
fn files_of_31_days_have_one_ciphertext_for_each_group_and_sum() {
    let key = TableKey::generate(&schema(DAILY)).unwrap();
    let aggregates = vec![Aggregate::Count, Aggregate::Sum("delay".into())];
    let asked = Query { group_by: vec!["dest".into()], ..query(aggregates) };
    let results: Vec<_> = (0..DAYS).map(|day| answered(&key, day, &asked)).collect();
    let one_day = results[1].to_bytes().len();
    let from_bytes = results.iter().map(sent).collect();
    let joined = EncryptedResult::join(results).unwrap().to_bytes();
    let again = EncryptedResult::join(from_bytes).unwrap().to_bytes();
    assert!(joined == again, "what has travelled is joined to other bytes");
    for bytes in [joined, again] {
        // Beside the sums, the identifiers of the tables grow: 32 digits each.
        assert!(bytes.len() < one_day + 50 * DAYS + 1000, "{} of {one_day}", bytes.len());
        let answer = key.decrypt(&EncryptedResult::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(answer.rows.len(), GROUPS);
        for (group, row) in answer.rows.iter().enumerate() {
            let own = || (0..DAYS).flat_map(rows).filter(move |(_, of)| *of == group);
            let sum = own().filter_map(|(delay, _)| delay).map(i128::from).sum();
            assert_eq!(row.label, Label::Text(format!("dest {group}")));
            assert_eq!(row.values, [Value::Count(own().count() as u64), Value::Sum(sum)]);
        }
    }
}

/// The greatest values in 300 blocks of three tables: the sums of 256 fill the plaintext modulus.
#[test]
fn joined_sums_of_more_blocks_than_a_ciphertext_holds_do_not_wrap() {
    let key = TableKey::generate(&schema("[[encrypted]]\nname = 'a'\ntype = 'uint16'\n")).unwrap();
    let rows = 100 * 4096;
    let column = Arc::new(Int64Array::from(vec![65_535; rows])) as ArrayRef;
    let table = RecordBatch::try_from_iter([("a", column)]).unwrap();
    let asked = query(vec![Aggregate::Count, Aggregate::Sum("a".into())]);
    let result = |blocks: usize| {
        let encryptor = Encryptor::new(&key, &table.slice(0, blocks * 4096)).unwrap();
        let server = Server::open(&encryptor.arrow_schema()).unwrap();
        let mut computation = server.start(&asked).unwrap();
        for first in (0..blocks).step_by(50) {
            computation.push(&encryptor.blocks(first..first + 50).unwrap()).unwrap();
        }
        computation.finish().unwrap()
    };
    let results: Vec<_> = [100; 3].map(result).into();
    let one = results[0].to_bytes().len();
    let joined = EncryptedResult::join(results).unwrap();
    let bytes = joined.to_bytes().len();
    assert!((2 * one - 1000..2 * one).contains(&bytes), "{bytes} of {one}");
    let values = |joined: &EncryptedResult| {
        let answer = key.decrypt(&sent(joined)).unwrap();
        answer.rows[0].values.clone()
    };
    let expected = |blocks: u64| {
        let count = blocks * 4096;
        [Value::Count(count), Value::Sum(65_535 * i128::from(count))]
    };
    assert_eq!(values(&joined), expected(300));
    // The sums of 200 and of 100 blocks have room for 50 more each.
    let first = EncryptedResult::join(vec![result(50), sent(&joined)]).unwrap();
    assert_eq!(values(&first), expected(350));
    let last = EncryptedResult::join(vec![joined, result(50)]).unwrap();
    assert_eq!(values(&last), expected(350));
}

/// A server before results stated their parameters and blocks, and before groups were folded.
fn earlier(result: &EncryptedResult) -> EncryptedResult {
    let bytes = with_header(&result.to_bytes(), |header| {
        let fields = header.as_object_mut().unwrap();
        assert!(fields.remove("params").is_some() && fields.remove("families").is_some());
        for part in header["parts"].as_array_mut().unwrap() {
            assert!(part.as_object_mut().unwrap().remove("blocks").is_some());
        }
    });
    EncryptedResult::from_bytes(&bytes).unwrap()
}

/// Results of earlier servers are joined in any order, without being added: nobody knows how many
/// blocks they are the sums of.
#[test]
fn results_of_earlier_servers_are_joined_with_new_ones() {
    let key = TableKey::generate(&schema(DAILY)).unwrap();
    let keys = key.evaluation_keys().unwrap().unwrap();
    let aggregates = vec![Aggregate::Count, Aggregate::Sum("delay".into())];
    let asked = Query { group_by: vec!["dest".into()], ..query(aggregates) };
    let new = |day: usize| answered(&key, day, &asked);
    let folded = |day: usize| {
        let (blocks, server) = served(&key, day);
        let server = server.with_evaluation_keys(&keys).unwrap();
        sent(&run(&server, &blocks, &asked))
    };
    let orders: [(&str, Vec<EncryptedResult>, [usize; 4]); 4] = [
        ("first", vec![earlier(&new(0)), new(1), new(2), folded(3)], [0, 1, 2, 3]),
        ("last", vec![folded(5), new(6), new(7), earlier(&new(5 + 3))], [5, 6, 7, 8]),
        ("alone", [0, 1, 2, 3].map(|day| earlier(&new(day))).into(), [0, 1, 2, 3]),
        ("between", vec![new(1), earlier(&new(2)), folded(10), new(4)], [1, 2, 10, 4]),
    ];
    for (what, results, days) in orders {
        let joined = sent(&EncryptedResult::join(results).unwrap());
        let answer = key.decrypt(&joined).unwrap();
        assert_eq!(answer.rows.len(), GROUPS, "{what}");
        for (group, row) in answer.rows.iter().enumerate() {
            let own = || days.into_iter().flat_map(rows).filter(move |(_, of)| *of == group);
            let sum = own().filter_map(|(delay, _)| delay).map(i128::from).sum();
            let expected = [Value::Count(own().count() as u64), Value::Sum(sum)];
            assert_eq!(row.values, expected, "{what}, {}", row.label);
        }
    }
}

/// With keys, the result of 31 days is a ciphertext for each sum, as that of a day.
#[test]
fn files_of_31_days_are_folded_to_one_ciphertext_for_each_sum() {
    let key = TableKey::generate(&schema(DAILY)).unwrap();
    let keys = key.evaluation_keys().unwrap().unwrap();
    let aggregates = vec![Aggregate::Count, Aggregate::Sum("delay".into())];
    let asked = Query { group_by: vec!["dest".into()], ..query(aggregates) };
    let day = |day: usize| {
        let (blocks, server) = served(&key, day);
        run(&server.with_evaluation_keys(&keys).unwrap(), &blocks, &asked)
    };
    let one = day(1).to_bytes().len();
    let joined = EncryptedResult::join((0..DAYS).map(day).collect()).unwrap().to_bytes();
    assert!(joined.len() < one + 50 * DAYS + 1000, "{} of {one}", joined.len());
    let answer = key.decrypt(&EncryptedResult::from_bytes(&joined).unwrap()).unwrap();
    assert_eq!(answer.rows.len(), GROUPS);
    for (group, row) in answer.rows.iter().enumerate() {
        let own = || (0..DAYS).flat_map(rows).filter(move |(_, of)| *of == group);
        let sum = own().filter_map(|(delay, _)| delay).map(i128::from).sum();
        assert_eq!(row.values, [Value::Count(own().count() as u64), Value::Sum(sum)]);
    }
}
