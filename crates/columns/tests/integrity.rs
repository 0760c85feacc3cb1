//! These tests show that damaged, contradictory and ambiguous tables are refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::support::{
    Clear, MASKED, Numbers, PLAIN, all_of, ask, encrypt, folder, query, schema, serve,
};
use arrow_array::{Array, Int32Array, RecordBatch};
use fathom_columns::{
    Aggregate, EncryptedResult, Encryptor, Error, Query, Server, TableKey, read_table,
};
use std::sync::Arc;

#[test]
fn a_result_joins_each_table_once_and_belongs_to_its_schema() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    encrypt(&key, &Clear::random(100, 1, 0), &path);
    let bytes = serve(&path, &query(all_of("amount"))).unwrap();
    let read = || EncryptedResult::from_bytes(&bytes).unwrap();
    let refused = EncryptedResult::join(vec![read(), read()]).unwrap_err();
    assert!(refused.to_string().contains("name each file once"), "{refused}");
    // The same secret keys under another schema: the least value is another one.
    let secret = key.to_secret_bytes();
    let text = String::from_utf8_lossy(&secret);
    assert!(text.contains("[0,150]"));
    let at = secret.windows(7).position(|own| own == b"[0,150]").unwrap();
    let mut changed = secret.to_vec();
    changed[at..at + 7].copy_from_slice(b"[1,150]");
    let body = changed.len() - 16;
    let checksum = blake3::hash(&changed[..body]);
    changed[body..].copy_from_slice(&checksum.as_bytes()[..16]);
    let other = TableKey::from_secret_bytes(&changed).unwrap();
    let refused = other.decrypt(&read()).unwrap_err();
    assert!(refused.to_string().contains("another schema"), "{refused}");
    key.decrypt(&read()).unwrap();
}

#[test]
fn tables_that_could_be_read_in_two_ways_are_refused() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, "score,dept,amount,amount\n1,a,1,2\n").unwrap();
    let refused = read_table(&path, &schema(MASKED)).unwrap_err();
    assert!(matches!(refused, Error::Type { .. }), "{refused}");
    assert!(refused.to_string().contains("twice"), "{refused}");
    let one = || Arc::new(Int32Array::from(vec![1])) as _;
    let table = RecordBatch::try_from_iter([("a", one()), ("a", one())]).unwrap();
    let text = "[[encrypted]]\nname = 'a'\ntype = 'int8'\n";
    let key = TableKey::generate(&schema(text)).unwrap();
    assert!(matches!(Encryptor::new(&key, &table), Err(Error::Type { .. })));
}

#[test]
fn damaged_files_give_errors() {
    let folder = folder();
    let path = folder.path().join("t.parquet");
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let clear = Clear::random(50, 1, 0);
    encrypt(&key, &clear, &path);
    let bytes = std::fs::read(&path).unwrap();
    let asked = Query { group_by: Some("dept".into()), ..query(all_of("amount")) };
    let expected = ask(&key, &path, &asked);
    let mut numbers = Numbers(99);
    for round in 0..600 {
        let mut damaged = bytes.clone();
        // The metadata is at the end; half of the rounds change it.
        let span = if round % 2 == 0 { bytes.len() } else { 4000.min(bytes.len()) };
        let at = bytes.len() - 1 - numbers.next() as usize % span;
        match round % 3 {
            0 => damaged.truncate(at),
            1 => damaged[at] ^= 1 << (numbers.next() % 8),
            _ => damaged[at] = numbers.next() as u8,
        }
        std::fs::write(&path, &damaged).unwrap();
        // Whatever is still read is what was written.
        if let Ok(bytes) = serve(&path, &asked) {
            let result = EncryptedResult::from_bytes(&bytes).unwrap();
            match key.decrypt(&result) {
                Ok(answer) => assert_eq!(answer, expected, "round {round}"),
                Err(error) => assert!(matches!(error, Error::Malformed { .. }), "{error}"),
            }
        }
    }
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(ask(&key, &path, &asked), expected);
}

