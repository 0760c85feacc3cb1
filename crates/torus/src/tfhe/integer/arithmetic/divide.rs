//! Quotients and remainders.
//!
//! By an encrypted divisor: long division in base 4. The double and the triple of the divisor are
//! computed once, with encrypted tables of the digits of all multiples. For each digit of the
//! quotient, from the top:
//!
//! 1. The partial remainder is compared with the three multiples side by side: signs of pairs of
//!    digits, combined four at a time, a logarithmic number of layers. The digit is the number of
//!    multiples that are at most the remainder, a sum of three truth values.
//! 2. Digit times divisor is read from the encrypted tables, four digits a bootstrap, and
//!    subtracted with a borrow that ripples: the difference is nonnegative, so that the top digit
//!    has none.
//!
//! The partial remainder has as many digits as steps were made, so that half of the square of the
//! width is compared; digits of the divisor beyond that are covered by one flag for each length.
//! Signed operands are divided by absolute value. A clear divisor takes the product with its
//! reciprocal instead (`divide_clear.rs`).

use super::multiples::{Carries, Multiples};
use crate::tfhe::integer::blocks::{constant, total, two, weighted, without_copies};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{SPACE, mask};
use crate::tfhe::integer::value::operand::Side;
use crate::tfhe::integer::{Clear, FheBool, FheInteger, Integers, Operand, U256};
use crate::tfhe::{Block, Error, Lut};
use std::sync::LazyLock;

impl Integers {
    /// Computes `a / b` and `a % b`. Signed division rounds toward zero, and the remainder has the
    /// sign of `a`.
    ///
    /// Division by an encrypted zero returns `a` as the remainder and a quotient with all bits set.
    /// For signed integers, that is the quotient of `|a|`, which is negated if `a` is negative.
    /// [`Integers::checked_div_rem`] tells whether this happened. The least value divided by -1
    /// wraps.
    ///
    /// Cost, for n blocks: about 1.7 n^2 + 8 n bootstraps; about 0.3 n^2 for a clear divisor.
    ///
    /// # Errors
    /// [`Error::DivisionByZero`] if the divisor is a clear zero; [`Error::ParamsMismatch`],
    /// [`Error::KeyMismatch`]; [`Error::ClearOutOfRange`] for a clear operand.
    pub fn div_rem<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<(T, T), Error> {
        let digits = self.blocks(a)?;
        let (quotient, remainder) = match divisor(self.side(a.value_type(), &b)?)? {
            Side::Clear(b) => {
                let quotient = self.quotient_clear(digits, a.is_signed(), b)?;
                let remainder = self.remainder_clear(digits, &quotient, b)?;
                (quotient, remainder)
            }
            Side::Encrypted(b) if a.is_signed() => self.signed_quotient(digits, b)?,
            Side::Encrypted(b) => self.quotient(digits, b)?,
        };
        Ok((a.like(quotient), a.like(remainder)))
    }

