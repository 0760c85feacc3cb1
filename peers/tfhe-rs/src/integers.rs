//! Operations on integers: the "default" operations of tfhe-rs, which its high-level types call,
//! and those in its other modes.

use crate::modes;
use crate::scalars::Scalar;
use crate::value::{Clear, Encrypted, Value, Word};
use ethnum::U256;
use fathom_drivers::ops::torus::{CarryMode, IntegerKind as Kind, IntegerOp, IntegerType};
use fathom_drivers::protocol::{Code, Refusal};
use tfhe::integer::{I256, RadixCiphertext, ServerKey, SignedRadixCiphertext, U256 as Wide};

/// An operation with its operands.
pub(crate) type Call<'a> = Box<dyn Fn(&ServerKey) -> Result<Value, Refusal> + Send + Sync + 'a>;

/// A right operand.
#[derive(Clone, Copy)]
pub(crate) enum Right<'a> {
    Nothing,
    Encrypted(&'a Encrypted),
    Clear(&'a Clear),
}

/// Returns the names of all operations.
pub(crate) fn names() -> impl Iterator<Item = String> {
    IntegerOp::all().into_iter().chain(IntegerOp::in_named_modes()).map(|op| op.to_string())
}

/// Binds an operation to its operands.
///
/// # Errors
/// `bad_request` for operands of another type, and for clear divisors of 0.
pub(crate) fn bind<'a>(
    op: IntegerOp,
    left: &'a Encrypted,
    right: Right<'a>,
) -> Result<Call<'a>, Refusal> {
    if op.mode != CarryMode::Default {
        return in_mode(op, left, right);
    }
    // A clear operand has the narrowest type of tfhe-rs that holds the width.
    match (op.ty.is_signed(), op.ty.bits()) {
        (false, ..=8) => on::<RadixCiphertext, u8>(op, left, right),
        (false, ..=16) => on::<RadixCiphertext, u16>(op, left, right),
        (false, 32) => on::<RadixCiphertext, u32>(op, left, right),
        (false, 64) => on::<RadixCiphertext, u64>(op, left, right),
        (false, 128) => on::<RadixCiphertext, u128>(op, left, right),
        (false, _) => on::<RadixCiphertext, Wide>(op, left, right),
        (true, ..=8) => on::<SignedRadixCiphertext, i8>(op, left, right),
        (true, ..=16) => on::<SignedRadixCiphertext, i16>(op, left, right),
        (true, 32) => on::<SignedRadixCiphertext, i32>(op, left, right),
        (true, 64) => on::<SignedRadixCiphertext, i64>(op, left, right),
        (true, 128) => on::<SignedRadixCiphertext, i128>(op, left, right),
        (true, _) => on::<SignedRadixCiphertext, I256>(op, left, right),
    }
}

/// Binds an operation in a mode other than the default one.
fn in_mode<'a>(op: IntegerOp, left: &'a Encrypted, right: Right<'a>) -> Result<Call<'a>, Refusal> {
    let Right::Encrypted(right) = right else { return Err(missing(op)) };
    let call = modes::find(op.mode, op.kind).ok_or_else(|| missing(op))?;
    let left = RadixCiphertext::of(&left.value, op.ty)?;
    let right = RadixCiphertext::of(&right.value, op.right_type())?;
    Ok(Box::new(move |key| call(key, left, right)))
}

fn on<'a, T: Word + 'static, S: Scalar<T>>(
    op: IntegerOp,
    left: &'a Encrypted,
    right: Right<'a>,
) -> Result<Call<'a>, Refusal> {
    let (kind, left) = (op.kind, T::of(&left.value, op.ty)?);
    match right {
        Right::Nothing => {
            let call = unary::<T>(kind).ok_or_else(|| missing(op))?;
            Ok(Box::new(move |key| Ok(call(key, left))))
        }
        Right::Encrypted(amount) if kind.is_shift() => {
            let call = shift::<T>(kind).ok_or_else(|| missing(op))?;
            let amount = RadixCiphertext::of(&amount.value, op.right_type())?;
            Ok(Box::new(move |key| Ok(call(key, left, amount))))
        }
        Right::Encrypted(right) => {
            let call = binary::<T>(kind).ok_or_else(|| missing(op))?;
            let right = T::of(&right.value, op.ty)?;
            Ok(Box::new(move |key| Ok(call(key, left, right))))
        }
        Right::Clear(clear) => {
            let bits = clear_bits(clear, op.right_type())?;
            if kind.is_shift() {
                let call = clear_shift::<T>(kind).ok_or_else(|| missing(op))?;
                let amount = bits.as_u64();
                return Ok(Box::new(move |key| Ok(call(key, left, amount))));
            }
            if matches!(kind, Kind::Div | Kind::Rem) && bits == U256::ZERO {
                return Err(Refusal::new(Code::BadRequest, "the divisor is 0"));
            }
            let call = clear_right::<T, S>(kind).ok_or_else(|| missing(op))?;
            let scalar = S::of(op.ty, bits);
            Ok(Box::new(move |key| Ok(call(key, left, scalar))))
        }
    }
}

fn clear_bits(clear: &Clear, wanted: IntegerType) -> Result<U256, Refusal> {
    match clear {
        Clear::Integer(ty, bits) if *ty == wanted => Ok(*bits),
        Clear::Integer(..) | Clear::Small(_) | Clear::Batch(_) => {
            let message = format!("the operation wants a clear {wanted} on the right");
            Err(Refusal::new(Code::BadRequest, message))
        }
    }
}

fn missing(op: IntegerOp) -> Refusal {
    Refusal::new(Code::BadRequest, format!("`{op}` does not take operands of these kinds"))
}

type Unary<T> = fn(&ServerKey, &T) -> Value;
type Binary<T, R> = fn(&ServerKey, &T, R) -> Value;

