//! Powers and square roots.
//!
//! A clear exponent is read in windows that end with a set bit, so that odd powers alone are made
//! in advance; the width of the windows is the one with the fewest products. An encrypted exponent
//! is read digit by digit: `1`, `a`, `a^2` and `a^3` lie in encrypted tables, from which each digit
//! selects its factor between two squarings. Powers repeat with a period of `2^(w - 2)` for odd
//! bases of `w` bits and are 0 from `w` on for even ones, so that long exponents are cut.
//!
//! A root is found bit by bit from the top: a subtraction, whose carry is the bit, and a selection
//! of the remainder, which grows by a digit a step.

use super::carry::CarryOut;
use crate::tfhe::integer::blocks::{complements, constant, pair};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE};
use crate::tfhe::integer::value::operand::Number;
use crate::tfhe::integer::{Amount, FheInteger, Integers, U256};
use crate::tfhe::{Block, Error, Lut};
use std::sync::LazyLock;

/// The greatest number of bits in a window of a clear exponent.
const MOST_BITS: u32 = 4;

impl Integers {
    /// Computes `a` to the power of `exponent`, wrapping; `a` to the power of 0 is 1. The exponent
    /// is, like the amount of a shift, a clear or an encrypted unsigned integer.
    ///
    /// Cost: for a clear exponent of `b` bits, about `1.2 b` products; for an encrypted one of `b`
    /// bits, about `1.5 b` products. Exponents wider than the base cost no more than exponents of
    /// its width.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a negative exponent;
    /// [`Error::TypeMismatch`] for a signed one.
    pub fn pow<T: FheInteger>(&self, a: &T, exponent: impl Amount) -> Result<T, Error> {
        let base = self.blocks(a)?;
        let power = match self.amount(&exponent)? {
            Number::Clear(exponent) => self.power_clear(base, exponent)?,
            Number::Encrypted(exponent) => self.power(base, exponent)?,
        };
        Ok(a.like(power))
    }

    /// Computes the greatest integer whose square is at most `a`, taken as unsigned. Cost, for n
    /// blocks: about n^2 / 2 + 3 n bootstraps.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`].
    pub fn isqrt<T: FheInteger>(&self, a: &T) -> Result<T, Error> {
        Ok(a.like(self.square_root(self.blocks(a)?)?))
    }
}

/// Returns the number of bits of an exponent that matter for an odd base, which also suffice for
/// a power of an even base to be 0: the order of an odd number modulo `2^w` divides `2^(w-2)`.
fn exponent_bits(width: usize) -> usize {
    width.saturating_sub(2).max(1)
}

/// Returns an exponent that gives the same powers modulo `2^width`. Powers of odd bases repeat, and
/// those of even bases are 0 from `width` on.
fn reduced(exponent: u128, width: usize) -> u128 {
    let period = 1_u128.checked_shl(exponent_bits(width) as u32);
    match period.zip(exponent.checked_sub(width as u128)) {
        Some((period, above)) => width as u128 + above % period,
        None => exponent,
    }
}

impl Integers {
    /// Computes a power by windows of the exponent's bits, from the top. Each window ends with a
    /// set bit, so that only odd powers are needed.
    fn power_clear(&self, base: &[Block], exponent: u128) -> Result<Vec<Block>, Error> {
        let exponent = reduced(exponent, DIGIT_BITS * base.len());
        if exponent == 0 {
            return Ok(digits::trivial(U256::ONE, DIGIT_BITS * base.len()));
        }
        let windows = cheapest_windows(exponent);
        let most = greatest_factor(&windows);
        // The odd powers: 1, 3, 5 and so on.
        let mut odd = vec![base.to_vec()];
        if most > 1 {
            let square = self.product(base, base)?;
            for index in 1..=most as usize / 2 {
                odd.push(self.product(&odd[index - 1], &square)?);
            }
        }
        let mut power: Option<Vec<Block>> = None;
        for Window { squares, factor } in windows {
            for _ in 0..squares {
                power = power.map(|power| self.product(&power, &power)).transpose()?;
            }
            let factor = (factor > 0).then(|| &odd[factor as usize / 2]);
            power = match (power, factor) {
                (Some(power), Some(factor)) => Some(self.product(&power, factor)?),
                (power, factor) => power.or_else(|| factor.cloned()),
            };
        }
        Ok(power.expect("an exponent other than 0 has a window"))
    }

    /// Computes a power by an encrypted exponent, digit by digit from the top: the fourth power,
    /// times the power by the digit, which is read from an encrypted table.
    fn power(&self, base: &[Block], exponent: &[Block]) -> Result<Vec<Block>, Error> {
        let used = digits::count(exponent_bits(DIGIT_BITS * base.len())).min(exponent.len());
        let (low, high) = exponent.split_at(used);
        let square = self.product(base, base)?;
        let cube = self.product(base, &square)?;
        let one = digits::trivial(U256::ONE, DIGIT_BITS * base.len());
        let powers = self.small_array(&[one, base.to_vec(), square, cube])?;
        let mut factors = self.read_small(&powers, low)?.into_iter().rev();
        let first = factors.next().expect("an exponent has at least one digit");
        let mut power = self.apply_each(first, &self.tables.message)?;
        for factor in factors {
            for _ in 0..2 {
                power = self.product(&power, &power)?;
            }
            // The factor selects multiples, for which it may have more noise than an integer.
            power = self.product(&factor, &power)?;
        }
        if high.is_empty() {
            return Ok(power);
        }
        // Digits beyond those used leave powers of odd bases as they are and make the others 0.
        let tables = &*TABLES;
        let beyond = self.any_nonzero(high)?;
        let zero = self.apply(&pair(&base[0], &beyond), &tables.vanishes)?;
        self.apply_each(power.iter().map(|digit| pair(digit, &zero)), &tables.unless)
    }

