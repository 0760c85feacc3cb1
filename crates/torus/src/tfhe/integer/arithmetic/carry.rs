//! Carry propagation, from sums of digits to canonical digits.
//!
//! Sums of digits are additions of ciphertexts, almost free, and leave digits of up to 12 in base
//! 4. Making them 0 to 3 again is what an addition costs, and there are three ways:
//!
//! - *Ripple*: digit by digit, one bootstrap each if two outputs fit one (sums up to 8). The fewest
//!   bootstraps, but as many layers as digits.
//! - *Prefix*: a state for each pair of digits says whether it generates a carry (1), passes one on
//!   (0) or absorbs it (-1); the state of four neighbours is the sign of `8 t_3 + 4 t_2 + 2 t_1 +
//!   t_0`, which one bootstrap computes. States of groups of 4, 16, ... are known after one layer
//!   each, then all digits in two more: the depth grows with the logarithm of the width.
//! - *Chains*: as many ripples side by side as there are threads.
//!
//! [`Policy`] chooses; a way whose sums or noise would not fit its tables falls back to the ripple.

use crate::tfhe::integer::Integers;
use crate::tfhe::integer::blocks::{constant, is_canonical, pair, two, weighted, without_copies};
use crate::tfhe::integer::value::digits::{DIGIT_BITS, DIGIT_MAX};
use crate::tfhe::{Block, Error, Lut, Policy};

/// The greatest sum for which one bootstrap gives both the message and the carry.
const ONE_BOOTSTRAP: i32 = 8;

/// The greatest noise variance of a carry that is added to a sum.
const CARRY_NOISE_VARIANCE: u32 = 2;

/// The treatment of the carry out of the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tfhe::integer) enum CarryOut {
    /// The carry is dropped: arithmetic modulo the width.
    Dropped,
    /// The carry is returned.
    Kept,
}

impl Integers {
    /// Returns the canonical digits of the sum of all `sums[i] 4^i`, and the carry out (0 if
    /// dropped).
    ///
    /// Each sum is in `0..=12`. If sum and carry in are at most 8 together, a digit costs one
    /// bootstrap, otherwise two. Sums that are canonical already and receive no carry are kept.
    pub(in crate::tfhe::integer) fn propagate(
        &self,
        sums: Vec<Block>,
        out: CarryOut,
    ) -> Result<(Vec<Block>, Block), Error> {
        let max_noise_variance = self.params().max_noise_variance();
        match self.evaluator().policy() {
            // The prefix computation takes more bootstraps in fewer layers. It is for sums of two
            // digits, whose nibbles fit the tables; four digits and fewer are as fast by the
            // ripple.
            Policy::Latency
                if sums.len() > 4
                    && of_two_digits(&sums)
                    && fit_nibbles(&sums, max_noise_variance) =>
            {
                self.propagate_prefix(&sums, out)
            }
            Policy::Chains(count) => {
                let mut digits = sums;
                let sums = digits.split_off(finished(&digits));
                // Chains of fewer than two digits do not save time.
                let count = count.min(sums.len() / 2);
                let fit =
                    count > 1 && of_two_digits(&sums) && fit_chains(&sums, max_noise_variance);
                let (propagated, carry) = if fit {
                    self.propagate_chains(&sums, out, count)?
                } else {
                    self.propagate_ripple(sums, out)?
                };
                digits.extend(propagated);
                Ok((digits, carry))
            }
            Policy::Latency | Policy::Work => self.propagate_ripple(sums, out),
        }
    }

    /// Propagates the carries from digit to digit, which takes the fewest bootstraps.
    fn propagate_ripple(
        &self,
        sums: Vec<Block>,
        out: CarryOut,
    ) -> Result<(Vec<Block>, Block), Error> {
        let mut digits = Vec::with_capacity(sums.len());
        let mut carry = constant(0);
        let last = sums.len().saturating_sub(1);
        for (index, sum) in sums.into_iter().enumerate() {
            let sum = sum.unchecked_add(&carry);
            // The table could give a larger carry for other arguments; the range of this sum bounds
            // the one it gives here.
            let greatest_carry = sum.span().high >> DIGIT_BITS;
            carry = constant(0);
            if is_canonical(&sum) {
                digits.push(sum);
            } else if index == last && out == CarryOut::Dropped {
                digits.push(self.apply(&sum, &self.tables.message)?);
            } else {
                // Up to 8, one bootstrap gives message and carry; beyond, each takes one of its
                // own.
                let jobs = if sum.span().high <= ONE_BOOTSTRAP {
                    vec![(sum, &self.tables.message_carry)]
                } else {
                    vec![(sum.clone(), &self.tables.message), (sum, &self.tables.carry)]
                };
                let [message, high] = two(self.layer(&jobs)?);
                digits.push(message);
                carry = high.within(0, greatest_carry);
            }
        }
        Ok((digits, carry))
    }