fn unary<T: Word>(kind: Kind) -> Option<Unary<T>> {
    let call: Unary<T> = match kind {
        Kind::Neg => |key, a| key.neg_parallelized(a).value(),
        Kind::Not => |key, a| key.bitnot(a).value(),
        Kind::LeadingZeros => |key, a| Value::Count(key.leading_zeros_parallelized(a)),
        Kind::TrailingZeros => |key, a| Value::Count(key.trailing_zeros_parallelized(a)),
        Kind::LeadingOnes => |key, a| Value::Count(key.leading_ones_parallelized(a)),
        Kind::TrailingOnes => |key, a| Value::Count(key.trailing_ones_parallelized(a)),
        Kind::CountOnes => |key, a| Value::Count(key.count_ones_parallelized(a)),
        Kind::Log2 => |key, a| Value::Count(key.ilog2_parallelized(a)),
        _ => return None,
    };
    Some(call)
}

fn binary<T: Word>(kind: Kind) -> Option<for<'a> fn(&ServerKey, &T, &'a T) -> Value> {
    let call: for<'a> fn(&ServerKey, &T, &'a T) -> Value = match kind {
        Kind::Add => |key, a, b| key.add_parallelized(a, b).value(),
        Kind::Sub => |key, a, b| key.sub_parallelized(a, b).value(),
        Kind::Mul => |key, a, b| key.mul_parallelized(a, b).value(),
        Kind::Div => |key, a, b| key.div_parallelized(a, b).value(),
        Kind::Rem => |key, a, b| key.rem_parallelized(a, b).value(),
        Kind::Eq => |key, a, b| Value::Truth(key.eq_parallelized(a, b)),
        Kind::Ne => |key, a, b| Value::Truth(key.ne_parallelized(a, b)),
        Kind::Gt => |key, a, b| Value::Truth(key.gt_parallelized(a, b)),
        Kind::Ge => |key, a, b| Value::Truth(key.ge_parallelized(a, b)),
        Kind::Lt => |key, a, b| Value::Truth(key.lt_parallelized(a, b)),
        Kind::Le => |key, a, b| Value::Truth(key.le_parallelized(a, b)),
        Kind::Max => |key, a, b| key.max_parallelized(a, b).value(),
        Kind::Min => |key, a, b| key.min_parallelized(a, b).value(),
        Kind::And => |key, a, b| key.bitand_parallelized(a, b).value(),
        Kind::Or => |key, a, b| key.bitor_parallelized(a, b).value(),
        Kind::Xor => |key, a, b| key.bitxor_parallelized(a, b).value(),
        _ => return None,
    };
    Some(call)
}

fn shift<T: Word>(kind: Kind) -> Option<for<'a> fn(&ServerKey, &T, &'a RadixCiphertext) -> Value> {
    let call: for<'a> fn(&ServerKey, &T, &'a RadixCiphertext) -> Value = match kind {
        Kind::Shl => |key, a, by| key.left_shift_parallelized(a, by).value(),
        Kind::Shr => |key, a, by| key.right_shift_parallelized(a, by).value(),
        Kind::RotateLeft => |key, a, by| key.rotate_left_parallelized(a, by).value(),
        Kind::RotateRight => |key, a, by| key.rotate_right_parallelized(a, by).value(),
        _ => return None,
    };
    Some(call)
}

fn clear_shift<T: Word>(kind: Kind) -> Option<Binary<T, u64>> {
    let call: Binary<T, u64> = match kind {
        Kind::Shl => |key, a, by| key.scalar_left_shift_parallelized(a, by).value(),
        Kind::Shr => |key, a, by| key.scalar_right_shift_parallelized(a, by).value(),
        Kind::RotateLeft => |key, a, by| key.scalar_rotate_left_parallelized(a, by).value(),
        Kind::RotateRight => |key, a, by| key.scalar_rotate_right_parallelized(a, by).value(),
        _ => return None,
    };
    Some(call)
}

fn clear_right<T: Word, S: Scalar<T>>(kind: Kind) -> Option<Binary<T, S>> {
    let call: Binary<T, S> = match kind {
        Kind::Add => |key, a, b| key.scalar_add_parallelized(a, b).value(),
        Kind::Sub => |key, a, b| key.scalar_sub_parallelized(a, b).value(),
        Kind::Mul => |key, a, b| key.scalar_mul_parallelized(a, b).value(),
        Kind::Div => |key, a, b| S::quotient(key, a, b).value(),
        Kind::Rem => |key, a, b| S::remainder(key, a, b).value(),
        Kind::Eq => |key, a, b| Value::Truth(key.scalar_eq_parallelized(a, b)),
        Kind::Ne => |key, a, b| Value::Truth(key.scalar_ne_parallelized(a, b)),
        Kind::Gt => |key, a, b| Value::Truth(key.scalar_gt_parallelized(a, b)),
        Kind::Ge => |key, a, b| Value::Truth(key.scalar_ge_parallelized(a, b)),
        Kind::Lt => |key, a, b| Value::Truth(key.scalar_lt_parallelized(a, b)),
        Kind::Le => |key, a, b| Value::Truth(key.scalar_le_parallelized(a, b)),
        Kind::Max => |key, a, b| key.scalar_max_parallelized(a, b).value(),
        Kind::Min => |key, a, b| key.scalar_min_parallelized(a, b).value(),
        Kind::And => |key, a, b| key.scalar_bitand_parallelized(a, b).value(),
        Kind::Or => |key, a, b| key.scalar_bitor_parallelized(a, b).value(),
        Kind::Xor => |key, a, b| key.scalar_bitxor_parallelized(a, b).value(),
        _ => return None,
    };
    Some(call)
}
