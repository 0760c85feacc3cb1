//! Evaluates gates, one by one and in batches.

use super::gate::{Plan, Threshold};
use super::{Bit, Gate};
use crate::tfhe::{Block, Error, Evaluator, Job, Lut, Space};

/// The greatest norm of a gate's output: that of the multiplexer, a sum of two bootstraps.
pub(super) const MAX_OUTPUT_NORM: u32 = 2;

/// Evaluates gates on encrypted bits. Cheap to clone.
///
/// Every gate takes outputs of any other, so circuits need no refreshing. The gates of one call of
/// [`Gates::evaluate`] are independent: the more there are, the faster each becomes.
#[derive(Clone, Debug)]
pub struct Gates {
    evaluator: Evaluator,
    both: Lut,
    either: Lut,
    majority: Lut,
    odd: Lut,
}

impl Gates {
    /// Gates over an evaluator of any parameter set of 2 bits or more that takes three outputs of
    /// multiplexers; the sets named `bool` are the fastest.
    ///
    /// # Errors
    /// [`Error::Spec`] if the set has a smaller space or a lower limit.
    pub fn new(evaluator: Evaluator) -> Result<Gates, Error> {
        let (params, most) = (evaluator.params(), 3 * MAX_OUTPUT_NORM);
        if params.max_norm() < most {
            let reason = format!("at least {most}, for gates of three inputs");
            return Err(Error::Spec { field: "max_norm", reason });
        }
        let space = params.space();
        Ok(Gates {
            both: at_least(space, 2, 2)?,
            either: at_least(space, 1, 2)?,
            majority: at_least(space, 2, 3)?,
            odd: Lut::new(Space::new(1), 0..=1, |x| x)?.with_output_space(space),
            evaluator,
        })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The outputs of gates that do not depend on each other, in order.
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
            let bit = terms.reduce(|sum, term| sum.plus(&term)).map(Bit::new);
            bit.map(|bit| if plan.complement { !bit } else { bit })
        };
        Ok(plans.iter().filter_map(finish).collect())
    }

    /// The output of one gate.
    ///
    /// # Errors
    /// As [`Gates::evaluate`].
    pub fn gate(&self, gate: Gate<'_>) -> Result<Bit, Error> {
        Ok(self.evaluate(&[gate])?.swap_remove(0))
    }

    /// Plans gates anew, of fresh bits, where the bits have more noise in common than a bootstrap
    /// takes: three multiplexers that chose from the same bit, for example, or bits that were
    /// computed elsewhere, of whose noise nothing is known.
    fn settle(&self, gates: &[Gate<'_>], plans: &mut [Plan]) -> Result<(), Error> {
        let params = self.evaluator.params();
        let noisy = |(sum, _): &(Block, _)| sum.norm() > params.max_norm_in(sum.space());
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

    /// The table that tells whether a sum is odd.
    pub(super) fn odd(&self) -> &Lut {
        &self.odd
    }
}

/// Whether at least `threshold` of `inputs` bits are set. Over 2 bits, of the tables with three
/// inputs only the majority exists.
pub(super) fn at_least(space: Space, threshold: i32, inputs: i32) -> Result<Lut, Error> {
    Lut::new(space, 0..=inputs, |sum| i32::from(sum >= threshold))
}
