//! These tests show that damaged, contradictory and ambiguous tables are refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "every other variant fails the test")]

use crate::support::grid::{Grid, mutate};
use crate::support::{
    Clear, MASKED, Numbers, PLAIN, all_of, ask, encrypt, folder, query, schema, serve,
};
use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch};
use arrow_buffer::Buffer;
use fathom_columns::{
    Aggregate, Answer, EncryptedResult, Encryptor, Error, EvaluationKeys, Query, Server, TableKey,
    read_table,
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
    let asked = Query { group_by: vec!["dept".into()], ..query(all_of("amount")) };
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
        let asked = Query { group_by: vec!["dept".into()], ..query(all_of("amount")) };
        let mut computation = server.start(&asked).unwrap();
        computation.push(&changed).unwrap_err()
    };
    for rows in [-1, 49, 4097] {
        let error = with("rows", Arc::new(Int32Array::from(vec![rows])));
        let is_misplaced = matches!(error, Error::Misplaced { .. });
        assert!(is_misplaced || matches!(error, Error::Malformed { .. }), "{rows}: {error}");
    }
    // A ciphertext of another key is refused before it meets another one.
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
    let refused = computation.push(&changed.slice(1, 1)).unwrap_err();
    assert!(matches!(refused, Error::Misplaced { block: 1, .. }), "{refused}");
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
        let is_misplaced = matches!(refused, Error::Misplaced { .. });
        assert!(is_misplaced || matches!(refused, Error::Malformed { .. }), "{order:?}: {refused}");
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
        Query { group_by: vec!["dept".into()], ..query(vec![Aggregate::Sum("amount".into())]) };
    let mut computation = server.start(&asked).unwrap();
    computation.push(&own).unwrap();
    let refused = computation.push(&other).unwrap_err();
    assert!(matches!(refused, Error::Misplaced { .. }), "{refused}");
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

/// Two encrypted columns of the same layout, so that cells of one have the form of the other's.
const TWINS: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int32'
    uses = ['filter']
    nulls = true
    [[encrypted]]
    name = 'amount2'
    type = 'int32'
    uses = ['filter']
    [[encrypted]]
    name = 'age'
    type = 'uint8'
    range = [0, 150]
    uses = ['variance']
    nulls = true
    [[clear]]
    name = 'dept'
    type = 'text'
    group_by = true
    [[clear]]
    name = 'year'
    type = 'int64'
";

/// Encrypts 3 blocks of random rows under a key with the schema [`TWINS`].
fn twins(key: &TableKey, seed: u64) -> RecordBatch {
    let clear = Clear::random(9000, seed, 5).batch();
    let second = Int32Array::from(Clear::random(9000, seed + 1000, 0).amount);
    let named = clear.schema_ref().fields().iter().map(|field| field.name().as_str());
    let columns = named.zip(clear.columns().iter().cloned());
    let columns = columns.chain([("amount2", Arc::new(second) as ArrayRef)]);
    let table = RecordBatch::try_from_iter(columns).unwrap();
    Encryptor::new(key, &table).unwrap().blocks(0..3).unwrap()
}

fn answer(
    key: &TableKey,
    server: &Server,
    query: &Query,
    table: &RecordBatch,
) -> Result<Answer, Error> {
    let mut computation = server.start(query)?;
    computation.push(table)?;
    let sent = computation.finish()?.to_bytes();
    key.decrypt(&EncryptedResult::from_bytes(&sent)?)
}

fn refused_cell(server: &Server, query: &Query, table: &RecordBatch) -> (String, usize) {
    let mut computation = server.start(query).unwrap();
    match computation.push(table).unwrap_err() {
        Error::Misplaced { column, block } => (column, block),
        other => panic!("{other}"),
    }
}

/// Each ciphertext is intact and of the right key, and none is at its place.
#[test]
fn ciphertexts_at_other_places_are_refused_by_their_cell() {
    let key = TableKey::generate(&schema(TWINS)).unwrap();
    let tables = [1, 2].map(|seed| twins(&key, seed));
    let server = Server::open(&tables[0].schema()).unwrap();
    let index = |name: &str| tables[0].schema().index_of(name).unwrap();
    let names = ["amount__values_0", "amount2__values_0"];
    let [first, second] = names.map(index);
    let asked = query(vec![Aggregate::Sum("amount".into()), Aggregate::Sum("amount2".into())]);
    let refused = |change: &dyn Fn(&mut Grid<'_>)| {
        let mut grid = Grid::new(&tables);
        change(&mut grid);
        refused_cell(&server, &asked, &grid.batch())
    };
    let swapped = refused(&|grid| {
        grid.blocks.iter_mut().for_each(|block| block.swap(first, second));
    });
    assert_eq!(swapped, (names[0].to_owned(), 0));
    let of_another_table = refused(&|grid| grid.blocks[1][second][0] = 1);
    assert_eq!(of_another_table, (names[1].to_owned(), 1));
    let permuted = refused(&|grid| {
        for block in 1..3 {
            grid.blocks[block][first][2] = 3 - block;
        }
    });
    assert_eq!(permuted, (names[0].to_owned(), 1));
    // Columns that the query does not read are not checked, and do not matter.
    let mut grid = Grid::new(&tables);
    grid.blocks[0][index("age__values_0")][0] = 1;
    let own = answer(&key, &server, &asked, &tables[0]).unwrap();
    assert_eq!(answer(&key, &server, &asked, &grid.batch()).unwrap(), own);
}

