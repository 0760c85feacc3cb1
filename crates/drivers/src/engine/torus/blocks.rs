//! Operations on single blocks.

use fathom::Error;
use fathom::tfhe::{Block, Evaluator, Job, Lut};

use super::value::Value;
use crate::ops::torus::BlockOp;

/// The lookup tables that the operations need.
pub(super) struct Blocks {
    evaluator: Evaluator,
    message: Lut,
    product: Lut,
    polynomial: Lut,
    modulus: i32,
}

impl Blocks {
    pub(super) fn new(evaluator: &Evaluator) -> Result<Self, Error> {
        let params = evaluator.params();
        let (space, modulus) = (params.space(), 1 << params.spec().message_bits);
        let table = |high, f: &dyn Fn(i32) -> i32| Lut::new(space, 0..=high, |x| f(x) % modulus);
        Ok(Self {
            message: table(2 * modulus - 2, &|x| x)?,
            product: table(modulus * modulus - 1, &|x| (x % modulus) * (x / modulus))?,
            polynomial: table(modulus - 1, &|x| x * x + 1)?,
            evaluator: evaluator.clone(),
            modulus,
        })
    }

    /// Adds two messages modulo the message modulus.
    pub(super) fn add(&self, blocks: &[&Block]) -> Result<Value, Error> {
        self.evaluator.apply(&blocks[0].add(blocks[1])?, &self.message).map(Value::Block)
    }

    /// Computes `op` on blocks.
    pub(super) fn apply(&self, op: BlockOp, blocks: &[&Block]) -> Result<Value, Error> {
        match op {
            BlockOp::UncheckedAdd => blocks[0].add(blocks[1]).map(Value::Block),
            BlockOp::MulLsb => {
                let packed = blocks[0].add_scaled(blocks[1], self.modulus)?;
                self.evaluator.apply(&packed, &self.product).map(Value::Block)
            }
            BlockOp::KsPbs => self.evaluator.apply(blocks[0], &self.polynomial).map(Value::Block),
            BlockOp::KsPbsBatch8 | BlockOp::KsPbsBatch16 => self.batch(blocks),
        }
    }

    /// Evaluates the polynomial on every block in one batch of bootstraps.
    fn batch(&self, blocks: &[&Block]) -> Result<Value, Error> {
        let jobs: Vec<Job<'_>> =
            blocks.iter().map(|&input| Job { input, lut: &self.polynomial }).collect();
        let outputs = self.evaluator.bootstrap(&jobs)?;
        Ok(Value::Batch(outputs.into_iter().flatten().collect()))
    }
}
