//! Gates on bits.

use fathom::Error;
use fathom::tfhe::boolean::{self, Bit, Gates};

use crate::ops::torus::Gate;

/// Computes a gate.
///
/// # Errors
/// Errors of the evaluator.
pub(super) fn apply(gates: &Gates, gate: Gate, bits: &[&Bit]) -> Result<Bit, Error> {
    let at = |index: usize| bits[index];
    gates.gate(match gate {
        Gate::Not => return Ok(!at(0)),
        Gate::Nand => boolean::Gate::Nand(at(0), at(1)),
        Gate::And => boolean::Gate::And(at(0), at(1)),
        Gate::Or => boolean::Gate::Or(at(0), at(1)),
        Gate::Nor => boolean::Gate::Nor(at(0), at(1)),
        Gate::Xor => boolean::Gate::Xor(at(0), at(1)),
        Gate::Xnor => boolean::Gate::Xnor(at(0), at(1)),
        Gate::AndNy => boolean::Gate::AndNy(at(0), at(1)),
        Gate::AndYn => boolean::Gate::AndYn(at(0), at(1)),
        Gate::OrNy => boolean::Gate::OrNy(at(0), at(1)),
        Gate::OrYn => boolean::Gate::OrYn(at(0), at(1)),
        Gate::Mux => boolean::Gate::Mux(at(0), at(1), at(2)),
        Gate::Majority => boolean::Gate::Majority(at(0), at(1), at(2)),
        Gate::Xor3 => boolean::Gate::Xor3(at(0), at(1), at(2)),
    })
}
