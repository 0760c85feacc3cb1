//! The face of machine integers.

use super::tables::{TABLES, Tables};
use super::value::digits::{DIGIT_BITS, SPACE};
use super::value::operand::{Number, Side};
use super::value::{Amount, FheValue, Operand, ValueType};
use crate::CancelToken;
use crate::tfhe::{
    Block, Counts, Error, EvaluationKeys, Evaluator, Job, Lut, PackingKeys, Params, Policy,
};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The least noise limit of a parameter set for integers: that of a selection between two blocks,
/// by a third, with the noise of two bootstraps each (docs/maths/tfhe-integers.md).
const LEAST_LIMIT: u32 = 132;

/// Computes on encrypted integers. It is cheap to clone.
///
/// It stands beside [`ShortInts`](crate::tfhe::shortint::ShortInts) and
/// [`Gates`](crate::tfhe::boolean::Gates), and its methods are the operations:
/// `integers.add(&a, &b)?`. Opening it checks the parameters once, so that a server with keys of
/// another kind is refused when it starts and not at its first operation. The [`Evaluator`] of its
/// blocks, for tables of one's own, is [`Integers::evaluator`].
///
/// ```
/// # use fathom_torus as fathom;
/// use fathom::prelude::*;
///
/// # fn main() -> Result<(), Error> {
/// let mut rng = SecretRng::from_os()?;
/// let params = tfhe::Params::preset(tfhe::Params::INTEGERS)?;
/// let client = tfhe::ClientKey::generate(&params, &mut rng);
/// let integers = Integers::with_keys(client.evaluation_keys(&mut rng)?, 2)?;
///
/// let [a, b] = [client.encrypt::<FheUint8>(200_u8, &mut rng)?, FheUint8::trivial(77)?];
/// assert_eq!(client.decrypt(&integers.max(&a, &b)?)?, 200);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Integers {
    evaluator: Evaluator,
    pub(super) tables: &'static Tables,
}

impl fmt::Debug for Integers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Integers").field(&self.evaluator).finish()
    }
}

impl Integers {
    /// Returns the operations on integers over an evaluator.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if the blocks of its parameters do not have the 2 bits of message
    /// and 2 of carry that integers need, or allow too little noise.
    pub fn new(evaluator: Evaluator) -> Result<Integers, Error> {
        let params = evaluator.params();
        let two_bits = params.space() == SPACE && params.spec().message_bits as usize == DIGIT_BITS;
        if !two_bits || params.max_noise_variance() < LEAST_LIMIT {
            return Err(Error::ParamsMismatch {
                left: format!(
                    "integers, of blocks of 2 bits of message and 2 of carry, with noise up to \
                     {LEAST_LIMIT}"
                ),
                right: params.name().to_owned(),
            });
        }
        Ok(Integers::over(evaluator))
    }

    /// Returns the operations on integers under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`Integers::new`] and [`Evaluator::new`].
    pub fn with_keys(
        keys: impl Into<Arc<EvaluationKeys>>,
        threads: usize,
    ) -> Result<Integers, Error> {
        Integers::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the operations on integers without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`Integers::new`].
    pub fn simulated(params: &Params) -> Result<Integers, Error> {
        Integers::new(Evaluator::simulated(params))
    }

    /// Returns the operations over an evaluator whose parameters are those of integers.
    pub(super) fn over(evaluator: Evaluator) -> Integers {
        Integers { evaluator, tables: &TABLES }
    }

