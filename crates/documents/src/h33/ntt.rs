//! The variants of the negacyclic transform of document 001 for a prime of 56 bits, on clear rows,
//! with their reductions counted.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;
use fathom_kernels::{Modulus, NttTable, Row, available};

use crate::transform_oracle::{places, transformed, value};

/// The largest prime below `2^56` that is 1 modulo `2^18`.
const Q: u64 = 72_057_594_036_879_361;

/// A nonresidue modulo [`Q`], whose powers are roots of unity of all orders.
const NONRESIDUE: u64 = 17;

/// A twiddle factor with `floor(w 2^64 / q)`.
#[derive(Clone, Copy)]
struct Factor {
    value: u64,
    quotient: u64,
}

/// The factors of a transform, in bit-reversed order.
struct Factors(Vec<Factor>);

/// A way to transform a row; returns the number of reductions in its butterflies.
type Transform = fn(&Factors, &mut [u64]) -> u64;

/// The variants: name, description, reductions in a hundred radix-2 butterflies, and the code.
const VARIANTS: [(&str, &str, u64, Transform); 4] = [
    ("ntt_radix2_textbook", "radix 2, with complete reductions", 300, textbook),
    ("ntt_radix2_lazy", "radix 2, with Harvey's lazy reductions", 100, lazy),
    ("ntt_radix4_lazy", "radix 4, with lazy reductions", 50, radix4),
    ("ntt_radix4_uncorrected", "radix 4, without corrections before the last step", 0, uncorrected),
];

/// Returns every variant at the document's degree and the next one, and the engine's kernels.
pub(super) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for degree in [4096, 16_384] {
        for (op, text, percent, transform) in VARIANTS {
            let work = move |meter: &mut Meter| variant(meter, degree, percent, transform);
            let text = format!("forward transform, {text}");
            programs.push(Program::infallible("plain", format!("n{degree}-q56"), op, text, work));
        }
        for kernel in available() {
            if kernel.supports(&modulus()) {
                let op = format!("ntt_engine_{}", kernel.name());
                let text = "forward transform of the engine";
                let params = format!("n{degree}-q56");
                let work = move |meter: &mut Meter| engine(meter, degree, kernel);
                programs.push(Program::infallible("plain", params, op, text, work));
            }
        }
    }
    programs
}

fn modulus() -> Modulus {
    Modulus::new(Q).expect("the prime is below 2^61")
}

/// Returns a primitive root of unity of order `2 degree`.
fn root(degree: usize) -> u64 {
    modulus().pow(NONRESIDUE, (Q - 1) / (2 * degree as u64))
}

fn reversed(degree: usize, index: usize) -> usize {
    index.reverse_bits() >> (usize::BITS - degree.trailing_zeros())
}

impl Factors {
    fn new(degree: usize) -> Self {
        let (modulus, root) = (modulus(), root(degree));
        let factor = |i| {
            let value = modulus.pow(root, reversed(degree, i) as u64);
            let quotient = ((u128::from(value) << 64) / u128::from(Q)) as u64;
            Factor { value, quotient }
        };
        Self((0..degree).map(factor).collect())
    }
}

impl Factor {
    /// Returns `x w` in `[0, 2q)`, for any word `x`.
    fn times(self, x: u64) -> u64 {
        let quotient = ((u128::from(x) * u128::from(self.quotient)) >> 64) as u64;
        x.wrapping_mul(self.value).wrapping_sub(quotient.wrapping_mul(Q))
    }
}

/// Subtracts `limit` if that leaves a number that is not negative, and counts it.
fn corrected(x: u64, limit: u64, count: &mut u64) -> u64 {
    *count += 1;
    x.min(x.wrapping_sub(limit))
}

/// Applies `butterfly` to every pair of every level, with its factor.
fn radix2(
    factors: &Factors,
    row: &mut [u64],
    mut butterfly: impl FnMut(Factor, [u64; 2]) -> [u64; 2],
) {
    let mut groups = 1;
    while groups < row.len() {
        let half = row.len() / (2 * groups);
        for (group, block) in row.chunks_exact_mut(2 * half).enumerate() {
            let factor = factors.0[groups + group];
            let (low, high) = block.split_at_mut(half);
            for (x, y) in low.iter_mut().zip(high) {
                [*x, *y] = butterfly(factor, [*x, *y]);
            }
        }
        groups *= 2;
    }
}

