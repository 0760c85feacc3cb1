//! Gates on bits.

use fathom_drivers::ops::torus::Gate;
use fathom_drivers::protocol::Refusal;
use tfhe::boolean::ciphertext::Ciphertext as Bit;
use tfhe::boolean::server_key::{BinaryBooleanGates, ServerKey};

/// A gate on its bits.
pub(crate) type Call = fn(&ServerKey, &[&Bit]) -> Bit;

/// Returns the names of the gates that tfhe-rs supports.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let known = Gate::ALL.into_iter().filter(|gate| find(*gate).is_ok());
    known.map(|gate| gate.name().to_owned())
}

/// Returns a gate. Gates with one complemented input are a negation, which is free, and a gate.
///
/// # Errors
/// `unsupported` for gates that tfhe-rs lacks.
pub(crate) fn find(gate: Gate) -> Result<Call, Refusal> {
    let call: Call = match gate {
        Gate::Nand => |key, x| key.nand(x[0], x[1]),
        Gate::And => |key, x| key.and(x[0], x[1]),
        Gate::Or => |key, x| key.or(x[0], x[1]),
        Gate::Nor => |key, x| key.nor(x[0], x[1]),
        Gate::Xor => |key, x| key.xor(x[0], x[1]),
        Gate::Xnor => |key, x| key.xnor(x[0], x[1]),
        Gate::AndNy => |key, x| key.and(&key.not(x[0]), x[1]),
        Gate::AndYn => |key, x| key.and(x[0], &key.not(x[1])),
        Gate::OrNy => |key, x| key.or(&key.not(x[0]), x[1]),
        Gate::OrYn => |key, x| key.or(x[0], &key.not(x[1])),
        Gate::Not => |key, x| key.not(x[0]),
        Gate::Mux => |key, x| key.mux(x[0], x[1], x[2]),
        Gate::Majority | Gate::Xor3 => {
            let message = format!("tfhe-rs has no gate `{}` of three inputs", gate.name());
            return Err(Refusal::unsupported(message));
        }
    };
    Ok(call)
}
