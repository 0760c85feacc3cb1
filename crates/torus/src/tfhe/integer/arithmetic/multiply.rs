//! Products of encrypted integers: modulo the width, exact, with their overflow, and as columns.
//!
//! A product is a sum of rows, the multiples of `b` by the digits of `a`, and the rows are what it
//! costs besides that sum (`columns.rs`). A digit has four values, so that the digits of `0`, `b`,
//! `2 b` and `3 b` lie in encrypted tables, four places in each, and one bootstrap with the index
//! `a_i` reads four digits of a row ([`Multiples`]): `n^2 / 8` bootstraps for the rows modulo the
//! width, twice as many for the exact ones. Products of pairs of digits take four times as many and
//! leave twice as many digits to add; they remain for one and two blocks, where the tables cost
//! more than they save.
//!
//! Signed products of twice the width flip the sign bits, which makes the factors unsigned, and
//! take the excess off. Overflow is known from the factors: see [`Integers::wide_product`].

use super::columns::{Columns, Form};
use super::multiples::{Carries, Multiples};
use crate::tfhe::integer::blocks::{complement, constant, pair, total};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{DIGIT_BITS, DIGIT_MAX, SPACE, count, digit};
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{FheInteger, Integers, Operand, U256, ValueType};
use crate::tfhe::{Block, Error, Lut};
use std::sync::LazyLock;

/// The least number of blocks for which tables of multiples need fewer bootstraps than products of
/// digits.
const WIDE: usize = 3;

/// The greatest number of blocks for which the carries of the triple are left to the sum of all
/// rows, which then takes fewer bootstraps, or as many in fewer layers.
const NARROW: usize = 9;

/// The same for columns of which only the carry is wanted.
const NARROW_COLUMNS: usize = 5;

/// A signed product with flags for its overflow and its sign.
pub(super) struct SignedProduct {
    /// The product, wrapping.
    pub(super) blocks: Vec<Block>,
    /// Flag of an overflow.
    pub(super) overflow: Block,
    /// Flag of a negative exact product; also set for 0 with a negative factor.
    pub(super) negative: Block,
}

impl Integers {
    /// Computes the exact product `a * b`, of twice the width. Cost, for n blocks: about twice that
    /// of [`Integers::mul`]; n more bootstraps if signed.
    ///
    /// # Errors
    /// As [`Integers::mul`]; [`Error::IntegerBits`] if the product would have more than 256 bits,
    /// which does not compile for a type that is known at compile time.
    pub fn mul_wide<T: FheInteger<Wide: FheInteger>>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<T::Wide, Error> {
        let (digits, b) = (self.blocks(a)?, self.operand(a, &b)?);
        let bits = 2 * a.bits();
        let ty = ValueType::integer(bits, a.is_signed()).ok_or(Error::IntegerBits { bits })?;
        let blocks = if a.is_signed() {
            self.signed_double_product(digits, &b)?
        } else {
            let length = 2 * digits.len();
            self.column_digits(self.rows_of_product(digits, &b, length)?, 0)?
        };
        Ok(T::Wide::wrap(ty, blocks))
    }

    /// Returns the exact product of unsigned integers as columns, of which there are twice as many
    /// as blocks of a factor: the product is the sum of `4^i x` over all blocks `x` of column `i`.
    ///
    /// It is a product whose carries are not propagated, to be compared
    /// ([`Integers::carry_of_columns`]) or added to other terms. Cost, for n blocks: about
    /// `0.25 n^2 + 2 n` bootstraps.
    ///
    /// # Errors
    /// [`Error::TypeMismatch`] if an integer is signed or the factors have different types;
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn product_columns<T: FheInteger>(&self, a: &T, b: &T) -> Result<Vec<Vec<Block>>, Error> {
        let got = a.value_type();
        if got.is_signed() {
            return Err(Error::TypeMismatch { expected: got.to_unsigned(), got: Some(got) });
        }
        let (a, b) = (self.blocks(a)?, self.operand(a, &b)?);
        let carries = if a.len() <= NARROW_COLUMNS { Carries::Kept } else { Carries::Resolved };
        Ok(self.products_by_tables(a, &b, 2 * a.len(), carries)?.into_digits())
    }

