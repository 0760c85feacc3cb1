//! Exact arithmetic in a residue number system of two moduli, which the document calls
//! K-elimination and the literature Garner's step of mixed-radix conversion. Not encrypted.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::random::SplitMix64;

/// The document's first modulus, a product of three primes.
const ALPHA: u64 = 65_537 * 65_521 * 65_519;

/// The document's second modulus.
const BETA: u64 = 4_611_686_018_427_387_847;

/// The modulus of the document's exact division.
const Q: u64 = 998_244_353;

/// The primes of the configuration `secure_128`.
const PRIMES: [u64; 3] = [998_244_353, 985_661_441, 754_974_721];

/// The plaintext modulus.
const T: u64 = 65_537;

/// Coefficients of a polynomial.
const DEGREE: usize = 4096;

/// Returns the programs of exact conversion and division.
pub(super) fn programs() -> Vec<Program> {
    let program = |params: &str, op: &str, meaning: &str, work: fn(&mut Meter)| {
        Program::infallible("plain", params, op, meaning, work)
    };
    let text = "quotient by the first modulus, from two residues (Garner's step)";
    let mut programs = vec![
        program("a48-b62", "extract_k_small", text, |m| extract(m, 1)),
        program("a48-b62", "extract_k_large", text, |m| extract(m, u128::from(ALPHA) * 1000 + 50)),
        program("a48-b62", "extract_k_edge", text, |m| extract(m, u128::from(BETA) - 1)),
    ];
    programs.extend([
        program("q30-b62", "reconstruct_exact", "value from two residues", |m| divider(m, |x| x)),
        program("q30-b62", "exact_divide5", "exact division by 5, from two residues", |m| {
            divider(m, |x| x / 5);
        }),
        program("q30-b62", "divmod7", "quotient by 7, from two residues", |m| {
            divider(m, |x| x / 7);
        }),
        program(
            "q30-b62",
            "scale_and_round",
            "x t / q rounded, modulo t, from two residues",
            |m| {
                divider(m, scaled);
            },
        ),
        program("n4096-l3", "rns_rescale", "division of a polynomial by its last prime", rescale),
        program("n4096-l3", "garner_scale", "t x / Q rounded, exact in mixed radix", |m| {
            scale(m, exact);
        }),
        program("n4096-l3", "float_scale", "t x / Q rounded, with floating-point fractions", |m| {
            scale(m, float);
        }),
    ]);
    programs
}

fn inverse(x: u64, modulus: u64) -> u64 {
    // Euclid's algorithm; x and the modulus are coprime.
    let (mut a, mut b) = (i128::from(modulus), i128::from(x % modulus));
    let (mut s, mut t) = (0i128, 1i128);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (s, t) = (t, s - quotient * t);
    }
    s.rem_euclid(i128::from(modulus)) as u64
}

/// Returns `k` with `x = x_m + k m`, for `0 <= x < m a`, from the residues modulo `m` and `a` and
/// the inverse of `m` modulo `a`.
fn quotient(a: u64, inverse: u64, [x_m, x_a]: [u64; 2]) -> u64 {
    let difference = (u128::from(x_a) + u128::from(a) - u128::from(x_m % a)) % u128::from(a);
    (difference * u128::from(inverse) % u128::from(a)) as u64
}

fn extract(meter: &mut Meter, value: u128) {
    let inverse = inverse(ALPHA, BETA);
    let of = |x: u128| [(x % u128::from(ALPHA)) as u64, (x % u128::from(BETA)) as u64];
    let values: Vec<u128> = (0..256).map(|i| value + i).collect();
    let residues: Vec<[u64; 2]> = values.iter().map(|x| of(*x)).collect();
    let found = meter.time_plain(residues.len(), || {
        let all = black_box(&residues).iter();
        all.map(|x| quotient(BETA, inverse, *x)).collect::<Vec<_>>()
    });
    meter.check(found, values.iter().map(|x| (x / u128::from(ALPHA)) as u64));
}

/// Returns `round(x t / q)` modulo `t`.
fn scaled(x: u128) -> u128 {
    (x * u128::from(T) + u128::from(Q) / 2) / u128::from(Q) % u128::from(T)
}

