//! Operations on blocks: small encrypted integers with message and carry.

/// An operation on blocks; values are taken modulo the message modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockOp {
    /// A sum that leaves its carry in the block; takes no bootstrap.
    UncheckedAdd,
    /// A product modulo the message modulus: a lookup table of two arguments.
    MulLsb,
    /// A key switch and a programmable bootstrap for any table of one argument; here `x^2 + 1`.
    KsPbs,
    /// [`BlockOp::KsPbs`] of 8 independent blocks in one call.
    KsPbsBatch8,
    /// [`BlockOp::KsPbs`] of 16 independent blocks in one call.
    KsPbsBatch16,
}

impl BlockOp {
    /// All operations, in the order in which tables show them.
    pub const ALL: [BlockOp; 5] = [
        BlockOp::UncheckedAdd,
        BlockOp::MulLsb,
        BlockOp::KsPbs,
        BlockOp::KsPbsBatch8,
        BlockOp::KsPbsBatch16,
    ];

    /// Returns the name of the operation.
    pub fn name(self) -> &'static str {
        match self {
            BlockOp::UncheckedAdd => "unchecked_add",
            BlockOp::MulLsb => "mul_lsb",
            BlockOp::KsPbs => "ks_pbs",
            BlockOp::KsPbsBatch8 => "ks_pbs_batch8",
            BlockOp::KsPbsBatch16 => "ks_pbs_batch16",
        }
    }

    /// Returns a description in one line.
    pub fn meaning(self) -> &'static str {
        match self {
            BlockOp::UncheckedAdd => "sum of two blocks that keeps its carry, without a bootstrap",
            BlockOp::MulLsb => "product of two blocks modulo the message modulus",
            BlockOp::KsPbs => "key switch and programmable bootstrap: x^2 + 1 of one block",
            BlockOp::KsPbsBatch8 => "ks_pbs of 8 blocks in one call: the time of one of them",
            BlockOp::KsPbsBatch16 => "ks_pbs of 16 blocks in one call: the time of one of them",
        }
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Returns the number of operands.
    pub fn arity(self) -> usize {
        match self {
            BlockOp::UncheckedAdd | BlockOp::MulLsb => 2,
            BlockOp::KsPbs | BlockOp::KsPbsBatch8 | BlockOp::KsPbsBatch16 => self.results(),
        }
    }

    /// Returns the number of blocks that one call returns.
    pub fn results(self) -> usize {
        match self {
            BlockOp::UncheckedAdd | BlockOp::MulLsb | BlockOp::KsPbs => 1,
            BlockOp::KsPbsBatch8 => 8,
            BlockOp::KsPbsBatch16 => 16,
        }
    }

    /// Computes the [`BlockOp::results`] modulo `modulus` from [`BlockOp::arity`] values below it.
    pub fn of(self, values: &[u64], modulus: u64) -> Vec<u64> {
        let bootstrapped = |value: &u64| (value * value + 1) % modulus;
        match self {
            BlockOp::UncheckedAdd => vec![(values[0] + values[1]) % modulus],
            BlockOp::MulLsb => vec![values[0] * values[1] % modulus],
            BlockOp::KsPbs | BlockOp::KsPbsBatch8 | BlockOp::KsPbsBatch16 => {
                values.iter().map(bootstrapped).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_gives_as_many_values_as_it_says() {
        for op in BlockOp::ALL {
            let values: Vec<u64> = (0..op.arity() as u64).map(|value| value % 4).collect();
            assert_eq!(op.of(&values, 4).len(), op.results(), "{}", op.name());
            assert_eq!(BlockOp::parse(op.name()), Some(op));
        }
        let values: Vec<u64> = (0..8).map(|value| value % 4).collect();
        assert_eq!(BlockOp::KsPbsBatch8.of(&values, 4), [1, 2, 1, 2, 1, 2, 1, 2]);
    }
}
