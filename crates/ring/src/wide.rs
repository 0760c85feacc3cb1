//! Integer coefficients that may exceed the primes of a ring.

use crate::{Eval, Limbs, Poly, Ring, SecretCoefficients, SecretPoly, SecretRng};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Weight of the high part of a coefficient, as a power of two.
const HIGH_SHIFT: u32 = 60;
/// Bound on the low part, as a power of two.
const LOW_BITS: i32 = 62;
/// Bits of a digit: a coefficient's low digit is read as the addend of a transform. Every prime has
/// more.
const DIGIT_BITS: u32 = 19;
/// Multiple of `2^DIGIT_BITS` that makes numbers above `-2^62` positive: logical shifts are fast on
/// every processor, arithmetic ones are not.
const OFFSET: i64 = 1 << LOW_BITS;

/// Integer coefficients of up to [`WideCoefficients::LARGEST`] in absolute value, as sums
/// `low + 2^60 high`. Wiped when dropped.
#[derive(Debug)]
pub struct WideCoefficients {
    low: SecretCoefficients,
    /// Bound on the absolute value of `low`, which is public.
    low_bound: f64,
    high: Option<SecretCoefficients>,
}

/// A digit of integers: coefficients that are small enough for [`fathom_kernels::Kernel::lift`]
/// modulo every prime of at least [`WideCoefficients::LEAST_PRIME_BITS`] bits.
#[derive(Debug)]
pub struct Digit {
    pub(crate) coefficients: SecretCoefficients,
    /// The weight of the digit is `2^shift`.
    pub(crate) shift: u32,
}

impl WideCoefficients {
    /// Largest absolute value: `2^105`.
    pub const LARGEST: f64 = 40_564_819_207_303_340_847_894_502_572_032.0;
    /// Least size of a prime in bits, for [`WideCoefficients::to_eval`].
    pub const LEAST_PRIME_BITS: f64 = 20.5;

    /// Rounds `scale * reals[i]`, of absolute value at most `bound`, to the nearest integers.
    ///
    /// The bound is public and at most [`WideCoefficients::LARGEST`]. No branch depends on the
    /// coefficients.
    pub fn rounded(reals: &[f64], scale: f64, bound: f64) -> WideCoefficients {
        WideCoefficients::split(reals, scale, bound, nearest)
    }

    /// Rounds `scale * reals[i]` to one of the two neighbouring integers at random, so that the
    /// mean is the number itself up to `2^-33`; otherwise like [`WideCoefficients::rounded`].
    ///
    /// The errors are independent, and by Hoeffding's lemma sub-Gaussian with parameter 1/2.
    pub fn dithered(reals: &[f64], scale: f64, bound: f64, rng: &mut SecretRng) -> Self {
        let mut words = Zeroizing::new(vec![0; reals.len().div_ceil(2)]);
        rng.fill_words(&mut words);
        WideCoefficients::dithered_by(reals, scale, bound, &words)
    }

    /// Rounds as [`WideCoefficients::dithered`] does, by random words that the caller draws: half a
    /// word for every number.
    pub fn dithered_by(reals: &[f64], scale: f64, bound: f64, words: &[u64]) -> Self {
        let mut halves = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
        WideCoefficients::split(reals, scale, bound, |x| {
            let half = halves.next().expect("there is half a word for every number");
            // The middle of the interval that the random bits stand for: the probability is right
            // up to half of 2^-32 on either side.
            let threshold = (f64::from(half) + 0.5) / 4_294_967_296.0;
            let floor = floor(x);
            floor + i64::from(x - floor as f64 > threshold)
        })
    }