    /// Computes `a / b`; see [`Integers::div_rem`], which costs the same for an encrypted divisor.
    ///
    /// # Errors
    /// As [`Integers::div_rem`].
    pub fn div<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        match divisor(self.side(a.value_type(), &b)?)? {
            Side::Clear(b) => Ok(a.like(self.quotient_clear(self.blocks(a)?, a.is_signed(), b)?)),
            Side::Encrypted(_) => Ok(self.div_rem(a, b)?.0),
        }
    }

    /// Computes `a % b`; see [`Integers::div_rem`].
    ///
    /// # Errors
    /// As [`Integers::div_rem`].
    pub fn rem<T: FheInteger>(&self, a: &T, b: impl Operand<T>) -> Result<T, Error> {
        Ok(self.div_rem(a, b)?.1)
    }

    /// Computes `a / b` and `a % b`, and whether they are defined: `b` is not 0 and, if signed,
    /// they are not those of the least value by -1. Cost: that of [`Integers::div_rem`] and, for
    /// an encrypted divisor, a quarter of a bootstrap per block; if signed, about one more.
    ///
    /// # Errors
    /// As [`Integers::div_rem`].
    pub fn checked_div_rem<T: FheInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, T, FheBool), Error> {
        let by_zero = match divisor(self.side(a.value_type(), &b)?)? {
            Side::Clear(_) => FheBool::trivial(false),
            Side::Encrypted(b) => self.eq(&a.like(b.to_vec()), 0_u8)?,
        };
        let divisor = a.like(self.operand(a, &b)?.into_owned());
        let defined = self.defined_quotient(a, &divisor, by_zero)?;
        let (quotient, remainder) = self.div_rem(a, b)?;
        Ok((quotient, remainder, defined))
    }

    /// Computes `a / b`, and whether it is defined. Cost: that of [`Integers::checked_div_rem`].
    ///
    /// # Errors
    /// As [`Integers::div_rem`].
    pub fn checked_div<T: FheInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let (quotient, _, defined) = self.checked_div_rem(a, b)?;
        Ok((quotient, defined))
    }

    /// Computes `a % b`, and whether it is defined; see [`Integers::checked_div`].
    ///
    /// # Errors
    /// As [`Integers::div_rem`].
    pub fn checked_rem<T: FheInteger>(
        &self,
        a: &T,
        b: impl Operand<T>,
    ) -> Result<(T, FheBool), Error> {
        let (_, remainder, defined) = self.checked_div_rem(a, b)?;
        Ok((remainder, defined))
    }

    /// Returns whether a quotient is defined.
    fn defined_quotient<T: FheInteger>(
        &self,
        a: &T,
        b: &T,
        by_zero: FheBool,
    ) -> Result<FheBool, Error> {
        if !a.is_signed() {
            return self.not(&by_zero);
        }
        let (bits, ones) = (a.bits(), mask(a.bits()));
        let least = self.eq(&a.as_unsigned(), Clear::from(U256::ONE << (bits - 1) as u32))?;
        let minus_one = self.eq(&b.as_unsigned(), Clear::from(ones))?;
        // The flags of two conditions that must not both hold, and of one that must not.
        let sum =
            least.block().unchecked_add(minus_one.block()).unchecked_add_scaled(by_zero.block(), 2);
        let allowed = Lut::new(SPACE, 0..=4, |x| i32::from(x < 2))?;
        FheBool::from_block(self.apply(&sum, &allowed)?)
    }
}

