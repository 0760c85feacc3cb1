//! Partial sums of several machines, and batches that other tools have changed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::support::{Clear, MASKED, PLAIN, schema};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int32Array, Int64Array, LargeBinaryArray, LargeListArray, LargeStringArray, ListArray,
    RecordBatch, StringViewArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use fathom_columns::{
    Aggregate, Comparison, Encryptor, Error, Literal, Predicate, Query, Server, TABLE_METADATA,
    TableKey,
};
use std::sync::Arc;

fn encrypted(description: &str, rows: usize) -> (TableKey, RecordBatch) {
    let key = TableKey::generate(&schema(description)).unwrap();
    let missing = if description == MASKED { 10 } else { 0 };
    let clear = Clear::random(rows, 5, missing);
    let encryptor = Encryptor::new(&key, &clear.batch()).unwrap();
    let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
    (key, blocks)
}

fn whole(server: &Server, query: &Query, blocks: &RecordBatch) -> Vec<u8> {
    let mut computation = server.start(query).unwrap();
    computation.push(blocks).unwrap();
    computation.finish().unwrap().to_bytes()
}

fn partial(server: &Server, query: &Query, blocks: &RecordBatch, first: usize) -> Vec<u8> {
    let mut computation = server.start_at(query, first).unwrap();
    computation.push(blocks).unwrap();
    computation.finish_partial(first).unwrap()
}

fn by_score() -> Query {
    Query {
        aggregates: vec![Aggregate::Count, Aggregate::Mean("amount".into())],
        filter: Some(Predicate::compare("score", Comparison::Less, Literal::Int(50))),
        group_by: vec!["dept".into()],
    }
}

/// Compares the result of a whole table with those of partial sums of so many blocks.
fn check_steps(blocks: &RecordBatch, query: &Query, steps: &[usize]) {
    let server = Server::open(&blocks.schema()).unwrap();
    let expected = whole(&server, query, blocks);
    for &step in steps {
        let mut merged = server.start(query).unwrap();
        for first in (0..blocks.num_rows()).step_by(step) {
            let part = blocks.slice(first, step.min(blocks.num_rows() - first));
            merged.push_partial(&partial(&server, query, &part, first)).unwrap();
        }
        assert!(merged.finish().unwrap().to_bytes() == expected, "{step} blocks a step");
    }
}

#[test]
fn partial_sums_give_the_bytes_of_the_whole() {
    let (_, blocks) = encrypted(MASKED, 40 * 4096);
    check_steps(&blocks, &by_score(), &[16, 256]);
    check_steps(&blocks, &Query { aggregates: vec![Aggregate::Count], ..by_score() }, &[16]);
}

#[test]
fn partial_sums_of_several_parts_give_the_bytes_of_the_whole() {
    let text = "
        [[encrypted]]
        name = 'a'
        type = 'uint16'
    ";
    let key = TableKey::generate(&schema(text)).unwrap();
    let values: Vec<i32> = (0..300 * 4096).map(|row| row % 65_536).collect();
    let table = RecordBatch::try_from_iter([("a", Arc::new(Int32Array::from(values)) as ArrayRef)]);
    let encryptor = Encryptor::new(&key, &table.unwrap()).unwrap();
    let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
    let query =
        Query { aggregates: vec![Aggregate::Sum("a".into())], filter: None, group_by: Vec::new() };
    check_steps(&blocks, &query, &[16, 256]);
}

#[test]
fn partial_sums_of_a_declared_key_give_the_bytes_of_the_whole() {
    let (key, blocks) = encrypted(PLAIN, 150_000);
    let server = Server::open(&blocks.schema()).unwrap();
    let query = Query {
        aggregates: vec![Aggregate::VarPop("age".into()), Aggregate::Sum("amount".into())],
        filter: None,
        group_by: vec!["dept".into()],
    };
    let mut merged = server.start(&query).unwrap();
    for first in (0..blocks.num_rows()).step_by(16) {
        let part = blocks.slice(first, 16.min(blocks.num_rows() - first));
        merged.push_partial(&partial(&server, &query, &part, first)).unwrap();
    }
    let result = merged.finish().unwrap();
    assert!(result.to_bytes() == whole(&server, &query, &blocks));
    assert_eq!(key.decrypt(&result).unwrap().rows.len(), 12);
}