    /// Takes integers of absolute value at most `bound`, which is public and at most
    /// [`WideCoefficients::LARGEST`]. No branch depends on the integers.
    pub fn from_integers(integers: &[i128], bound: f64) -> WideCoefficients {
        debug_assert!(bound <= WideCoefficients::LARGEST);
        if bound < f64::from(LOW_BITS).exp2() {
            let low = SecretCoefficients::new(integers.iter().map(|&x| x as i64).collect());
            return WideCoefficients { low, low_bound: bound, high: None };
        }
        // Rounded to the nearest multiple, so that the low part has a sign and is at most half of
        // the unit.
        let nearest = |x: i128| (x + (1 << (HIGH_SHIFT - 1))) >> HIGH_SHIFT;
        let low = integers.iter().map(|&x| (x - (nearest(x) << HIGH_SHIFT)) as i64).collect();
        let high = integers.iter().map(|&x| nearest(x) as i64).collect();
        let [low, high] = [low, high].map(SecretCoefficients::new);
        WideCoefficients { low, low_bound: f64::from(HIGH_SHIFT).exp2(), high: Some(high) }
    }

    /// Splits off the multiples of `2^60` where they can occur, and rounds what remains.
    fn split(reals: &[f64], scale: f64, bound: f64, mut round: impl FnMut(f64) -> i64) -> Self {
        debug_assert!(bound <= WideCoefficients::LARGEST);
        let unit = f64::from(HIGH_SHIFT).exp2();
        if bound < f64::from(LOW_BITS).exp2() {
            let low = SecretCoefficients::new(reals.iter().map(|x| round(x * scale)).collect());
            return WideCoefficients { low, low_bound: bound + 1.0, high: None };
        }
        let high: Vec<i64> = reals.iter().map(|x| nearest(x * scale / unit)).collect();
        // The difference is exact: both terms are multiples of the last bit of the larger.
        let rest = |(x, h): (&f64, &i64)| round(x * scale - *h as f64 * unit);
        let low = reals.iter().zip(&high).map(rest).collect();
        let [low, high] = [low, high].map(SecretCoefficients::new);
        WideCoefficients { low, low_bound: unit, high: Some(high) }
    }

    /// Adds small integers below `2^19`, coefficient by coefficient.
    pub fn plus(self, small: &[i64]) -> WideCoefficients {
        let low_bound = self.low_bound + f64::from(DIGIT_BITS).exp2();
        WideCoefficients { low: self.low.plus(small), low_bound, high: self.high }
    }

    /// Returns the coefficients as sums of digits, lowest first. Their number depends on the bound
    /// alone.
    pub fn into_digits(self) -> Vec<Digit> {
        let mut digits = Vec::new();
        push_digits(&mut digits, self.low, self.low_bound, 0);
        if let Some(high) = self.high {
            let bound = WideCoefficients::LARGEST / f64::from(HIGH_SHIFT).exp2() + 1.0;
            push_digits(&mut digits, high, bound, HIGH_SHIFT);
        }
        digits
    }

    /// Places coefficient `i` at power `i * stride` of a polynomial of `degree` coefficients.
    pub fn spread(self, stride: usize, degree: usize) -> WideCoefficients {
        if stride == 1 {
            return self;
        }
        let spread = |c: &SecretCoefficients| {
            let mut all = vec![0; degree];
            all.iter_mut().step_by(stride).zip(c.expose()).for_each(|(to, from)| *to = *from);
            SecretCoefficients::new(all)
        };
        let high = self.high.as_ref().map(spread);
        WideCoefficients { low: spread(&self.low), low_bound: self.low_bound, high }
    }

    /// Returns a polynomial of `degree` coefficients that is 1, or 0 if all of these are 0. Its
    /// transforms are as many.
    pub fn indicator(&self, degree: usize) -> WideCoefficients {
        let is_zero = |c: &SecretCoefficients| c.expose().iter().all(|&c| c == 0);
        let zero = is_zero(&self.low) && self.high.as_ref().is_none_or(is_zero);
        let constant = |value: i64| {
            let mut all = vec![0; degree];
            all[0] = value;
            SecretCoefficients::new(all)
        };
        let low = constant(i64::from(!zero));
        let high = self.high.as_ref().map(|_| constant(0));
        WideCoefficients { low, low_bound: self.low_bound, high }
    }