    /// Propagates the carries by a prefix computation over nibbles in radix 4, whose depth is
    /// logarithmic in the width.
    ///
    /// The state of a nibble is 1, 0 or -1 if it generates, propagates or absorbs a carry. The
    /// state of four consecutive nibbles is the sign of `8 t_3 + 4 t_2 + 2 t_1 + t_0`.
    fn propagate_prefix(
        &self,
        sums: &[Block],
        out: CarryOut,
    ) -> Result<(Vec<Block>, Block), Error> {
        let nibbles: Vec<_> = sums.chunks(2).collect();
        let wanted = match out {
            // The state of the last nibble would only decide on the carry that is dropped.
            CarryOut::Dropped => nibbles.len() - 1,
            CarryOut::Kept => nibbles.len(),
        };
        let states = nibbles[..wanted].iter().enumerate();
        let states: Vec<_> = states.map(|(i, n)| self.state_job(n, i == 0)).collect();
        let states = self.layer(&states)?;
        let carries = self.prefix(states.into_iter().flatten().collect())?;
        let carry_in =
            |index: usize| if index == 0 { constant(0) } else { carries[index - 1].clone() };
        // With the carry into every nibble known, two layers are left: the low digit with its
        // carry, then the high digit.
        let low: Vec<_> = nibbles
            .iter()
            .enumerate()
            .map(|(i, nibble)| (nibble[0].unchecked_add(&carry_in(i)), &self.tables.message_carry))
            .collect();
        let low = self.layer(&low)?;
        let high = nibbles
            .iter()
            .zip(&low)
            .filter_map(|(nibble, low)| nibble.get(1).map(|high| high.unchecked_add(&low[1])));
        let mut high = self.apply_each(high, &self.tables.message)?.into_iter();
        let digits = low
            .into_iter()
            .flat_map(|low| low.into_iter().take(1).chain(high.next()).collect::<Vec<_>>());
        let digits = digits.collect();
        let carry = if out == CarryOut::Kept { carry_in(nibbles.len()) } else { constant(0) };
        Ok((digits, carry))
    }

    /// Returns the job for the carry state of a nibble. That of the first nibble is a truth value,
    /// since the sum includes its carry in.
    fn state_job(&self, nibble: &[Block], first: bool) -> (Block, &Lut) {
        let tables = self.tables;
        match (nibble, first) {
            ([low, high], true) => (pair(low, high), &tables.nibble_carry),
            ([low, high], false) => (pair(low, high), &tables.nibble_state),
            (_, true) => (nibble[0].clone(), &tables.digit_carry),
            (_, false) => (nibble[0].clone(), &tables.digit_state),
        }
    }

