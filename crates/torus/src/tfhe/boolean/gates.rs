//! The evaluator of gates, one at a time or in batches.

use super::bit::MAX_OUTPUT_NOISE_VARIANCE;
use super::gate::{Plan, Threshold};
use super::{Bit, Gate};
use crate::tfhe::{Block, Error, EvaluationKeys, Evaluator, Job, Lut, Params, Space};
use std::sync::Arc;

/// Evaluator of gates on encrypted bits. It is cheap to clone.
///
/// The output of every gate can be the input of any other, so that circuits need no explicit
/// refresh. The gates of one call of [`Gates::evaluate`] are independent of each other; large
/// batches make better use of threads and caches.
#[derive(Clone, Debug)]
pub struct Gates {
    evaluator: Evaluator,
    both: Lut,
    either: Lut,
    majority: Lut,
    odd: Lut,
}

impl Gates {
    /// Returns the gates over an evaluator.
    ///
    /// Every parameter set works whose message space has at least 2 bits and whose noise limit
    /// allows the sum of three multiplexer outputs. The sets named `bool` are the fastest.
    ///
    /// # Errors
    /// [`Error::Spec`] if the message space or the noise limit is smaller.
    pub fn new(evaluator: Evaluator) -> Result<Gates, Error> {
        let (params, most) = (evaluator.params(), 3 * MAX_OUTPUT_NOISE_VARIANCE);
        if params.max_noise_variance() < most {
            let reason = format!("at least {most}, for gates of three inputs");
            return Err(Error::Spec { field: "max_noise_variance", reason });
        }
        let space = params.space();
        Ok(Gates {
            both: at_least(space, 2, 2)?,
            either: at_least(space, 1, 2)?,
            majority: at_least(space, 2, 3)?,
            odd: Lut::new(Space::of::<1>(), 0..=1, |x| x)?.with_output_space(space),
            evaluator,
        })
    }

    /// Returns the gates under `keys`, on `threads` threads of their own.
    ///
    /// # Errors
    /// As [`Gates::new`] and [`Evaluator::new`].
    pub fn with_keys(keys: impl Into<Arc<EvaluationKeys>>, threads: usize) -> Result<Gates, Error> {
        Gates::new(Evaluator::new(keys, threads)?)
    }

    /// Returns the gates without keys, which compute in the clear.
    ///
    /// # Errors
    /// As [`Gates::new`].
    pub fn simulated(params: &Params) -> Result<Gates, Error> {
        Gates::new(Evaluator::simulated(params))
    }

    /// Returns the evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Evaluates gates that do not depend on each other and returns their outputs in order.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] if a bit belongs to other parameters.
    pub fn evaluate(&self, gates: &[Gate<'_>]) -> Result<Vec<Bit>, Error> {
        let mut plans: Vec<_> =
            gates.iter().map(|gate| gate.plan(&self.evaluator)).collect::<Result<_, _>>()?;
        self.settle(gates, &mut plans)?;
        let jobs: Vec<_> = plans
            .iter()
            .flat_map(|plan| &plan.terms)
            .map(|(input, threshold)| Job { input, lut: self.lut(*threshold) })
            .collect();
        let mut outputs = self.evaluator.bootstrap(&jobs)?.into_iter().flatten();
        let finish = |plan: &Plan| {
            let terms = outputs.by_ref().take(plan.terms.len());
            let bit = terms.reduce(|sum, term| sum.unchecked_add(&term)).map(Bit::new);
            bit.map(|bit| if plan.complement { !bit } else { bit })
        };
        Ok(plans.iter().filter_map(finish).collect())
    }

    /// Evaluates one gate.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn gate(&self, gate: Gate<'_>) -> Result<Bit, Error> {
        Ok(self.evaluate(&[gate])?.swap_remove(0))
    }

    /// Bootstraps the inputs of those gates whose inputs have too much noise in common, and plans
    /// these gates again.
    ///
    /// Examples are three multiplexers that chose from the same bit, and bits that were computed
    /// elsewhere, whose noise may depend on any other.
    fn settle(&self, gates: &[Gate<'_>], plans: &mut [Plan]) -> Result<(), Error> {
        let params = self.evaluator.params();
        let noisy = |(sum, _): &(Block, _)| {
            sum.noise_variance() > params.max_noise_variance_in(sum.space())
        };
        let late = gates.iter().zip(plans).filter(|(_, plan)| plan.terms.iter().any(noisy));
        let late: Vec<_> = late.collect();
        let inputs = late.iter().flat_map(|(gate, _)| gate.bits());
        let jobs = inputs.map(|bit| Job { input: bit.block(), lut: &self.either });
        let fresh = self.evaluator.bootstrap(&jobs.collect::<Vec<_>>())?;
        let mut fresh = fresh.into_iter().flatten().map(Bit::new);
        for (gate, plan) in late {
            let bits: Vec<_> = fresh.by_ref().take(gate.bits().len()).collect();
            *plan = gate.with_bits(&bits).plan(&self.evaluator)?;
        }
        Ok(())
    }

    fn lut(&self, threshold: Threshold) -> &Lut {
        match threshold {
            Threshold::Both => &self.both,
            Threshold::Either => &self.either,
            Threshold::Majority => &self.majority,
            Threshold::Odd => &self.odd,
        }
    }

    /// Returns the table of the parity of a sum.
    pub(super) fn odd(&self) -> &Lut {
        &self.odd
    }
}

/// Returns the table that tells whether at least `threshold` of `inputs` bits are set. In a message
/// space of 2 bits, the majority is the only table with three inputs that exists.
pub(super) fn at_least(space: Space, threshold: i32, inputs: i32) -> Result<Lut, Error> {
    Lut::new(space, 0..=inputs, |sum| i32::from(sum >= threshold))
}
