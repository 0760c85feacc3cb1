//! The interface of a scheme to the search: keys, the steps of a circuit, and the noise of their
//! results.

use crate::noise_search::recipe::Step;

/// Keys of one set of parameters, under which circuits run.
pub(crate) trait Subject: Sized {
    /// A set of parameters.
    type Set: Clone;
    type Ciphertext;

    const NAME: &'static str;
    /// True if the scheme has the steps that only BFV has.
    const HAS_BORDER: bool;

    /// Draws keys.
    fn new(set: &Self::Set, seed: u64) -> Self;

    /// Returns the name of a set.
    fn set_name(set: &Self::Set) -> &str;

    /// Runs a step; none if it is refused.
    fn step(&mut self, step: Step, operands: &[&Self::Ciphertext]) -> Option<Self::Ciphertext>;

    /// Returns the measured less the tracked budget, none for a fresh encryption. Both refer to the
    /// same modulus, so this is the logarithm of the ratio of bound and noise.
    fn slack(&self, c: &Self::Ciphertext) -> Option<f64>;

    /// Returns the level of a ciphertext.
    fn level(c: &Self::Ciphertext) -> usize;

    /// Returns the bytes of a ciphertext.
    fn byte_len(c: &Self::Ciphertext) -> usize;
}
