//! Gates on bits.

use fathom::Error;
use fathom::tfhe::boolean::{self, Bit, Gates};

use super::library::{Call, Item, ItemOf};
use super::protocol::Refusal;
use super::torus_engine::{TorusSession, refusal};
use super::torus_value::Value;
use crate::torus::Gate;

/// Binds a gate to the bits of a session's handles.
pub(super) fn bind<'a>(
    gates: &'a Gates,
    gate: Gate,
    inputs: &[&'a ItemOf<TorusSession>],
) -> Result<Call<'a, TorusSession>, Refusal> {
    let bit = |item: &&'a ItemOf<TorusSession>| item.ciphertext().and_then(Value::bit);
    let bits: Vec<&Bit> = inputs.iter().map(bit).collect::<Result<_, _>>()?;
    let wrap = |bit| Item::Ciphertext(Value::Bit(bit));
    Ok(Box::new(move || apply(gates, gate, &bits).map(wrap).map_err(refusal)))
}

fn apply(gates: &Gates, gate: Gate, bits: &[&Bit]) -> Result<Bit, Error> {
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
