//! Encrypted integers of the widths of the protocol.

use ethnum::U256;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::ClientKey;
use fathom::tfhe::integer::{
    Amount, Clear, FheBool, FheUint32, FheValue, Integers, Operand, RadixInt, ValueType,
};

use crate::ops::torus::{IntegerKind as Kind, IntegerType};

/// Number of bits in a block of an integer.
const DIGIT_BITS: u32 = 2;

/// The result of an operation.
pub(super) enum Outcome {
    /// A truth value.
    Truth(FheBool),
    /// A machine integer, or a count.
    Integer(RadixInt),
}

/// A right operand.
#[derive(Clone, Copy)]
pub(super) enum Right<'a> {
    Encrypted(&'a RadixInt),
    /// A clear value of the given type.
    Clear(IntegerType, U256),
}

/// Computes an operation on an integer, with a right operand if it has one.
pub(super) fn apply(
    integers: &Integers,
    kind: Kind,
    a: &RadixInt,
    right: Option<Right<'_>>,
) -> Result<Outcome, Error> {
    let none = Clear::from(0_u8);
    match right {
        None => compute(integers, kind, a, none, 0),
        Some(Right::Clear(_, amount)) if kind.is_shift() => {
            compute(integers, kind, a, none, amount.as_u32())
        }
        Some(Right::Clear(ty, value)) => compute(integers, kind, a, clear(ty, value), 0),
        Some(Right::Encrypted(amount)) if kind.is_shift() => {
            compute(integers, kind, a, none, amount)
        }
        Some(Right::Encrypted(right)) => compute(integers, kind, a, right, 0),
    }
}

/// Calls the method for a kind, with the operands that it takes.
fn compute(
    integers: &Integers,
    kind: Kind,
    a: &RadixInt,
    b: impl Operand<RadixInt>,
    amount: impl Amount,
) -> Result<Outcome, Error> {
    match kind {
        Kind::Neg => integers.neg(a).map(Outcome::Integer),
        Kind::Add => integers.add(a, b).map(Outcome::Integer),
        Kind::Sub => integers.sub(a, b).map(Outcome::Integer),
        Kind::Mul => integers.mul(a, b).map(Outcome::Integer),
        Kind::Eq => integers.eq(a, b).map(Outcome::Truth),
        Kind::Ne => integers.ne(a, b).map(Outcome::Truth),
        Kind::Gt => integers.gt(a, b).map(Outcome::Truth),
        Kind::Ge => integers.ge(a, b).map(Outcome::Truth),
        Kind::Lt => integers.lt(a, b).map(Outcome::Truth),
        Kind::Le => integers.le(a, b).map(Outcome::Truth),
        Kind::Max => integers.max(a, b).map(Outcome::Integer),
        Kind::Min => integers.min(a, b).map(Outcome::Integer),
        Kind::And => integers.and(a, b).map(Outcome::Integer),
        Kind::Or => integers.or(a, b).map(Outcome::Integer),
        Kind::Xor => integers.xor(a, b).map(Outcome::Integer),
        Kind::Not => integers.not(a).map(Outcome::Integer),
        Kind::Div => integers.div(a, b).map(Outcome::Integer),
        Kind::Rem => integers.rem(a, b).map(Outcome::Integer),
        Kind::Shl => integers.shl(a, amount).map(Outcome::Integer),
        Kind::Shr => integers.shr(a, amount).map(Outcome::Integer),
        Kind::RotateLeft => integers.rotate_left(a, amount).map(Outcome::Integer),
        Kind::RotateRight => integers.rotate_right(a, amount).map(Outcome::Integer),
        Kind::LeadingZeros => integers.leading_zeros(a).map(count),
        Kind::TrailingZeros => integers.trailing_zeros(a).map(count),
        Kind::LeadingOnes => integers.leading_ones(a).map(count),
        Kind::TrailingOnes => integers.trailing_ones(a).map(count),
        Kind::CountOnes => integers.count_ones(a).map(count),
        Kind::Log2 => integers.log2(a).map(count),
    }
}

fn count(count: FheUint32) -> Outcome {
    Outcome::Integer(count.into())
}

/// Returns the value whose bits are those of a clear integer.
fn clear(ty: IntegerType, value: U256) -> Clear {
    if ty.is_signed() { ty.sign_extend(value).into() } else { value.into() }
}

/// Encrypts a value.
///
/// # Errors
/// [`Error::ParamsMismatch`] if the parameters do not support integers.
pub(super) fn encrypt(
    ty: IntegerType,
    value: U256,
    client: &ClientKey,
    rng: &mut SecretRng,
) -> Result<RadixInt, Error> {
    let bits = ty.bits() as usize;
    let radix = if ty.is_signed() { ValueType::signed(bits) } else { ValueType::unsigned(bits) };
    client.encrypt_radix(radix?, clear(ty, value), rng)
}

/// Decrypts a value and returns its type and its bits.
///
/// # Errors
/// [`Error::ParamsMismatch`] if the key has other parameters.
pub(super) fn decrypt(
    integer: &RadixInt,
    client: &ClientKey,
) -> Result<(IntegerType, U256), Error> {
    let (bits, signed) = (integer.value_type().bits(), integer.is_signed());
    let of = if signed { IntegerType::signed } else { IntegerType::unsigned };
    let unknown = Error::ClearOutOfRange { bits: bits.into(), signed };
    let digits = integer.blocks().iter().rev().try_fold(U256::ZERO, |value, block| {
        let digit = client.decrypt(block)?.rem_euclid(1 << DIGIT_BITS);
        Ok::<_, Error>((value << DIGIT_BITS) | U256::from(digit as u32))
    })?;
    of(bits).map(|ty| (ty, digits)).ok_or(unknown)
}