    /// Returns the carry out of every item, from the truth value of the first and the states of the
    /// others.
    fn prefix(&self, states: Vec<Block>) -> Result<Vec<Block>, Error> {
        let tables = self.tables;
        if states.len() <= 1 {
            return Ok(states);
        }
        let jobs: Vec<_> = states
            .chunks(4)
            .enumerate()
            .flat_map(|(group, items)| {
                // The first group has a truth value at its low end, because the carry into it is
                // known; the states of the others stay 1, 0 or -1.
                let lut = if group == 0 { &tables.greater } else { &tables.sign };
                (2..=items.len())
                    .map(move |length| (weighted(&without_copies(&items[..length])), lut))
            })
            .collect();
        let mut combined = self.layer(&jobs)?.into_iter().flatten();
        let local: Vec<Vec<Block>> = states
            .chunks(4)
            .map(|items| {
                let more = combined.by_ref().take(items.len() - 1);
                items.first().cloned().into_iter().chain(more).collect()
            })
            .collect();
        let whole = local.iter().filter(|group| group.len() == 4);
        let carries = self.prefix(whole.map(|group| group[3].clone()).collect())?;
        // For an item inside a later group, its local state decides if it is nonzero, and otherwise
        // the carry into the group.
        let inner = local.iter().enumerate().skip(1).flat_map(|(group, items)| {
            let carry = &carries[group - 1];
            let inner = items.iter().take(if items.len() == 4 { 3 } else { 4 });
            // 2 state + carry is positive if the state generates a carry, or passes on one that
            // came in.
            inner.map(move |state| carry.unchecked_add_scaled(state, 2))
        });
        let mut inner = self.apply_each(inner, &tables.greater)?.into_iter();
        let mut carries = carries.into_iter();
        Ok(local
            .into_iter()
            .enumerate()
            .flat_map(|(group, items)| {
                let (length, end) = (items.len(), carries.next());
                let mut resolved: Vec<_> = match group {
                    0 => items,
                    _ => inner.by_ref().take(if length == 4 { 3 } else { length }).collect(),
                };
                if group > 0 && length == 4 {
                    resolved.extend(end);
                }
                resolved
            })
            .collect())
    }

    /// Propagates carries in `count` chains of equal length.
    ///
    /// In the first chain, carries ripple. The other chains do not know the carry that they will
    /// receive, so they first compute a state for each digit: the chain up to this digit generates
    /// a carry (1), propagates the received one (0) or absorbs it (-1). The state is the sign of `2
    /// (sum - 3) + state below`. Then the carries between the chains are computed one after the
    /// other, and with them all remaining digits in one layer.
    fn propagate_chains(
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
                    // The top digit of the last chain has a state that nobody asks for.
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
        digits.extend(self.apply_each(inputs, &self.tables.half_message)?);
        let carry = match out {
            CarryOut::Dropped => constant(0),
            CarryOut::Kept => received.pop().expect("every chain has a carry"),
        };
        Ok((digits, carry))
    }

    /// Returns the job for the state of a digit, given the state below; there is none at the start
    /// of a chain.
    fn state_of(&self, sum: &Block, below: Option<&Block>) -> (Block, &Lut) {
        // A sum above 3 generates a carry, below 3 it absorbs one, and 3 passes it on: the sign of
        // the difference, which the state below decides where it is 0.
        let double = sum.add_scalar(-3).mul_scalar(2);
        (
            below.map_or_else(|| double.clone(), |below| double.unchecked_add(below)),
            &self.tables.sign,
        )
    }
}

/// Checks that the noise of every nibble, and of every sum with a carry, is within the limit of a
/// bootstrap.
fn fit_nibbles(sums: &[Block], max_noise_variance: u32) -> bool {
    sums.chunks(2).all(|nibble| {
        let noise = match nibble {
            [low, high] => low.noise().add_scaled(high.noise(), 4),
            _ => nibble[0].noise().clone(),
        };
        let noise_variance =
            nibble.iter().map(Block::noise_variance).fold(noise.variance(), u32::max);
        noise_variance.saturating_add(CARRY_NOISE_VARIANCE) <= max_noise_variance
    })
}

/// Returns whether every sum is at most that of two digits; the lowest may include a carry.
fn of_two_digits(sums: &[Block]) -> bool {
    sums.iter().enumerate().all(|(index, sum)| {
        let (low, high) = sum.range();
        low >= 0 && high <= 2 * DIGIT_MAX + i32::from(index == 0)
    })
}

/// Returns twice the digit with its carry, plus 0 or 1. The digit receives the chain's carry if the
/// state below propagates it; that state is 0 at the start of a chain.
fn resolve(sum: &Block, below: Option<&Block>, carry: &Block) -> Block {
    let input = sum.mul_scalar(2).unchecked_add(carry).add_scalar(1);
    below.map_or_else(|| input.clone(), |below| input.unchecked_add(below))
}

/// Checks that the noise of the sums is within the limit for chains.
fn fit_chains(sums: &[Block], max_noise_variance: u32) -> bool {
    sums.iter().all(|sum| 4 * sum.noise_variance() + 2 <= max_noise_variance)
}

/// Returns the number of leading sums that are canonical digits already.
fn finished(sums: &[Block]) -> usize {
    sums.iter().take_while(|sum| is_canonical(sum)).count()
}