    /// Returns the evaluator of the blocks of integers.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        self.evaluator.params()
    }

    /// Returns the numbers of operations so far; see [`Evaluator::counts`].
    pub fn counts(&self) -> Counts {
        self.evaluator.counts()
    }

    /// Returns the resource that operations minimise when several algorithms apply.
    pub fn policy(&self) -> Policy {
        self.evaluator.policy()
    }

    /// Returns the same operations with another policy; see [`Evaluator::with_policy`].
    #[must_use]
    pub fn with_policy(&self, policy: Policy) -> Integers {
        Integers::over(self.evaluator.with_policy(policy))
    }

    /// Returns the same operations, which end once the token is cancelled; see
    /// [`Evaluator::with_cancel`].
    #[must_use]
    pub fn with_cancel(&self, token: &CancelToken) -> Integers {
        Integers::over(self.evaluator.with_cancel(token))
    }

    /// Returns the same operations with the key that [`Integers::compress_list`] needs.
    ///
    /// # Errors
    /// As [`Evaluator::with_packing_keys`].
    pub fn with_packing_keys(&self, key: impl Into<Arc<PackingKeys>>) -> Result<Integers, Error> {
        Ok(Integers::over(self.evaluator.with_packing_keys(key)?))
    }

    /// Applies an operation to every element and returns the results in order:
    /// `integers.map(&values, |integers, x| integers.lt(x, 100_u8))?`. The operations run in step;
    /// see [`Evaluator::map`].
    ///
    /// # Errors
    /// Those of the operation.
    pub fn map<A: Sync, B: Send>(
        &self,
        elements: &[A],
        operation: impl Fn(&Integers, &A) -> Result<B, Error> + Sync,
    ) -> Result<Vec<B>, Error> {
        self.evaluator
            .map(elements, |evaluator, a| operation(&Integers::over(evaluator.clone()), a))
    }

    /// Applies an operation to the elements of two slices, pair by pair; see [`Integers::map`]:
    /// `integers.zip(&a, &b, |integers, x, y| integers.add(x, y))?`.
    ///
    /// # Errors
    /// [`ListError::LengthMismatch`](crate::tfhe::ListError::LengthMismatch); the errors of the
    /// operation.
    pub fn zip<A: Sync, B: Sync, C: Send>(
        &self,
        left: &[A],
        right: &[B],
        operation: impl Fn(&Integers, &A, &B) -> Result<C, Error> + Sync,
    ) -> Result<Vec<C>, Error> {
        self.evaluator
            .zip(left, right, |evaluator, a, b| operation(&Integers::over(evaluator.clone()), a, b))
    }

    /// Bootstraps every block, so that the value has the noise of bootstraps, independent of any
    /// other noise. Cost: one bootstrap per block that is not clear.
    ///
    /// The noise of a received result may depend on any other noise. If an operation therefore
    /// refuses it with [`Error::NoiseExceeded`], refresh it first.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`], [`Error::Simulated`].
    pub fn refresh<T: FheValue>(&self, a: &T) -> Result<T, Error> {
        let blocks = self.blocks(a)?;
        let stale = blocks.iter().filter(|block| !block.is_clear()).cloned();
        let mut fresh = self.apply_each(stale, &self.tables.message)?.into_iter();
        let refreshed = |block: &Block| {
            let fresh = if block.is_clear() { None } else { fresh.next() };
            let (low, high) = block.range();
            fresh.map_or_else(|| block.clone(), |fresh| fresh.within(low, high))
        };
        Ok(a.like(blocks.iter().map(refreshed).collect()))
    }
}

/// The parts that operations are made of: checked operands and layers of lookup tables.
impl Integers {
    /// Returns the blocks of an operand, if they belong to the evaluator's parameters and key.
    pub(super) fn blocks<'a, T: FheValue>(&self, value: &'a T) -> Result<&'a [Block], Error> {
        self.check(value.blocks())?;
        Ok(value.blocks())
    }

    /// Returns an operand as a value of this type.
    pub(super) fn side<'a, T>(
        &self,
        ty: ValueType,
        operand: &'a impl Operand<T>,
    ) -> Result<Side<'a>, Error> {
        let side = operand.content()?.as_type(ty)?;
        if let Side::Encrypted(blocks) = side {
            self.check(blocks)?;
        }
        Ok(side)
    }

    /// Returns the second operand of an operation on `a`, as blocks.
    pub(super) fn operand<'a, T: FheValue>(
        &self,
        a: &T,
        operand: &'a impl Operand<T>,
    ) -> Result<Cow<'a, [Block]>, Error> {
        Ok(self.side(a.value_type(), operand)?.into_blocks(a.bits()))
    }

    /// Returns an amount, if it belongs to the evaluator's parameters and key.
    pub(super) fn amount<'a>(&self, amount: &'a impl Amount) -> Result<Number<'a>, Error> {
        let number = amount.amount().as_number()?;
        if let Number::Encrypted(blocks) = number {
            self.check(blocks)?;
        }
        Ok(number)
    }

    /// Refuses blocks of other parameters or another key, and blocks of a simulation.
    pub(super) fn check(&self, blocks: &[Block]) -> Result<(), Error> {
        blocks.iter().try_for_each(|block| self.evaluator.check_block(block))
    }

    /// Evaluates independent lookup tables in one layer.
    pub(super) fn layer(&self, jobs: &[(Block, &Lut)]) -> Result<Vec<Vec<Block>>, Error> {
        let jobs: Vec<_> = jobs.iter().map(|(input, lut)| Job { input, lut }).collect();
        self.evaluator.bootstrap(&jobs)
    }

    /// Evaluates one table with one function on every input, in one layer.
    pub(super) fn apply_each(
        &self,
        inputs: impl IntoIterator<Item = Block>,
        lut: &Lut,
    ) -> Result<Vec<Block>, Error> {
        let jobs: Vec<_> = inputs.into_iter().map(|input| (input, lut)).collect();
        Ok(self.layer(&jobs)?.into_iter().flatten().collect())
    }

    /// Evaluates one lookup table with one function.
    pub(super) fn apply(&self, input: &Block, lut: &Lut) -> Result<Block, Error> {
        self.evaluator.apply(input, lut)
    }
}
