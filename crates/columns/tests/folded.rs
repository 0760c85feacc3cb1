//! Sums of many groups in few ciphertexts, against a clear model and the sums of servers without
//! keys.

use crate::support::{Numbers, query, schema, with_header};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use fathom_columns::Value as Cell;
use fathom_columns::{
    Aggregate, Answer, AnswerRow, Comparison, EncryptedResult, Encryptor, Error, EvaluationKeys,
    Label, Literal, Predicate, Query, Server, TableKey,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::slice::from_ref;
use std::sync::Arc;

const SALES: &str = "
    [[encrypted]]
    name = 'amount'
    type = 'int32'
    uses = ['filter']
    nulls = true
    [[encrypted]]
    name = 'units'
    type = 'uint16'
    uses = ['filter']
    [[clear]]
    name = 'shop'
    type = 'int64'
    [[clear]]
    name = 'part'
    type = 'text'
";
const BLOCK: usize = 4096;

/// The owner of a table, and a server with the keys that were sent to it.
struct Setup {
    key: TableKey,
    keys: EvaluationKeys,
}

/// The rows of a table: amount, units, shop, part.
#[derive(Clone, Default)]
struct Sales(Vec<(Option<i64>, i64, Option<i64>, &'static str)>);

impl Setup {
    fn new() -> Setup {
        let key = TableKey::generate(&schema(SALES)).unwrap();
        let keys = key.evaluation_keys().unwrap().unwrap().to_bytes();
        Setup { key, keys: EvaluationKeys::from_bytes(&keys).unwrap() }
    }

    fn encrypted(&self, sales: &Sales) -> RecordBatch {
        let encryptor = Encryptor::new(&self.key, &sales.batch()).unwrap();
        encryptor.blocks(0..encryptor.block_count()).unwrap()
    }

    fn server(&self, blocks: &RecordBatch) -> Server {
        let server = Server::open(&blocks.schema()).unwrap();
        server.with_evaluation_keys(&self.keys).unwrap()
    }

    /// Answers a query on several tables with and without keys, and returns both answers and the
    /// bytes of both results.
    fn answered(&self, tables: &[RecordBatch], asked: &Query) -> [(Answer, Vec<u8>); 2] {
        let with = tables.iter().map(|table| run(&self.server(table), table, asked));
        let without =
            |table| run(&Server::open(&RecordBatch::schema(table)).unwrap(), table, asked);
        let results = [with.collect::<Vec<_>>(), tables.iter().map(without).collect()];
        results.map(|results| {
            let bytes = EncryptedResult::join(results).unwrap().to_bytes();
            let read = EncryptedResult::from_bytes(&bytes).unwrap();
            (self.key.decrypt(&read).unwrap(), bytes)
        })
    }

    fn check(&self, tables: &[Sales], asked: &Query, what: &str) -> [usize; 2] {
        let blocks: Vec<_> = tables.iter().map(|sales| self.encrypted(sales)).collect();
        let [(folded, few), (plain, many)] = self.answered(&blocks, asked);
        let all = Sales(tables.iter().flat_map(|sales| sales.0.clone()).collect());
        assert_eq!(folded, plain, "{what}");
        assert_eq!(folded.rows, all.expected(asked), "{what}");
        [few.len(), many.len()]
    }
}

impl Sales {
    fn batch(&self) -> RecordBatch {
        let rows = || self.0.iter();
        let columns: [(&str, ArrayRef, bool); 4] = [
            ("amount", Arc::new(rows().map(|row| row.0).collect::<Int64Array>()), true),
            ("units", Arc::new(rows().map(|row| Some(row.1)).collect::<Int64Array>()), false),
            ("shop", Arc::new(rows().map(|row| row.2).collect::<Int64Array>()), true),
            ("part", Arc::new(rows().map(|row| Some(row.3)).collect::<StringArray>()), true),
        ];
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    }

    /// Computes the answer to a query of [`asked`].
    fn expected(&self, asked: &Query) -> Vec<AnswerRow> {
        let mut groups: BTreeMap<Label, (u64, u64, i128, i128)> = BTreeMap::new();
        for &(amount, units, shop, part) in &self.0 {
            if asked.filter.is_some() && part != "b" {
                continue;
            }
            let shop = shop.map_or(Label::Null, Label::Int);
            let label = match asked.group_by.len() {
                1 => shop,
                _ => Label::Several(vec![shop, Label::Text(part.to_owned())]),
            };
            let own = groups.entry(label).or_default();
            own.0 += 1;
            own.1 += u64::from(amount.is_some());
            own.2 += i128::from(amount.unwrap_or(0));
            own.3 += i128::from(units);
        }
        let row = |(label, (rows, values, amount, units)): (Label, (u64, u64, i128, i128))| {
            let amount = if values == 0 { Cell::Null } else { Cell::Sum(amount) };
            let values = [Cell::Count(rows), Cell::Count(values), amount, Cell::Sum(units)];
            AnswerRow { label, values: values.into() }
        };
        groups.into_iter().map(row).collect()
    }
}

/// Every shop of a table has its own number of rows, in an order that says which places they get.
fn sales(numbers: &mut Numbers, rows: usize, shop: impl Fn(usize, u64) -> Option<i64>) -> Sales {
    let row = |at: usize| {
        let (n, m) = (numbers.next(), numbers.next());
        let extreme = [Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX)), None];
        let amount = extreme.get((n % 5) as usize).copied().unwrap_or(Some(m as i64 >> 33));
        let units = if n.is_multiple_of(3) { 65_535 } else { (n >> 20) as i64 % 65_536 };
        (amount, units, shop(at, m), ["a", "b"][(n >> 7) as usize % 2])
    };
    Sales((0..rows).map(row).collect())
}

fn asked(group_by: &[&str]) -> Query {
    let amount = || "amount".to_owned();
    let aggregates = vec![
        Aggregate::Count,
        Aggregate::CountOf(amount()),
        Aggregate::Sum(amount()),
        Aggregate::Sum("units".into()),
    ];
    Query {
        group_by: group_by.iter().map(|name| (*name).to_owned()).collect(),
        ..query(aggregates)
    }
}

fn filtered(group_by: &[&str]) -> Query {
    let part = Predicate::compare("part", Comparison::Equal, Literal::Text("b".into()));
    Query { filter: Some(part), ..asked(group_by) }
}

fn run(server: &Server, blocks: &RecordBatch, asked: &Query) -> EncryptedResult {
    let mut computation = server.start(asked).unwrap();
    computation.push(blocks).unwrap();
    computation.finish().unwrap()
}

/// Tables of few and many groups, in orders that spread a group over all places or over few, with
/// groups that are in some blocks or tables alone.
#[test]
fn folded_groups_are_those_of_a_clear_model() {
    let setup = Setup::new();
    let mut numbers = Numbers(7);
    let mut random = |rows: usize, groups: u64| {
        sales(&mut numbers, rows, |_, m| (m % (groups + 1) > 0).then_some((m % groups) as i64))
    };
    let (few, many) = (random(300, 3), random(3 * BLOCK, 400));
    let (one, most) = (random(10, 1), random(5000, 1000));
    let mut numbers = Numbers(8);
    // Three in four rows are of one group, and many others have a single row.
    let skewed = sales(&mut numbers, 2 * BLOCK + 5, |at, m| {
        Some(if m.is_multiple_of(4) { at as i64 % 700 } else { -1 })
    });
    // A group has places of one residue, and another one fills a block.
    let periodic = sales(&mut numbers, 5 * BLOCK, |at, _| Some(at as i64 % 64));
    let sorted = sales(&mut numbers, 3 * BLOCK, |at, _| Some((at / 190) as i64));
    let cases = [
        ("few", &few, 2),
        ("one", &one, 1),
        ("many", &many, 100),
        ("most", &most, 200),
        ("skewed", &skewed, 50),
        ("periodic", &periodic, 2),
        ("sorted", &sorted, 10),
    ];
    for (what, sales, times) in cases {
        let [folded, plain] = setup.check(from_ref(sales), &asked(&["shop"]), what);
        assert!(folded * times <= plain, "{what}: {folded} and {plain} bytes");
    }
    let all = [many, few, skewed, one, sorted, periodic, most];
    let [folded, plain] = setup.check(&all, &asked(&["shop"]), "joined");
    assert!(folded * 20 <= plain, "{folded} and {plain} bytes");
    setup.check(&[random_of(9, 2500, 90)], &filtered(&["shop"]), "a filter");
    setup.check(&[random_of(10, 2500, 90)], &asked(&["shop", "part"]), "two columns");
    setup.check(&[random_of(11, 2500, 90)], &filtered(&["shop", "part"]), "both");
}

fn random_of(seed: u64, rows: usize, groups: u64) -> Sales {
    sales(&mut Numbers(seed), rows, |_, m| Some((m % groups) as i64))
}

/// The greatest values are added up in each slot as often as they fit, and no more: a group of 256
/// rows in one place of every block, and groups that share places.
#[test]
fn sums_at_the_limit_of_the_modulus_do_not_wrap() {
    let setup = Setup::new();
    let cases = [(8, 64, "exactly"), (9, 64, "beyond"), (8, 16, "coarse"), (4, 2, "alternating")];
    for (blocks, residue, what) in cases {
        let row = |at: usize| (Some(i64::from(i32::MAX)), 65_535, Some((at % residue) as i64), "b");
        let sales = Sales((0..blocks * BLOCK).map(row).collect());
        setup.check(&[sales], &asked(&["shop"]), what);
    }
}

/// The result of 1000 groups has the size of one ciphertext for each limb.
#[test]
fn a_thousand_groups_take_one_ciphertext() {
    let setup = Setup::new();
    let asked = Query { aggregates: vec![Aggregate::Sum("units".into())], ..asked(&["shop"]) };
    let table = setup.encrypted(&random_of(12, 8000, 1000));
    let [(folded, few), (plain, many)] = setup.answered(&[table], &asked);
    assert_eq!(folded, plain);
    println!("{} groups: {} bytes, {} without keys", folded.rows.len(), few.len(), many.len());
    assert!(few.len() < 64_000 && many.len() > 40_000_000, "{} {}", few.len(), many.len());
}

#[test]
fn partial_sums_are_folded_to_the_bytes_of_the_whole() {
    let setup = Setup::new();
    let blocks = setup.encrypted(&random_of(13, 18 * BLOCK, 20));
    let (server, asked) = (setup.server(&blocks), filtered(&["shop"]));
    let plain = Server::open(&blocks.schema()).unwrap();
    let whole = run(&server, &blocks, &asked).to_bytes();
    let mut merged = server.start(&asked).unwrap();
    for first in (0..blocks.num_rows()).step_by(16) {
        // Who computes a partial sum needs no keys.
        let mut own = plain.start_at(&asked, first).unwrap();
        own.push(&blocks.slice(first, 16.min(blocks.num_rows() - first))).unwrap();
        merged.push_partial(&own.finish_partial(first).unwrap()).unwrap();
    }
    assert!(merged.finish().unwrap().to_bytes() == whole);
}

/// Folded results of other tables are joined after they were sent, side by side; with whatever was
/// not folded.
#[test]
fn folded_results_that_were_sent_are_joined() {
    let setup = Setup::new();
    let asked = asked(&["shop"]);
    let tables = [random_of(14, 900, 40), random_of(15, 700, 60), random_of(16, 50, 2)];
    let blocks = tables.each_ref().map(|sales| setup.encrypted(sales));
    let read = |result: EncryptedResult| EncryptedResult::from_bytes(&result.to_bytes()).unwrap();
    let folded = blocks.each_ref().map(|table| read(run(&setup.server(table), table, &asked)));
    let plain = run(&Server::open(&blocks[2].schema()).unwrap(), &blocks[2], &asked);
    let expected = Sales(tables.iter().flat_map(|sales| sales.0.clone()).collect());
    let [a, b, c] = folded;
    for joined in [vec![a.clone(), b.clone(), c], vec![plain.clone(), a.clone(), b.clone()]] {
        let joined = read(EncryptedResult::join(joined).unwrap());
        assert_eq!(setup.key.decrypt(&joined).unwrap().rows, expected.expected(&asked));
    }
    let twice = EncryptedResult::join(vec![a.clone(), plain, a]).unwrap_err();
    assert!(twice.to_string().contains("twice"), "{twice}");
}

/// Every changed byte and every cut is refused, and the keys of another table are.
#[test]
fn changed_results_and_keys_are_refused() {
    let setup = Setup::new();
    let blocks = setup.encrypted(&random_of(17, 500, 30));
    let bytes = run(&setup.server(&blocks), &blocks, &asked(&["shop"])).to_bytes();
    assert!(bytes.starts_with(b"FTHMCRS2"));
    for at in (0..bytes.len()).step_by(bytes.len() / 97) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(EncryptedResult::from_bytes(&changed).is_err());
        assert!(EncryptedResult::from_bytes(&bytes[..at]).is_err());
    }
    let mut earlier = bytes.clone();
    earlier[7] = b'1';
    assert!(EncryptedResult::from_bytes(&earlier).is_err());
    let keys = setup.keys.to_bytes();
    for at in (0..keys.len()).step_by(keys.len() / 97) {
        let mut changed = keys.clone();
        changed[at] ^= 1;
        assert!(EvaluationKeys::from_bytes(&changed).is_err());
    }
    let other = Setup::new().keys;
    let refused = Server::open(&blocks.schema()).unwrap().with_evaluation_keys(&other);
    assert!(matches!(refused.err(), Some(Error::OtherKey { .. })));
}

