//! Every row operation on every kernel of this CPU.
//!
//! Ids are `<operation>/<kernel>/n<degree>/<width>`, with `w46`, `w30` and `w60` the largest primes
//! of the chains. The time is that of one call on rows in the cache; operations with several terms
//! give the number of products as throughput, so that criterion prints the rate.
#![allow(missing_docs, reason = "the macros of criterion make undocumented functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fathom_kernels::{Digit, Kernel, KeyRow, Modulus, NttTable, Row, TensorRows, available, order};
use std::hint::black_box;
use std::time::Duration;

/// The largest primes below each bound that are 1 modulo `2^18`.
const PRIMES: [(&str, u64); 3] =
    [("w46", 64_337_131_601_921), ("w30", 1_073_479_681), ("w60", 1_152_921_504_606_584_833)];
const TERMS: usize = 4;

/// One combination of kernel, degree and prime.
struct Case {
    kernel: &'static dyn Kernel,
    modulus: Modulus,
    degree: usize,
    id: String,
}

impl Case {
    /// A row of residues that look random.
    fn row(&self, seed: u64) -> Row {
        let word = |i: usize| {
            let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ seed << 1);
            self.modulus.reduce(mixed ^ mixed >> 29)
        };
        Row::from(&(0..self.degree).map(word).collect::<Vec<_>>()[..])
    }

    fn rows<const R: usize>(&self) -> [Row; R] {
        std::array::from_fn(|i| self.row(i as u64 + 1))
    }
}

fn cases(degrees: &[usize], widths: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    for kernel in available() {
        for &degree in degrees {
            for (width, q) in PRIMES {
                let modulus = Modulus::new(q).expect("the prime is below 2^61");
                if widths.contains(&width) && kernel.supports(&modulus) {
                    let id = format!("{}/n{degree}/{width}", kernel.name());
                    cases.push(Case { kernel, modulus, degree, id });
                }
            }
        }
    }
    cases
}

/// Measures `operation` on every case, counting `products` per word.
fn measure(
    c: &mut Criterion,
    name: &str,
    products: usize,
    cases: Vec<Case>,
    mut operation: impl FnMut(&Case) -> Box<dyn FnMut() + '_>,
) {
    let mut group = c.benchmark_group(name);
    for case in cases {
        group.throughput(Throughput::Elements((case.degree * products) as u64));
        let mut run = operation(&case);
        group.bench_function(&case.id, |b| b.iter(&mut run));
    }
    group.finish();
}

fn transforms(c: &mut Criterion) {
    let cases = || cases(&[1024, 2048, 4096, 8192, 16_384, 32_768], &["w46", "w30", "w60"]);
    let table =
        |case: &Case| NttTable::new(case.modulus, case.degree, case.kernel).expect("a root exists");
    measure(c, "ntt_forward_lazy", 1, cases(), |case| {
        let (table, mut row) = (table(case), case.row(1));
        Box::new(move || case.kernel.ntt_forward_lazy(&table, black_box(&mut row)))
    });
    measure(c, "ntt_forward", 1, cases(), |case| {
        let (table, mut row) = (table(case), case.row(1));
        Box::new(move || case.kernel.ntt_forward(&table, black_box(&mut row)))
    });
    measure(c, "ntt_inverse", 1, cases(), |case| {
        let (table, mut row) = (table(case), case.row(1));
        let scale = table.plain_inverse_scale();
        Box::new(move || case.kernel.ntt_inverse(&table, black_box(&mut row), &scale))
    });
}

fn pointwise(c: &mut Criterion) {
    let cases = || cases(&[8192], &["w46", "w60"]);
    measure(c, "add", 1, cases(), |case| {
        let [mut a, b] = case.rows();
        Box::new(move || case.kernel.add_assign(&case.modulus, black_box(&mut a), &b))
    });
    measure(c, "mul", 1, cases(), |case| {
        let [mut a, b] = case.rows();
        Box::new(move || case.kernel.mul_assign(&case.modulus, black_box(&mut a), &b))
    });
    measure(c, "mul_add", 1, cases(), |case| {
        let [mut acc, a, b] = case.rows();
        Box::new(move || case.kernel.mul_add_assign(&case.modulus, black_box(&mut acc), &a, &b))
    });
    measure(c, "mul_constant", 1, cases(), |case| {
        let (mut a, constant) = (case.row(1), case.modulus.constant(case.modulus.value() / 3));
        Box::new(move || {
            case.kernel.mul_constant_assign(&case.modulus, black_box(&mut a), &constant);
        })
    });
    measure(c, "mod_down", 1, cases(), |case| {
        let ([mut acc, delta], inverse) = (case.rows(), case.modulus.constant(12_345));
        Box::new(move || {
            case.kernel.mod_down_assign(&case.modulus, black_box(&mut acc), &delta, &inverse, None);
        })
    });
}

