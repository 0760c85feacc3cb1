//! A refresh of exact schemes: products go on, and nothing of the message is ever approximated.
//!
//! Sixteen BFV ciphertexts of degree 4096 are multiplied and refreshed five times. Needs about 8 GB
//! and a minute: `cargo run --release -p fathom --example 22_refresh`. With a seed as argument, the
//! messages are others; with a second argument, it works on that number of threads.

use fathom::bfv::{Evaluator, Params, Preset, Rotations, SecretKey};
use fathom::refresh::{RefreshParams, RefreshSecret, RefreshSet, Refresher};
use fathom::{Error, SecretRng};
use std::time::Instant;

const ROUNDS: usize = 5;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let (seed, threads) = (arguments.next().unwrap_or(1), arguments.next().unwrap_or(1));
    let params = Params::preset(Preset::E1)?;
    for modulus in params.refresh_moduli(RefreshSet::Noise)? {
        let bits = modulus.assessment.classical_bits;
        println!("{}: 2^{:.1}, {bits:.0} bits of security", modulus.purpose, modulus.log2);
    }
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let evaluator = Evaluator::new(secret.evaluation_keys(&Rotations::none(), &mut rng)?);
    let start = Instant::now();
    println!("keys of {} MB", params.refresh_keys_byte_len(RefreshSet::Noise)? / 1_000_000);
    let keys = secret.refresh_keys(RefreshSet::Noise, &mut rng)?;
    let server = Refresher::new(keys).with_threads(threads as usize)?;
    println!("keys and tables in {:.1?}", start.elapsed());

    let (slots, t) = (params.slot_count(), params.plain_modulus());
    let mut clear: Vec<Vec<u64>> =
        (0..server.capacity() as u64).map(|i| values(slots, t, 1000 * seed + i)).collect();
    let encrypt = |values: &Vec<u64>| secret.encrypt(&params.encode(values)?, &mut rng);
    let mut all = clear.iter().map(encrypt).collect::<Result<Vec<_>, Error>>()?;
    for round in 1..=ROUNDS {
        for (x, clear) in all.iter_mut().zip(&mut clear) {
            *x = evaluator.square(x)?;
            for value in clear.iter_mut() {
                *value = *value * *value % t;
            }
        }
        let before = all[0].noise_budget_bits();
        let start = Instant::now();
        all = server.refresh_all(&all)?;
        let (elapsed, after) = (start.elapsed(), all[0].noise_budget_bits());
        for (x, clear) in all.iter().zip(&clear) {
            assert_eq!(secret.decrypt(x)?.slots()?, clear.as_slice());
        }
        let message = secret.decrypt(&all[0])?;
        let found = secret.debug_noise_budget_bits(&all[0], &message)?;
        let each = elapsed.as_secs_f64() * 1e3 / (all.len() * params.degree()) as f64;
        println!(
            "round {round}: {elapsed:.2?}, {each:.4} ms a coefficient, budget {before:.1} to \
             {after:.1} bits (found {found:.1}), all {} values as in the clear",
            all.len() * slots
        );
    }
    Ok(())
}

/// Returns numbers modulo `t`, by a linear congruence.
fn values(count: usize, t: u64, mut state: u64) -> Vec<u64> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % t
    };
    (0..count).map(|_| next()).collect()
}
