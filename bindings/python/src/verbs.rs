//! Verbs of the table, by name: on every ciphertext of a vector, and the work that they take.

use crate::ciphertexts::Ciphertexts;
use crate::errors::Refusal;
use crate::scheme::Kind;
use crate::tally::Tally;
use fathom::Error;
use fathom::rlwe::{Ciphertext, Evaluator};
use fathom_planner::RingOperation;
use fathom_verbs::{Work, ring_verbs, slot_verbs};
use pyo3::prelude::*;

/// Calls the verb of a name among those of a macro of the table that take one ciphertext, alone or
/// with clear numbers: an arm for each kind of operands.
macro_rules! call {
    ($verb:ident $e:ident $a:ident $numbers:ident: $($name:ident($takes:ident) {
        call: $call:expr,
        $($facts:tt)*
    })*) => {
        $(if $verb == stringify!($name) {
            return call!($takes $call, $e, $a, $numbers);
        })*
    };
    (One $call:expr, $e:ident, $a:ident, $numbers:ident) => { of_one($e, $a, $call) };
    (Number $call:expr, $e:ident, $a:ident, $numbers:ident) => {
        match $numbers {
            [number] => of_two($e, $a, S::Scalar::from(*number), $call),
            _ => Err(Refusal::from(Error::ListLength {
                operation: "call",
                left: 1,
                right: $numbers.len(),
            })),
        }
    };
    (Numbers $call:expr, $e:ident, $a:ident, $numbers:ident) => {
        of_two($e, $a, $numbers, $call)
    };
    ($other:ident $call:expr, $e:ident, $a:ident, $numbers:ident) => {
        Err(unknown(stringify!($other)))
    };
}

/// Calls a verb that takes one ciphertext, alone or with clear numbers.
///
/// # Errors
/// Those of the verb; `KindError` for a name that is none of them.
pub fn call<S: Kind>(
    verb: &str,
    evaluator: &Evaluator<S>,
    a: &Ciphertext<S>,
    numbers: &[S::Value],
) -> Result<Ciphertext<S>, Refusal> {
    ring_verbs!(call verb evaluator a numbers:);
    slot_verbs!(call verb evaluator a numbers:);
    Err(unknown(verb))
}

fn of_one<S: Kind>(
    evaluator: &Evaluator<S>,
    a: &Ciphertext<S>,
    call: impl Fn(&Evaluator<S>, &Ciphertext<S>) -> Result<Ciphertext<S>, Error>,
) -> Result<Ciphertext<S>, Refusal> {
    Ok(call(evaluator, a)?)
}

fn of_two<S: Kind, T>(
    evaluator: &Evaluator<S>,
    a: &Ciphertext<S>,
    second: T,
    call: impl Fn(&Evaluator<S>, &Ciphertext<S>, T) -> Result<Ciphertext<S>, Error>,
) -> Result<Ciphertext<S>, Refusal> {
    Ok(call(evaluator, a, second)?)
}

/// The work of a verb, and the number of values that a slot of its result adds up.
type Counted = (Vec<(&'static str, usize)>, usize);

/// Returns the work of a verb on one ciphertext of so many slots, with so many clear numbers.
#[pyfunction]
pub fn verb_work(verb: &str, slots: usize, numbers: usize) -> Result<Counted, Refusal> {
    let cost = (fathom_verbs::verb(verb).ok_or_else(|| unknown(verb))?.cost)(slots, numbers);
    Ok((cost.work.iter().map(|&(unit, count)| (unit.name(), count)).collect(), cost.terms))
}

/// Counts the work of a verb on the ciphertexts of a vector, each of so many slots, with
/// so many clear numbers.
pub fn note(tally: &Tally, verb: &str, a: &Ciphertexts, slots: usize, numbers: usize) {
    let Some(verb) = fathom_verbs::verb(verb) else { return };
    for (unit, times) in (verb.cost)(slots, numbers).work {
        tally.at_once(operation(unit), a.level(), times * a.__len__());
    }
}

fn operation(unit: Work) -> RingOperation {
    match unit {
        Work::Add => RingOperation::Add,
        Work::MulScalar => RingOperation::MulScalar,
        Work::MulPlain => RingOperation::MulPlain,
        Work::Tensor => RingOperation::Tensor,
        Work::Mul => RingOperation::Mul,
        Work::Rotate => RingOperation::Rotate,
        Work::ModSwitch => RingOperation::ModSwitch,
    }
}

/// Returns true if a verb takes so long that Ctrl-C should end it: if it rotates.
pub fn is_long(verb: &str, numbers: usize) -> bool {
    fathom_verbs::verb(verb).is_some_and(|verb| (verb.cost)(2, numbers).count(Work::Rotate) > 0)
}

fn unknown(verb: &str) -> Refusal {
    Refusal::new("KindError", "no_operation", verb).with("operation", verb.to_owned())
}
