//! The limits of the machine, measured: bytes read from each level of memory, and products from the
//! first cache.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use fathom_kernels::{Kernel, Modulus, Row, available, reference};

use crate::measure::stats::SplitMix64;
use crate::suites::meter::Meter;
use crate::suites::options::Options;
use crate::suites::program::Program;

/// The largest prime below the limit of the vector kernels that is 1 modulo `2^18`.
pub(super) const PRIME: u64 = 64_337_131_601_921;

/// Terms of the sum of products that shows the limit of multiplication.
const TERMS: usize = 16;

/// Words of its rows: all of them fit into the first cache.
const LENGTH: usize = 128;

/// The work of one call of an operation.
#[derive(Clone, Copy)]
pub(super) struct Work {
    /// Products of words, as the limit counts them.
    pub(super) products: f64,
    /// Bytes that it reads and writes.
    pub(super) bytes: f64,
}

/// Returns the programs that measure the limits.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let mut sizes = vec![("l1", 16 << 10), ("l2", 512 << 10), ("memory", 256 << 20)];
    if options.quick {
        sizes.pop();
    }
    let mut programs: Vec<Program> = sizes
        .into_iter()
        .map(|(level, bytes): (&str, usize)| {
            let text = format!("sum of {bytes} bytes of words, which lie in {level}");
            let work = move |meter: &mut Meter| bandwidth(meter, bytes);
            Program::infallible("kernel", level, "read_bandwidth", text, work)
        })
        .collect();
    for kernel in available() {
        let text = "sum of 16 products of rows in the first cache: the limit of multiplication";
        let work = move |meter: &mut Meter| limit(meter, kernel);
        programs.push(Program::infallible("kernel", kernel.name(), "multiply_limit", text, work));
    }
    programs
}

/// Returns the sum of words: of whole groups of 32, in independent sums, so that no addition waits
/// for another.
fn sum(words: &[u64]) -> u64 {
    let lanes = words.as_chunks::<32>().0.iter().fold([0u64; 32], |mut sums, chunk| {
        sums.iter_mut().zip(chunk).for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
        sums
    });
    lanes.into_iter().fold(0, u64::wrapping_add)
}

fn bandwidth(meter: &mut Meter, bytes: usize) {
    let words: Vec<u64> = (0..bytes as u64 / 8).collect();
    let found = meter.time_plain(1, || sum(black_box(&words)));
    let count = words.len() as u64;
    meter.check([found], [count * (count - 1) / 2]);
    meter.remark_rate(bytes as f64, "GB/s");
}

/// Random residues modulo [`PRIME`].
pub(super) fn row(seed: u64, length: usize) -> Row {
    let mut random = SplitMix64(seed);
    Row::from(&(0..length).map(|_| random.next_u64() % PRIME).collect::<Vec<_>>()[..])
}

pub(super) fn modulus() -> Modulus {
    Modulus::new(PRIME).expect("the prime is below 2^61")
}

fn limit(meter: &mut Meter, kernel: &dyn Kernel) {
    let rows: Vec<Row> = (0..2 * TERMS as u64).map(|i| row(meter.seed() + i, LENGTH)).collect();
    let rows: Vec<&[u64]> = rows.iter().map(|row| &**row).collect();
    let (x, k) = rows.split_at(TERMS);
    let mut out = Row::zeroed(LENGTH);
    meter.time_plain(1, || kernel.dot(&modulus(), black_box(&mut out), x, k));
    meter.check(out.iter().copied(), reference::dot(&modulus(), LENGTH, x, k));
    meter.remark_rate((TERMS * LENGTH) as f64, "G products/s");
}

/// Returns the time of one call in nanoseconds, the least of a few samples.
fn quick(mut call: impl FnMut()) -> f64 {
    let mut sample = || {
        let start = Instant::now();
        let mut calls = 0u32;
        while start.elapsed() < Duration::from_micros(300) {
            call();
            calls += 1;
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..5).map(|_| sample()).fold(f64::INFINITY, f64::min)
}

/// Returns the products a nanosecond that an instruction set reaches, measured once.
fn products_limit(kernel: &dyn Kernel) -> f64 {
    static LIMITS: LazyLock<Mutex<HashMap<&'static str, f64>>> = LazyLock::new(Mutex::default);
    let mut limits = LIMITS.lock().expect("no thread panics with this lock");
    *limits.entry(kernel.name()).or_insert_with(|| {
        let rows: Vec<Row> = (0..2 * TERMS as u64).map(|i| row(i, LENGTH)).collect();
        let rows: Vec<&[u64]> = rows.iter().map(|row| &**row).collect();
        let mut out = Row::zeroed(LENGTH);
        let (x, k) = rows.split_at(TERMS);
        let ns = quick(|| kernel.dot(&modulus(), black_box(&mut out), x, k));
        (TERMS * LENGTH) as f64 / ns
    })
}

/// Returns the bytes a nanosecond that this machine reads from the second cache, measured once.
fn bytes_limit() -> f64 {
    static LIMIT: LazyLock<f64> = LazyLock::new(|| {
        let words: Vec<u64> = (0..(512 << 10) / 8).collect();
        let ns = quick(|| {
            black_box(sum(black_box(&words)));
        });
        (512 << 10) as f64 / ns
    });
    *LIMIT
}

/// Notes how near an operation comes to the limits of the machine.
pub(super) fn note(meter: &mut Meter, kernel: Option<&dyn Kernel>, work: Work) {
    let Some(ns) = meter.median_ns() else { return };
    let bytes = work.bytes / ns / bytes_limit() * 100.0;
    let products = kernel.map(|kernel| work.products / ns / products_limit(kernel) * 100.0);
    let products = products.map_or(String::new(), |percent| {
        format!("{percent:.0} % of the limit of multiplication, ")
    });
    meter.remark(format!("{products}{bytes:.0} % of the bandwidth of the second cache"));
}
