//! Dot products with clear weights.
//!
//! A product by a clear weight takes no bootstrap of its own. The weight is written in signed
//! binary digits, of which at most every second is nonzero, and a digit `d` of the input that meets
//! the bit of place `b` is one summand of the column at its own place plus `b`. A negative bit adds
//! the complement `3 - d` and takes `3` off a constant that is added once. The columns of all
//! products are then reduced together: a bootstrap takes up to five digits, or fifteen truth
//! values, and carries are propagated once.

use super::columns::{Columns, Form};
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::value::digits::{DIGIT_BITS, count, digit, mask};
use crate::tfhe::integer::value::radix_int::integer_type;
use crate::tfhe::integer::value::traits::sealed::Sealed;
use crate::tfhe::integer::{
    Clear, FheInteger, FheValue, Integers, RadixInt, Typed, U256, ValueType,
};
use crate::tfhe::{Block, Error, ListError};

impl Integers {
    /// Computes the sum of all `weights[i] values[i]` modulo the width of `U`, which is 0 for empty
    /// lists. The values are integers or truth values and are extended to that width; a weight may
    /// be negative, also if `U` is unsigned.
    ///
    /// Cost, for values of n blocks and weights of `b` bits: about `k n b / 11` bootstraps for `k`
    /// values, a third of it for truth values, and two for each block of the result; another `k` if
    /// the values are signed and `U` is wider.
    ///
    /// # Errors
    /// [`ListError::LengthMismatch`]; [`Error::ClearOutOfRange`] if neither the signed nor the
    /// unsigned type of the width of `U` can hold a weight; [`Error::TypeMismatch`] if the values
    /// have different types; [`Error::ParamsMismatch`].
    pub fn dot_clear<T: FheValue, U: FheInteger + Typed>(
        &self,
        values: &[T],
        weights: &[impl Into<Clear> + Copy],
    ) -> Result<U, Error> {
        let ty = ValueType::of::<U>();
        Ok(U::wrap(ty, self.weighted_sum(values, weights, ty)?))
    }

    /// Computes [`Integers::dot_clear`] for a result whose type is known at run time.
    ///
    /// # Errors
    /// As [`Integers::dot_clear`]; [`Error::TypeMismatch`] if `ty` is not a type of integers.
    pub fn dot_clear_to<T: FheValue>(
        &self,
        values: &[T],
        weights: &[impl Into<Clear> + Copy],
        ty: ValueType,
    ) -> Result<RadixInt, Error> {
        let ty = integer_type(ty)?;
        Ok(RadixInt::wrap(ty, self.weighted_sum(values, weights, ty)?))
    }
}

impl Integers {
    fn weighted_sum<T: FheValue>(
        &self,
        values: &[T],
        weights: &[impl Into<Clear> + Copy],
        ty: ValueType,
    ) -> Result<Vec<Block>, Error> {
        if values.len() != weights.len() {
            let (left, right) = (values.len(), weights.len());
            return Err(ListError::LengthMismatch { left, right }.into());
        }
        let weights = weights.iter().map(|&weight| weight.into().residue_of(ty));
        let weights: Vec<U256> = weights.collect::<Result<_, _>>()?;
        let bits = usize::from(ty.bits());
        let mut sum = Sum::new(bits);
        let inputs = self.unsigned_inputs(values, bits)?;
        for (input, &weight) in inputs.iter().zip(&weights) {
            sum.add_product(&input.blocks, weight);
            sum.constant = sum.constant.wrapping_sub(input.offset.wrapping_mul(weight));
        }
        self.column_digits(sum.into_columns(), 0)
    }