    /// Returns the coefficients of a public polynomial as doubles, rounded where they exceed
    /// `2^53`.
    pub fn to_reals(&self) -> Vec<f64> {
        let unit = f64::from(HIGH_SHIFT).exp2();
        let low = self.low.expose().iter().map(|&c| c as f64);
        match &self.high {
            None => low.collect(),
            Some(high) => low.zip(high.expose()).map(|(l, &h)| l + h as f64 * unit).collect(),
        }
    }

    /// Returns the integer polynomial modulo every prime of `limbs`, in the NTT domain. Primes have
    /// at least [`WideCoefficients::LEAST_PRIME_BITS`] bits. Takes one forward transform for each
    /// row, and a second one for coefficients of `2^62` or more.
    pub fn to_eval(&self, ring: &Arc<Ring>, limbs: Limbs) -> SecretPoly {
        let [addends, multiples] = split_digit(self.low.expose());
        let mut out = Poly::<Eval>::uninitialized(ring, limbs);
        let power = |m: &fathom_kernels::Modulus, bits: u32| m.constant(m.reduce(1 << bits));
        for (row, prime) in ring.prime_indices(limbs).enumerate() {
            let (m, row) = (ring.modulus(prime), out.row_mut(row));
            let (factor, addends) = (power(m, DIGIT_BITS), Some(addends.expose()));
            ring.forward_scaled(prime, row, multiples.expose(), &factor, addends);
            fold(row, m.value());
        }
        if let Some(high) = &self.high {
            let mut values = ring.pool().take(ring.degree());
            for (row, prime) in ring.prime_indices(limbs).enumerate() {
                let (m, row) = (ring.modulus(prime), out.row_mut(row));
                let factor = power(m, HIGH_SHIFT);
                ring.forward_scaled(prime, &mut values, high.expose(), &factor, None);
                fold(&mut values, m.value());
                ring.kernel().add_assign(m, row, &values);
            }
            values.wipe();
        }
        SecretPoly::new(out)
    }
}

/// Appends the digits of the integers `rest`, of at most `bound` in absolute value; the first digit
/// has weight `2^shift`.
fn push_digits(
    digits: &mut Vec<Digit>,
    mut rest: SecretCoefficients,
    mut bound: f64,
    mut shift: u32,
) {
    let base = f64::from(DIGIT_BITS).exp2();
    while bound > 2.0 * base {
        let [coefficients, upper] = split_digit(rest.expose());
        digits.push(Digit { coefficients, shift });
        (rest, bound, shift) = (upper, bound / base + 1.0, shift + DIGIT_BITS);
    }
    digits.push(Digit { coefficients: rest, shift });
}

/// Splits integers of at most `2^62` in absolute value into the representative of least magnitude
/// modulo `2^19`, and the remaining multiple of `2^19`.
fn split_digit(integers: &[i64]) -> [SecretCoefficients; 2] {
    const HALF: i64 = 1 << (DIGIT_BITS - 1);
    let shifted = |c: i64| (c + (OFFSET + HALF)).cast_unsigned();
    let lower = |c: &i64| (shifted(*c) & ((1 << DIGIT_BITS) - 1)).cast_signed() - HALF;
    let upper = |c: &i64| (shifted(*c) >> DIGIT_BITS).cast_signed() - (OFFSET >> DIGIT_BITS);
    let lower = integers.iter().map(lower).collect();
    [lower, integers.iter().map(upper).collect()].map(SecretCoefficients::new)
}

/// Reduces a row from `[0, 2q)` to `[0, q)`.
fn fold(row: &mut [u64], q: u64) {
    for word in row {
        *word = (*word).min(word.wrapping_sub(q));
    }
}

/// Returns the largest integer that is not above `x`, for `|x| < 2^62`.
fn floor(x: f64) -> i64 {
    let truncated = x as i64;
    truncated - i64::from(truncated as f64 > x)
}