    /// Computes the square root bit by bit, from the top. With the root `r` of the digits so far
    /// and their remainder, the next bit is set if `4 r + 1` is at most four times the remainder
    /// plus the next digit, and is then subtracted from it.
    fn square_root(&self, a: &[Block]) -> Result<Vec<Block>, Error> {
        // The bits of the root, the latest first.
        let mut root: Vec<Block> = Vec::with_capacity(a.len());
        let mut remainder: Vec<Block> = Vec::new();
        for digit in a.iter().rev() {
            remainder.insert(0, digit.clone());
            let mut trial = vec![constant(1)];
            trial.extend(joined(&root));
            let length = remainder.len().max(trial.len());
            remainder.resize(length, constant(0));
            trial.resize(length, constant(0));
            let sums = remainder.iter().zip(complements(&trial)).map(|(x, y)| x.unchecked_add(&y));
            let mut sums: Vec<_> = sums.collect();
            sums[0] = sums[0].add_scalar(1);
            let (difference, bit) = self.propagate(sums, CarryOut::Kept)?;
            remainder = self.selected(&bit, &difference, &remainder)?;
            root.insert(0, bit);
            // The remainder is at most twice the root, which has one bit less.
            remainder.truncate(digits::count(root.len() + 1));
        }
        let mut root = self.apply_each(joined(&root), &self.tables.message)?;
        root.resize(a.len(), constant(0));
        Ok(root)
    }
}

/// Returns bits, the lowest first, as digits.
fn joined(bits: &[Block]) -> Vec<Block> {
    let digit = |bits: &[Block]| match bits {
        [low, high] => low.unchecked_add_scaled(high, 2),
        _ => bits[0].clone(),
    };
    bits.chunks(2).map(digit).collect()
}

/// A step of a power: squares, then a product with an odd power, or with none if the factor is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    squares: u32,
    factor: u32,
}

/// Returns the windows that need the fewest products.
fn cheapest_windows(exponent: u128) -> Vec<Window> {
    let products = |windows: &Vec<Window>| {
        let most = greatest_factor(windows);
        let table = if most > 1 { 1 + most / 2 } else { 0 };
        let steps = windows.iter().skip(1);
        let steps: u32 = steps.map(|step| step.squares + u32::from(step.factor > 0)).sum();
        table + steps
    };
    let all = (1..=MOST_BITS).map(|bits| windows(exponent, bits));
    all.min_by_key(products).expect("there is a choice of widths")
}

/// Returns the greatest odd power that windows use.
fn greatest_factor(windows: &[Window]) -> u32 {
    let factors = windows.iter().map(|window| window.factor);
    factors.max().expect("an exponent other than 0 has a window")
}

/// Splits the bits of an exponent, from the top, into windows of at most `bits` bits.
fn windows(exponent: u128, bits: u32) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut place = u128::BITS - exponent.leading_zeros();
    let mut squares = 0;
    while place > 0 {
        if exponent >> (place - 1) & 1 == 0 {
            (squares, place) = (squares + 1, place - 1);
            continue;
        }
        let length = bits.min(place);
        let window = (exponent >> (place - length)) as u32 & ((1 << length) - 1);
        let unused = window.trailing_zeros();
        let used = length - unused;
        windows.push(Window { squares: squares + used, factor: window >> unused });
        (squares, place) = (0, place - used);
    }
    if squares > 0 {
        windows.push(Window { squares, factor: 0 });
    }
    windows
}

/// The tables of powers.
struct Tables {
    /// True if the flag of `digit + 4 flag` is set and the digit is even.
    vanishes: Lut,
    /// The digit of `digit + 4 flag`, or 0 if the flag is set.
    unless: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        Ok(Tables {
            vanishes: Lut::new(SPACE, 0..=7, |x| i32::from(x > DIGIT_MAX && x & 1 == 0))?,
            unless: Lut::new(SPACE, 0..=7, |x| if x > DIGIT_MAX { 0 } else { x })?,
        })
    })
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_compute_the_exponent() {
        for exponent in (1..=300).chain([0xdead_beef, u32::MAX.into(), 1 << 31, 1 << 62]) {
            for bits in 1..=MOST_BITS {
                let steps = windows(exponent, bits);
                let value = steps
                    .iter()
                    .fold(0_u64, |e, step| (e << step.squares.min(63)) + u64::from(step.factor));
                assert_eq!(u128::from(value), exponent, "{bits}");
                assert!(steps.iter().all(|step| step.factor == 0 || step.factor % 2 == 1));
            }
        }
        assert_eq!(cheapest_windows(8).iter().map(|step| step.squares).sum::<u32>(), 1 + 3);
    }

    #[test]
    fn reduced_exponents_give_the_same_powers() {
        for width in [2, 4, 6, 8] {
            let mask = (1_u64 << width) - 1;
            let power = |base: u64, exponent: u128| {
                (0..exponent).fold(1 & mask, |power, _| (power * base) & mask)
            };
            for (base, exponent) in (0..=mask).flat_map(|a| (0..200).map(move |e| (a, e))) {
                let reduced = reduced(exponent, width);
                assert!(reduced <= exponent);
                assert_eq!(power(base, reduced), power(base, exponent), "{base} {exponent}");
            }
        }
    }
}
