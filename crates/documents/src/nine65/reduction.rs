//! Modular reduction of machine words: Barrett, Montgomery, and a residue number system of four
//! lanes. Nothing here is encrypted.
//!
//! An operation takes a few nanoseconds, less than a clock tells, so that a call is a batch of
//! [`COUNT`] operations; the time of one is that of the batch divided by their number.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;
use fathom_kernels::Modulus;

/// Number of operations of a call.
const COUNT: usize = 1024;

/// The document's prime for Barrett reduction.
const Q: u64 = 998_244_353;

/// The document's prime for Montgomery form: `2^60 - 2^18 + 1`.
const M: u64 = (1 << 60) - (1 << 18) + 1;

/// The document's 62-bit modulus for products of 128 bits.
const WIDE: u64 = 4_611_686_018_427_387_847;

/// The moduli of the four lanes.
const LANES: [u64; 4] = [(1 << 32) - 5, (1 << 32) - 17, (1 << 32) - 65, (1 << 32) - 99];

/// A row: parameters, name, description, bits of the values, and the work.
type Row = (&'static str, &'static str, &'static str, usize, fn(&mut Meter, usize));

/// The programs that work on random values.
const ROWS: [Row; 12] = [
    ("q30", "barrett_reduce_small", "1024 Barrett reductions of 16-bit values", 16, barrett_reduce),
    ("q30", "barrett_reduce_large", "1024 Barrett reductions of 64-bit values", 64, barrett_reduce),
    ("q30", "barrett_mul_small", "1024 Barrett products of residues of 16 bits", 16, barrett_mul),
    ("q30", "barrett_mul_large", "1024 Barrett products of residues of 30 bits", 64, barrett_mul),
    ("q62", "mul_mod_u128_small", "1024 products modulo a 62-bit number, of 16 bits", 16, wide_mul),
    ("q62", "mul_mod_u128_large", "1024 products modulo a 62-bit number, of 62 bits", 64, wide_mul),
    ("q60", "montgomery_enter", "1024 conversions to Montgomery form", 64, |meter, _| enter(meter)),
    ("q60", "montgomery_mul", "1024 products in Montgomery form", 64, |meter, _| montgomery(meter)),
    (
        "q60",
        "montgomery_persistent",
        "product of 1024 values that stay in Montgomery form",
        64,
        |meter, _| persistent(meter),
    ),
    ("q60", "montgomery_exit", "1024 conversions from Montgomery form", 64, |meter, _| exit(meter)),
    ("rns4", "rns_4lane_add", "1024 sums of a value in four lanes", 64, |meter, _| {
        lanes(meter, false);
    }),
    ("rns4", "rns_4lane_mul", "1024 products of a value in four lanes", 64, |meter, _| {
        lanes(meter, true);
    }),
];

/// Returns the programs of reduction.
pub(super) fn programs() -> Vec<Program> {
    let of_row = |(params, op, meaning, bits, work): Row| {
        Program::infallible("plain", params, op, meaning, move |meter| work(meter, bits))
    };
    let mut programs: Vec<Program> = ROWS.into_iter().map(of_row).collect();
    for borrow in [false, true] {
        let op = if borrow { "sub_mod_borrow" } else { "sub_mod_no_borrow" };
        let text = "1024 differences modulo 667 without a branch";
        let work = move |meter: &mut Meter| difference(meter, borrow);
        programs.push(Program::infallible("plain", "q667", op, text, work));
    }
    for terms in [100, 1000, 4096] {
        let text = format!("Horner's method for {terms} coefficients at 2, modulo 2^64");
        let work = move |meter: &mut Meter| horner(meter, terms);
        programs.push(Program::infallible("plain", "words", format!("horner{terms}"), text, work));
    }
    programs
}

fn random(meter: &Meter, bits: usize) -> Vec<u64> {
    let mut random = SplitMix64(meter.seed());
    (0..COUNT).map(|_| random.next_u64() >> (64 - bits)).collect()
}

/// Times a batch of [`COUNT`] operations.
fn time_batch<T>(meter: &mut Meter, call: impl FnMut() -> T) -> T {
    meter.values(COUNT);
    meter.time_plain(1, call)
}

/// Times a function of single values and compares it with its definition.
fn each(meter: &mut Meter, values: &[u64], call: impl Fn(u64) -> u64, oracle: impl Fn(u64) -> u64) {
    let found = time_batch(meter, || {
        black_box(values).iter().map(|value| call(*value)).collect::<Vec<_>>()
    });
    meter.check(found, values.iter().map(|value| oracle(*value)));
}

/// Reduces any word modulo [`Q`]: the estimated quotient is at most one too small.
///
/// Source: Barrett, "Implementing the Rivest Shamir and Adleman public key encryption algorithm",
/// CRYPTO '86.
fn barrett(x: u64) -> u64 {
    const RATIO: u64 = (u64::MAX as u128 / Q as u128) as u64;
    let quotient = ((u128::from(x) * u128::from(RATIO)) >> 64) as u64;
    let rest = x - quotient * Q;
    let less = rest.wrapping_sub(Q);
    // The difference has its top bit set if it is negative.
    less.wrapping_add(Q & (less >> 63).wrapping_neg())
}

fn barrett_reduce(meter: &mut Meter, bits: usize) {
    let values = random(meter, bits);
    each(meter, &values, |x| barrett(barrett(x)), |x| x % Q);
}

fn barrett_mul(meter: &mut Meter, bits: usize) {
    let values: Vec<u64> = random(meter, bits).iter().map(|x| x % Q).collect();
    each(
        meter,
        &values,
        |x| barrett(x * (Q - 1 - x)),
        |x| (u128::from(x) * u128::from(Q - 1 - x) % u128::from(Q)) as u64,
    );
}

fn wide_mul(meter: &mut Meter, bits: usize) {
    let values: Vec<u64> = random(meter, bits).iter().map(|x| x % WIDE).collect();
    let form = Montgomery::new(WIDE);
    // Two products: one brings the value to the form, one multiplies and leaves it.
    each(
        meter,
        &values,
        |x| form.mul(form.enter(x), WIDE - 1 - x),
        |x| (u128::from(x) * u128::from(WIDE - 1 - x) % u128::from(WIDE)) as u64,
    );
}

/// Montgomery's form of residues modulo an odd number below `2^63`, with `R = 2^64`.
///
/// Source: Montgomery, "Modular multiplication without trial division", 1985.
struct Montgomery {
    modulus: u64,
    /// `-1 / modulus` modulo `2^64`.
    inverse: u64,
    /// `2^128` modulo the modulus.
    square: u64,
}

impl Montgomery {
    fn new(modulus: u64) -> Self {
        // Newton's iteration doubles the number of right bits, from three.
        let inverse =
            (0..5).fold(modulus, |x, _| x.wrapping_mul(2u64.wrapping_sub(modulus.wrapping_mul(x))));
        let r = u128::MAX % u128::from(modulus) + 1;
        let square = (r % u128::from(modulus)) as u64;
        Self { modulus, inverse: inverse.wrapping_neg(), square }
    }

    /// Returns `a b / R`, reduced.
    fn mul(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let factor = (product as u64).wrapping_mul(self.inverse);
        let sum = product + u128::from(factor) * u128::from(self.modulus);
        let high = (sum >> 64) as u64;
        let less = high.wrapping_sub(self.modulus);
        less.wrapping_add(self.modulus & (less >> 63).wrapping_neg())
    }

    fn enter(&self, x: u64) -> u64 {
        self.mul(x, self.square)
    }

    fn exit(&self, x: u64) -> u64 {
        self.mul(x, 1)
    }
}

fn residues(meter: &Meter) -> Vec<u64> {
    random(meter, 64).iter().map(|x| x % M).collect()
}

fn enter(meter: &mut Meter) {
    let (values, form) = (residues(meter), Montgomery::new(M));
    let oracle = |x: u64| ((u128::from(x) << 64) % u128::from(M)) as u64;
    each(meter, &values, |x| form.enter(x), oracle);
}

fn exit(meter: &mut Meter) {
    let form = Montgomery::new(M);
    let clear = residues(meter);
    let values: Vec<u64> =
        clear.iter().map(|x| ((u128::from(*x) << 64) % u128::from(M)) as u64).collect();
    let found =
        time_batch(meter, || black_box(&values).iter().map(|x| form.exit(*x)).collect::<Vec<_>>());
    meter.check(found, clear);
}

fn montgomery(meter: &mut Meter) {
    let (values, form) = (residues(meter), Montgomery::new(M));
    each(
        meter,
        &values,
        |x| form.mul(x, M - 1 - x),
        |x| {
            // a b = (found) R modulo M is tested by its product with R.
            let product = u128::from(x) * u128::from(M - 1 - x) % u128::from(M);
            divided_by_r(product as u64)
        },
    );
}

/// Returns `x / 2^64` modulo [`M`] by 64 halvings.
fn divided_by_r(x: u64) -> u64 {
    (0..64)
        .fold(x, |x, _| if x % 2 == 0 { x / 2 } else { u128::midpoint(x.into(), M.into()) as u64 })
}

fn persistent(meter: &mut Meter) {
    let (values, form) = (residues(meter), Montgomery::new(M));
    let inside: Vec<u64> = values.iter().map(|x| form.enter(*x)).collect();
    let found = time_batch(meter, || {
        black_box(&inside).iter().fold(form.enter(1), |product, x| form.mul(product, *x))
    });
    let expected =
        values.iter().fold(1, |product: u128, x| product * u128::from(*x) % u128::from(M));
    meter.check([form.exit(found)], [expected as u64]);
}

/// Computes dependent operations on one value of 128 bits in four lanes.
fn lanes(meter: &mut Meter, product: bool) {
    let value = LANES.map(|lane| 0x1234_5678_9abc_def1 % lane);
    let call = || {
        let factor = black_box(value);
        (0..COUNT).fold(value, |x, _| {
            std::array::from_fn(|i| {
                let next = if product { x[i] * factor[i] } else { x[i] + factor[i] };
                next % LANES[i]
            })
        })
    };
    let found = time_batch(meter, call);
    let steps = COUNT as u64;
    let expected = std::array::from_fn::<u64, 4, _>(|i| {
        let lane = Modulus::new(LANES[i]).expect("the lanes are below 2^61");
        if product { lane.pow(value[i], steps + 1) } else { lane.mul(value[i], steps + 1) }
    });
    meter.check(found, expected);
}

fn difference(meter: &mut Meter, borrow: bool) {
    const MODULUS: u64 = 667;
    let values: Vec<u64> = random(meter, 64).iter().map(|x| x % 333).collect();
    let other = |x: u64| if borrow { x + 300 } else { x / 2 };
    let call = |x: u64| {
        let difference = x.wrapping_sub(other(x));
        difference.wrapping_add(MODULUS & (difference >> 63).wrapping_neg())
    };
    each(meter, &values, call, |x| (x + MODULUS - other(x)) % MODULUS);
}

fn horner(meter: &mut Meter, terms: usize) {
    let mut random = SplitMix64(meter.seed());
    let coefficients: Vec<u64> = (0..terms).map(|_| random.next_u64() >> 32).collect();
    let found = meter.time_plain(1, || {
        let all = black_box(&coefficients).iter().rev();
        all.fold(0u64, |sum, c| sum.wrapping_mul(2).wrapping_add(*c))
    });
    let power = |k: usize| if k < 64 { 1u64 << k } else { 0 };
    let terms = coefficients.iter().enumerate().map(|(k, c)| c.wrapping_mul(power(k)));
    meter.check([found], [terms.fold(0u64, u64::wrapping_add)]);
}