/// Returns the nearest integer, for `|x| < 2^62`.
fn nearest(x: f64) -> i64 {
    // Exact: below 2^52 the sum has a fraction left, above it `x` is an integer and even.
    let below = floor(x);
    below + i64::from(x - below as f64 >= 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coeff, primes_below};

    fn ring() -> Arc<Ring> {
        let primes = primes_below(30.0, 512, 3, &[]).unwrap();
        Ring::new(256, &primes, &[]).unwrap()
    }

    /// The rows are the residues of the integers, whatever their size.
    #[test]
    fn integers_of_any_size_are_reduced_modulo_every_prime() {
        let ring = ring();
        let limbs = Limbs::chain(3);
        for bits in [10, 30, 40, 61, 70, 104] {
            let reals: Vec<f64> = (0..256).map(|i| (f64::from(i) - 128.0) / 128.0 * 0.99).collect();
            let scale = f64::from(bits).exp2();
            let wide = WideCoefficients::rounded(&reals, scale, scale);
            let rows = wide.to_eval(&ring, limbs).into_masked().into_coeff();
            for row in 0..3 {
                let q = i128::from(ring.modulus(row).value());
                for (residue, real) in rows.row(row).iter().zip(&reals) {
                    let exact = (real * scale).round() as i128;
                    assert_eq!(i128::from(*residue), exact.rem_euclid(q), "{bits} bits");
                }
            }
        }
    }

    #[test]
    fn small_integers_agree_with_the_narrow_lift() {
        let ring = ring();
        let limbs = Limbs::chain(2);
        let integers: Vec<i64> = (0..256).map(|i| (i - 128) * 12_345).collect();
        let reals: Vec<f64> = integers.iter().map(|&i| i as f64).collect();
        let wide = WideCoefficients::rounded(&reals, 1.0, 2e6).plus(&[5; 256]);
        let shifted: Vec<i64> = integers.iter().map(|i| i + 5).collect();
        let narrow = Poly::<Coeff>::from_signed(&ring, limbs, &shifted).into_eval();
        assert_eq!(wide.to_eval(&ring, limbs).expose(), &narrow);
    }

    #[test]
    fn digits_are_small_and_add_up() {
        for bits in [5, 18, 20, 31, 38, 44, 57, 61, 62, 70, 104] {
            let scale = f64::from(bits).exp2();
            let reals: Vec<f64> = (0..256).map(|i| (f64::from(i) - 128.0) / 128.0).collect();
            let wide = WideCoefficients::rounded(&reals, scale, scale);
            let digits = wide.into_digits();
            for (i, real) in reals.iter().enumerate() {
                let digit = |d: &Digit| i128::from(d.coefficients.expose()[i]);
                assert!(digits.iter().all(|d| digit(d).unsigned_abs() <= 1 << 20), "{bits} bits");
                let sum: i128 = digits.iter().map(|d| digit(d) << d.shift).sum();
                assert_eq!(sum, (real * scale + 0.5).floor() as i128, "{bits} bits");
            }
        }
        let count = |bound: f64| WideCoefficients::rounded(&[0.0], 1.0, bound).into_digits().len();
        assert_eq!(
            [19, 20, 38, 39, 57, 61].map(|b| count(f64::from(b).exp2())),
            [1, 2, 2, 3, 3, 4]
        );
    }

    #[test]
    fn dithering_is_unbiased_and_never_off_by_one() {
        let mut rng = SecretRng::insecure_from_seed(8);
        let reals = vec![-2.3; 1 << 16];
        let wide = WideCoefficients::dithered(&reals, 1.0, 3.0, &mut rng);
        let rounded = wide.to_reals();
        assert!(rounded.iter().all(|&c| [-3.0, -2.0].contains(&c)));
        let mean = rounded.iter().sum::<f64>() / rounded.len() as f64;
        // The deviation of the mean is 0.46 / 256.
        assert!((mean + 2.3).abs() < 0.01, "{mean}");
    }

    #[test]
    fn roundings_are_right_at_the_edges() {
        let cases =
            [(0.5, 1), (-0.5, 0), (-0.51, -1), (2.49, 2), (-3.0, -3), (1e15, 10_i64.pow(15))];
        for (x, expected) in cases {
            assert_eq!(nearest(x), expected, "{x}");
        }
        assert_eq!([floor(-0.1), floor(0.0), floor(7.9), floor(-2.0)], [-1, 0, 7, -2]);
    }
}