#[test]
fn blocks_that_contradict_the_metadata_are_refused() {
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let encryptor = Encryptor::new(&key, &Clear::random(50, 1, 0).batch()).unwrap();
    let blocks = encryptor.blocks(0..1).unwrap();
    let server = Server::open(&blocks.schema()).unwrap();
    let with = |name: &str, column: Arc<dyn Array>| {
        let at = blocks.schema().index_of(name).unwrap();
        let mut columns = blocks.columns().to_vec();
        columns[at] = column;
        let changed = RecordBatch::try_new(blocks.schema(), columns).unwrap();
        let asked = Query { group_by: Some("dept".into()), ..query(all_of("amount")) };
        let mut computation = server.start(&asked).unwrap();
        computation.push(&changed).unwrap_err()
    };
    for rows in [-1, 49, 4097] {
        let error = with("rows", Arc::new(Int32Array::from(vec![rows])));
        assert!(matches!(error, Error::Malformed { .. }), "{rows}: {error}");
    }
    // Another ciphertext of the same key cannot be told from the right one; the two of different
    // keys are refused when they meet.
    let name = "amount__values_0";
    let two = Clear::random(5000, 1, 0).batch();
    let encrypted = |key: &TableKey| Encryptor::new(key, &two).unwrap().blocks(0..2).unwrap();
    let other = TableKey::generate(&schema(PLAIN)).unwrap();
    let [blocks, strange] = [&key, &other].map(encrypted);
    let server = Server::open(&blocks.schema()).unwrap();
    let asked = query(all_of("amount"));
    let mut computation = server.start(&asked).unwrap();
    computation.push(&blocks.slice(0, 1)).unwrap();
    let at = blocks.schema().index_of(name).unwrap();
    let mut columns = blocks.columns().to_vec();
    columns[at] = strange.column_by_name(name).unwrap().clone();
    let changed = RecordBatch::try_new(blocks.schema(), columns).unwrap();
    assert!(matches!(computation.push(&changed.slice(1, 1)), Err(Error::Fathom(_))));
    // The blocks before are lost: the computation neither goes on nor ends.
    assert!(matches!(computation.push(&blocks), Err(Error::Malformed { .. })));
    assert!(matches!(computation.finish(), Err(Error::Malformed { .. })));
}

/// A result is that of the whole table, each block once and at its place.
#[test]
fn missing_repeated_and_exchanged_blocks_are_refused() {
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let blocks = Encryptor::new(&key, &Clear::random(9000, 1, 0).batch()).unwrap();
    let blocks = blocks.blocks(0..3).unwrap();
    let server = Server::open(&blocks.schema()).unwrap();
    let asked = query(all_of("amount"));
    let pushed = |order: &[usize]| {
        let mut computation = server.start(&asked)?;
        order.iter().try_for_each(|block| computation.push(&blocks.slice(*block, 1)))?;
        computation.finish()
    };
    assert!(pushed(&[0, 1, 2]).is_ok());
    for order in [&[0, 1][..], &[0, 0, 1, 2], &[0, 1, 2, 2], &[1, 0, 2], &[0, 2], &[]] {
        let refused = pushed(order).unwrap_err();
        assert!(matches!(refused, Error::Malformed { .. }), "{order:?}: {refused}");
    }
}

/// Returns a table whose groups have these sizes.
fn grouped(sizes: &[(&str, usize)]) -> Clear {
    let mut clear = Clear::random(sizes.iter().map(|(_, count)| count).sum(), 1, 0);
    let names = sizes.iter().flat_map(|&(name, count)| vec![Some(name.to_owned()); count]);
    clear.dept = names.collect();
    clear
}

#[test]
fn blocks_of_a_table_with_other_groups_are_refused() {
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let blocks = |sizes| {
        let clear = grouped(sizes).batch();
        Encryptor::new(&key, &clear).unwrap().blocks(0..1).unwrap()
    };
    let [own, other] =
        [blocks(&[("eng", 3000), ("ops", 1000)]), blocks(&[("eng", 1000), ("ops", 3000)])];
    let server = Server::open(&own.schema()).unwrap();
    let asked =
        Query { group_by: Some("dept".into()), ..query(vec![Aggregate::Sum("amount".into())]) };
    let mut computation = server.start(&asked).unwrap();
    computation.push(&own).unwrap();
    let refused = computation.push(&other).unwrap_err();
    assert!(matches!(refused, Error::Malformed { .. }), "{refused}");
}

#[test]
fn groups_that_would_leave_most_slots_empty_are_refused_until_the_remedy() {
    let names: Vec<String> = (0..4000).map(|i| i.to_string()).collect();
    let mut sizes: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    sizes.push(("large", 10_000));
    let clear = grouped(&sizes).batch();
    let key = TableKey::generate(&schema(PLAIN)).unwrap();
    let refused = Encryptor::new(&key, &clear).err().unwrap();
    assert!(matches!(refused, Error::Unsupported { .. }), "{refused}");
    assert!(refused.to_string().contains("leave `group_by` out"), "{refused}");
    let key = TableKey::generate(&schema(&PLAIN.replace("group_by = true", ""))).unwrap();
    assert_eq!(Encryptor::new(&key, &clear).unwrap().block_count(), 4);
}
