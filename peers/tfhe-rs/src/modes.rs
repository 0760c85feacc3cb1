//! Operations on unsigned integers in the modes of tfhe-rs other than the default one.

use crate::value::{Value, Word};
use fathom_drivers::ops::torus::{CarryMode, IntegerKind as Kind};
use fathom_drivers::protocol::{Code, Refusal};
use tfhe::integer::{RadixCiphertext as Radix, ServerKey};

/// An operation on two encrypted integers.
pub(crate) type Modal = fn(&ServerKey, &Radix, &Radix) -> Result<Value, Refusal>;

/// Returns the operation in a mode, if the mode has it.
pub(crate) fn find(mode: CarryMode, kind: Kind) -> Option<Modal> {
    match mode {
        CarryMode::Default => None,
        CarryMode::Unchecked => unchecked(kind),
        CarryMode::Checked => checked(kind),
        CarryMode::Smart => smart(kind),
    }
}

fn truth(value: tfhe::integer::BooleanBlock) -> Value {
    Value::Truth(value)
}

fn unchecked(kind: Kind) -> Option<Modal> {
    let call: Modal = match kind {
        Kind::Add => |key, a, b| Ok(key.unchecked_add_parallelized(a, b).value()),
        Kind::Sub => |key, a, b| Ok(key.unchecked_sub(a, b).value()),
        Kind::Mul => |key, a, b| Ok(key.unchecked_mul_parallelized(a, b).value()),
        Kind::Div => |key, a, b| Ok(key.unchecked_div_parallelized(a, b).value()),
        Kind::Eq => |key, a, b| Ok(truth(key.unchecked_eq_parallelized(a, b))),
        Kind::Ne => |key, a, b| Ok(truth(key.unchecked_ne_parallelized(a, b))),
        Kind::Gt => |key, a, b| Ok(truth(key.unchecked_gt_parallelized(a, b))),
        Kind::Ge => |key, a, b| Ok(truth(key.unchecked_ge_parallelized(a, b))),
        Kind::Lt => |key, a, b| Ok(truth(key.unchecked_lt_parallelized(a, b))),
        Kind::Le => |key, a, b| Ok(truth(key.unchecked_le_parallelized(a, b))),
        Kind::Max => |key, a, b| Ok(key.unchecked_max_parallelized(a, b).value()),
        Kind::Min => |key, a, b| Ok(key.unchecked_min_parallelized(a, b).value()),
        Kind::And => |key, a, b| Ok(key.unchecked_bitand_parallelized(a, b).value()),
        Kind::Or => |key, a, b| Ok(key.unchecked_bitor_parallelized(a, b).value()),
        Kind::Xor => |key, a, b| Ok(key.unchecked_bitxor_parallelized(a, b).value()),
        Kind::Shl => |key, a, by| Ok(key.unchecked_left_shift_parallelized(a, by).value()),
        Kind::Shr => |key, a, by| Ok(key.unchecked_right_shift_parallelized(a, by).value()),
        Kind::RotateLeft => |key, a, by| Ok(key.unchecked_rotate_left_parallelized(a, by).value()),
        _ => return None,
    };
    Some(call)
}

/// Turns the refusal of tfhe-rs into one of the protocol.
fn allowed(result: Result<Radix, tfhe::shortint::CheckError>) -> Result<Value, Refusal> {
    result.map(Word::value).map_err(|error| Refusal::new(Code::BadRequest, error.to_string()))
}

fn checked(kind: Kind) -> Option<Modal> {
    let call: Modal = match kind {
        Kind::Add => |key, a, b| allowed(key.checked_add(a, b)),
        Kind::Sub => |key, a, b| allowed(key.checked_sub(a, b)),
        Kind::And => |key, a, b| allowed(key.checked_bitand(a, b)),
        Kind::Or => |key, a, b| allowed(key.checked_bitor(a, b)),
        Kind::Xor => |key, a, b| allowed(key.checked_bitxor(a, b)),
        _ => return None,
    };
    Some(call)
}

/// The smart methods propagate the carries of their operands in place, so each call takes copies.
fn smart(kind: Kind) -> Option<Modal> {
    macro_rules! on_copies {
        ($method:ident, $wrap:expr) => {
            |key, a, b| Ok($wrap(key.$method(&mut a.clone(), &mut b.clone())))
        };
    }
    let call: Modal = match kind {
        Kind::Add => on_copies!(smart_add_parallelized, Word::value),
        Kind::Sub => on_copies!(smart_sub_parallelized, Word::value),
        Kind::Mul => on_copies!(smart_mul_parallelized, Word::value),
        Kind::Div => on_copies!(smart_div_parallelized, Word::value),
        Kind::Eq => on_copies!(smart_eq_parallelized, truth),
        Kind::Ne => on_copies!(smart_ne_parallelized, truth),
        Kind::Gt => on_copies!(smart_gt_parallelized, truth),
        Kind::Ge => on_copies!(smart_ge_parallelized, truth),
        Kind::Lt => on_copies!(smart_lt_parallelized, truth),
        Kind::Le => on_copies!(smart_le_parallelized, truth),
        Kind::Max => on_copies!(smart_max_parallelized, Word::value),
        Kind::Min => on_copies!(smart_min_parallelized, Word::value),
        Kind::And => on_copies!(smart_bitand_parallelized, Word::value),
        Kind::Or => on_copies!(smart_bitor_parallelized, Word::value),
        Kind::Xor => on_copies!(smart_bitxor_parallelized, Word::value),
        Kind::Shl => on_copies!(smart_left_shift_parallelized, Word::value),
        Kind::Shr => on_copies!(smart_right_shift_parallelized, Word::value),
        Kind::RotateLeft => on_copies!(smart_rotate_left_parallelized, Word::value),
        _ => return None,
    };
    Some(call)
}
