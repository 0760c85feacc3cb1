//! Comparisons of exact products, whose digits are not computed.
//!
//! The circuit adds all rows of a product and the complement of the other side, and it computes
//! only the carries of that sum. This takes one bootstrap per digit, where the digits of the
//! product and a comparison take about three.

use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, DIGIT_MAX, SPACE};
use super::multiples::{Carries, Multiples};
use super::radix::{Radix, complement, constant, is_canonical, truth};
use super::tables::fixed;
use super::{AnyInteger, FheBool, ValueType};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

/// The greatest number of blocks of a factor for which the carries of the triple are left to the
/// sum of all rows, which then takes no more bootstraps.
const NARROW: usize = 5;

impl Evaluator {
    /// Computes `a * b <= bound` for the exact product of unsigned integers, which has twice as
    /// many bits as the factors; the bound may have any number of bits. Cost, for n blocks: about
    /// 0.3 n^2 + 5 n bootstraps.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if an integer is signed or the factors have different types;
    /// [`Error::ParamsMismatch`].
    pub fn product_le<T: AnyInteger, U: AnyInteger>(
        &self,
        a: &T,
        b: &T,
        bound: &U,
    ) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        let rows = radix.product_rows(a, b)?;
        unsigned(bound)?;
        let bound = radix.blocks(bound)?;
        let digits = (2 * a.blocks().len()).max(bound.len());
        // The product plus `4^digits - 1 - bound` has a carry if and only if it exceeds the bound.
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * (digits + 1));
        rows.add_to(&mut columns);
        for place in 0..digits {
            let digit = bound.get(place).map_or_else(|| constant(DIGIT_MAX), complement);
            columns.push(DIGIT_BITS * place, digit);
        }
        let carry = radix.last_digit(columns)?;
        if is_canonical(&carry) {
            return truth(carry.within(0, 1).sub_from(1));
        }
        truth(radix.apply(&carry, &radix.tables.none)?)
    }

    /// Computes `a * b <= c * d` for exact products of unsigned integers. Cost, for n blocks: about
    /// 0.6 n^2 + 8 n bootstraps.
    ///
    /// # Errors
    /// As [`Evaluator::product_le`].
    pub fn products_le<T: AnyInteger>(
        &self,
        [a, b]: [&T; 2],
        [c, d]: [&T; 2],
    ) -> Result<FheBool, Error> {
        let radix = self.radix()?;
        let table = &*BORROW;
        let digits = 2 * a.blocks().len().max(c.blocks().len()) + 1;
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * digits);
        radix.product_rows(a, b)?.add_to(&mut columns);
        let other = radix.product_rows(c, d)?;
        // Modulo `4^digits`, the sum is `a b - c d - 1`, whose last digit is 0 or 3.
        let constant_digits = other.subtract_from(&mut columns, digits);
        for (place, digit) in constant_digits.into_iter().enumerate() {
            columns.push(DIGIT_BITS * place, constant(digit));
        }
        truth(radix.apply(&radix.last_digit(columns)?, table)?)
    }
}

/// The digits of a product by the digits of one factor, whose weighted sum is the product.
struct Rows(Vec<Vec<Block>>);

impl Rows {
    fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let rows = self.0.iter().enumerate();
        rows.flat_map(|(i, row)| row.iter().enumerate().map(move |(j, digit)| (i + j, digit)))
    }

    /// Adds the product to a sum.
    fn add_to(&self, columns: &mut Columns) {
        for (place, digit) in self.blocks() {
            columns.push(DIGIT_BITS * place, digit.clone());
        }
    }

    /// Adds the difference of a constant and the product to a sum modulo `4^digits`. Returns the
    /// digits of what is to be added as well, so that the whole is -1 less the product.
    fn subtract_from(&self, columns: &mut Columns, digits: usize) -> Vec<i32> {
        let mut constants = vec![0; digits];
        for (place, digit) in self.blocks() {
            let greatest = digit.span().high;
            columns.push(DIGIT_BITS * place, digit.sub_from(greatest));
            if let Some(constant) = constants.get_mut(place) {
                *constant += greatest;
            }
        }
        // `-1 - x` has the complements of the digits of `x`.
        let mut carry = 0;
        let complement = |constant: i32| {
            let sum = constant + carry;
            carry = sum >> DIGIT_BITS;
            DIGIT_MAX - (sum & DIGIT_MAX)
        };
        constants.into_iter().map(complement).collect()
    }
}

impl Radix<'_> {
    /// Returns the products of the digits of `a` by `b`.
    fn product_rows<T: AnyInteger>(&self, a: &T, b: &T) -> Result<Rows, Error> {
        unsigned(a)?;
        let (a, b) = (self.blocks(a)?, self.operand(a, &b)?);
        let carries = if a.len() <= NARROW { Carries::Kept } else { Carries::Resolved };
        let wide = [&*b, &[constant(0)]].concat();
        let multiples = Multiples::new(self, &wide, wide.len(), carries)?;
        let digits: Vec<_> = a.iter().map(|digit| (digit.clone(), wide.len())).collect();
        Ok(Rows(multiples.by_digits(self, &digits)?))
    }

    /// Returns the last digit of the sum, plus a multiple of 4.
    fn last_digit(&self, mut columns: Columns) -> Result<Block, Error> {
        let sums = self.reduced(&mut columns)?;
        let mut carry = constant(0);
        for (place, sum) in sums.iter().enumerate() {
            let sum = sum.unchecked_add(&carry);
            if place + 1 == sums.len() {
                return Ok(sum);
            }
            let greatest = sum.span().high >> DIGIT_BITS;
            carry = self.apply(&sum, &self.tables.carry)?.within(0, greatest);
        }
        Ok(carry)
    }
}

/// Refuses signed integers.
fn unsigned<T: AnyInteger>(integer: &T) -> Result<(), Error> {
    let got: ValueType = integer.value_type();
    if integer.is_signed() {
        return Err(Error::TypeMismatch { expected: got.to_unsigned(), got: Some(got) });
    }
    Ok(())
}

/// Whether the last digit is 3, for 3 or 0 plus a multiple of 4.
static BORROW: LazyLock<Lut> =
    LazyLock::new(|| fixed(|| Lut::new(SPACE, 0..=15, |x| (x >> 1) & 1)));