/// Times a function of values that are reconstructed from two residues.
fn divider(meter: &mut Meter, of_value: fn(u128) -> u128) {
    let inverse = inverse(Q, BETA);
    let step = if of_value(5) == 1 { 5 } else { 1 };
    let values: Vec<u128> = (0..2048).map(|v| v * 123_457 * step).collect();
    let of = |x: u128| [(x % u128::from(Q)) as u64, (x % u128::from(BETA)) as u64];
    let residues: Vec<[u64; 2]> = values.iter().map(|x| of(*x)).collect();
    let found = meter.time_plain(residues.len(), || {
        let value = |x: &[u64; 2]| {
            u128::from(x[0]) + u128::from(quotient(BETA, inverse, *x)) * u128::from(Q)
        };
        black_box(&residues).iter().map(|x| of_value(value(x)) as u64).collect::<Vec<_>>()
    });
    meter.check(found, values.iter().map(|x| of_value(*x) as u64));
}

/// Random values below the product of the primes, and their residues, one row a prime.
fn polynomial(meter: &Meter) -> (Vec<u128>, [Vec<u64>; 3]) {
    let mut random = SplitMix64(meter.seed());
    let product: u128 = PRIMES.iter().map(|p| u128::from(*p)).product();
    let mut wide =
        || (u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())) % product;
    let values: Vec<u128> = (0..DEGREE).map(|_| wide()).collect();
    let rows = PRIMES.map(|p| values.iter().map(|x| (x % u128::from(p)) as u64).collect());
    (values, rows)
}

fn rescale(meter: &mut Meter) {
    let (values, rows) = polynomial(meter);
    let last = PRIMES[2];
    let inverses = [0, 1].map(|i| inverse(last, PRIMES[i]));
    let found = meter.time_plain(1, || {
        [0, 1].map(|i| {
            let p = PRIMES[i];
            let pairs = rows[i].iter().zip(black_box(&rows[2]));
            let divided = |(x, low): (&u64, &u64)| {
                // Adding half of the divisor first turns the floor into the nearest integer.
                let half = (low + last / 2) % last;
                (x + last / 2 + 2 * p - half % p) % p * inverses[i] % p
            };
            pairs.map(divided).collect::<Vec<_>>()
        })
    });
    for (i, row) in found.into_iter().enumerate() {
        let nearest = |x: &u128| (x + u128::from(last / 2)) / u128::from(last);
        meter.check(row, values.iter().map(|x| (nearest(x) % u128::from(PRIMES[i])) as u64));
    }
}

fn scale(meter: &mut Meter, method: fn(&[Vec<u64>; 3]) -> Vec<u64>) {
    let (values, rows) = polynomial(meter);
    let product: u128 = PRIMES.iter().map(|p| u128::from(*p)).product();
    let found = meter.time_plain(1, || method(black_box(&rows)));
    let expected = |x: &u128| ((x * u128::from(T) + product / 2) / product % u128::from(T)) as u64;
    meter.check(found, values.iter().map(expected));
}

/// Reconstructs every coefficient in mixed radix, then divides.
fn exact(rows: &[Vec<u64>; 3]) -> Vec<u64> {
    let [p, q, r] = PRIMES;
    let first = inverse(p, q);
    let second = inverse((u128::from(p) * u128::from(q) % u128::from(r)) as u64, r);
    let product = u128::from(p) * u128::from(q) * u128::from(r);
    let coefficient = |i: usize| {
        let k = (rows[1][i] + q - rows[0][i] % q) % q * first % q;
        let low = u128::from(rows[0][i]) + u128::from(k) * u128::from(p);
        let gap = (rows[2][i] + r - (low % u128::from(r)) as u64) % r;
        let top = gap * second % r;
        let x = low + u128::from(top) * u128::from(p) * u128::from(q);
        ((x * u128::from(T) + product / 2) / product % u128::from(T)) as u64
    };
    (0..rows[0].len()).map(coefficient).collect()
}

/// Sums `t [x_i / (Q/q_i)]_{q_i} / q_i`, whole and fractional parts apart.
///
/// Source: Halevi, Polyakov, Shoup, eprint 2018/117, section 2.3. The fractions have 53 bits, so
/// that a value within `2^-50` of a half could round the other way.
fn float(rows: &[Vec<u64>; 3]) -> Vec<u64> {
    let inverses: [u64; 3] = std::array::from_fn(|i| {
        let others = PRIMES.iter().filter(|p| **p != PRIMES[i]);
        let punctured = others.fold(1, |x, p| x * (p % PRIMES[i]) % PRIMES[i]);
        inverse(punctured, PRIMES[i])
    });
    let coefficient = |at: usize| {
        let (mut whole, mut fraction) = (0u64, 0.5f64);
        for i in 0..3 {
            let scaled = rows[i][at] * inverses[i] % PRIMES[i] * T;
            whole += scaled / PRIMES[i];
            fraction += (scaled % PRIMES[i]) as f64 / PRIMES[i] as f64;
        }
        (whole + fraction as u64) % T
    };
    (0..rows[0].len()).map(coefficient).collect()
}
