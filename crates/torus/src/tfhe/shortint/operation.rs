//! The operations on two small integers.

use crate::tfhe::Error;

/// An operation of two messages `a` and `b` of `bits` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a + b` modulo `2^bits`.
    Add,
    /// `a - b` modulo `2^bits`.
    Subtract,
    /// The low half of the product `a b`.
    MultiplyLow,
    /// The high half of the product `a b`.
    MultiplyHigh,
    /// `a / b` rounded down; `2^bits - 1` if `b` is 0.
    Divide,
    /// The remainder of `a / b`; `a` if `b` is 0.
    Remainder,
    /// The bitwise AND.
    And,
    /// The bitwise OR.
    Or,
    /// The bitwise exclusive OR.
    Xor,
    /// `a` shifted left by `b` places; 0 from `bits` places on.
    ShiftLeft,
    /// `a` shifted right by `b` places; 0 from `bits` places on.
    ShiftRight,
    /// 1 if `a = b`, else 0.
    Equal,
    /// 1 if `a != b`, else 0.
    NotEqual,
    /// 1 if `a < b`, else 0.
    Less,
    /// 1 if `a <= b`, else 0.
    LessOrEqual,
    /// 1 if `a > b`, else 0.
    Greater,
    /// 1 if `a >= b`, else 0.
    GreaterOrEqual,
    /// The lesser of the two.
    Minimum,
    /// The greater of the two.
    Maximum,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 19] = [
        Operation::Add,
        Operation::Subtract,
        Operation::MultiplyLow,
        Operation::MultiplyHigh,
        Operation::Divide,
        Operation::Remainder,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::ShiftLeft,
        Operation::ShiftRight,
        Operation::Equal,
        Operation::NotEqual,
        Operation::Less,
        Operation::LessOrEqual,
        Operation::Greater,
        Operation::GreaterOrEqual,
        Operation::Minimum,
        Operation::Maximum,
    ];

    /// Returns the result for clear messages `a` and `b` of `bits` bits.
    ///
    /// # Errors
    /// [`Error::Spec`] unless `bits` is in `1..=8`; [`Error::MessageOutOfRange`] unless both
    /// messages are below `2^bits`.
    pub fn of_clear(self, a: u32, b: u32, bits: u32) -> Result<u32, Error> {
        if !(1..=8).contains(&bits) {
            let reason = format!("clear operands have 1 to 8 bits, not {bits}");
            return Err(Error::Spec { field: "message_bits", reason });
        }
        let most = (1 << bits) - 1;
        if a > most || b > most {
            return Err(Error::MessageOutOfRange { low: 0, high: most.into() });
        }
        Ok(self.of_messages(a, b, bits))
    }

    /// Returns the result for clear messages below `2^bits`, for `bits` in `1..=8`.
    pub(super) fn of_messages(self, a: u32, b: u32, bits: u32) -> u32 {
        let most = (1 << bits) - 1;
        match self {
            Operation::Add => (a + b) & most,
            Operation::Subtract => a.wrapping_sub(b) & most,
            Operation::MultiplyLow => (a * b) & most,
            Operation::MultiplyHigh => (a * b) >> bits,
            Operation::Divide => a.checked_div(b).unwrap_or(most),
            Operation::Remainder => a.checked_rem(b).unwrap_or(a),
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::ShiftLeft => a.checked_shl(b).unwrap_or(0) & most,
            Operation::ShiftRight => a.checked_shr(b).unwrap_or(0),
            Operation::Equal => u32::from(a == b),
            Operation::NotEqual => u32::from(a != b),
            Operation::Less => u32::from(a < b),
            Operation::LessOrEqual => u32::from(a <= b),
            Operation::Greater => u32::from(a > b),
            Operation::GreaterOrEqual => u32::from(a >= b),
            Operation::Minimum => a.min(b),
            Operation::Maximum => a.max(b),
        }
    }

    /// Returns whether the result depends on the difference of the messages alone.
    pub(super) fn is_comparison(self) -> bool {
        matches!(
            self,
            Operation::Equal
                | Operation::NotEqual
                | Operation::Less
                | Operation::LessOrEqual
                | Operation::Greater
                | Operation::GreaterOrEqual
        )
    }
}
