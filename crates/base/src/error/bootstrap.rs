//! Reasons why a bootstrapping is refused.

/// The reason why a ciphertext cannot be bootstrapped. It never holds the content of a slot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BootstrapError {
    /// The parameters leave no room for a bootstrapping.
    #[error("the parameters {name} cannot be bootstrapped; make them with Params::bootstrappable")]
    NoSet {
        /// Name of the parameters.
        name: String,
    },
    /// The evaluator has no keys of a bootstrapping.
    #[error("the evaluator has no keys of a bootstrapping; give it some with with_bootstrapping")]
    NoKeys,
    /// Slots may exceed the numbers that a bootstrapping takes: beyond them, the result would be
    /// wrong.
    #[error(
        "a bootstrapping takes slots of up to {limit:?} in absolute value, but they may hold up to \
         {magnitude:?}; promise a tighter bound with assume_magnitude, or mul_scalar by less than \
         {factor:.3e} while a level is left for it"
    )]
    Magnitude {
        /// Bound on the absolute values of the slots, errors included.
        magnitude: f64,
        /// Largest absolute value that is taken.
        limit: f64,
        /// The factor that brings the slots within the limit.
        factor: f64,
    },
    /// The error of the operand could change the value that a table gives.
    #[error(
        "the table takes slots whose error is at most 2^{allowed_bits:.1}, but their bound is \
         2^{error_bits:.1}; {remedy}"
    )]
    Tolerance {
        /// `log2` of the bound on the error of a slot.
        error_bits: f64,
        /// `log2` of the largest bound that is taken.
        allowed_bits: f64,
        /// The advice that makes the error smaller, or the table take larger errors.
        remedy: &'static str,
    },
    /// A function takes more levels than the parameters have.
    #[error(
        "the function takes {needed} levels, but the parameters have {available}; take a function \
         of fewer bits or levels, or a larger set"
    )]
    Levels {
        /// Levels below the top one that it takes.
        needed: usize,
        /// Levels of the parameters.
        available: usize,
    },
    /// Functions of different arguments cannot share a bootstrapping.
    #[error(
        "the {count} functions are not all of the same argument; prepare tables of as many bits \
         together, and others one by one"
    )]
    Domains {
        /// Number of functions.
        count: usize,
    },
    /// A ciphertext is not at the scale of its level.
    #[error(
        "a bootstrapping starts at the scale {wanted:e}, but the operand has {scale:e} and no \
         level for it; rescale it while it has levels, or bootstrap its factors"
    )]
    Scale {
        /// Scale of the operand.
        scale: f64,
        /// Scale at which the bootstrapping starts.
        wanted: f64,
    },
    /// Slots may exceed the arguments of a function.
    #[error(
        "the function takes slots of up to {limit:?} in absolute value, but they may hold up to \
         {magnitude:?}; {remedy}, or promise a tighter bound with assume_magnitude"
    )]
    Argument {
        /// Bound on the absolute values of the slots, with errors where they count.
        magnitude: f64,
        /// Largest absolute value that is taken.
        limit: f64,
        /// Change that makes the function applicable.
        remedy: &'static str,
    },
    /// An evaluator cannot know that the messages which it would bootstrap by itself repeat.
    #[error(
        "keys for messages that repeat after {slots} slots make means of others, so that an \
         evaluator does not use them by itself; take Policy::Explicit, or keys for all slots"
    )]
    NotByItself {
        /// The number of slots of the keys.
        slots: usize,
    },
    /// A function was prepared for another number of slots.
    #[error(
        "the function was prepared for {prepared} slots, but the keys are for {slots}; prepare it \
         with the bootstrapper that applies it"
    )]
    Slots {
        /// Number of slots of the bootstrapper that prepared it.
        prepared: usize,
        /// Number of slots of the bootstrapper that applies it.
        slots: usize,
    },
    /// Results of a table would not be precise enough to be rounded to its values.
    #[error(
        "results of the table would be off by up to 2^{error_bits:.1}, and 2^{room_bits:.1} make \
         another value; take fewer bits, smaller \
         slots, the set boot-t, or Table::unrounded for results that are not rounded"
    )]
    Precision {
        /// `log2` of the bound on the error that the bootstrapping adds.
        error_bits: f64,
        /// `log2` of half of the least difference of two values.
        room_bits: f64,
    },
    /// The noise of a ciphertext is too large for a refresh or a table.
    #[error(
        "{operation} takes ciphertexts with a noise budget of at least {needed_bits:.1} bits, but \
         it is {budget_bits:.1}; {remedy}"
    )]
    Budget {
        /// The operation that takes the ciphertext.
        operation: &'static str,
        /// Noise budget of the operand, in bits, at the level from which it is refreshed.
        budget_bits: f64,
        /// The least one that is taken.
        needed_bits: f64,
        /// Change that keeps the noise smaller.
        remedy: &'static str,
    },
}