fn sums(c: &mut Criterion) {
    let cases = || cases(&[4096, 8192, 16_384], &["w46", "w60"]);
    measure(c, "dot", TERMS, cases(), |case| {
        let (mut out, x, k) = (case.row(0), case.rows::<TERMS>(), case.rows::<TERMS>());
        Box::new(move || {
            let [x, k] = [&x, &k].map(|rows| rows.each_ref().map(|row| &**row));
            case.kernel.dot(&case.modulus, black_box(&mut out), &x, &k);
        })
    });
    measure(c, "tensor", 4, cases(), |case| {
        let ([mut out0, mut out1, mut out2], [a0, a1, b0, b1]) = (case.rows(), case.rows());
        Box::new(move || {
            let pair = TensorRows { a: [&a0, &a1], b: [&b0, &b1] };
            let out = [&mut *out0, &mut *out1, &mut *out2];
            case.kernel.tensor(&case.modulus, black_box(out), &[pair]);
        })
    });
    measure(c, "base_convert", TERMS, cases(), |case| {
        let (mut out, sources) = (case.row(0), case.rows::<TERMS>());
        let weights: [u64; TERMS] = std::array::from_fn(|i| case.modulus.value() / 3 - i as u64);
        Box::new(move || {
            let sources = sources.each_ref().map(|row| &**row);
            case.kernel.base_convert(&case.modulus, black_box(&mut out), &sources, &weights);
        })
    });
    measure(c, "round_quotient", TERMS, cases(), |case| {
        let (mut out, sources) = (case.row(0), case.rows::<TERMS>());
        let inverses = [1.0 / case.modulus.value() as f64; TERMS];
        Box::new(move || {
            let sources = sources.each_ref().map(|row| &**row);
            case.kernel.round_quotient(black_box(&mut out), &sources, &inverses);
        })
    });
}

/// Measures a layer of a network: sums of many rows, of which few fit the second cache.
fn weighted_sums(c: &mut Criterion) {
    const ROWS: usize = 784;
    const SUMS: usize = 16;
    measure(c, "weighted_sums", ROWS * SUMS, cases(&[8192], &["w46", "w30", "w60"]), |case| {
        let rows: Vec<Row> = (0..ROWS as u64).map(|seed| case.row(seed)).collect();
        let mut out: [Row; SUMS] = case.rows();
        let weight = |i: usize| (i as i64).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64) >> 41;
        let weights: Vec<i64> = (0..ROWS).map(weight).collect();
        Box::new(move || {
            let rows: Vec<&[u64]> = rows.iter().map(|row| &**row).collect();
            let mut out = out.each_mut().map(|row| &mut **row);
            let out = black_box(&mut out[..]);
            case.kernel.weighted_sums(&case.modulus, out, &rows, &[&weights[..]; SUMS]);
        })
    });
}

/// Six digits, one of which is known by its values, as for a product at the top of five levels.
fn key_product(c: &mut Criterion) {
    const DIGITS: usize = 6;
    measure(c, "key_product", 2 * DIGITS, cases(&[4096, 8192], &["w46", "w30", "w60"]), |case| {
        let table = NttTable::new(case.modulus, case.degree, case.kernel).expect("a root exists");
        let [mut out0, mut out1] = case.rows();
        let (rows, halves) = (case.rows::<DIGITS>(), case.rows::<{ 2 * DIGITS }>());
        let pairs: Vec<[&[u64]; 2]> =
            halves.as_chunks().0.iter().map(|[b, a]| [&**b, &**a]).collect();
        let key = KeyRow::packed(&case.modulus, &pairs);
        let mut rooms = case.rows::<DIGITS>();
        Box::new(move || {
            let digit = |(g, (row, room))| match g {
                0 => Digit::Values(row),
                _ => Digit::Excess { row, modulus: &case.modulus, room },
            };
            let rows = rows.iter().map(|row| &**row).zip(rooms.iter_mut().map(|room| &mut **room));
            let mut digits: Vec<_> = rows.enumerate().map(digit).collect();
            let out = [&mut *out0, &mut *out1];
            case.kernel.key_product(&table, black_box(out), &mut digits, &key);
        })
    });
}

fn moves(c: &mut Criterion) {
    measure(c, "permute", 1, cases(&[4096, 8192, 16_384], &["w46"]), |case| {
        let indices = order::automorphism_indices(case.degree, 5);
        let [mut out, a] = case.rows();
        Box::new(move || case.kernel.permute(black_box(&mut out), &a, &indices))
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = transforms, pointwise, sums, weighted_sums, key_product, moves
}
criterion_main!(benches);