#[test]
fn partial_sums_that_do_not_fit_are_refused() {
    let (_, blocks) = encrypted(MASKED, 40 * 4096);
    let (_, other) = encrypted(MASKED, 4096);
    let server = Server::open(&blocks.schema()).unwrap();
    let query = Query { filter: None, group_by: Vec::new(), ..by_score() };
    let first = partial(&server, &query, &blocks.slice(0, 16), 0);
    let second = partial(&server, &query, &blocks.slice(16, 16), 16);
    let refuse = |parts: &[&[u8]], words: &str| {
        let mut merged = server.start(&query).unwrap();
        let pushed = parts.iter().try_for_each(|part| merged.push_partial(part));
        let error = pushed.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        // What was refused is missing, so that there is no result either.
        assert!(merged.finish().is_err());
    };
    refuse(&[&second], "block 0 follows");
    refuse(&[&first, &first], "block 16 follows");
    let mut damaged = first.clone();
    *damaged.last_mut().unwrap() ^= 1;
    refuse(&[&damaged], "damaged");
    let others = Server::open(&other.schema()).unwrap();
    refuse(&[&partial(&others, &query, &other, 0)], "belongs to key");
    let counted = Query { aggregates: vec![Aggregate::Count], ..query.clone() };
    refuse(&[&partial(&server, &counted, &blocks.slice(0, 16), 0)], "another query");
    // The tail of a table ends it.
    let tail = partial(&server, &query, &blocks.slice(0, 3), 0);
    let next = partial(&server, &query, &blocks.slice(16, 3), 16);
    refuse(&[&tail, &next], "block 3 follows");
    assert!(matches!(server.start_at(&query, 5), Err(Error::Malformed { .. })));
    let mut long = server.start_at(&query, 16).unwrap();
    long.push(&blocks.slice(16, 17)).unwrap();
    assert!(long.finish_partial(16).is_err());
}

/// Changes every column as other tools do, and drops all metadata.
fn changed(blocks: &RecordBatch, change: impl Fn(&ArrayRef) -> ArrayRef) -> RecordBatch {
    let columns: Vec<ArrayRef> = blocks.columns().iter().map(change).collect();
    let schema = blocks.schema();
    let fields = schema.fields().iter().zip(&columns);
    let fields = fields
        .map(|(field, array)| Field::new(field.name(), array.data_type().clone(), true))
        .chain([Field::new("more", DataType::Int32, true)]);
    let schema = Arc::new(ArrowSchema::new(fields.collect::<Vec<_>>()));
    let more = Arc::new(Int32Array::from(vec![7; blocks.num_rows()])) as ArrayRef;
    RecordBatch::try_new(schema, columns.into_iter().chain([more]).collect()).unwrap()
}

fn frames(array: &ArrayRef) -> Option<&FixedSizeBinaryArray> {
    array.as_fixed_size_binary_opt()
}

/// Returns a list with long offsets and values of the types of polars.
fn long(list: &ListArray) -> ArrayRef {
    let values: ArrayRef = match list.values().as_string_opt::<i32>() {
        Some(texts) => Arc::new(texts.iter().collect::<StringViewArray>()),
        None => list.values().clone(),
    };
    let item = Arc::new(Field::new("item", values.data_type().clone(), true));
    let offsets =
        OffsetBuffer::from_lengths((0..list.len()).map(|i| list.value_length(i) as usize));
    Arc::new(LargeListArray::new(item, offsets, values, None))
}

