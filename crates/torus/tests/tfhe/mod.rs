//! Bootstraps under real keys, at secure parameters.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a failure here fails the test"
)]

mod arguments;
mod bootstrap;
mod byte_string;
mod foreign;
mod frame;
mod gates;
mod hostile;
mod integer_wire;
mod key_file;
mod list;
mod noise;
mod params;
mod public_key;
mod seeded_list;
mod shortint;
mod wire;

use fathom::SecretRng;
use fathom::tfhe::{ClientKey, Evaluator, Params};

/// Returns a client and a server with two threads.
#[expect(clippy::needless_pass_by_value, reason = "parameters are made in place by the callers")]
fn keys(params: Params) -> (ClientKey, Evaluator, SecretRng) {
    let mut rng = SecretRng::insecure_from_seed(7);
    let client = ClientKey::generate(&params, &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
    let key = seeded.expand().unwrap();
    (client, Evaluator::new(key, 2).unwrap(), rng)
}
