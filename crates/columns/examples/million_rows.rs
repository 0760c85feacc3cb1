//! Times queries on an encrypted table of a million rows in a Parquet file, on two threads, and
//! compares every answer with the computation on clear data:
//! `cargo run --release -p fathom-columns --example million_rows [ROWS]`.

use arrow_array::{Int32Array, RecordBatch, StringArray};
use fathom_columns::files::{EncryptedFile, write};
use fathom_columns::{
    Aggregate, EncryptedResult, Encryptor, Error, Query, Schema, TableKey, Value, plan,
};
use std::sync::Arc;
use std::time::Instant;

const GROUPS: usize = 50;
/// Runs of every query; the least time is shown, and the median.
const RUNS: usize = 9;

struct Table {
    values: Vec<i32>,
    groups: Vec<usize>,
}

impl Table {
    fn of(rows: usize) -> Table {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let pairs = (0..rows).map(|_| (next() as i32, (next() >> 20) as usize % GROUPS));
        let (values, groups) = pairs.unzip();
        Table { values, groups }
    }

    fn batch(&self) -> Result<RecordBatch, Error> {
        let keys = self.groups.iter().map(|group| Some(format!("group {group:02}")));
        Ok(RecordBatch::try_from_iter([
            ("amount", Arc::new(Int32Array::from(self.values.clone())) as _),
            ("dept", Arc::new(keys.collect::<StringArray>()) as _),
        ])?)
    }

    /// Returns count, sum and sum of squares of a group, or of all rows.
    fn totals(&self, group: Option<usize>) -> (u64, i128, i128) {
        let own = self.groups.iter().map(|g| group.is_none_or(|group| *g == group));
        let own = self.values.iter().zip(own).filter(|(_, own)| *own).map(|(v, _)| i128::from(*v));
        own.fold((0, 0, 0), |(n, sum, squares), v| (n + 1, sum + v, squares + v * v))
    }
}

fn schema(uses: &str, declared: &str) -> Result<Schema, Error> {
    let text = format!(
        "[[encrypted]]\nname = 'amount'\ntype = 'int32'\nuses = [{uses}]\n\
         [[clear]]\nname = 'dept'\ntype = 'text'\n{declared}"
    );
    let schema: Schema = toml::from_str(&text)
        .map_err(|error| Error::Schema { column: String::new(), reason: error.to_string() })?;
    schema.check()?;
    Ok(schema)
}

/// Encrypts the table to a file, runs a query on the file, and checks the answer.
fn measure(name: &str, table: &Table, schema: &Schema, query: &Query) -> Result<(), Error> {
    let folder = tempfile::tempdir()
        .map_err(|source| Error::File { path: "a temporary folder".to_owned(), source })?;
    let path = folder.path().join("table.parquet");
    let key = TableKey::generate(schema)?;
    let batch = table.batch()?;
    let started = Instant::now();
    let encryptor = Encryptor::new(&key, &batch)?;
    write(&path, &encryptor, |_| {})?;
    let encrypted = started.elapsed();
    let mut times = Vec::new();
    let mut sent = Vec::new();
    for _ in 0..RUNS {
        let started = Instant::now();
        sent = EncryptedFile::open(&path)?.run(query, |_| {})?.to_bytes();
        times.push(started.elapsed());
    }
    times.sort();
    let started = Instant::now();
    let answer = key.decrypt(&EncryptedResult::from_bytes(&sent)?)?;
    let decrypted = started.elapsed();
    let groups = if query.group_by.is_empty() { 1 } else { GROUPS };
    let exact = answer.rows.len() == groups
        && (answer.rows.iter().enumerate()).all(|(group, row)| {
            let (n, sum, squares) = table.totals((!query.group_by.is_empty()).then_some(group));
            let count = i128::from(n);
            let variance = (count * squares - sum * sum) as f64 / n as f64 / n as f64;
            row.values.iter().zip(&query.aggregates).all(|(value, aggregate)| match aggregate {
                Aggregate::Count | Aggregate::CountOf(_) => *value == Value::Count(n),
                Aggregate::Sum(_) => *value == Value::Sum(sum),
                Aggregate::Mean(_) => *value == Value::Real(sum as f64 / n as f64),
                Aggregate::VarPop(_) | Aggregate::VarSamp(_) => {
                    matches!(value, Value::Real(v) if (v / variance - 1.0).abs() < 1e-12)
                }
                // The queries below ask for none of these.
                Aggregate::StddevPop(_)
                | Aggregate::StddevSamp(_)
                | Aggregate::SumOf(_)
                | Aggregate::MeanOf(_) => false,
            })
        });
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<34} {:7.1} ms least, {:7.1} median; {:4.1} bytes a row; encryption and writing \
         {:6.1} ms; decryption {:5.1} ms; result {} KiB; exact: {exact}",
        ms(times[0]),
        ms(times[RUNS / 2]),
        plan(schema)?[0].bytes_a_row,
        ms(encrypted),
        ms(decrypted),
        sent.len() / 1024,
    );
    assert!(exact, "an answer differs from the clear computation");
    Ok(())
}

fn main() -> Result<(), Error> {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let table = Table::of(rows);
    let sums = || {
        let name = || "amount".to_owned();
        vec![Aggregate::Sum(name()), Aggregate::Mean(name()), Aggregate::CountOf(name())]
    };
    let all = Query { aggregates: sums(), filter: None, group_by: Vec::new() };
    let grouped = Query { group_by: vec!["dept".to_owned()], ..all.clone() };
    let variance =
        Query { aggregates: vec![Aggregate::VarPop("amount".to_owned())], ..all.clone() };
    println!("{rows} rows of int32, {} threads", rayon::current_num_threads());
    measure("SUM, MEAN, COUNT", &table, &schema("", "")?, &all)?;
    let declared = schema("", "group_by = true")?;
    measure("GROUP BY a declared key, 50 groups", &table, &declared, &grouped)?;
    measure("VAR", &table, &schema("'variance'", "")?, &variance)?;
    measure("GROUP BY any column, 50 groups", &table, &schema("'filter'", "")?, &grouped)
}
