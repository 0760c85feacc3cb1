//! Times predicates on encrypted columns of one block, on the threads of rayon's pool, and compares
//! every answer with the computation on clear data:
//! `cargo run --release -p fathom-columns --example encrypted_filter [BITS]`.

use arrow_array::{Int64Array, RecordBatch};
use fathom_columns::{
    Aggregate, Comparison, Encryptor, Error, Literal, Predicate, Query, Schema, Server, TableKey,
    Value, plan,
};
use std::sync::Arc;
use std::time::Instant;

const ROWS: usize = 16_384;
/// Runs of every query; the least time is shown, and the median.
const RUNS: usize = 7;

/// A query with the function that says for a pair of values whether it selects the row.
struct Case {
    name: &'static str,
    filter: Predicate,
    selects: Box<dyn Fn(i64, i64) -> bool>,
}

/// Returns the cases for values below `top`.
fn cases(top: i64) -> Vec<Case> {
    let amount =
        |relation, constant| Predicate::compare("amount", relation, Literal::Int(constant));
    let [low, c] = [top / 3, top / 5 * 3];
    let all = vec![amount(Comparison::GreaterOrEqual, low), amount(Comparison::LessOrEqual, c)];
    let literals = [1, 2, 3].map(|k| Literal::Int(k * low)).to_vec();
    let other = Predicate::compare("price", Comparison::Less, Literal::Int(low));
    vec![
        Case {
            name: "amount > c",
            filter: amount(Comparison::Greater, c),
            selects: Box::new(move |a, _| a > c),
        },
        Case {
            name: "amount between a and c",
            filter: Predicate::All(all),
            selects: Box::new(move |a, _| (low..=c).contains(&a)),
        },
        Case {
            name: "amount in 3 constants",
            filter: Predicate::In { column: "amount".into(), literals },
            selects: Box::new(move |a, _| [low, 2 * low, 3 * low].contains(&a)),
        },
        Case {
            name: "amount > c and price < a",
            filter: Predicate::All(vec![amount(Comparison::Greater, c), other]),
            selects: Box::new(move |a, b| a > c && b < low),
        },
        Case {
            name: "amount > price",
            filter: Predicate::CompareColumns {
                left: "amount".into(),
                relation: Comparison::Greater,
                right: "price".into(),
            },
            selects: Box::new(|a, b| a > b),
        },
    ]
}

fn values(top: i64, seed: u64) -> Vec<i64> {
    let mut state = seed;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 1) as i64 % top
    };
    (0..ROWS).map(|_| next()).collect()
}

/// Times the cases that compare these columns, each of which has the use `compare`.
fn measure(bits: u32, compared: &[&str]) -> Result<(), Error> {
    let top = 1i64 << bits;
    let greatest = top - 1;
    let column = |name: &&str| {
        format!(
            "[[encrypted]]\nname = '{name}'\ntype = 'int64'\nrange = [0, {greatest}]\n\
             uses = ['compare']\n"
        )
    };
    let schema: Schema = toml::from_str(&compared.iter().map(column).collect::<String>())
        .map_err(|error| Error::Schema { column: String::new(), reason: error.to_string() })?;
    let [amounts, prices] = [values(top, 7), values(top, 11)];
    let table = RecordBatch::try_from_iter([
        ("amount", Arc::new(Int64Array::from(amounts.clone())) as _),
        ("price", Arc::new(Int64Array::from(prices.clone())) as _),
    ])?;
    let key = TableKey::generate(&schema)?;
    let started = Instant::now();
    let encryptor = Encryptor::new(&key, &table)?;
    let blocks = encryptor.blocks(0..encryptor.block_count())?;
    let encrypted = started.elapsed();
    let mut server = Server::open(&blocks.schema())?;
    let mut key_bytes = 0;
    if let Some(keys) = key.evaluation_keys()? {
        key_bytes = keys.to_bytes().len();
        server = server.with_evaluation_keys(&keys)?;
    }
    let price = &plan(&schema)?[0];
    println!(
        "{} compared columns of {bits} bits: {:.0} bytes a row and column, {:.0} bits of \
         security, evaluation keys {} KiB, encryption {:.0} ms",
        compared.len(),
        price.bytes_a_row,
        price.security_bits,
        key_bytes / 1024,
        encrypted.as_secs_f64() * 1e3,
    );
    let own = |case: &Case| {
        let columns = case.filter.columns();
        columns.iter().all(|name| compared.contains(name))
            && columns.iter().any(|name| compared.last() == Some(name))
    };
    for Case { name, filter, selects } in cases(top).into_iter().filter(own) {
        let sum = Aggregate::Sum("amount".to_owned());
        let filter = Some(filter);
        let query = Query { aggregates: vec![Aggregate::Count, sum], filter, group_by: Vec::new() };
        let mut times = Vec::new();
        let mut answer = None;
        for _ in 0..RUNS {
            let started = Instant::now();
            let mut computation = server.start(&query)?;
            computation.push(&blocks)?;
            let result = computation.finish()?;
            times.push(started.elapsed().as_secs_f64() * 1e3);
            answer = Some(key.decrypt(&result)?);
        }
        times.sort_by(f64::total_cmp);
        let rows = amounts.iter().zip(&prices).filter(|(a, b)| selects(**a, **b));
        let (count, sum) = rows.fold((0, 0), |(n, sum), (a, _)| (n + 1, sum + i128::from(*a)));
        let sum = if count == 0 { Value::Null } else { Value::Sum(sum) };
        let exact = answer.is_some_and(|a| a.rows[0].values == [Value::Count(count), sum]);
        println!(
            "{name:<26} COUNT and SUM {:7.1} ms least, {:7.1} median; exact: {exact}",
            times[0],
            times[RUNS / 2],
        );
        assert!(exact, "an answer differs from the clear computation");
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let bits = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(32u32);
    println!("{ROWS} rows, {} threads", rayon::current_num_threads());
    measure(bits.clamp(4, 32), &["amount"])?;
    measure(bits.clamp(4, 32), &["amount", "price"])
}
