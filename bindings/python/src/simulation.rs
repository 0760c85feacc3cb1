//! Simulated ciphertexts, and the keys that a simulated computation needs.

use crate::errors::Refusal;
use crate::scheme::Kind;
use fathom::Error;
use fathom::rlwe::{Ciphertext, Evaluator, KeyPlan, KeyUse};
use fathom::wire::WireObject;

/// Returns the bytes of the keys of a plan: every key has those of the one for products. With them
/// travels an encryption of zero.
pub fn planned_bytes<S: Kind>(evaluator: &Evaluator<S>, plan: &KeyPlan) -> Result<usize, Refusal> {
    let mut bytes = evaluator.keys().restricted(&KeyPlan::none())?.byte_len();
    for (_, level) in plan.iter() {
        let one = KeyPlan::none().with(KeyUse::Relinearization, level);
        let keys = evaluator.keys().restricted(&one)?;
        bytes += keys.relinearization_key().map_or(0, |key| key.byte_len());
    }
    Ok(bytes)
}

/// Returns simulated ciphertexts of a vector of `count` values, each made by `part` for its share.
pub fn stand_ins<S: Kind>(
    evaluator: &Evaluator<S>,
    count: usize,
    part: impl Fn(usize) -> Result<Ciphertext<S>, Error>,
) -> Result<Vec<Ciphertext<S>>, Refusal> {
    let slots = S::slot_count(evaluator.params());
    let parts = (0..count).step_by(slots).map(|first| part(slots.min(count - first)));
    Ok(parts.collect::<Result<_, _>>()?)
}
