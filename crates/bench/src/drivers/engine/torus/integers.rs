//! Encrypted integers of every type behind one trait.

use std::any::Any;

use ethnum::U256;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::integer::{
    Amount, AnyRadixValue, Clear, FheBool, FheInt, FheUint, Integer, Operand, RadixValue,
    ShiftAmount,
};
use fathom::tfhe::{Block, ClientKey, Evaluator};

use crate::ops::torus::{IntegerKind as Kind, IntegerType};

/// Number of bits in a block of an integer.
const DIGIT_BITS: u32 = 2;

/// An encrypted integer of any type.
pub(super) trait AnyInteger: Send + Sync {
    /// Returns the type of the integer.
    fn ty(&self) -> Result<IntegerType, Error>;

    /// Returns the blocks, the least significant first.
    fn blocks(&self) -> &[Block];

    /// Returns the integer for downcasting.
    fn as_any(&self) -> &dyn Any;

    /// Computes an operation, with a right operand if it has one.
    fn apply(
        &self,
        evaluator: &Evaluator,
        kind: Kind,
        right: Option<Right<'_>>,
    ) -> Result<Outcome, Error>;
}

/// The result of an operation.
pub(super) enum Outcome {
    /// A truth value.
    Truth(FheBool),
    /// A machine integer, or a count of its type.
    Integer(Box<dyn AnyInteger>),
}

/// A right operand.
#[derive(Clone, Copy)]
pub(super) enum Right<'a> {
    Encrypted(&'a dyn AnyInteger),
    /// A clear value of the given type.
    Clear(IntegerType, U256),
}

impl<T: Integer + Send + Sync + 'static> AnyInteger for T {
    fn ty(&self) -> Result<IntegerType, Error> {
        let of = if T::SIGNED { IntegerType::signed } else { IntegerType::unsigned };
        let unknown = || Error::ClearOutOfRange { bits: T::BITS, signed: T::SIGNED };
        u16::try_from(T::BITS).ok().and_then(of).ok_or_else(unknown)
    }

    fn blocks(&self) -> &[Block] {
        AnyRadixValue::blocks(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn apply(
        &self,
        evaluator: &Evaluator,
        kind: Kind,
        right: Option<Right<'_>>,
    ) -> Result<Outcome, Error> {
        let none = Clear::from(0_u8);
        match right {
            None => compute(evaluator, kind, self, none, 0),
            Some(Right::Clear(_, amount)) if kind.is_shift() => {
                compute(evaluator, kind, self, none, amount.as_u32())
            }
            Some(Right::Clear(ty, value)) => {
                let signed = ty.is_signed();
                let value =
                    if signed { Clear::from(ty.sign_extend(value)) } else { Clear::from(value) };
                compute(evaluator, kind, self, value, 0)
            }
            Some(Right::Encrypted(amount)) if kind.is_shift() => {
                compute(evaluator, kind, self, none, EncryptedAmount(amount.blocks()))
            }
            Some(Right::Encrypted(right)) => {
                let other = || Error::ParamsMismatch {
                    left: format!("an integer of {} bits", T::BITS),
                    right: "one of another type".into(),
                };
                let right = right.as_any().downcast_ref::<T>().ok_or_else(other)?;
                compute(evaluator, kind, self, right, 0)
            }
        }
    }
}

/// The blocks of an encrypted shift amount.
struct EncryptedAmount<'a>(&'a [Block]);

impl ShiftAmount for EncryptedAmount<'_> {
    fn amount(&self) -> Result<Amount<'_>, Error> {
        Ok(Amount::Encrypted(self.0))
    }
}

