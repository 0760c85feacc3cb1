//! Products.

use super::columns::{Columns, Form};
use super::digits::{DIGIT_BITS, SPACE};
use super::radix::{Radix, complement, constant, pair, total};
use super::{Integer, Operand, Side};
use crate::tfhe::{Block, Error, Evaluator, Function, Lut};
use std::sync::LazyLock;

/// Blocks from which on products of digits of three bits need fewer bootstraps.
const WIDE: usize = 12;
/// Bits of an odd digit.
const ODD_BITS: usize = 3;

impl Evaluator {
    /// `a * b`, wrapping. Cost, for n blocks: about 0.5 n^2 + 3 n bootstraps if n < 12, 0.46 n^2
    /// for more; with a clear operand, at most 0.5 n^2.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn mul<T: Integer>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        let radix = self.radix()?;
        let a = radix.blocks(a)?;
        let blocks = match radix.side(&b)? {
            Side::Encrypted(b) if a.len() >= WIDE => radix.product_odd(a, b)?,
            Side::Encrypted(b) => radix.product(a, b)?,
            Side::Clear(b) => radix.product_clear(a, b)?,
        };
        Ok(T::wrap(blocks))
    }
}

impl Radix<'_> {
    /// `a b` modulo the width, from the products of all pairs of digits.
    fn product(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        let tables = PRODUCTS.as_ref().map_err(Clone::clone)?;
        let mut places = Vec::new();
        let mut jobs = Vec::new();
        for (i, left) in a.iter().enumerate() {
            for (j, right) in b.iter().enumerate().take(a.len() - i) {
                let top = i + j + 1 == a.len();
                let table = if top { &tables.digits_low } else { &tables.digits };
                places.push(DIGIT_BITS * (i + j));
                jobs.push((pair(left, right), table));
            }
        }
        let mut columns = Columns::new(Form::Digits, DIGIT_BITS * a.len());
        for (place, outputs) in places.into_iter().zip(self.layer(&jobs)?) {
            for (index, output) in outputs.into_iter().enumerate() {
                columns.push(place + DIGIT_BITS * index, output);
            }
        }
        self.column_digits(columns, 0)
    }

    /// `a b` modulo the width `w`, from products of odd digits.
    ///
    /// With `W > w` bits in digits `t_i` of three, `2 a - (2^W - 1) = sum of (2 t_i - 7) 8^i`:
    /// digits 1, 3, 5, 7 with a sign. A product of two such has 16 magnitudes and a sign, which
    /// half a turn of the torus gives for nothing, so that one bootstrap multiplies three bits by
    /// three. It is `2 q - 63` with `q` of six bits, and the sign inverts all six. Hence, modulo
    /// `2^(w+1)`, `2 a b = sum of q_ij 8^(i+j) - a - b + constant`.
    fn product_odd(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        let tables = PRODUCTS.as_ref().map_err(Clone::clone)?;
        let bits = DIGIT_BITS * a.len();
        let count = bits / ODD_BITS + 1;
        let mut jobs = odd_digit_jobs(a, count, &tables.left);
        jobs.extend(odd_digit_jobs(b, count, &tables.right));
        let mut left: Vec<_> = self.layer(&jobs)?.into_iter().flatten().collect();
        let right = left.split_off(count);

        let mut places = Vec::new();
        let mut jobs = Vec::new();
        // `2^place` times the coefficient: the constant of the formula, its multiples of 63 / 2.
        let mut offset = vec![0i64; bits + 2 * ODD_PRODUCT_BITS];
        offset[1] = 1;
        for (i, left) in left.iter().enumerate() {
            for (j, right) in right.iter().enumerate() {
                let place = ODD_BITS * (i + j);
                if place <= bits {
                    places.push(place);
                    jobs.push((left.plus(right), &tables.odd));
                    offset[place + ODD_PRODUCT_BITS - 1] -= 1;
                    // Of the first product, the half left over cancels the half of the constant 1.
                    if place > 0 {
                        offset[place - 1] += 1;
                    }
                } else if place == bits + 1 {
                    // An odd product, of which only the lowest bit counts.
                    offset[bits] += 1;
                }
            }
        }
        let mut columns = Columns::new(Form::Bits, bits + 1);
        for (place, outputs) in places.into_iter().zip(self.layer(&jobs)?) {
            for (index, output) in outputs.into_iter().enumerate() {
                columns.push(place + index, output);
            }
        }
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            columns.push(DIGIT_BITS * index, complement(a).plus(&complement(b)));
        }
        columns.push_bits(&offset);
        // The sum is even: what the lowest column adds to the others is its half.
        let lowest = total(&columns.pop_lowest());
        columns.push(0, self.apply(&lowest, &self.tables.half)?);
        self.column_digits(columns, 0)
    }
}

