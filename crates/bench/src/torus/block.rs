//! Operations on one small encrypted integer of message and carry.

/// An operation on blocks; values count modulo the message modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockOp {
    /// A sum that leaves its carry in the block: no bootstrap.
    UncheckedAdd,
    /// The low half of a product: a table of two arguments.
    MulLsb,
    /// A key switch and a programmable bootstrap: any table of one argument; here `x^2 + 1`.
    KsPbs,
}

impl BlockOp {
    /// All of them, in the order that tables show them.
    pub const ALL: [BlockOp; 3] = [BlockOp::UncheckedAdd, BlockOp::MulLsb, BlockOp::KsPbs];

    /// The name of the operation.
    pub fn name(self) -> &'static str {
        match self {
            BlockOp::UncheckedAdd => "unchecked_add",
            BlockOp::MulLsb => "mul_lsb",
            BlockOp::KsPbs => "ks_pbs",
        }
    }

    /// One line for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            BlockOp::UncheckedAdd => "sum of two blocks that keeps its carry, without a bootstrap",
            BlockOp::MulLsb => "product of two blocks modulo the message modulus",
            BlockOp::KsPbs => "key switch and programmable bootstrap: x^2 + 1 of one block",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Operands.
    pub fn arity(self) -> usize {
        match self {
            BlockOp::KsPbs => 1,
            BlockOp::UncheckedAdd | BlockOp::MulLsb => 2,
        }
    }

    /// The result modulo `modulus`, of [`BlockOp::arity`] values below it.
    pub fn of(self, values: &[u64], modulus: u64) -> u64 {
        let value = match self {
            BlockOp::UncheckedAdd => values[0] + values[1],
            BlockOp::MulLsb => values[0] * values[1],
            BlockOp::KsPbs => values[0] * values[0] + 1,
        };
        value % modulus
    }
}
