//! Operations on single blocks.

use fathom_bench::torus::BlockOp;
use tfhe::shortint::{Ciphertext as Block, ServerKey};

/// An operation on as many blocks as it takes.
pub(crate) type Call<'a> = Box<dyn Fn(&[&Block]) -> Block + Send + Sync + 'a>;

/// The names of the operations.
pub(crate) fn names() -> impl Iterator<Item = String> {
    BlockOp::ALL.into_iter().map(|op| op.name().to_owned())
}

/// The sum of two messages, without a carry.
pub(crate) fn sum(key: &ServerKey) -> Call<'_> {
    Box::new(|blocks| key.add(blocks[0], blocks[1]))
}

/// An operation, its table made beforehand.
pub(crate) fn find(key: &ServerKey, op: BlockOp) -> Call<'_> {
    match op {
        BlockOp::UncheckedAdd => Box::new(|blocks| key.unchecked_add(blocks[0], blocks[1])),
        BlockOp::MulLsb => Box::new(|blocks| key.mul_lsb(blocks[0], blocks[1])),
        BlockOp::KsPbs => {
            let modulus = key.message_modulus.0;
            let table = key.generate_lookup_table(|x| (x * x + 1) % modulus);
            Box::new(move |blocks| key.apply_lookup_table(blocks[0], &table))
        }
    }
}
