//! Products.

use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, SPACE};
use super::multiples::{Carries, Multiples};
use super::radix::{Radix, constant, pair};
use super::tables::fixed;
use super::{AnyInteger, Operand, Side};
use crate::tfhe::{Block, Error, Evaluator, Lut};
use std::sync::LazyLock;

/// The least number of blocks for which tables of multiples need fewer bootstraps than products of
/// digits.
const WIDE: usize = 3;

/// The greatest number of blocks for which the carries of the triple are left to the sum of all
/// rows, which then takes fewer bootstraps, or as many in fewer layers.
const NARROW: usize = 9;

impl Evaluator {
    /// Computes `a * b`, wrapping. Cost, for n blocks: about 0.3 n^2 + 3 n bootstraps; at most 0.5
    /// n^2 for a clear operand.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn mul<T: AnyInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        let digits = radix.blocks(a)?;
        let blocks = match radix.side(a, &b)? {
            Side::Encrypted(b) => radix.product(digits, b)?,
            Side::Clear(b) => radix.product_clear(digits, b)?,
        };
        Ok(a.like(blocks))
    }
}

impl Radix<'_> {
    /// Computes `a b` modulo the width.
    pub(super) fn product(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        self.column_digits(self.product_columns(a, b, a.len())?, 0)
    }

    /// Returns columns whose sum is `a b` modulo `4^length`, for integers of one width of at most
    /// `length` digits.
    pub(super) fn product_columns(
        &self,
        a: &[Block],
        b: &[Block],
        length: usize,
    ) -> Result<Columns, Error> {
        if a.len() >= WIDE {
            self.products_by_tables(a, b, length)
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
        let tables = &*PRODUCTS;
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
    ) -> Result<Columns, Error> {
        let mut b = b.to_vec();
        b.resize(length.min(b.len() + 1), constant(0));
        let carries = if a.len() <= NARROW { Carries::Kept } else { Carries::Resolved };
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
}

/// The lookup tables of products.
struct Products {
    /// Low and high digit of the product of `a` and `b`, for the argument `a + 4 b`.
    digits: Lut,
    /// The low digit of the product alone.
    digits_low: Lut,
}

static PRODUCTS: LazyLock<Products> = LazyLock::new(|| {
    fixed(|| {
        let product = |x: i32| (x & 3) * (x >> 2);
        Ok(Products {
            digits: Lut::multi_value(SPACE, 0..=15, &[&|x| product(x) & 3, &|x| product(x) >> 2])?,
            digits_low: Lut::new(SPACE, 0..=15, |x| product(x) & 3)?,
        })
    })
});
