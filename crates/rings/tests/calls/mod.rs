//! The calls of the table of verbs as values, by the operands that they take.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

pub(crate) mod border;

use fathom::Error;
use fathom::ckks::Ckks;
use fathom::rlwe::modular::Modular;
use fathom::rlwe::{Ciphertext, Evaluator, Mapped, Rotations, RowSwap, Scheme};
use fathom_verbs::{Schemes, Verb, exact_verbs, real_verbs, ring_verbs, slot_verbs, verb, verbs};

pub(crate) type Answer<S> = Result<Ciphertext<S>, Error>;

/// A function of an evaluator, a ciphertext and one more operand.
type With<S, T> = fn(&Evaluator<S>, &Ciphertext<S>, T) -> Answer<S>;
/// The same where the operand is borrowed.
type WithRef<S, T> = fn(&Evaluator<S>, &Ciphertext<S>, &T) -> Answer<S>;

/// A verb as a call. A product and an unscaled product are operands like any other here: who calls
/// makes them.
#[derive(Clone, Copy)]
pub(crate) enum Call<S: Scheme> {
    One(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Product(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Unscaled(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Pair(WithRef<S, Ciphertext<S>>),
    Message(WithRef<S, S::Plaintext>),
    Factor(WithRef<S, S::Factor>),
    Number(With<S, S::Scalar>),
    Numbers(With<S, Vec<S::Value>>),
    Steps(With<S, i64>),
    /// The verb takes what its scheme alone knows, a level or coefficients.
    ByHand,
}

/// Makes a list of the verbs of a macro of the table.
macro_rules! calls {
    (: $($name:ident($takes:ident) { call: $call:expr, $($facts:tt)* })*) => {
        vec![$((verb(stringify!($name)).unwrap(), calls!($takes $call)),)*]
    };
    (Level $call:expr) => { Call::ByHand };
    (Coefficients $call:expr) => { Call::ByHand };
    ($takes:ident $call:expr) => { Call::$takes($call) };
}

pub(crate) type Calls<S> = Vec<(&'static Verb, Call<S>)>;

/// Returns the verbs of every ring scheme.
pub(crate) fn ring<S: Scheme>() -> Calls<S> {
    ring_verbs!(calls:)
}

fn slotted<S: Mapped>() -> Calls<S> {
    let slots: Calls<S> = slot_verbs!(calls:);
    ring().into_iter().chain(slots).collect()
}

/// Returns the verbs of BFV and BGV.
pub(crate) fn exact<S: Modular>() -> Calls<S> {
    let own: Calls<S> = exact_verbs!(calls:);
    slotted().into_iter().chain(own).collect()
}

/// Returns the verbs of CKKS.
pub(crate) fn real() -> Calls<Ckks> {
    let own: Calls<Ckks> = real_verbs!(calls:);
    slotted().into_iter().chain(own).collect()
}

/// Returns the keys of all verbs but those of other schemes.
pub(crate) fn keys(slots: usize, rows: usize, other: Schemes) -> Rotations {
    let mut rotations = Rotations::none();
    for verb in verbs().filter(|verb| verb.schemes != other) {
        let (steps, swaps) = verb.keys.steps(slots, rows);
        let row_swap = if swaps { RowSwap::With } else { RowSwap::Without };
        rotations = rotations.and(&Rotations { steps, row_swap });
    }
    rotations
}
