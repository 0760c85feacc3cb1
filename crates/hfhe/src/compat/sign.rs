//! The signs of edges.

use crate::Fp;

/// The sign of an edge's weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// The weight is added.
    Plus,
    /// The weight is subtracted.
    Minus,
}

impl Sign {
    pub(crate) fn from_bit(bit: u8) -> Option<Sign> {
        match bit {
            0 => Some(Sign::Plus),
            1 => Some(Sign::Minus),
            2.. => None,
        }
    }

    pub(crate) fn bit(self) -> u8 {
        self as u8
    }

    pub(crate) fn opposite(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }

    /// Returns `value` or `-value`.
    pub(crate) fn apply(self, value: Fp) -> Fp {
        match self {
            Sign::Plus => value,
            Sign::Minus => -value,
        }
    }
}
