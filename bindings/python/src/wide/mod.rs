//! Wide integers in either form: one to a ciphertext, or vectors modulo several primes.

mod evaluator;
mod integers;
mod key;
mod params;
mod value;

pub use evaluator::PyWideEvaluator;
pub use key::{PyWideKey, PyWidePublicKey};
pub use params::PyWideParams;
pub use value::PyWideValue;

use crate::errors::Refusal;

/// An object of one of the two forms.
#[derive(Clone)]
pub enum Of<I, V> {
    /// One integer modulo `2^N + 1`.
    Integers(I),
    /// Vectors of integers.
    Vectors(V),
}

/// Evaluates an expression with the object of either form.
macro_rules! each {
    ($any:expr, $inner:ident => $body:expr) => {
        match $any {
            $crate::wide::Of::Integers($inner) => $body,
            $crate::wide::Of::Vectors($inner) => $body,
        }
    };
}

/// Makes an object of the form that another object has; the expression may end with `?`.
macro_rules! lift {
    ($any:expr, $inner:ident => $body:expr) => {
        match $any {
            $crate::wide::Of::Integers($inner) => $crate::wide::Of::Integers($body),
            $crate::wide::Of::Vectors($inner) => $crate::wide::Of::Vectors($body),
        }
    };
}

use {each, lift};

/// Refuses an operation that there is not for a form, or operands of different forms.
fn unknown(operation: &str) -> Refusal {
    let message = format!(
        "there is no operation {operation} on these wide integers: vectors and single integers \
         have operands of their own form"
    );
    Refusal::new("KindError", "no_operation", message).with("operation", operation.to_owned())
}
