//! The calls of the table of verbs as values, by the operands that they take.

use fathom::Error;
use fathom::ckks::Ckks;
use fathom::rlwe::modular::Modular;
use fathom::rlwe::{Ciphertext, Evaluator, Mapped, Rotations, RowSwap, Scheme};
use fathom_verbs::{Schemes, Verb, exact_verbs, real_verbs, ring_verbs, slot_verbs, verb, verbs};

pub(crate) type Answer<S> = Result<Ciphertext<S>, Error>;

/// A verb as a call. A product and an unscaled product are operands like any other here: who calls
/// makes them.
#[derive(Clone, Copy)]
pub(crate) enum Call<S: Scheme> {
    One(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Product(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Unscaled(fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>),
    Pair(fn(&Evaluator<S>, &Ciphertext<S>, &Ciphertext<S>) -> Answer<S>),
    Message(fn(&Evaluator<S>, &Ciphertext<S>, &S::Plaintext) -> Answer<S>),
    Factor(fn(&Evaluator<S>, &Ciphertext<S>, &S::Factor) -> Answer<S>),
    Number(fn(&Evaluator<S>, &Ciphertext<S>, S::Scalar) -> Answer<S>),
    Numbers(fn(&Evaluator<S>, &Ciphertext<S>, Vec<S::Value>) -> Answer<S>),
    Steps(fn(&Evaluator<S>, &Ciphertext<S>, i64) -> Answer<S>),
    /// The verb takes what its scheme alone knows, a level or coefficients.
    ByHand,
}

/// Appends the verbs of a macro of the table.
macro_rules! push {
    ($all:ident: $($name:ident($takes:ident) { call: $call:expr, $($facts:tt)* })*) => {
        $($all.push((verb(stringify!($name)).unwrap(), push!($takes $call)));)*
    };
    (Level $call:expr) => { Call::ByHand };
    (Coefficients $call:expr) => { Call::ByHand };
    ($takes:ident $call:expr) => { Call::$takes($call) };
}

pub(crate) type Calls<S> = Vec<(&'static Verb, Call<S>)>;

/// Returns the verbs of every ring scheme.
pub(crate) fn ring<S: Scheme>() -> Calls<S> {
    let mut all: Calls<S> = Vec::new();
    ring_verbs!(push all:);
    all
}

fn slotted<S: Mapped>() -> Calls<S> {
    let mut all = ring();
    slot_verbs!(push all:);
    all
}

/// Returns the verbs of BFV and BGV.
pub(crate) fn exact<S: Modular>() -> Calls<S> {
    let mut all = slotted();
    exact_verbs!(push all:);
    all
}

/// Returns the verbs of CKKS.
pub(crate) fn real() -> Calls<Ckks> {
    let mut all = slotted();
    real_verbs!(push all:);
    all
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
