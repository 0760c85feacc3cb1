//! Quotients and remainders for clear divisors.
//!
//! The quotient by `b` is the high part of the product with a reciprocal of one bit more than the
//! numerator has, which is exact for every numerator (Granlund, Montgomery). That product is one by
//! a clear integer (`multiply_clear.rs`), of whose low digits only the carries are computed; powers
//! of two in `b` are shifted out first, so that the numerator is shorter. Long division by `b`
//! would compare and subtract for each digit, as for an encrypted divisor (`divide.rs`).
//!
//! Signed integers are divided by absolute value, by one conditional negation before and one
//! after. The remainder is `a - quotient b`: a second product, and cheaper than the digits of the
//! first that were left out.

use super::columns::{Columns, Form};
use super::multiply_clear::Bits;
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::value::digits::{DIGIT_BITS, mask};
use crate::tfhe::integer::{Integers, U256};
use crate::tfhe::{Block, Error};

impl Integers {
    /// Computes `a / b`. Signed operands are in two's complement over the bits of `a`.
    pub(in crate::tfhe::integer) fn quotient_clear(
        &self,
        a: &[Block],
        signed: bool,
        b: U256,
    ) -> Result<Vec<Block>, Error> {
        if !signed {
            return self.unsigned_quotient_clear(a, b);
        }
        let bits = DIGIT_BITS * a.len();
        let sign = self.sign_bit(a)?;
        let magnitude = self.negated_if(a, &sign)?;
        let negative = b >> (bits as u32 - 1) == U256::ONE;
        let divisor = if negative { U256::ZERO.wrapping_sub(b) & mask(bits) } else { b };
        let quotient = self.unsigned_quotient_clear(&magnitude, divisor)?;
        let negate = if negative { sign.sub_from(1) } else { sign };
        self.negated_if(&quotient, &negate)
    }

    /// Computes `a - quotient b`, wrapping.
    pub(in crate::tfhe::integer) fn remainder_clear(
        &self,
        a: &[Block],
        quotient: &[Block],
        b: U256,
    ) -> Result<Vec<Block>, Error> {
        self.difference(a, &self.product_clear(quotient, b)?)
    }

    /// Computes the quotient by multiplication with a reciprocal. For a numerator of `N` bits,
    /// `2^(l-1) < b < 2^l` and `m = floor(2^(N+l) / b) + 1`, the quotient is `floor(a m /
    /// 2^(N+l))`.
    ///
    /// Source: Granlund, Montgomery, "Division by invariant integers using multiplication", PLDI
    /// 1994, theorem 4.2.
    fn unsigned_quotient_clear(&self, a: &[Block], b: U256) -> Result<Vec<Block>, Error> {
        debug_assert_ne!(b, U256::ZERO);
        let twos = b.trailing_zeros() as usize;
        let shifted = self.shifted_right(a, twos)?;
        let odd = b >> twos as u32;
        if odd == U256::ONE {
            return Ok(shifted);
        }
        let bits = DIGIT_BITS * a.len() - twos;
        let length = (256 - odd.leading_zeros()) as usize;
        if length > bits {
            return Ok(vec![constant(0); a.len()]);
        }
        let shift = bits + length;
        let mut reciprocal = reciprocal(odd, shift);
        // The quotient starts at the boundary of a digit.
        let lost = shift.next_multiple_of(DIGIT_BITS);
        reciprocal.splice(0..0, vec![false; lost - shift]);
        let places = (lost + bits - length + 1).next_multiple_of(DIGIT_BITS);
        let mut columns = Columns::new(Form::Bits, places);
        let used = bits.div_ceil(DIGIT_BITS);
        self.add_multiple(&mut columns, &shifted[..used], &reciprocal)?;
        let mut quotient = self.column_digits(columns, lost / DIGIT_BITS)?;
        quotient.resize(a.len(), constant(0));
        Ok(quotient)
    }
}

/// Computes `floor(2^shift / divisor) + 1`, for an odd divisor other than 1.
fn reciprocal(divisor: U256, shift: usize) -> Bits {
    // Long division of a 1 followed by `shift` zeros. The remainder is less than the divisor.
    let mut remainder = U256::ONE;
    let mut quotient = vec![false; shift];
    for place in (0..shift).rev() {
        let carry = remainder >> 255u32 == U256::ONE;
        remainder <<= 1u32;
        if carry || remainder >= divisor {
            remainder = remainder.wrapping_sub(divisor);
            quotient[place] = true;
        }
    }
    // Adds the 1 of the formula.
    for bit in &mut quotient {
        *bit = !*bit;
        if *bit {
            break;
        }
    }
    quotient
}
