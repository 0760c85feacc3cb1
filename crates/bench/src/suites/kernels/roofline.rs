//! The limits of the machine, measured: bytes read from each level of memory, and products from the
//! first cache.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_cases::record::{Limit, Roofline};
use fathom_documents::options::Options;
use fathom_drivers::random::SplitMix64;
use fathom_kernels::{Kernel, Modulus, Row, available, reference};

/// The largest prime below the limit of the vector kernels that is 1 modulo `2^18`.
pub(super) const PRIME: u64 = 64_337_131_601_921;

/// Terms of the sum of products that shows the limit of multiplication.
const TERMS: usize = 16;

/// Words of its rows: all of them fit into the first cache.
const LENGTH: usize = 128;

/// Words of the rows whose sum shows the limit of bandwidth: together they fill most of a second
/// cache of 512 KiB.
const LONG: usize = 16_384;

/// Products of each word by a constant that show the limit of multiplication.
const TIMES: usize = 64;

/// Multiplications of a product by a constant (two halves of the product and one of its quotient),
/// and of a term of a sum of products (two halves).
pub(super) const BY_CONSTANT: f64 = 3.0;
pub(super) const OF_TERM: f64 = 2.0;

/// A program that measures a limit of a kernel.
type Probe = fn(&mut Meter, &dyn Kernel);

/// The work of one call of an operation.
#[derive(Clone, Copy)]
pub(super) struct Work {
    /// Multiplications of words, if they were counted.
    pub(super) multiplications: Option<f64>,
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
    let limits: [(&str, &str, Probe); 3] = [
        ("multiply_limit", "64 products of each word by a constant, in registers", constants),
        ("sum_limit", "sum of 16 products of rows in the first cache", sums),
        ("transfer_limit", "sum of two rows in the second cache", transfers),
    ];
    for kernel in available() {
        for (op, text, limit) in limits {
            let work = move |meter: &mut Meter| limit(meter, kernel);
            programs.push(Program::infallible("kernel", kernel.name(), op, text, work));
        }
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

fn constants(meter: &mut Meter, kernel: &dyn Kernel) {
    let (input, constant) = (row(meter.seed(), LENGTH), modulus().constant(PRIME / 3));
    let mut out = input.clone();
    meter.time_plain(1, || {
        out.copy_from_slice(black_box(&input));
        kernel.mul_constant_repeatedly_assign(&modulus(), &mut out, &constant, TIMES);
    });
    let power = modulus().pow(constant.value(), TIMES as u64);
    meter.check(out.iter().copied(), reference::mul_constant(&modulus(), &input, power));
    meter.remark_rate(BY_CONSTANT * (TIMES * LENGTH) as f64, "G multiplications/s");
}

fn sums(meter: &mut Meter, kernel: &dyn Kernel) {
    let rows: Vec<Row> = (0..2 * TERMS as u64).map(|i| row(meter.seed() + i, LENGTH)).collect();
    let rows: Vec<&[u64]> = rows.iter().map(|row| &**row).collect();
    let (x, k) = rows.split_at(TERMS);
    let mut out = Row::zeroed(LENGTH);
    meter.time_plain(1, || kernel.dot(&modulus(), black_box(&mut out), x, k));
    meter.check(out.iter().copied(), reference::dot(&modulus(), LENGTH, x, k));
    meter.remark_rate(OF_TERM * (TERMS * LENGTH) as f64, "G multiplications/s");
}

fn transfers(meter: &mut Meter, kernel: &dyn Kernel) {
    let [a, b] = [1, 2].map(|i| row(meter.seed() + i, LONG));
    let mut out = Row::zeroed(LONG);
    meter.time_plain(1, || kernel.add(&modulus(), black_box(&mut out), &a, &b));
    meter.check(out.iter().copied(), reference::add(&modulus(), &a, &b));
    meter.remark_rate(24.0 * LONG as f64, "GB/s");
}

/// Returns the time of one call in nanoseconds, the least of many short samples: a limit is what
/// the machine reaches when nothing disturbs it.
fn least(mut call: impl FnMut()) -> f64 {
    let mut sample = || {
        let start = Instant::now();
        let mut calls = 0u32;
        while start.elapsed() < Duration::from_micros(100) {
            call();
            calls += 1;
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..40).map(|_| sample()).fold(f64::INFINITY, f64::min)
}

/// Returns the multiplications a nanosecond that an instruction set reaches, measured once.
fn multiplications_limit(kernel: &dyn Kernel) -> f64 {
    static KNOWN: LazyLock<Mutex<HashMap<&'static str, f64>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().expect("no thread panics with this lock");
    *known.entry(kernel.name()).or_insert_with(|| multiplications_rate(kernel))
}

/// Returns the bytes a nanosecond that this machine moves to and from the second cache with its
/// best instruction set, measured once.
fn bytes_limit() -> f64 {
    static KNOWN: LazyLock<f64> =
        LazyLock::new(|| available().into_iter().map(bytes_rate).fold(0.0, f64::max));
    *KNOWN
}

/// Returns the higher rate of multiplications by constants and in sums.
fn multiplications_rate(kernel: &dyn Kernel) -> f64 {
    let rows: Vec<Row> = (0..2 * TERMS as u64).map(|i| row(i, LENGTH)).collect();
    let rows: Vec<&[u64]> = rows.iter().map(|row| &**row).collect();
    let mut out = Row::zeroed(LENGTH);
    let (x, k) = rows.split_at(TERMS);
    let sums = least(|| kernel.dot(&modulus(), black_box(&mut out), x, k));
    let constant = modulus().constant(PRIME / 3);
    let constants = least(|| {
        kernel.mul_constant_repeatedly_assign(&modulus(), black_box(&mut out), &constant, TIMES);
    });
    let by_constants = BY_CONSTANT * (TIMES * LENGTH) as f64 / constants;
    by_constants.max(OF_TERM * (TERMS * LENGTH) as f64 / sums)
}

/// Returns the higher rate of bytes to and from the second cache of two operations: a sum of words,
/// which only reads, and a sum of two rows.
fn bytes_rate(kernel: &dyn Kernel) -> f64 {
    let [a, b] = [1, 2].map(|i| row(i, LONG));
    let mut out = Row::zeroed(LONG);
    let added = least(|| kernel.add(&modulus(), black_box(&mut out), &a, &b));
    let read = least(|| {
        black_box(sum(black_box(&a)) ^ sum(black_box(&b)));
    });
    (24.0 * LONG as f64 / added).max(16.0 * LONG as f64 / read)
}

/// Notes the work of an operation on the kernel of that name beside its limits.
pub(super) fn note(meter: &mut Meter, name: &str, work: Work) {
    let kernel = available().into_iter().find(|kernel| kernel.name() == name);
    let (Some(ns), Some(kernel)) = (meter.median_ns(), kernel) else { return };
    let roofline = Roofline {
        multiplications: work.multiplications,
        bytes: work.bytes,
        multiplication_limit: work.multiplications.map(|_| multiplications_limit(kernel)),
        byte_limit: bytes_limit(),
    };
    let said = |limit: Limit| {
        let share = roofline.share(limit, ns)?;
        Some(format!("{:.0} % of the limit of {}", share * 100.0, limit.name()))
    };
    let said = [Limit::Multiplication, Limit::Bandwidth].into_iter().filter_map(said);
    meter.remark(said.collect::<Vec<_>>().join(", "));
    meter.roofline(roofline);
}
