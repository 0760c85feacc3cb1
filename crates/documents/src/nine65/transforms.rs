//! Number-theoretic transforms and products of polynomials at the document's sizes. Not encrypted.

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;
use fathom_kernels::{Kernel, Modulus, NttTable, Row, best_for};

use crate::transform_oracle::{places, transformed};

/// The document's prime.
const Q: u64 = 998_244_353;

#[derive(Clone, Copy)]
enum Work {
    Forward,
    Inverse,
    Roundtrip,
    Product,
}

/// Returns the transforms of the document.
pub(super) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    let mut add = |degree: usize, op: &str, meaning: &str, work: Work, large: Option<bool>| {
        let meaning = format!("{meaning}, modulo 998244353");
        let call = move |meter: &mut Meter| run(meter, degree, work, large);
        programs.push(Program::infallible("plain", format!("n{degree}"), op, meaning, call));
    };
    for (name, large) in [("small", false), ("large", true)] {
        let kinds = [
            ("ntt", "forward transform", Work::Forward),
            ("intt", "inverse transform", Work::Inverse),
            ("multiply", "negacyclic product", Work::Product),
        ];
        for (op, meaning, work) in kinds {
            let meaning = format!("{meaning} of coefficients that are all {name}");
            add(256, &format!("{op}_{name}"), &meaning, work, Some(large));
        }
    }
    for degree in [1024, 4096] {
        add(degree, "ntt_multiply", "negacyclic product by transforms", Work::Product, None);
    }
    for degree in [1024, 2048, 4096, 8192] {
        add(degree, "ntt_forward", "forward transform", Work::Forward, None);
        add(degree, "ntt_roundtrip", "forward and inverse transform", Work::Roundtrip, None);
    }
    programs
}

/// Returns 0 or `q - 1` everywhere, or random residues.
fn row(degree: usize, large: Option<bool>, seed: u64) -> Row {
    let mut random = SplitMix64(seed);
    let mut word =
        || large.map_or_else(|| random.next_u64() % Q, |large| if large { Q - 1 } else { 0 });
    Row::from(&(0..degree).map(|_| word()).collect::<Vec<_>>()[..])
}

fn run(meter: &mut Meter, degree: usize, work: Work, large: Option<bool>) {
    let modulus = Modulus::new(Q).expect("the prime is below 2^61");
    let kernel = best_for(&[modulus]).expect("a kernel supports the prime");
    let table = NttTable::new(modulus, degree, kernel).expect("2^23 divides q - 1");
    let (a, b) = (row(degree, large, meter.seed()), row(degree, large, meter.seed() + 1));
    let plain = table.plain_inverse_scale();
    let words = |row: &Row| row.iter().copied().collect::<Vec<u64>>();
    match work {
        Work::Forward => {
            let mut out = a.clone();
            meter.time_plain(1, || {
                out.copy_from_slice(&a);
                kernel.ntt_forward(&table, &mut out);
            });
            let expected = places(degree).map(|at| transformed(&table, &a, at));
            meter.check(places(degree).map(|at| out[at]), expected);
        }
        Work::Inverse => {
            let (mut values, mut out) = (a.clone(), a.clone());
            kernel.ntt_forward(&table, &mut values);
            meter.time_plain(1, || {
                out.copy_from_slice(&values);
                kernel.ntt_inverse(&table, &mut out, &plain);
            });
            meter.check(words(&out), words(&a));
        }
        Work::Roundtrip => {
            let mut out = a.clone();
            meter.time_plain(1, || {
                kernel.ntt_forward_lazy(&table, &mut out);
                kernel.ntt_inverse(&table, &mut out, &plain);
            });
            meter.check(words(&out), words(&a));
        }
        Work::Product => {
            let out = meter.time_plain(1, || product(kernel, &table, [&a, &b]));
            meter.check(words(&out), schoolbook(&a, &b));
        }
    }
}

fn product(kernel: &dyn Kernel, table: &NttTable, [a, b]: [&Row; 2]) -> Row {
    let (mut a, mut b) = (a.clone(), b.clone());
    kernel.ntt_forward_lazy(table, &mut a);
    kernel.ntt_forward(table, &mut b);
    kernel.mul_assign(&table.modulus(), &mut b, &a);
    kernel.ntt_inverse(table, &mut b, &table.plain_inverse_scale());
    b
}

/// Returns the product modulo `X^N + 1` by its definition.
fn schoolbook(a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = a.len();
    let coefficient = |k: usize| {
        let positive: u128 = (0..=k).map(|i| u128::from(a[i] * b[k - i] % Q)).sum();
        let negative: u128 = (k + 1..n).map(|i| u128::from(a[i] * b[n + k - i] % Q)).sum();
        let (positive, negative) = (positive % u128::from(Q), negative % u128::from(Q));
        ((positive + u128::from(Q) - negative) % u128::from(Q)) as u64
    };
    (0..n).map(coefficient).collect()
}