    /// Computes `a b` modulo the width.
    pub(in crate::tfhe::integer) fn product(
        &self,
        a: &[Block],
        b: &[Block],
    ) -> Result<Vec<Block>, Error> {
        self.column_digits(self.rows_of_product(a, b, a.len())?, 0)
    }

    /// Returns columns whose sum is `a b` modulo `4^length`, for integers of one width of at most
    /// `length` digits.
    fn rows_of_product(&self, a: &[Block], b: &[Block], length: usize) -> Result<Columns, Error> {
        if a.len() >= WIDE {
            let carries = if a.len() <= NARROW { Carries::Kept } else { Carries::Resolved };
            self.products_by_tables(a, b, length, carries)
        } else {
            self.products_of_digits(a, b, length)
        }
    }

    /// Adds the products of all pairs of digits.
    fn products_of_digits(
        &self,
        a: &[Block],
        b: &[Block],
        length: usize,
    ) -> Result<Columns, Error> {
        let tables = &*TABLES;
        let mut places = Vec::new();
        let mut jobs = Vec::new();
        for (i, left) in a.iter().enumerate() {
            for (j, right) in b.iter().enumerate().take(length - i) {
                let top = i + j + 1 == length;
                let table = if top { &tables.digits_low } else { &tables.digits };
                places.push(DIGIT_BITS * (i + j));
                jobs.push((pair(left, right), table));
            }
        }
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * length);
        for (place, outputs) in places.into_iter().zip(self.layer(&jobs)?) {
            for (index, output) in outputs.into_iter().enumerate() {
                columns.push(place + DIGIT_BITS * index, output);
            }
        }
        Ok(columns)
    }

    /// Adds the multiples of `b` by each digit of `a`, which have one digit more than `b`.
    fn products_by_tables(
        &self,
        a: &[Block],
        b: &[Block],
        length: usize,
        carries: Carries,
    ) -> Result<Columns, Error> {
        let mut b = b.to_vec();
        b.resize(length.min(b.len() + 1), constant(0));
        let multiples = Multiples::new(self, &b, b.len(), carries)?;
        let digits = a.iter().enumerate();
        let digits = digits.map(|(i, digit)| (digit.clone(), b.len().min(length - i)));
        let rows = multiples.by_digits(self, &digits.collect::<Vec<_>>())?;
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * length);
        for (i, row) in rows.into_iter().enumerate() {
            for (j, digit) in row.into_iter().enumerate() {
                columns.push(DIGIT_BITS * (i + j), digit);
            }
        }
        Ok(columns)
    }

    /// Computes the product of integers in two's complement.
    ///
    /// With `h = 2^(bits - 1)`, the integers `a + h` and `b + h` are unsigned: their digits are
    /// those of `a` and `b` with the other sign bit. The product is
    /// `(a + h)(b + h) - h (a + h) - h (b + h) + h^2`, and the two products by `h` are subtracted
    /// as complements of shifted digits, without a bootstrap before the sum.
    fn signed_double_product(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        let length = a.len();
        let top = [a, b].map(|x| x[length - 1].clone());
        let flipped = self.apply_each(top, &self.tables.flipped_sign)?;
        let shifted = [a, b].into_iter().zip(flipped);
        let shifted: Vec<Vec<Block>> =
            shifted.map(|(x, top)| [&x[..length - 1], &[top]].concat()).collect();
        let mut columns = self.rows_of_product(&shifted[0], &shifted[1], 2 * length)?;
        let bits = DIGIT_BITS * length;
        let half = U256::ONE << (bits - 1) as u32;
        let mut constant_term = half.wrapping_mul(half);
        for (index, digit) in shifted.iter().flat_map(|x| x.iter().enumerate()) {
            let place = bits - 1 + DIGIT_BITS * index;
            // The complement is 3 less the digit, and the 3 is taken off in the constant.
            columns.push(place, complement(digit));
            let borrowed = U256::from(DIGIT_MAX.unsigned_abs()) << place as u32;
            constant_term = constant_term.wrapping_sub(borrowed);
        }
        for index in 0..count(columns.places()) {
            columns.push(DIGIT_BITS * index, constant(digit(constant_term, index)));
        }
        self.column_digits(columns, 0)
    }

    /// Computes the product of unsigned integers, wrapping, and whether it overflowed.
    ///
    /// If two nonzero digits `a_i` and `b_j` have `i + j >= n`, the product is at least `4^n`.
    /// Otherwise it is less than `4^(n+1)`, so that digit `n` tells whether it is at least `4^n`.
    pub(super) fn wide_product(
        &self,
        a: &[Block],
        b: &[Block],
    ) -> Result<(Vec<Block>, Block), Error> {
        let tables = &*TABLES;
        let length = a.len();
        let [wide_a, wide_b] = [a, b].map(|x| [x, &[constant(0)]].concat());
        let mut product = self.product(&wide_a, &wide_b)?;
        let last = product.split_off(length);
        // Pairs of a digit of `b` and the flag of the digits of `a` that meet it past the end.
        let above = self.suffix_flags(a)?;
        let pairs = b.iter().enumerate().skip(1);
        let pairs =
            pairs.map(|(place, digit)| digit.unchecked_add_scaled(&above[length - place], 4));
        let pairs = pairs.filter(|pair| pair.span().high > DIGIT_MAX);
        let mut flags = self.apply_each(pairs, &tables.both)?;
        flags.push(self.any_nonzero(&last)?);
        Ok((product, self.any_flag(flags)?))
    }

    /// Computes the product of integers in two's complement by those of their absolute values.
    pub(super) fn signed_product(&self, a: &[Block], b: &[Block]) -> Result<SignedProduct, Error> {
        let tables = &*TABLES;
        let signs =
            self.apply_each([a, b].map(|x| x[x.len() - 1].clone()), &self.tables.sign_bit)?;
        let [a, b] = [self.negated_if(a, &signs[0])?, self.negated_if(b, &signs[1])?];
        let (magnitude, beyond) = self.wide_product(&a, &b)?;
        let negative = self.apply(&total(&signs), &self.tables.odd)?;
        let (top, rest) = (&magnitude[magnitude.len() - 1], &magnitude[..magnitude.len() - 1]);
        let rest = self.any_nonzero(rest)?;
        // The magnitude is at least half of the range, unless it is the negated least value.
        let top = pair(top, &negative).unchecked_add_scaled(&rest, 8);
        let above = self.apply(&top, &tables.above)?;
        let overflow = self.any_flag(vec![beyond, above])?;
        Ok(SignedProduct { blocks: self.negated_if(&magnitude, &negative)?, overflow, negative })
    }
}

/// The lookup tables of products.
struct Tables {
    /// Low and high digit of the product of `a` and `b`, for the argument `a + 4 b`.
    digits: Lut,
    /// The low digit of the product alone.
    digits_low: Lut,
    /// True if the digit and the flag of `digit + 4 flag` are both nonzero.
    both: Lut,
    /// True if a magnitude is out of range, for `top + 4 negative + 8 rest` with the top digit, the
    /// sign of the result, and a flag that is set if another digit is nonzero.
    above: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let product = |x: i32| (x & 3) * (x >> 2);
        let least = |x: i32| x == 2 + 4;
        Ok(Tables {
            digits: Lut::multi_value(SPACE, 0..=15, &[&|x| product(x) & 3, &|x| product(x) >> 2])?,
            digits_low: Lut::new(SPACE, 0..=15, |x| product(x) & 3)?,
            both: Lut::new(SPACE, 0..=7, |x| i32::from(x > 4))?,
            above: Lut::new(SPACE, 0..=15, |x| i32::from(x & 3 >= 2 && !least(x)))?,
        })
    })
});
