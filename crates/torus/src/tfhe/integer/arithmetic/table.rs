//! Sums, differences, negations and products, in four forms each.
//!
//! One row of a table gives an operation its forms: it wraps; it tells whether it overflowed; it
//! tells whether it did not (`checked`), as Rust's integers return `None`; it stops at the nearest
//! end of the range. The second operand is encrypted or clear in all of them.
//!
//! An exact result leaves the range of the type at one of two ends. Which one is known for unsigned
//! integers (sums at the greatest value, differences at 0), and is the sign of the exact result for
//! signed ones: that of `a` for sums and differences, since the operands must agree on the
//! direction, and the product of the signs for products. A saturated digit is a function of the
//! digit and of a *state*: 0 if there was no overflow, 1 beyond the greatest value, 2 beyond the
//! least. `digit + 4 state` has 12 values, so that saturation takes a bootstrap per digit.

use super::carry::CarryOut;
use crate::tfhe::integer::blocks::{complements, constant, pair, two};
use crate::tfhe::integer::tables::fixed;
use crate::tfhe::integer::value::digits::{self, DIGIT_BITS, DIGIT_MAX, SPACE, digit};
use crate::tfhe::integer::value::operand::Side;
use crate::tfhe::integer::{FheBool, FheInteger, Integers, Operand, U256};
use crate::tfhe::{Block, Error, Lut};
use std::sync::LazyLock;