/// Calls the evaluator's method for a kind, with the operands that it takes.
fn compute<T: Integer + Send + Sync + 'static>(
    evaluator: &Evaluator,
    kind: Kind,
    a: &T,
    b: impl Operand<T>,
    amount: impl ShiftAmount,
) -> Result<Outcome, Error> {
    match kind {
        Kind::Neg => evaluator.neg(a).map(word),
        Kind::Add => evaluator.add(a, b).map(word),
        Kind::Sub => evaluator.sub(a, b).map(word),
        Kind::Mul => evaluator.mul(a, b).map(word),
        Kind::Eq => evaluator.eq(a, b).map(Outcome::Truth),
        Kind::Ne => evaluator.ne(a, b).map(Outcome::Truth),
        Kind::Gt => evaluator.gt(a, b).map(Outcome::Truth),
        Kind::Ge => evaluator.ge(a, b).map(Outcome::Truth),
        Kind::Lt => evaluator.lt(a, b).map(Outcome::Truth),
        Kind::Le => evaluator.le(a, b).map(Outcome::Truth),
        Kind::Max => evaluator.max(a, b).map(word),
        Kind::Min => evaluator.min(a, b).map(word),
        Kind::And => evaluator.and(a, b).map(word),
        Kind::Or => evaluator.or(a, b).map(word),
        Kind::Xor => evaluator.xor(a, b).map(word),
        Kind::Not => evaluator.not(a).map(word),
        Kind::Div => evaluator.div(a, b).map(word),
        Kind::Rem => evaluator.rem(a, b).map(word),
        Kind::Shl => evaluator.shl(a, amount).map(word),
        Kind::Shr => evaluator.shr(a, amount).map(word),
        Kind::RotateLeft => evaluator.rotate_left(a, amount).map(word),
        Kind::RotateRight => evaluator.rotate_right(a, amount).map(word),
        Kind::LeadingZeros => evaluator.leading_zeros(a).map(word),
        Kind::TrailingZeros => evaluator.trailing_zeros(a).map(word),
        Kind::LeadingOnes => evaluator.leading_ones(a).map(word),
        Kind::TrailingOnes => evaluator.trailing_ones(a).map(word),
        Kind::CountOnes => evaluator.count_ones(a).map(word),
        Kind::Log2 => evaluator.log2(a).map(word),
    }
}

fn word<T: Integer + Send + Sync + 'static>(integer: T) -> Outcome {
    Outcome::Integer(Box::new(integer))
}

fn boxed<T: Integer + Send + Sync + 'static>(integer: T) -> Box<dyn AnyInteger> {
    Box::new(integer)
}

/// Encrypts a value.
///
/// # Errors
/// [`Error::ValueOutOfRange`] or [`Error::NotCanonical`] if the parameters do not support integers.
pub(super) fn encrypt(
    ty: IntegerType,
    value: U256,
    client: &ClientKey,
    rng: &mut SecretRng,
) -> Result<Box<dyn AnyInteger>, Error> {
    let digit = |index: u32| (value >> (DIGIT_BITS * index)).as_u32() % (1 << DIGIT_BITS);
    let digits = (0..ty.bits() / DIGIT_BITS).map(digit);
    let blocks = digits.map(|digit| client.encrypt(digit, rng)).collect::<Result<Vec<_>, _>>()?;
    match ty.bits() {
        2 => of_width::<2>(ty, blocks),
        4 => of_width::<4>(ty, blocks),
        6 => of_width::<6>(ty, blocks),
        8 => of_width::<8>(ty, blocks),
        10 => of_width::<10>(ty, blocks),
        12 => of_width::<12>(ty, blocks),
        14 => of_width::<14>(ty, blocks),
        16 => of_width::<16>(ty, blocks),
        32 => of_width::<32>(ty, blocks),
        64 => of_width::<64>(ty, blocks),
        128 => of_width::<128>(ty, blocks),
        _ => of_width::<256>(ty, blocks),
    }
}

fn of_width<const BITS: usize>(
    ty: IntegerType,
    blocks: Vec<Block>,
) -> Result<Box<dyn AnyInteger>, Error>
where
    FheInt<BITS>: Integer,
    FheUint<BITS>: Integer,
{
    if ty.is_signed() {
        FheInt::<BITS>::from_blocks(blocks).map(boxed)
    } else {
        FheUint::<BITS>::from_blocks(blocks).map(boxed)
    }
}

/// Decrypts a value.
///
/// # Errors
/// [`Error::ParamsMismatch`] if the key has other parameters.
pub(super) fn decrypt(integer: &dyn AnyInteger, client: &ClientKey) -> Result<U256, Error> {
    integer.blocks().iter().rev().try_fold(U256::ZERO, |value, block| {
        let digit = client.decrypt(block)?.rem_euclid(1 << DIGIT_BITS);
        Ok((value << DIGIT_BITS) | U256::from(digit as u32))
    })
}