#[test]
fn tables_of_other_tools_give_the_same_bytes() {
    let (_, blocks) = encrypted(MASKED, 9000);
    let (server, query) = (Server::open(&blocks.schema()).unwrap(), by_score());
    let expected = whole(&server, &query, &blocks);
    let polars = changed(&blocks, |array| match (frames(array), array.as_list_opt::<i32>()) {
        (Some(frames), _) => Arc::new(frames.iter().collect::<BinaryViewArray>()),
        (_, Some(list)) => long(list),
        _ => array.clone(),
    });
    let duckdb = changed(&blocks, |array| match frames(array) {
        Some(frames) => Arc::new(frames.iter().collect::<BinaryArray>()),
        None => array.clone(),
    });
    let wide = changed(&blocks, |array| {
        if let Some(frames) = frames(array) {
            return Arc::new(frames.iter().collect::<LargeBinaryArray>());
        }
        match array.as_primitive_opt::<Int32Type>() {
            Some(rows) => widened(rows),
            None => array.clone(),
        }
    });
    let own = server.adopt(&blocks).unwrap();
    for table in [&own, &polars, &duckdb, &wide] {
        let adopted = server.adopt(table).unwrap();
        assert!(whole(&server, &query, &adopted) == expected);
        // Slices have offsets of their own.
        let mut sliced = server.start(&query).unwrap();
        for block in 0..table.num_rows() {
            sliced.push(&server.adopt(&table.slice(block, 1)).unwrap()).unwrap();
        }
        assert!(sliced.finish().unwrap().to_bytes() == expected);
    }
    let schema = blocks.schema();
    let alone = Server::from_metadata(&schema.metadata()[TABLE_METADATA]).unwrap();
    assert!(whole(&alone, &query, &server.adopt(&polars).unwrap()) == expected);
    let unserved = Query { aggregates: vec![Aggregate::Sum("score".into())], ..query };
    assert!(matches!(alone.start(&unserved), Err(Error::Unsupported { .. })));
}

fn widened(rows: &Int32Array) -> ArrayRef {
    Arc::new(rows.iter().map(|rows| rows.map(i64::from)).collect::<Int64Array>())
}

#[test]
fn values_that_are_none_of_the_table_are_refused() {
    let (_, blocks) = encrypted(MASKED, 5000);
    let server = Server::open(&blocks.schema()).unwrap();
    let cut = changed(&blocks, |array| match frames(array) {
        Some(frames) => Arc::new(
            frames.iter().enumerate().map(|(i, f)| f.map(|f| &f[i..])).collect::<BinaryArray>(),
        ),
        None => array.clone(),
    });
    let texts = changed(&blocks, |array| match array.as_list_opt::<i32>() {
        Some(_) => Arc::new(LargeStringArray::from(vec!["a"; array.len()])),
        None => array.clone(),
    });
    for table in [cut, texts] {
        let error = server.adopt(&table).unwrap_err().to_string();
        assert!(error.contains("which holds no"), "{error}");
    }
}

#[test]
fn dictionaries_are_encrypted_as_their_values() {
    let key = TableKey::generate(&schema(MASKED)).unwrap();
    let clear = Clear::random(5000, 5, 10);
    let batch = clear.batch();
    let dept = batch.column_by_name("dept").unwrap().as_string::<i32>();
    let coded: DictionaryArray<Int64Type> = dept.iter().collect();
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, array)| {
        let array = if field.name() == "dept" {
            Arc::new(coded.clone()) as ArrayRef
        } else {
            array.clone()
        };
        (field.name().clone(), array, true)
    });
    let coded = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let list = |table: &RecordBatch| {
        let encryptor = Encryptor::new(&key, table).unwrap();
        let blocks = encryptor.blocks(0..encryptor.block_count()).unwrap();
        blocks.column_by_name("dept").unwrap().clone()
    };
    assert_eq!(&list(&coded), &list(&batch));
}
