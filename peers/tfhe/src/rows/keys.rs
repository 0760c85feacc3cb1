//! Key generation and the sizes of keys, for messages of 2 bits with 2 bits of carry.
//!
//! One thread. Fathom makes the secret keys, the evaluation key with its masks given by a seed, and
//! the form that bootstraps read. `keys/seeded` has tfhe-rs take the same way; `keys/direct` lets
//! it skip the seeded form.

use crate::bench::Bench;
use crate::race::{Contestant, Failure};
use fathom::SecretRng;
use fathom::tfhe::{ClientKey, EvaluationKey, Evaluator, Lut, Params, SeededEvaluationKey};
use rayon::ThreadPool;
use std::sync::Arc;
use tfhe::shortint;
use tfhe::shortint::parameters::PARAM_MESSAGE_2_CARRY_2_KS_PBS_TUNIFORM_2M128 as PEER_PARAMS;

/// Measures the rows.
///
/// # Errors
/// If a library refuses what it is given.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (id, peer) in [("keys/seeded", peer_seeded as fn() -> PeerKeys), ("keys/direct", direct)] {
        bench.row(id, engine_keys(&pool), peer_keys(&pool, peer))?;
    }
    if bench.wants("keys/bytes") {
        sizes(bench)?;
    }
    Ok(())
}

fn sizes(bench: &mut Bench) -> Result<(), Failure> {
    let (_, seeded, key) = generate()?;
    let client = shortint::ClientKey::new(PEER_PARAMS);
    let peer_seeded = shortint::CompressedServerKey::new(&client);
    let wire = bincode::serialized_size(&peer_seeded)?;
    let memory = bincode::serialized_size(&peer_seeded.decompress())?;
    bench.size("keys/bytes/memory", key.bytes() as u64, memory);
    bench.size("keys/bytes/wire", seeded.byte_len() as u64, wire);
    Ok(())
}

type EngineKeys = (ClientKey, SeededEvaluationKey, EvaluationKey);

fn generate() -> Result<EngineKeys, Failure> {
    let mut rng = SecretRng::from_os()?;
    let client = ClientKey::generate(&Arc::new(Params::message_2_carry_2()), &mut rng);
    let seeded = SeededEvaluationKey::generate(&client, &mut rng)?;
    let key = EvaluationKey::expand(&seeded)?;
    Ok((client, seeded, key))
}

fn engine_keys(pool: &ThreadPool) -> Contestant<'_> {
    let work = move || pool.install(|| generate().map_err(|error| error.to_string()));
    let correct = |(client, seeded, _): &EngineKeys| {
        // An evaluator keeps its key, so it gets another expansion of the same seeded key.
        let evaluator = Evaluator::new(EvaluationKey::expand(seeded)?, 1)?;
        let block = client.encrypt(3, &mut SecretRng::from_os()?)?;
        let lut = Lut::new(client.params().space(), 0..=15, |x| x / 2)?;
        Ok(client.decrypt(&evaluator.apply(&block, &lut)?)? == 1)
    };
    Contestant::new(1, move || Ok(work()?), correct)
}

type PeerKeys = (shortint::ClientKey, shortint::ServerKey);

fn direct() -> PeerKeys {
    shortint::gen_keys(PEER_PARAMS)
}

fn peer_seeded() -> PeerKeys {
    let client = shortint::ClientKey::new(PEER_PARAMS);
    let server = shortint::CompressedServerKey::new(&client).decompress();
    (client, server)
}

fn peer_keys(pool: &ThreadPool, generate: fn() -> PeerKeys) -> Contestant<'_> {
    let work = move || Ok(pool.install(generate));
    let correct = |(client, server): &PeerKeys| {
        let lut = server.generate_lookup_table(|x| x / 2);
        Ok(client.decrypt(&server.apply_lookup_table(&client.encrypt(3), &lut)) == 1)
    };
    Contestant::new(1, work, correct)
}
