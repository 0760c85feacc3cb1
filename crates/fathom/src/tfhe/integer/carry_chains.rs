//! Carry propagation in several parallel chains.

use super::carry_out::CarryOut;
use super::radix::{Radix, constant, is_canonical, two};
use crate::tfhe::{Block, Error, Lut};

impl Radix<'_> {
    /// Propagates carries in `count` chains of equal length.
    ///
    /// In the first chain, carries ripple. The other chains do not know the carry that they will
    /// receive, so they first compute a state for each digit: the chain up to this digit generates
    /// a carry (1), propagates the received one (0) or absorbs it (-1). The state is the sign of `2
    /// (sum - 3) + state below`. Then the carries between the chains are computed one after the
    /// other, and with them all remaining digits in one layer.
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
            let mut jobs = vec![(sum.unchecked_add(&carry), &self.tables.message_carry)];
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
            if received.len() == chains.len() && out == CarryOut::Dropped {
                break;
            }
            let carry = received.last().expect("the carry of the first chain was added");
            let state = states.last().expect("a chain whose carry is used has a state");
            received.push(self.apply(&carry.unchecked_add_scaled(state, 2), &self.tables.greater)?);
        }
        let inputs =
            chains.iter().zip(&states).zip(&received).flat_map(|((sums, states), carry)| {
                let below = std::iter::once(None).chain(states.iter().map(Some));
                sums.iter().zip(below).map(move |(sum, below)| resolve(sum, below, carry))
            });
        digits.extend(self.map(inputs, &self.tables.half_message)?);
        let carry = match out {
            CarryOut::Dropped => constant(0),
            CarryOut::Kept => received.pop().expect("every chain has a carry"),
        };
        Ok((digits, carry))
    }

    /// Returns the job for the state of a digit, given the state below; there is none at the start
    /// of a chain.
    fn state_of(&self, sum: &Block, below: Option<&Block>) -> (Block, &Lut) {
        let double = sum.add_scalar(-3).mul_scalar(2);
        (
            below.map_or_else(|| double.clone(), |below| double.unchecked_add(below)),
            &self.tables.sign,
        )
    }
}

/// Returns twice the digit with its carry, plus 0 or 1. The digit receives the chain's carry if the
/// state below propagates it; that state is 0 at the start of a chain.
fn resolve(sum: &Block, below: Option<&Block>, carry: &Block) -> Block {
    let input = sum.mul_scalar(2).unchecked_add(carry).add_scalar(1);
    below.map_or_else(|| input.clone(), |below| input.unchecked_add(below))
}

/// Checks that the noise of the sums is within the limit for chains.
pub(super) fn fit_chains(sums: &[Block], max_noise_variance: u32) -> bool {
    sums.iter().all(|sum| 4 * sum.noise_variance() + 2 <= max_noise_variance)
}

/// Returns the number of leading sums that are canonical digits already.
pub(super) fn finished(sums: &[Block]) -> usize {
    sums.iter().take_while(|sum| is_canonical(sum)).count()
}
