//! The gates, and the bootstraps that each of them takes.

use super::Bit;
use crate::tfhe::{Block, Error, Evaluator};

/// A gate with its inputs. The complement is the `!` operator of [`Bit`] and needs no evaluator.
#[derive(Clone, Copy, Debug)]
pub enum Gate<'a> {
    /// `a ∧ b`.
    And(&'a Bit, &'a Bit),
    /// `¬(a ∧ b)`.
    Nand(&'a Bit, &'a Bit),
    /// `a ∨ b`.
    Or(&'a Bit, &'a Bit),
    /// `¬(a ∨ b)`.
    Nor(&'a Bit, &'a Bit),
    /// `a ⊕ b`.
    Xor(&'a Bit, &'a Bit),
    /// `¬(a ⊕ b)`.
    Xnor(&'a Bit, &'a Bit),
    /// `¬a ∧ b`.
    AndNy(&'a Bit, &'a Bit),
    /// `a ∧ ¬b`.
    AndYn(&'a Bit, &'a Bit),
    /// `¬a ∨ b`.
    OrNy(&'a Bit, &'a Bit),
    /// `a ∨ ¬b`.
    OrYn(&'a Bit, &'a Bit),
    /// True if at least two of the three bits are set: the carry of a full adder. If the noises of
    /// the bits depend on each other too much, as those of multiplexers of one bit can, each bit is
    /// bootstrapped first.
    Majority(&'a Bit, &'a Bit, &'a Bit),
    /// `a ⊕ b ⊕ c`: the sum of a full adder.
    Xor3(&'a Bit, &'a Bit, &'a Bit),
    /// `b` if `a`, else `c`. It takes two bootstraps in parallel; all other gates take one.
    Mux(&'a Bit, &'a Bit, &'a Bit),
}

/// The function that a bootstrap applies to a sum of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threshold {
    /// True if both of two bits are set.
    Both,
    /// True if at least one of two bits is set.
    Either,
    /// True if at least two of three bits are set.
    Majority,
    /// True if the sum is odd. The sum is in the message space of one bit.
    Odd,
}

/// A gate as sums of bits; the output is the sum of their thresholds.
pub(super) struct Plan {
    /// The arguments of the bootstraps: one, or two of which at most one gives 1.
    pub(super) terms: Vec<(Block, Threshold)>,
    /// True if the output is to be complemented.
    pub(super) complement: bool,
}

impl<'a> Gate<'a> {
    /// Returns the inputs, in order.
    pub(super) fn bits(&self) -> Vec<&'a Bit> {
        match *self {
            Gate::And(a, b)
            | Gate::Nand(a, b)
            | Gate::Or(a, b)
            | Gate::Nor(a, b)
            | Gate::Xor(a, b)
            | Gate::Xnor(a, b)
            | Gate::AndNy(a, b)
            | Gate::AndYn(a, b)
            | Gate::OrNy(a, b)
            | Gate::OrYn(a, b) => vec![a, b],
            Gate::Majority(a, b, c) | Gate::Xor3(a, b, c) | Gate::Mux(a, b, c) => vec![a, b, c],
        }
    }

    /// Returns the same gate with other inputs.
    pub(super) fn with_bits<'b>(&self, bits: &'b [Bit]) -> Gate<'b> {
        let (a, b, c) = (&bits[0], &bits[1], &bits[bits.len() - 1]);
        match self {
            Gate::And(..) => Gate::And(a, b),
            Gate::Nand(..) => Gate::Nand(a, b),
            Gate::Or(..) => Gate::Or(a, b),
            Gate::Nor(..) => Gate::Nor(a, b),
            Gate::Xor(..) => Gate::Xor(a, b),
            Gate::Xnor(..) => Gate::Xnor(a, b),
            Gate::AndNy(..) => Gate::AndNy(a, b),
            Gate::AndYn(..) => Gate::AndYn(a, b),
            Gate::OrNy(..) => Gate::OrNy(a, b),
            Gate::OrYn(..) => Gate::OrYn(a, b),
            Gate::Majority(..) => Gate::Majority(a, b, c),
            Gate::Xor3(..) => Gate::Xor3(a, b, c),
            Gate::Mux(..) => Gate::Mux(a, b, c),
        }
    }
}

impl Gate<'_> {
    /// Returns the sums to be bootstrapped.
    pub(super) fn plan(&self, evaluator: &Evaluator) -> Result<Plan, Error> {
        let of = |bit: &Bit| bit.block_for(evaluator).cloned();
        let not = |bit: &Bit| (!bit).block_for(evaluator).cloned();
        let one = |term, complement| Plan { terms: vec![term], complement };
        let both = |a, b, complement| one(pair(a, &b, Threshold::Both), complement);
        let either = |a, b, complement| one(pair(a, &b, Threshold::Either), complement);
        let odd = |bits: &[Block], complement| one((parity(bits), Threshold::Odd), complement);
        Ok(match *self {
            Gate::And(a, b) => both(of(a)?, of(b)?, false),
            Gate::Nand(a, b) => both(of(a)?, of(b)?, true),
            Gate::Or(a, b) => either(of(a)?, of(b)?, false),
            Gate::Nor(a, b) => either(of(a)?, of(b)?, true),
            Gate::Xor(a, b) => odd(&[of(a)?, of(b)?], false),
            Gate::Xnor(a, b) => odd(&[of(a)?, of(b)?], true),
            Gate::AndNy(a, b) => both(not(a)?, of(b)?, false),
            Gate::AndYn(a, b) => both(of(a)?, not(b)?, false),
            Gate::OrNy(a, b) => either(not(a)?, of(b)?, false),
            Gate::OrYn(a, b) => either(of(a)?, not(b)?, false),
            Gate::Majority(a, b, c) => one(majority([of(a)?, of(b)?, of(c)?]), false),
            Gate::Xor3(a, b, c) => odd(&[of(a)?, of(b)?, of(c)?], false),
            Gate::Mux(a, b, c) => Plan {
                terms: vec![
                    pair(of(a)?, &of(b)?, Threshold::Both),
                    pair(not(a)?, &of(c)?, Threshold::Both),
                ],
                complement: false,
            },
        })
    }
}

/// Returns the sum of two bits. For two copies of a bit it is the bit itself, since their sum would
/// have four times its noise variance.
fn pair(a: Block, b: &Block, threshold: Threshold) -> (Block, Threshold) {
    if a.is_copy_of(b) { (a, Threshold::Either) } else { (a.unchecked_add(b), threshold) }
}

/// Returns the sum of three bits; if two of them are copies, the majority is that bit.
fn majority([a, b, c]: [Block; 3]) -> (Block, Threshold) {
    if a.is_copy_of(&b) || a.is_copy_of(&c) {
        (a, Threshold::Either)
    } else if b.is_copy_of(&c) {
        (b, Threshold::Either)
    } else {
        (a.unchecked_add(&b).unchecked_add(&c), Threshold::Majority)
    }
}

/// Returns a number with the parity of the sum of bits, in the message space of one bit. Copies of
/// a bit cancel.
fn parity(bits: &[Block]) -> Block {
    let with = |sum: Block, bit: &Block| {
        let noise = |sign| sum.noise().add_scaled(bit.noise(), sign).variance();
        let cancels = sum.is_copy_of(bit) || noise(-1) < noise(1);
        sum.unchecked_add_scaled(bit, if cancels { -1 } else { 1 })
    };
    let sum = bits.iter().skip(1).fold(bits[0].clone(), with);
    sum.modulo(1)
}