/// A change that a test makes to the description of an interleaved sum.
type Change<'a> = &'a dyn Fn(&mut Value);

/// Numbers that a dishonest header states are refused before anything is decrypted with them.
#[test]
fn impossible_folded_groups_are_refused() {
    let setup = Setup::new();
    let blocks = setup.encrypted(&random_of(18, 500, 30));
    let bytes = run(&setup.server(&blocks), &blocks, &asked(&["shop"])).to_bytes();
    let forged = |change: Change<'_>| {
        let bytes = with_header(&bytes, |header| change(&mut header["parts"][0]));
        let result = EncryptedResult::from_bytes(&bytes).unwrap();
        setup.key.decrypt(&result).unwrap_err()
    };
    let span = json!({"label": 1, "start": 0, "end": 1, "counts": {"rows": 1, "values": [1, 1]}});
    let changes: [(&str, Change<'_>); 10] = [
        ("no power of two", &|part| part["folded"]["parts"] = json!(30)),
        ("more groups than parts", &|part| part["folded"]["parts"] = json!(16)),
        ("more parts than there are", &|part| part["folded"]["parts"] = json!(2048)),
        ("no part", &|part| part["folded"]["parts"] = json!(0)),
        ("a label less", &|part| drop(part["folded"]["labels"].as_array_mut().unwrap().pop())),
        ("a count less", &|part| drop(part["folded"]["rows"].as_array_mut().unwrap().pop())),
        ("no group", &|part| {
            part["folded"]["labels"] = json!([]);
            part["folded"]["rows"] = json!([]);
        }),
        ("another column", &|part| part["folded"]["values"] = json!([[], [], []])),
        ("more values than rows", &|part| part["folded"]["values"][0][3] = json!(999)),
        ("slots too", &|part| part["spans"] = json!([span])),
    ];
    for (what, change) in changes {
        let refused = forged(change);
        assert!(matches!(refused, Error::Malformed { .. }), "{what}: {refused}");
    }
}