fn questions() -> Vec<Query> {
    let texts = [
        r#"{"aggregates": ["count"]}"#,
        r#"{"aggregates": [{"sum": "amount"}, {"sum": "amount2"}]}"#,
        r#"{"aggregates": [{"mean": "amount2"}], "group_by": "dept"}"#,
        r#"{"aggregates": [{"var_pop": "age"}, {"count_of": "amount"}]}"#,
        r#"{"aggregates": ["count", {"sum": "amount"}],
            "filter": {"compare": {"column": "year", "relation": "less", "literal": 2009}}}"#,
        r#"{"aggregates": [{"sum": "amount2"}], "filter": {"is_null": {"column": "age"}}}"#,
    ];
    texts.map(|text| serde_json::from_str(text).unwrap()).to_vec()
}

/// A table with cells at other places, of other tables, or with blocks too many or too few, is
/// refused exactly if the query reads one of them; otherwise it gives the answer of the table.
///
/// `FATHOM_SWAPS=2000` runs as many rounds.
#[test]
fn tables_with_moved_cells_are_refused_or_give_the_same_answer() {
    let rounds = std::env::var("FATHOM_SWAPS").ok().and_then(|text| text.parse().ok());
    let key = TableKey::generate(&schema(TWINS)).unwrap();
    let stranger = TableKey::generate(&schema(TWINS)).unwrap();
    let tables = [twins(&key, 1), twins(&key, 2), twins(&stranger, 3)];
    let servers = [0, 1].map(|table: usize| Server::open(&tables[table].schema()).unwrap());
    let questions = questions();
    let expected = [0, 1].map(|table: usize| {
        let ask = |query| answer(&key, &servers[table], query, &tables[table]).unwrap();
        questions.iter().map(ask).collect::<Vec<_>>()
    });
    let mut numbers = Numbers(53);
    let mut outcomes = [0, 0];
    for round in 0..rounds.unwrap_or(300) {
        let mut grid = Grid::new(&tables);
        for _ in 0..=numbers.next() % 3 {
            mutate(&mut grid, &mut numbers);
        }
        // The metadata too are sometimes those of another table.
        let table = usize::from(numbers.next().is_multiple_of(9));
        let number = (numbers.next() >> 9) as usize % questions.len();
        let query = &questions[number];
        let found = answer(&key, &servers[table], query, &grid.batch());
        let is_whole = grid.is_whole(table, query);
        outcomes[usize::from(is_whole)] += 1;
        match found {
            Ok(found) => {
                assert!(is_whole, "round {round} reads a moved cell: {:?}", grid.blocks);
                assert_eq!(found, expected[table][number], "round {round}");
            }
            Err(error) => {
                assert!(!is_whole, "round {round}: {error}");
                let is_typed = matches!(error, Error::Misplaced { .. } | Error::Malformed { .. });
                assert!(is_typed, "round {round}: {error}");
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 30), "{outcomes:?}");
}

/// The bits and the limbs that are selected are bound to their places too: every column that a
/// comparison reads is refused with a cell of another table of the same key.
#[test]
fn every_cell_of_a_comparison_is_bound_to_its_place() {
    let text = "
        [[encrypted]]
        name = 'a'
        type = 'int8'
        range = [0, 5]
        uses = ['compare', 'variance']
        [[clear]]
        name = 'g'
        type = 'int64'
    ";
    let key = TableKey::generate(&schema(text)).unwrap();
    let table = |values: Vec<i32>| {
        let groups = Arc::new(Int32Array::from(vec![1; values.len()])) as ArrayRef;
        let values = Arc::new(Int32Array::from(values)) as ArrayRef;
        let table = RecordBatch::try_from_iter([("a", values), ("g", groups)]).unwrap();
        Encryptor::new(&key, &table).unwrap().blocks(0..1).unwrap()
    };
    let tables = [table(vec![1, 2, 5]), table(vec![0, 0, 4])];
    let keys = key.evaluation_keys().unwrap().unwrap().to_bytes();
    let server = Server::open(&tables[0].schema()).unwrap();
    let server = server.with_evaluation_keys(&EvaluationKeys::from_bytes(&keys).unwrap()).unwrap();
    let asked = r#"{"aggregates": [{"var_pop": "a"}],
        "filter": {"compare": {"column": "a", "relation": "less", "literal": 3}}}"#;
    let asked: Query = serde_json::from_str(asked).unwrap();
    let mut read = server.columns(&asked).unwrap();
    assert!(read.remove("rows") && read.remove("rows__checksums"));
    assert!(read.contains("a__bits_2") && read.contains("a__selected_squares_0"), "{read:?}");
    for name in read {
        let mut grid = Grid::new(&tables);
        grid.blocks[0][tables[0].schema().index_of(&name).unwrap()][0] = 1;
        assert_eq!(refused_cell(&server, &asked, &grid.batch()), (name, 0));
    }
}

#[test]
fn a_changed_bit_of_a_ciphertext_is_refused_by_its_cell() {
    let key = TableKey::generate(&schema(TWINS)).unwrap();
    let table = twins(&key, 1);
    let server = Server::open(&table.schema()).unwrap();
    let name = "amount2__values_1";
    let at = table.schema().index_of(name).unwrap();
    let frames = table.column(at).to_data();
    let asked = query(vec![Aggregate::Sum("amount2".into())]);
    let mut numbers = Numbers(7);
    for block in 0..3 {
        let mut bytes = frames.buffers()[0].to_vec();
        let width = bytes.len() / 3;
        bytes[width * block + numbers.next() as usize % width] ^= 1 << (numbers.next() % 8);
        let changed = frames.clone().into_builder().buffers(vec![Buffer::from_vec(bytes)]);
        let mut columns = table.columns().to_vec();
        columns[at] = arrow_array::make_array(changed.build().unwrap());
        let changed = RecordBatch::try_new(table.schema(), columns).unwrap();
        assert_eq!(refused_cell(&server, &asked, &changed), (name.to_owned(), block));
    }
}
