//! Operations on blocks.

use crate::value::Value;
use fathom_bench::torus::BlockOp;
use rayon::prelude::*;
use tfhe::shortint::{Ciphertext as Block, ServerKey};

/// An operation on as many blocks as it takes.
pub(crate) type Call<'a> = Box<dyn Fn(&[&Block]) -> Value + Send + Sync + 'a>;

/// The names of the operations.
pub(crate) fn names() -> impl Iterator<Item = String> {
    BlockOp::ALL.into_iter().map(|op| op.name().to_owned())
}

/// The sum of two messages, without a carry.
pub(crate) fn sum(key: &ServerKey) -> Call<'_> {
    Box::new(|blocks| Value::Block(key.add(blocks[0], blocks[1])))
}

/// An operation, its table made beforehand.
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
        // One bootstrap of tfhe-rs takes one thread: several go to all threads of the pool.
        BlockOp::KsPbsBatch8 | BlockOp::KsPbsBatch16 => {
            let table = table();
            let one = move |block: &&Block| key.apply_lookup_table(block, &table);
            Box::new(move |blocks| Value::Batch(blocks.par_iter().map(&one).collect()))
        }
    }
}