/// Complete reductions of the product, the sum and the difference.
fn textbook(factors: &Factors, row: &mut [u64]) -> u64 {
    let mut count = 0;
    radix2(factors, row, |factor, [x, y]| {
        let term = (u128::from(y) * u128::from(factor.value) % u128::from(Q)) as u64;
        count += 3;
        [(x + term) % Q, (x + Q - term) % Q]
    });
    count
}

/// Source: Harvey, arXiv:1205.2926, algorithm 4: values below `4q`, one correction a butterfly.
fn lazy(factors: &Factors, row: &mut [u64]) -> u64 {
    let mut count = 0;
    radix2(factors, row, |factor, [x, y]| {
        let start = corrected(x, 2 * Q, &mut count);
        let term = factor.times(y);
        [start + term, start + 2 * Q - term]
    });
    reduce(row);
    count
}

/// Brings every value below `q`.
fn reduce(row: &mut [u64]) {
    for x in row {
        *x %= Q;
    }
}

fn radix4(factors: &Factors, row: &mut [u64]) -> u64 {
    by_fours::<true>(factors, row)
}

/// No correction at all: 14 levels add less than `2q` each, and `29 q` is below `2^61`.
fn uncorrected(factors: &Factors, row: &mut [u64]) -> u64 {
    by_fours::<false>(factors, row)
}

/// Two levels at once, for degrees that are powers of four. With corrections, values are below
/// `8q`, and two of four inputs are brought below `4q`.
fn by_fours<const CORRECT: bool>(factors: &Factors, row: &mut [u64]) -> u64 {
    let (mut count, mut groups) = (0, 1);
    while groups < row.len() {
        let quarter = row.len() / (4 * groups);
        for (group, block) in row.chunks_exact_mut(4 * quarter).enumerate() {
            let first = factors.0[groups + group];
            let second = [0, 1].map(|k| factors.0[2 * (groups + group) + k]);
            let (low, high) = block.split_at_mut(2 * quarter);
            let ((a, b), (c, d)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
            let rows = a.iter_mut().zip(b).zip(c.iter_mut().zip(d));
            for ((a, b), (c, d)) in rows {
                let [x, y] =
                    [*a, *b].map(|x| if CORRECT { corrected(x, 4 * Q, &mut count) } else { x });
                let (s, t) = (first.times(*c), first.times(*d));
                let (p, q, r, u) = (x + s, y + t, x + 2 * Q - s, y + 2 * Q - t);
                let (q, u) = (second[0].times(q), second[1].times(u));
                (*a, *b, *c, *d) = (p + q, p + 2 * Q - q, r + u, r + 2 * Q - u);
            }
        }
        groups *= 4;
    }
    reduce(row);
    count
}

fn random(seed: u64, degree: usize) -> Vec<u64> {
    let mut random = SplitMix64(seed);
    (0..degree).map(|_| random.next_u64() % Q).collect()
}

fn variant(meter: &mut Meter, degree: usize, percent: u64, transform: Transform) {
    let (factors, input) = (Factors::new(degree), random(meter.seed(), degree));
    let mut row = input.clone();
    let count = meter.time_plain(1, || {
        row.copy_from_slice(black_box(&input));
        transform(&factors, &mut row)
    });
    let butterflies = degree as u64 / 2 * u64::from(degree.trailing_zeros());
    meter.remark(format!("{:.2} reductions per butterfly", count as f64 / butterflies as f64));
    let point = |at: usize| modulus().pow(root(degree), 2 * reversed(degree, at) as u64 + 1);
    let expected = places(degree).map(|at| value(&modulus(), &input, point(at)));
    let found = [count * 100].into_iter().chain(places(degree).map(|at| row[at]));
    meter.check(found, [percent * butterflies].into_iter().chain(expected));
}

fn engine(meter: &mut Meter, degree: usize, kernel: &dyn fathom_kernels::Kernel) {
    let table = NttTable::new(modulus(), degree, kernel).expect("2^18 divides q - 1");
    let input = random(meter.seed(), degree);
    let mut row = Row::from(&input[..]);
    meter.time_plain(1, || {
        row.copy_from_slice(black_box(&input));
        kernel.ntt_forward(&table, &mut row);
    });
    let expected = places(degree).map(|at| transformed(&table, &input, at));
    meter.check(places(degree).map(|at| row[at]), expected);
}
