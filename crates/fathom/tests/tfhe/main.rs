//! Bootstraps under real keys, at secure parameters.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a failure here fails the test"
)]

mod bootstrap;
mod foreign;
mod frame;
mod gates;
mod hostile;
mod integer_wire;
mod list;
mod noise;
mod params;
mod public_key;
mod shortint;
mod wire;

use fathom::SecretRng;
use fathom::tfhe::{ClientKey, EvaluationKey, Evaluator, Params, SeededEvaluationKey};
use std::sync::Arc;

/// Returns a client and a server with two threads.
fn keys(params: Params) -> (ClientKey, Evaluator, SecretRng) {
    let mut rng = SecretRng::insecure_from_seed(7);
    let params = Arc::new(params);
    let client = ClientKey::generate(&params, &mut rng);
    let seeded = SeededEvaluationKey::generate(&client, &mut rng).unwrap();
    let key = EvaluationKey::expand(&seeded).unwrap();
    (client, Evaluator::new(key, 2).unwrap(), rng)
}
