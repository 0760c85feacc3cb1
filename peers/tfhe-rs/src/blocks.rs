//! Operations on blocks.

use crate::value::Value;
use fathom_drivers::ops::torus::BlockOp;
use rayon::prelude::*;
use tfhe::shortint::{Ciphertext as Block, ServerKey};

/// An operation on its blocks.
pub(crate) type Call<'a> = Box<dyn Fn(&[&Block]) -> Value + Send + Sync + 'a>;

/// Returns the names of the operations.
pub(crate) fn names() -> impl Iterator<Item = String> {
    BlockOp::ALL.into_iter().map(|op| op.name().to_owned())
}

/// Binds the sum of two messages modulo the message modulus.
pub(crate) fn sum(key: &ServerKey) -> Call<'_> {
    Box::new(|blocks| Value::Block(key.add(blocks[0], blocks[1])))
}

/// Binds an operation; its lookup table is generated here, untimed.
pub(crate) fn find(key: &ServerKey, op: BlockOp) -> Call<'_> {
    let modulus = key.message_modulus.0;
    let table = || key.generate_lookup_table(|x| (x * x + 1) % modulus);
    match op {
        BlockOp::UncheckedAdd => {
            Box::new(|blocks| Value::Block(key.unchecked_add(blocks[0], blocks[1])))
        }
        BlockOp::MulLsb => Box::new(|blocks| Value::Block(key.mul_lsb(blocks[0], blocks[1]))),
        BlockOp::KsPbs => {
            let table = table();
            Box::new(move |blocks| Value::Block(key.apply_lookup_table(blocks[0], &table)))
        }
        // A bootstrap of tfhe-rs uses one thread, so several bootstraps use all threads of the
        // pool.
        BlockOp::KsPbsBatch8 | BlockOp::KsPbsBatch16 => {
            let table = table();
            let one = move |block: &&Block| key.apply_lookup_table(block, &table);
            Box::new(move |blocks| Value::Batch(blocks.par_iter().map(&one).collect()))
        }
    }
}