    /// Returns the values as unsigned ones that are too large by a public number.
    ///
    /// A value in two's complement that is to be widened exceeds its least value by the unsigned
    /// integer with the other sign bit, which one bootstrap makes.
    fn unsigned_inputs<T: FheValue>(&self, values: &[T], bits: usize) -> Result<Vec<Input>, Error> {
        let mut inputs = Vec::with_capacity(values.len());
        for value in values {
            let (expected, got) = (values[0].value_type(), value.value_type());
            if got != expected {
                return Err(Error::TypeMismatch { expected, got: Some(got) });
            }
            inputs.push(Input { blocks: self.blocks(value)?.to_vec(), offset: U256::ZERO });
        }
        let Some(first) = values.first() else { return Ok(inputs) };
        if first.is_signed() && first.bits() < bits {
            let tops = inputs.iter().map(|input| input.blocks[input.blocks.len() - 1].clone());
            let tops = self.apply_each(tops, &self.tables.flipped_sign)?;
            for (input, top) in inputs.iter_mut().zip(tops) {
                *input.blocks.last_mut().expect("an integer has blocks") = top;
                input.offset = U256::ONE << (first.bits() - 1) as u32;
            }
        }
        Ok(inputs)
    }
}

/// Digits of an unsigned integer that exceeds the value by a public number.
struct Input {
    blocks: Vec<Block>,
    offset: U256,
}

/// Columns of summands, and what their sum lacks.
struct Sum {
    columns: Columns,
    constant: U256,
}

impl Sum {
    fn new(bits: usize) -> Sum {
        Sum { columns: Columns::new(Form::Bits, bits), constant: U256::ZERO }
    }

    /// Adds `blocks weight`, with one summand for each digit and each nonzero bit of the weight.
    fn add_product(&mut self, blocks: &[Block], weight: U256) {
        let bits = self.columns.places();
        for (bit, is_negative) in signed_bits(weight, bits) {
            let places = (bit..bits).step_by(DIGIT_BITS);
            for (place, block) in places.zip(blocks) {
                if is_negative {
                    let top = block.span().high;
                    self.columns.push(place, block.sub_from(top));
                    let borrowed = U256::from(top.unsigned_abs()) << place as u32;
                    self.constant = self.constant.wrapping_sub(borrowed);
                } else {
                    self.columns.push(place, block.clone());
                }
            }
        }
    }

    fn into_columns(mut self) -> Columns {
        for index in 0..count(self.columns.places()) {
            self.columns.push(DIGIT_BITS * index, constant(digit(self.constant, index)));
        }
        self.columns
    }
}

/// Returns the places of the nonzero digits of a weight modulo `2^bits` in the form with digits -1,
/// 0 and 1 of which no two neighbours are nonzero, with their signs.
///
/// Source: Reitwiesner, "Binary arithmetic", Advances in Computers 1 (1960).
fn signed_bits(weight: U256, bits: usize) -> Vec<(usize, bool)> {
    let (mut rest, mut place, mut digits) = (weight & mask(bits), 0, Vec::new());
    while rest != U256::ZERO && place < bits {
        if rest & U256::ONE == U256::ONE {
            let is_negative = rest & U256::from(3_u8) == U256::from(3_u8);
            digits.push((place, is_negative));
            // The digit is taken off. Past 256 bits, the carry is a multiple of the modulus.
            let one = U256::ONE;
            rest = if is_negative { rest.wrapping_add(one) } else { rest.wrapping_sub(one) };
        }
        (rest, place) = (rest >> 1, place + 1);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_bits_have_the_value_of_the_weight_and_no_neighbours() {
        let weights = (0..=255_u32).chain([0xffff_fffe, 0xaaaa_aaaa, 0x8000_0000, 0x7fff_ffff]);
        for weight in weights {
            let digits = signed_bits(U256::from(weight), 32);
            let term = |&(place, is_negative): &(usize, bool)| {
                if is_negative { (1_u32 << place).wrapping_neg() } else { 1 << place }
            };
            let sum = digits.iter().map(term).fold(0, u32::wrapping_add);
            assert_eq!(sum, weight);
            assert!(digits.windows(2).all(|pair| pair[1].0 > pair[0].0 + 1), "{digits:?}");
        }
        assert_eq!(signed_bits(U256::MAX, 256), [(0, true)]);
        assert_eq!(signed_bits(U256::MAX, 8), [(0, true)]);
    }
}
