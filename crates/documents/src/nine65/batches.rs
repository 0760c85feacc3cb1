//! Throughput: encoding, and encryption and decryption of batches on one and on all processors.

use fathom::rlwe::Rotations;
use fathom::{Error, SecretRng, bfv};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use rayon::prelude::*;

use crate::options::{Config, Options};
use crate::party;
use crate::party::Party;

/// Returns the programs of throughput of a configuration.
pub(super) fn programs(config: Config, options: &Options) -> Vec<Program> {
    let set = config.published();
    let mut programs = Vec::new();
    for size in [64, 256, 512, 1024] {
        let encode = move |meter: &mut Meter| encode(meter, set, size);
        let decode = move |meter: &mut Meter| decode(meter, set, size);
        let text = format!("encoding of {size} values into slots, time per value");
        programs.push(Program::new("bfv", set, format!("batch_encode{size}"), text, encode));
        let text = format!("decoding of {size} values from slots, time per value");
        programs.push(Program::new("bfv", set, format!("batch_decode{size}"), text, decode));
    }
    let sizes: &[usize] = if config == Config::Secure128 && !options.quick {
        &[5, 10, 20, 50, 100, 500, 1000]
    } else {
        &[10]
    };
    for &size in sizes {
        for threads in options.lanes() {
            let of = |op: &str, meaning: &str, work: Stage| {
                let run = move |meter: &mut Meter| batch(meter, set, [size, threads], work);
                let text = format!("{meaning} of {size} ciphertexts, time per ciphertext");
                Program::new("bfv", set, format!("{op}{size}"), text, run).on_threads(threads)
            };
            programs.push(of("batch_encrypt", "encryption", Stage::Encrypt));
            programs.push(of("batch_decrypt", "decryption", Stage::Decrypt));
            programs.push(of("batch_roundtrip", "encryption and decryption", Stage::Both));
            programs.push(of("batch_add", "sums of pairs", Stage::Add));
        }
    }
    programs
}

/// Returns the programs that make thread pools.
pub(super) fn pools() -> Vec<Program> {
    let pool = |threads: usize| {
        let text = format!("construction of a pool of {threads} threads");
        let work = move |meter: &mut Meter| {
            let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let found = meter.time_plain(1, build).map_or(0, |pool| pool.current_num_threads());
            meter.check([found as u64], [threads as u64]);
        };
        let op = format!("thread_pool_creation{threads}");
        Program::infallible("plain", "pool", op, text, work)
    };
    [1, 2, 4, 8].map(pool).into()
}

fn values(size: usize) -> Vec<u64> {
    (0..size as u64).map(|i| 17 * i % 32_768).collect()
}

fn encode(meter: &mut Meter, set: &str, size: usize) -> Result<(), Error> {
    let params = party::named(set, meter)?;
    let values = values(size);
    let message = meter.time(size, || params.encode(&values))?;
    meter.check(message.slots()?.into_iter().take(size), values);
    Ok(())
}

fn decode(meter: &mut Meter, set: &str, size: usize) -> Result<(), Error> {
    let params = party::named(set, meter)?;
    let values = values(size);
    let message = params.encode(&values)?;
    let found = meter.time(size, || message.slots())?;
    meter.check(found.into_iter().take(size), values);
    Ok(())
}

#[derive(Clone, Copy)]
enum Stage {
    Encrypt,
    Decrypt,
    Both,
    Add,
}

/// Times a batch on a pool, in which every task has a generator of its own.
fn batch(
    meter: &mut Meter,
    set: &str,
    [size, threads]: [usize; 2],
    stage: Stage,
) -> Result<(), Error> {
    let mut rng = SecretRng::from_os()?;
    let own = Party::new(party::named(set, meter)?, &Rotations::none(), &mut rng)?;
    let Party { params, secret, public, evaluator } = &own;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    let clear = |i: usize| vec![(42 + i as u64) % params.plain_modulus(); params.slot_count()];
    let messages = (0..size).map(|i| params.encode(&clear(i))).collect::<Result<Vec<_>, _>>()?;
    let encrypt = || {
        let task = |message| public.encrypt(message, &mut SecretRng::from_os()?);
        pool.install(|| messages.par_iter().map(task).collect::<Result<Vec<_>, Error>>())
    };
    let decrypt = |all: &[bfv::Ciphertext]| {
        let task = |x| secret.decrypt(x);
        pool.install(|| all.par_iter().map(task).collect::<Result<Vec<_>, Error>>())
    };
    let all = encrypt()?;
    let found = match stage {
        Stage::Encrypt => {
            let all = meter.time(size, encrypt)?;
            decrypt(&all)?
        }
        Stage::Decrypt => meter.time(size, || decrypt(&all))?,
        Stage::Both => meter.time(size, || decrypt(&encrypt()?))?,
        Stage::Add => {
            let task = |x| evaluator.add(x, &all[0]);
            let add =
                || pool.install(|| all.par_iter().map(task).collect::<Result<Vec<_>, Error>>());
            let sums = meter.time(size, add)?;
            decrypt(&sums)?
        }
    };
    let shift = if matches!(stage, Stage::Add) { 42 } else { 0 };
    for (i, found) in found.iter().enumerate() {
        meter.check(found.slots()?, clear(i).into_iter().map(|value| value + shift));
    }
    Ok(())
}