/// Defines the forms of each operation: their names, the formula, and the costs of the form that
/// wraps, of those that tell of an overflow, and of the one that saturates.
macro_rules! table {
    ($(
        $operation:ident($($operand:ident)?):
        $plain:ident, $overflowing:ident, $checked:ident, $saturating:ident,
        $formula:literal, [$cost:literal, $overflow_cost:literal, $end_cost:literal];
    )*) => {$(
        #[doc = concat!("Computes ", $formula, ", wrapping. Cost: ", $cost, ".")]
        ///
        /// # Errors
        /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`]; [`Error::ClearOutOfRange`] for a
        /// clear operand.
        pub fn $plain<T: FheInteger>(
            &self,
            a: &T
            $(, b: impl Operand<$operand>)?
        ) -> Result<T, Error> {
            let operation = Operation::$operation$((self.side::<$operand>(a.value_type(), &b)?))?;
            Ok(a.like(self.wrapping(self.blocks(a)?, operation)?))
        }

        #[doc = concat!("Computes ", $formula, ", wrapping, and whether it overflowed.")]
        ///
        #[doc = concat!("Cost: ", $overflow_cost, ".")]
        ///
        /// # Errors
        #[doc = concat!("As [`Integers::", stringify!($plain), "`].")]
        pub fn $overflowing<T: FheInteger>(
            &self,
            a: &T
            $(, b: impl Operand<$operand>)?
        ) -> Result<(T, FheBool), Error> {
            let operation = Operation::$operation$((self.side::<$operand>(a.value_type(), &b)?))?;
            let exact = self.exact(self.blocks(a)?, a.is_signed(), operation)?;
            Ok((a.like(exact.blocks), FheBool::from_block(exact.overflow)?))
        }

        #[doc = concat!("Computes ", $formula, ", wrapping, and whether it did not overflow.")]
        ///
        #[doc = concat!("Cost: that of [`Integers::", stringify!($overflowing), "`].")]
        ///
        /// # Errors
        #[doc = concat!("As [`Integers::", stringify!($plain), "`].")]
        pub fn $checked<T: FheInteger>(
            &self,
            a: &T
            $(, b: impl Operand<$operand>)?
        ) -> Result<(T, FheBool), Error> {
            let operation = Operation::$operation$((self.side::<$operand>(a.value_type(), &b)?))?;
            let exact = self.exact(self.blocks(a)?, a.is_signed(), operation)?;
            Ok((a.like(exact.blocks), FheBool::from_block(exact.overflow.sub_from(1))?))
        }

        #[doc = concat!("Computes ", $formula, ", or the nearest end of the range.")]
        ///
        #[doc = concat!("Cost: ", $end_cost, ".")]
        ///
        /// # Errors
        #[doc = concat!("As [`Integers::", stringify!($plain), "`].")]
        pub fn $saturating<T: FheInteger>(
            &self,
            a: &T
            $(, b: impl Operand<$operand>)?
        ) -> Result<T, Error> {
            let operation = Operation::$operation$((self.side::<$operand>(a.value_type(), &b)?))?;
            Ok(a.like(self.saturated(self.blocks(a)?, a.is_signed(), operation)?))
        }
    )*};
}

impl Integers {
    table! {
        Add(T): add, overflowing_add, checked_add, saturating_add, "`a + b`", [
            "one bootstrap per block",
            "one bootstrap per block; one more if signed",
            "two bootstraps per block; two more if signed"
        ];
        Sub(T): sub, overflowing_sub, checked_sub, saturating_sub, "`a - b`", [
            "one bootstrap per block",
            "one bootstrap per block; one more if signed",
            "two bootstraps per block; two more if signed"
        ];
        Neg(): neg, overflowing_neg, checked_neg, saturating_neg, "`-a`", [
            "one bootstrap per block",
            "about 1.3 bootstraps per block",
            "about 2.3 bootstraps per block; none if unsigned"
        ];
        Mul(T): mul, overflowing_mul, checked_mul, saturating_mul, "`a * b`", [
            "about `0.3 n^2 + 3 n` bootstraps for n blocks; at most `0.5 n^2` for a clear operand",
            "that of an encrypted product, and about 2.5 bootstraps per block; 6 if signed",
            "that of the product with its overflow, and a bootstrap per block"
        ];
    }
}

/// An operation on `a` and an operand.
enum Operation<'b> {
    Add(Side<'b>),
    Sub(Side<'b>),
    Neg,
    Mul(Side<'b>),
}

/// A result modulo the width, and how the exact one leaves the range.
struct Exact {
    blocks: Vec<Block>,
    /// Flag that is set if the exact result is out of range.
    overflow: Block,
    end: End,
}

/// The end of the range that is nearest to an exact result beyond it.
enum End {
    Least,
    Greatest,
    /// The one with the sign that is the high bit of this digit.
    OfSign(Block),
}

impl Integers {
    fn wrapping(&self, a: &[Block], operation: Operation<'_>) -> Result<Vec<Block>, Error> {
        let bits = DIGIT_BITS * a.len();
        match operation {
            Operation::Add(b) => self.sum_of(sums(a, &b.into_blocks(bits), 0)),
            Operation::Sub(Side::Encrypted(b)) => self.difference(a, b),
            Operation::Sub(Side::Clear(b)) => {
                let negated = digits::trivial(U256::ZERO.wrapping_sub(b), bits);
                self.sum_of(sums(a, &negated, 0))
            }
            Operation::Neg => self.negated(a),
            Operation::Mul(Side::Encrypted(b)) => self.product(a, b),
            Operation::Mul(Side::Clear(b)) => self.product_clear(a, b),
        }
    }

    fn exact(&self, a: &[Block], signed: bool, operation: Operation<'_>) -> Result<Exact, Error> {
        let (bits, sign) = (DIGIT_BITS * a.len(), || End::OfSign(a[a.len() - 1].clone()));
        let ((blocks, overflow), end) = match (operation, signed) {
            (Operation::Add(b), true) => {
                (self.signed_overflow(a, &b.into_blocks(bits), 0)?, sign())
            }
            (Operation::Add(b), false) => {
                let sums = sums(a, &b.into_blocks(bits), 0);
                (self.propagate(sums, CarryOut::Kept)?, End::Greatest)
            }
            (Operation::Sub(b), true) => {
                (self.signed_overflow(a, &complements(&b.into_blocks(bits)), 1)?, sign())
            }
            (Operation::Sub(b), false) => {
                // `a + (4^n - 1 - b) + 1` has a carry if and only if there is no borrow.
                let sums = sums(a, &complements(&b.into_blocks(bits)), 1);
                let (blocks, carry) = self.propagate(sums, CarryOut::Kept)?;
                ((blocks, carry.sub_from(1)), End::Least)
            }
            (Operation::Neg, true) => {
                let least = U256::ONE << (bits - 1) as u32;
                let is_least = self.equals_clear(a, |index| digit(least, index))?;
                ((self.negated(a)?, is_least), End::Greatest)
            }
            (Operation::Neg, false) => {
                let is_zero = self.equals_clear(a, |_| 0)?;
                ((self.negated(a)?, is_zero.sub_from(1)), End::Least)
            }
            (Operation::Mul(b), true) => {
                let product = self.signed_product(a, &b.into_blocks(bits))?;
                // The sign takes the place of the high bit of a digit.
                let end = End::OfSign(product.negative.mul_scalar(2));
                ((product.blocks, product.overflow), end)
            }
            (Operation::Mul(b), false) => {
                (self.wide_product(a, &b.into_blocks(bits))?, End::Greatest)
            }
        };
        Ok(Exact { blocks, overflow, end })
    }

    fn saturated(
        &self,
        a: &[Block],
        signed: bool,
        operation: Operation<'_>,
    ) -> Result<Vec<Block>, Error> {
        if matches!(operation, Operation::Neg) && !signed {
            return Ok(a.iter().map(|block| block.mul_scalar(0)).collect());
        }
        let (Exact { blocks, overflow, end }, tables) =
            (self.exact(a, signed, operation)?, &*TABLES);
        let state = match end {
            End::Greatest => overflow,
            End::Least => overflow.mul_scalar(2),
            End::OfSign(digit) => self.apply(&pair(&digit, &overflow), &tables.state)?,
        };
        let last = blocks.len() - 1;
        let job = |(place, digit): (usize, &Block)| {
            let is_top = signed && place == last;
            (pair(digit, &state), if is_top { &tables.signed_top } else { &tables.digit })
        };
        let jobs: Vec<_> = blocks.iter().enumerate().map(job).collect();
        Ok(self.layer(&jobs)?.into_iter().flatten().collect())
    }

    /// Returns the canonical digits of sums, modulo the width.
    fn sum_of(&self, sums: Vec<Block>) -> Result<Vec<Block>, Error> {
        Ok(self.propagate(sums, CarryOut::Dropped)?.0)
    }

    /// Computes `-a` as the complement plus one.
    fn negated(&self, a: &[Block]) -> Result<Vec<Block>, Error> {
        let mut sums = complements(a);
        sums[0] = sums[0].add_scalar(1);
        self.sum_of(sums)
    }

    /// Computes `a - b`, wrapping.
    pub(super) fn difference(&self, a: &[Block], b: &[Block]) -> Result<Vec<Block>, Error> {
        self.sum_of(sums(a, &complements(b), 1))
    }

    /// Computes the sum `a + b + carry_in` of two's complement digits, and whether it is out of
    /// their range.
    fn signed_overflow(
        &self,
        a: &[Block],
        b: &[Block],
        carry_in: i32,
    ) -> Result<(Vec<Block>, Block), Error> {
        let top = a.len() - 1;
        let signed = self.apply(&pair(&a[top], &b[top]), &self.tables.signed_sum)?;
        let (mut digits, carry) = if top == 0 {
            (Vec::new(), constant(carry_in))
        } else {
            self.propagate(sums(&a[..top], &b[..top], carry_in), CarryOut::Kept)?
        };
        let outputs =
            self.layer(&[(signed.unchecked_add(&carry), &self.tables.message_overflow)])?;
        let [message, overflow] = two(outputs);
        digits.push(message);
        Ok((digits, overflow))
    }
}

/// Returns the digit-wise sums of two integers, with `carry_in` added to the first.
fn sums(a: &[Block], b: &[Block], carry_in: i32) -> Vec<Block> {
    let mut sums: Vec<_> = a.iter().zip(b).map(|(a, b)| a.unchecked_add(b)).collect();
    sums[0] = sums[0].add_scalar(carry_in);
    sums
}

/// The tables of saturation.
struct Tables {
    /// The state of an overflow, for the digit of [`End::OfSign`] plus 4 times the flag.
    state: Lut,
    /// A digit in its state, for `digit + 4 state`.
    digit: Lut,
    /// The top digit of a signed value in its state.
    signed_top: Lut,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    fixed(|| {
        let by_state = |ends: [i32; 2]| {
            move |x: i32| match x >> 2 {
                0 => x,
                1 => ends[0],
                _ => ends[1],
            }
        };
        let state = |x: i32| if x < 4 { 0 } else { 1 + ((x >> 1) & 1) };
        Ok(Tables {
            state: Lut::new(SPACE, 0..=7, state)?,
            digit: Lut::new(SPACE, 0..=11, by_state([DIGIT_MAX, 0]))?,
            signed_top: Lut::new(SPACE, 0..=11, by_state([1, 2]))?,
        })
    })
});