/// Bits of the product of two odd digits.
const ODD_PRODUCT_BITS: usize = 2 * ODD_BITS;

/// The jobs that turn `count` digits of three bits into codes of odd digits.
fn odd_digit_jobs<'t>(
    blocks: &[Block],
    count: usize,
    tables: &'t [Lut; 2],
) -> Vec<(Block, &'t Lut)> {
    let block = |index: usize| blocks.get(index).cloned().unwrap_or_else(|| constant(0));
    let job = |digit: usize| {
        let (index, odd) = (ODD_BITS * digit / DIGIT_BITS, digit % DIGIT_BITS);
        (pair(&block(index), &block(index + 1)), &tables[odd])
    };
    (0..count).map(job).collect()
}

/// The tables of products.
struct Products {
    /// Low and high digit of the product of the digits `a` and `b` of `a + 4 b`.
    digits: Lut,
    /// The low digit alone.
    digits_low: Lut,
    /// The code of the odd digit of the left factor, of three bits of four: the lower, the upper.
    left: [Lut; 2],
    /// The same of the right factor.
    right: [Lut; 2],
    /// The six bits of `q` in `2 q - 63`, the product of the odd digits of two codes.
    odd: Lut,
}

static PRODUCTS: LazyLock<Result<Products, Error>> = LazyLock::new(|| {
    let product = |x: i32| (x & 3) * (x >> 2);
    let bits: Vec<_> =
        (0..ODD_PRODUCT_BITS).map(|bit| move |x: i32| (odd_product(x) >> bit) & 1).collect();
    let bits: Vec<Function<'_>> = bits.iter().map(|f| f as Function<'_>).collect();
    let code = |codes: [i32; 4], shift: i32| {
        Lut::new(SPACE, 0..=15, move |x| odd_code((x >> shift) & 7, codes))
    };
    Ok(Products {
        digits: Lut::multi_value(SPACE, 0..=15, &[&|x| product(x) & 3, &|x| product(x) >> 2])?,
        digits_low: Lut::new(SPACE, 0..=15, |x| product(x) & 3)?,
        left: [code(LEFT_CODES, 0)?, code(LEFT_CODES, 1)?],
        right: [code(RIGHT_CODES, 0)?, code(RIGHT_CODES, 1)?],
        odd: Lut::turn(SPACE, 1, &bits)?,
    })
});

/// The codes of the magnitudes 1, 3, 5, 7 of a left and of a right odd digit. A sum of two is the
/// index of a product. This order has the fewest jumps in the bits of the product, and so the least
/// noise: 5, 9, 9, 3, 3 and 1 bootstraps.
const LEFT_CODES: [i32; 4] = [1, 2, 0, 3];
const RIGHT_CODES: [i32; 4] = [0, 4, 8, 12];

/// The code of the odd digit `2 t - 7`: that of its magnitude, and 16 if it is negative.
fn odd_code(t: i32, codes: [i32; 4]) -> i32 {
    if t >= 4 { codes[t as usize - 4] } else { codes[3 - t as usize] + 16 }
}

/// `q` in `2 q - 63 = (2 a + 1) (2 b + 1)`, of the sum of the codes of two positive digits.
fn odd_product(code: i32) -> i32 {
    let magnitude = |codes: [i32; 4], code: i32| {
        codes.iter().position(|&other| other == code).map_or(0, |index| index as i32)
    };
    let (left, right) =
        (magnitude(LEFT_CODES, code & 3), magnitude(RIGHT_CODES, code - (code & 3)));
    2 * left * right + left + right + 32
}
