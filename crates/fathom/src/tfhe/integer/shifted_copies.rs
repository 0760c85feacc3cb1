//! Multiples by a clear integer as sums of shifted copies, without a bootstrap before the sum.

use super::U256;
use super::columns::Columns;
use super::digits::{DIGIT_BITS, DIGIT_MAX, digit};
use super::radix::{complement, constant};
use crate::tfhe::Block;

impl Columns {
    /// Adds `4^start a b` modulo the width of the columns.
    pub(super) fn add_shifted_copies(&mut self, a: &[Block], start: usize, b: U256) {
        let digits = self.places() / DIGIT_BITS;
        let factors = signed_digits(b, digits);
        // A digit is subtracted by adding its complement `3 - digit` and subtracting 3.
        let mut correction = U256::ZERO;
        for (index, block) in a.iter().enumerate() {
            for (place, &factor) in (start + index..digits).zip(&factors) {
                let place = DIGIT_BITS * place;
                if factor < 0 {
                    self.push(place, complement(block));
                    let borrowed = U256::from(DIGIT_MAX as u8) << place as u32;
                    correction = correction.wrapping_sub(borrowed);
                } else {
                    self.push(place, block.mul_scalar(factor));
                }
            }
        }
        for place in 0..digits {
            self.push(DIGIT_BITS * place, constant(digit(correction, place)));
        }
    }
}

/// Returns the low `count` digits of `b` in base 4, recoded to -1, 0, 1 and 2.
fn signed_digits(b: U256, count: usize) -> Vec<i32> {
    let mut carry = 0;
    let signed = (0..count).map(|place| {
        let digit = digit(b, place) + carry;
        carry = i32::from(digit >= DIGIT_MAX);
        digit - 4 * carry
    });
    signed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_are_those_of_the_value() {
        assert_eq!(signed_digits(U256::from(77u8), 4), [1, -1, 1, 1]);
        assert_eq!(signed_digits(U256::from(255u8), 4), [-1, 0, 0, 0]);
        assert_eq!(signed_digits(U256::from(2u8), 2), [2, 0]);
        for value in 0..=255u8 {
            let digits = signed_digits(U256::from(value), 4);
            assert!(digits.iter().all(|digit| (-1..=2).contains(digit)));
            let sum: i32 = digits.iter().rev().fold(0, |sum, digit| 4 * sum + digit);
            assert_eq!(sum.rem_euclid(256), i32::from(value));
        }
    }
}
