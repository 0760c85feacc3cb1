//! Carries in several chains side by side.

use super::carry::CarryOut;
use super::radix::{Radix, constant, is_canonical, two};
use crate::tfhe::{Block, Error, Lut};

impl Radix<'_> {
    /// Returns the propagation in `count` chains of equal length.
    ///
    /// The first ripples. The others do not know what carry they will receive, so that they first
    /// compute for each digit whether it gives one (1), passes on what the chain receives (0) or
    /// gives none (-1): the sign of `2 (sum - 3) + state below`. Then the carries between the
    /// chains are known one after the other, and with them all remaining digits at once.
    pub(super) fn propagate_chains(
        &self,
        sums: &[Block],
        out: CarryOut,
        count: usize,
    ) -> Result<(Vec<Block>, Block), Error> {
        let mut chains = sums.chunks(sums.len().div_ceil(count));
        let Some(first) = chains.next() else { return Ok((Vec::new(), constant(0))) };
        let chains: Vec<_> = chains.collect();
        let mut digits = Vec::with_capacity(sums.len());
        let mut carry = constant(0);
        let mut states = vec![Vec::new(); chains.len()];
        for (place, sum) in first.iter().enumerate() {
            let mut jobs = vec![(sum.plus(&carry), &self.tables.message_carry)];
            jobs.extend(chains.iter().zip(&states).enumerate().filter_map(
                |(index, (sums, below))| {
                    let unused = index + 1 == chains.len() && out == CarryOut::Dropped;
                    let used = sums.len() - usize::from(unused);
                    (place < used).then(|| self.state_of(&sums[place], below.last()))
                },
            ));
            let mut outputs = self.layer(&jobs)?;
            let others = outputs.split_off(1);
            for (states, state) in states.iter_mut().zip(others) {
                states.extend(state);
            }
            let [message, high] = two(outputs);
            digits.push(message);
            carry = high.within(0, 1);
        }
        let mut received = vec![carry];
        for states in &states {
            let (Some(carry), Some(state)) = (received.last(), states.last()) else { break };
            if received.len() == chains.len() && out == CarryOut::Dropped {
                break;
            }
            received.push(self.apply(&carry.plus_scaled(state, 2), &self.tables.greater)?);
        }
        let inputs =
            chains.iter().zip(&states).zip(&received).flat_map(|((sums, states), carry)| {
                let below = std::iter::once(None).chain(states.iter().map(Some));
                sums.iter().zip(below).map(move |(sum, below)| resolve(sum, below, carry))
            });
        digits.extend(self.map(inputs, &self.tables.half_message)?);
        let carry = received.into_iter().nth(chains.len()).unwrap_or_else(|| constant(0));
        Ok((digits, carry))
    }

    /// Returns the state of a digit above one with state `below`, or at the start of a chain.
    fn state_of(&self, sum: &Block, below: Option<&Block>) -> (Block, &Lut) {
        let double = sum.plus_constant(-3).times(2);
        (below.map_or_else(|| double.clone(), |below| double.plus(below)), &self.tables.sign)
    }
}

/// Twice a digit with its carry, or one more: the carry is that received if the state below, 0 at
/// the start of a chain, passes it on.
fn resolve(sum: &Block, below: Option<&Block>, carry: &Block) -> Block {
    let input = sum.times(2).plus(carry).plus_constant(1);
    below.map_or_else(|| input.clone(), |below| input.plus(below))
}

/// Returns whether there is room for the noise of sums in chains.
pub(super) fn fit_chains(sums: &[Block], max_norm: u32) -> bool {
    sums.iter().all(|sum| 4 * sum.norm() + 2 <= max_norm)
}

/// How many of the lowest sums are digits already.
pub(super) fn finished(sums: &[Block]) -> usize {
    sums.iter().take_while(|sum| is_canonical(sum)).count()
}
