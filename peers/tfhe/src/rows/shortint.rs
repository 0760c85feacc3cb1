//! One lookup table on one block of 2 bits with 2 bits of carry: a key switch and a bootstrap.
//!
//! `shortint/<set of Fathom>/<batch>`, on one thread. tfhe-rs runs its parameters for failure
//! probability `2^-128`; Fathom each of its sets of that kind, and `tfhe_rs_2_2`, the parameters of
//! tfhe-rs.

use crate::bench::Bench;
use crate::engine::Engine;
use crate::race::{Contestant, Failure};
use fathom::tfhe::{Block, Job, Lut, Params};
use tfhe::shortint::parameters::PARAM_MESSAGE_2_CARRY_2_KS_PBS_TUNIFORM_2M128 as PEER_PARAMS;
use tfhe::shortint::{Ciphertext, ClientKey, ServerKey};

/// Blocks that Fathom bootstraps together.
const BATCHES: [usize; 2] = [1, 8];

/// Measures the rows.
///
/// # Errors
/// If a library refuses what it is given.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let wanted = |params: &Params| BATCHES.iter().any(|&batch| bench.wants(&id(params, batch)));
    let sets: Vec<_> = Params::presets().into_iter().filter(like_the_peer).filter(wanted).collect();
    if sets.is_empty() {
        return Ok(());
    }
    let peer = tfhe::shortint::gen_keys(PEER_PARAMS);
    for params in sets {
        let ids = BATCHES.map(|batch| (id(&params, batch), batch));
        let mut engine = Engine::new(params, 1)?;
        for (id, batch) in ids {
            let own = engine_batch(&mut engine, batch)?;
            bench.row(&id, own, peer_single(&peer))?;
        }
    }
    Ok(())
}

fn id(params: &Params, batch: usize) -> String {
    format!("shortint/{}/batch{batch}", params.name())
}

/// Whether a set takes the messages of the peer's set: the same parameters, or one that fails as
/// rarely.
fn like_the_peer(params: &Params) -> bool {
    let spec = params.spec();
    let same = spec.name == "tfhe_rs_2_2" || spec.failure_log2 <= -128.0;
    (spec.message_bits, spec.carry_bits) == (2, 2) && same
}

/// What both compute, on messages with carries.
fn square(x: u64) -> u64 {
    x * x % 4
}

fn engine_batch(engine: &mut Engine, batch: usize) -> Result<Contestant<'_>, Failure> {
    let space = engine.evaluator.params().space();
    let lut = Lut::new(space, 0..=15, |x| x * x % 4)?;
    let messages: Vec<_> = (0..batch as u32).map(|i| (i + 3) % 4).collect();
    let blocks =
        messages.iter().map(|&m| engine.encrypt(m)).collect::<Result<Vec<Block>, Failure>>()?;
    let engine = &*engine;
    let work = move || {
        let jobs: Vec<_> = blocks.iter().map(|input| Job { input, lut: &lut }).collect();
        Ok(engine.evaluator.bootstrap(&jobs)?)
    };
    let correct = move |outputs: &Vec<Vec<Block>>| {
        let mut correct = outputs.len() == messages.len();
        for (output, &message) in outputs.iter().flatten().zip(&messages) {
            correct &= i64::from(engine.client.decrypt(output)?) == square(message.into()) as i64;
        }
        Ok(correct)
    };
    Ok(Contestant::new(batch, work, correct))
}

fn peer_single((client, server): &(ClientKey, ServerKey)) -> Contestant<'_> {
    let lut = server.generate_lookup_table(square);
    let input = client.encrypt(3);
    let work = move || Ok(server.apply_lookup_table(&input, &lut));
    let correct = |output: &Ciphertext| Ok(client.decrypt(output) == square(3));
    Contestant::new(1, work, correct)
}
