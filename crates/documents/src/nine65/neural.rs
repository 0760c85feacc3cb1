//! The integer "neural" kernels of document 004 at its definitions: arithmetic on clear numbers,
//! labelled as not encrypted. Encrypted functions are rows of the suites `tfhe` and `schemes`.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;

/// The document's modulus.
const Q: u64 = 998_244_353;

/// Units of fixed-point numbers: `2^19` units are 0.000524, as in the document.
const UNIT: i128 = 1_000_000_000;

/// Sum of a softmax, in units.
const WHOLE: i128 = 1_000_000_000_000;

/// Values of a polynomial.
const DEGREE: usize = 4096;

/// A function: its name, in fixed point, and of real numbers.
type Approximation = (&'static str, fn(i128) -> i128, fn(f64) -> f64);

/// Returns the kernels.
pub(super) fn programs() -> Vec<Program> {
    let program = |params: &str, op: &str, meaning: &str, work: Box<dyn Fn(&mut Meter)>| {
        Program::infallible("plain", params, op, meaning, work)
    };
    let mut programs = vec![
        program("q30", "sign", "sign of residues, by comparison with q/2", Box::new(sign)),
        program(
            "q30",
            "mq_relu",
            "one residue, or 0 if it stands for a negative number",
            Box::new(|m| relu(m, 1)),
        ),
        program(
            "n4096",
            "mq_relu",
            "4096 residues, 0 for negative numbers",
            Box::new(|m| relu(m, DEGREE)),
        ),
        program(
            "n4096",
            "cyclotomic_rotation",
            "product of a polynomial by X^100",
            Box::new(rotation),
        ),
        program(
            "n4096",
            "cyclotomic_split",
            "odd and even coefficients of a polynomial",
            Box::new(split),
        ),
    ];
    for count in [10, 100, 1000] {
        let text = "softmax of fixed-point numbers whose results sum to 10^12";
        let work = Box::new(move |m: &mut Meter| softmax(m, count));
        programs.push(program(&format!("k{count}"), "integer_softmax", text, work));
    }
    let functions: [Approximation; 3] = [
        ("exp", exp, f64::exp),
        ("sin", sin, f64::sin),
        ("sigmoid", sigmoid, |x| 1.0 / (1.0 + (-x).exp())),
    ];
    for (name, function, real) in functions {
        let text = format!("{name} by a Pade approximation in fixed point, within 1e-8");
        let work = Box::new(move |m: &mut Meter| pade(m, function, real));
        programs.push(program("fixed9", &format!("pade_{name}"), &text, work));
    }
    programs
}

/// Random numbers of both signs, and their residues.
fn signed(meter: &Meter, count: usize) -> (Vec<i64>, Vec<u64>) {
    let mut random = SplitMix64(meter.seed());
    let half = Q as i64 / 2;
    let values: Vec<i64> = (0..count).map(|_| random.below(Q as usize) as i64 - half).collect();
    let residues = values.iter().map(|x| x.rem_euclid(Q as i64) as u64).collect();
    (values, residues)
}

fn sign(meter: &mut Meter) {
    let (values, residues) = signed(meter, DEGREE);
    let found = meter.time_plain(DEGREE, || {
        let all = black_box(&residues).iter();
        all.map(|x| i64::from(*x != 0) - 2 * i64::from(*x > Q / 2)).collect::<Vec<_>>()
    });
    meter.check(found, values.iter().map(|x| x.signum()));
}

fn relu(meter: &mut Meter, count: usize) {
    let (values, residues) = signed(meter, count);
    let found = meter.time_plain(1, || {
        let all = black_box(&residues).iter();
        all.map(|x| if *x > Q / 2 { 0 } else { *x }).collect::<Vec<_>>()
    });
    meter.check(found, values.iter().map(|x| (*x).max(0)));
}

fn rotation(meter: &mut Meter) {
    const SHIFT: usize = 100;
    let (_, row) = signed(meter, DEGREE);
    let found = meter.time_plain(1, || {
        let (low, high) = black_box(&row).split_at(DEGREE - SHIFT);
        high.iter()
            .map(|x| if *x == 0 { 0 } else { Q - x })
            .chain(low.iter().copied())
            .collect::<Vec<_>>()
    });
    let expected = (0..DEGREE).map(|i| match i.checked_sub(SHIFT) {
        Some(from) => row[from],
        None => (Q - row[DEGREE + i - SHIFT]) % Q,
    });
    meter.check(found, expected);
}

fn split(meter: &mut Meter) {
    let (_, row) = signed(meter, DEGREE);
    let [even, odd] = meter.time_plain(1, || {
        let row = black_box(&row);
        [0, 1].map(|first| row.iter().skip(first).step_by(2).copied().collect::<Vec<_>>())
    });
    let merged = even.iter().zip(&odd).flat_map(|(even, odd)| [*even, *odd]);
    meter.check(merged, row.iter().copied());
}

/// Divides, rounded to the nearest.
fn divide(a: i128, b: i128) -> i128 {
    (2 * a + b).div_euclid(2 * b)
}

/// `e^x` for |x| up to 1: numerator and denominator are `sum c_k (+-x)^k` with the coefficients of
/// the diagonal approximant of order 4, whose error there is below 1e-8.
fn exp(x: i128) -> i128 {
    let horner = |x: i128| {
        // Coefficients are scaled like x, so that no fraction is lost.
        let step = |sum: i128, c: i128| sum * x / UNIT + c * UNIT;
        [1, 20, 180, 840, 1680].into_iter().fold(0, step)
    };
    divide(horner(x) * UNIT, horner(-x))
}

/// `sin x` for |x| up to 1, by the approximant of orders 5 and 4.
fn sin(x: i128) -> i128 {
    let square = x * x / UNIT;
    let over = 166_320 * UNIT - 22_260 * square + 551 * (square * square / UNIT);
    let under = 15 * (11_088 * UNIT + 364 * square + 5 * (square * square / UNIT));
    divide(x * over, under)
}

fn sigmoid(x: i128) -> i128 {
    divide(UNIT * UNIT, UNIT + exp(-x))
}

/// Times a function at the document's input, 0.5 and their negatives; every result is within 1e-8.
fn pade(meter: &mut Meter, function: fn(i128) -> i128, real: fn(f64) -> f64) {
    let inputs = [1 << 19, UNIT / 2, -(1 << 19), -UNIT / 2];
    let found = meter.time_plain(inputs.len(), || black_box(inputs).map(function));
    let unit = UNIT as f64;
    let close = inputs
        .iter()
        .zip(found)
        .map(|(x, y)| (y as f64 / unit - real(*x as f64 / unit)).abs() <= 1e-8);
    meter.check(close, [true; 4]);
}

/// Softmax at the document's definition: logits are clamped to a million and scaled to [-1, 1], and
/// the largest result takes the rest of the sum.
fn softmax(meter: &mut Meter, count: usize) {
    let mut random = SplitMix64(meter.seed());
    let logits: Vec<i64> = (0..count).map(|_| random.below(4_000_001) as i64 - 2_000_000).collect();
    let found = meter.time_plain(1, || {
        let scaled =
            |x: &i64| exp(i128::from((*x).clamp(-1_000_000, 1_000_000)) * UNIT / 1_000_000);
        let powers: Vec<i128> = black_box(&logits).iter().map(scaled).collect();
        let sum: i128 = powers.iter().sum();
        let mut shares: Vec<i128> = powers.iter().map(|power| power * WHOLE / sum).collect();
        let rest = WHOLE - shares.iter().sum::<i128>();
        if let Some(largest) = shares.iter_mut().max() {
            *largest += rest;
        }
        shares
    });
    let power = |x: &i64| (x.clamp(&-1_000_000, &1_000_000).to_owned() as f64 / 1e6).exp();
    let sum: f64 = logits.iter().map(power).sum();
    let close = found.iter().zip(&logits).map(|(share, logit)| {
        i128::from((*share as f64 / WHOLE as f64 - power(logit) / sum).abs() < 1e-7)
    });
    let total = found.iter().sum::<i128>();
    meter.check(close.chain([total]), std::iter::repeat_n(1, count).chain([WHOLE]));
}