/// Returns the divisor, unless it is known to be zero.
fn divisor(side: Side<'_>) -> Result<Side<'_>, Error> {
    let zero = match &side {
        Side::Clear(value) => *value == U256::ZERO,
        Side::Encrypted(blocks) => blocks.iter().all(|b| b.is_clear() && b.clear_value() == 0),
    };
    if zero { Err(Error::DivisionByZero) } else { Ok(side) }
}

impl Integers {
    fn signed_quotient(&self, a: &[Block], b: &[Block]) -> Result<(Vec<Block>, Vec<Block>), Error> {
        let tops = [a, b].map(|blocks| blocks[blocks.len() - 1].clone());
        let signs = self.apply_each(tops, &self.tables.sign_bit)?;
        // Division truncates toward zero: magnitudes are divided, and the signs are put back.
        let (quotient, remainder) =
            self.quotient(&self.negated_if(a, &signs[0])?, &self.negated_if(b, &signs[1])?)?;
        let differ = self.apply(&total(&signs), &self.tables.odd)?;
        Ok((self.negated_if(&quotient, &differ)?, self.negated_if(&remainder, &signs[0])?))
    }

    /// Computes quotient and remainder by long division in base 4. A digit of the quotient is the
    /// number of those multiples of the divisor, by 1, 2 and 3, that are at most the partial
    /// remainder.
    fn quotient(&self, a: &[Block], b: &[Block]) -> Result<(Vec<Block>, Vec<Block>), Error> {
        let divisor = Divisor::new(self, b)?;
        let mut quotient = Vec::with_capacity(a.len());
        let mut remainder: Vec<Block> = Vec::with_capacity(a.len());
        for digit in a.iter().rev() {
            // The partial remainder grows by a digit each time and is always less than 4 times the
            // divisor, so that the digit is at most 3.
            remainder.insert(0, digit.clone());
            let digit = self.quotient_digit(&remainder, &divisor)?;
            remainder = self.subtract_multiple(&remainder, &digit, &divisor)?;
            quotient.push(digit);
        }
        // A digit is a sum of three truth values, whose noise is too large for an integer.
        let quotient = self.apply_each(quotient.into_iter().rev(), &self.tables.message)?;
        Ok((quotient, remainder))
    }

    /// Returns the number of multiples of the divisor, by 1, 2 and 3, that are at most the
    /// remainder.
    fn quotient_digit(&self, remainder: &[Block], divisor: &Divisor) -> Result<Block, Error> {
        let length = remainder.len();
        let mut padded = remainder.to_vec();
        padded.push(constant(0));
        // `beyond` tells whether the divisor has nonzero digits past the length of the remainder.
        let items = divisor.multiples.values.iter().enumerate().map(|(index, multiple)| {
            // The double and the triple of the divisor may have one digit more.
            let compared = if index == 0 { length } else { length + 1 };
            self.nibble_differences(&padded[..compared], multiple)
        });
        let items: Vec<Vec<Block>> = items.collect();
        let jobs = items.iter().flat_map(|items| self.sign_jobs(items)).collect::<Vec<_>>();
        let mut signs = self.layer(&jobs)?.into_iter().flatten();
        let signs = items.iter().map(|items| {
            let beyond = divisor.beyond.get(length).map(|beyond| beyond.mul_scalar(-1));
            let signs: Vec<_> = signs.by_ref().take(items.len()).chain(beyond).collect();
            without_copies(&signs)
        });
        let sums = self.sign_sums(signs.collect())?;
        let reached = self.apply_each(sums, &self.tables.greater_equal)?;
        // Three truth values in unary: how many of the multiples are reached is the digit.
        Ok(total(&reached))
    }

    /// Computes [`Integers::sign_sum`] for several lists of signs, with one common layer per level.
    fn sign_sums(&self, mut lists: Vec<Vec<Block>>) -> Result<Vec<Block>, Error> {
        while lists.iter().any(|signs| signs.len() > 4) {
            let groups = lists.iter().flat_map(|signs| signs.chunks(4));
            let jobs = groups.filter(|group| group.len() > 1);
            let jobs: Vec<_> = jobs.map(weighted).collect();
            let mut combined = self.apply_each(jobs, &self.tables.sign)?.into_iter();
            for signs in &mut lists {
                let groups = signs.chunks(4).filter_map(|group| match group {
                    [sign] => Some(sign.clone()),
                    _ => combined.next(),
                });
                *signs = groups.collect();
            }
        }
        Ok(lists.iter().map(|signs| weighted(signs)).collect())
    }

    /// Computes `remainder - digit divisor`, which is known to be nonnegative and less than the
    /// divisor.
    fn subtract_multiple(
        &self,
        remainder: &[Block],
        digit: &Block,
        divisor: &Divisor,
    ) -> Result<Vec<Block>, Error> {
        let tables = &*TABLES;
        let length = remainder.len();
        let multiple = divisor.multiples.by_digits(self, &[(digit.clone(), length)])?;
        let mut borrow = constant(0);
        let mut result = Vec::with_capacity(remainder.len());
        for (place, (block, multiple)) in remainder.iter().zip(&multiple[0]).enumerate() {
            let value = block.unchecked_sub(multiple).unchecked_sub(&borrow);
            // The top digit has no borrow.
            if place + 1 == length {
                result.push(self.apply(&value, &tables.message)?);
            } else {
                let [message, next] = two(self.layer(&[(value, &tables.message_borrow)])?);
                result.push(message);
                borrow = next;
            }
        }
        Ok(result)
    }
}

/// Values that depend on the divisor alone and are computed before the first digit.
struct Divisor {
    /// The divisor, its double and its triple. The latter two have one digit more.
    multiples: Multiples,
    /// A flag for each index below the width, set if a digit of the divisor at or past the index is
    /// nonzero.
    beyond: Vec<Block>,
}

impl Divisor {
    fn new(integers: &Integers, divisor: &[Block]) -> Result<Divisor, Error> {
        let multiples = Multiples::new(integers, divisor, divisor.len() + 1, Carries::Resolved)?;
        let mut beyond = integers.suffix_flags(divisor)?;
        beyond.truncate(divisor.len());
        Ok(Divisor { multiples, beyond })
    }
}

/// The tables of division.
struct Tables {
    /// `x mod 4` for -4 to 3.
    message: Lut,
    /// `x mod 4` and the borrow, for -4 to 3.
    message_borrow: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let message = |x: i32| x & 3;
        let borrow = |x: i32| -(x >> 2);
        Ok(Tables {
            message: Lut::new(SPACE, -4..=3, message)?,
            message_borrow: Lut::many(SPACE, -4..=3, &[&message, &borrow])?,
        })
    })
});
