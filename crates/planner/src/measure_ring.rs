//! Measures the unit costs of BFV and CKKS with the engine's public interface.

use fathom::wire::{Wire, WireFresh, WireObject};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::work::{RingOperation, RingParams};
use fathom::bfv::Bfv;
use fathom::ckks::Ckks;
use fathom::rlwe::{Ciphertext, Encoding, EvaluationKeys, Evaluator, Params, SecretKey};
use fathom::{Error, SecretRng};

use crate::measure_bootstraps;
use crate::ring_costs::RingCosts;
use crate::rounds::{Measured, Rounds, matrices, rotations};
use crate::stats::{lower_quartile, median};
use crate::timed::{now, timed};
use crate::vectors::{Vectors, encrypted};

/// Repetitions of what has to do with keys, and of everything else.
const KEY_REPEATS: usize = 3;
const REPEATS: usize = 9;
/// Rounds of the measurement of unit costs.
const ROUNDS: Rounds = Rounds { least: REPEATS, time: Duration::ZERO };
/// Rounds of a measurement of the present speed, which outlast disturbances of a moment.
const ROUNDS_AGAIN: Rounds = Rounds { least: 5, time: Duration::from_millis(250) };

/// Number of times that work is started on all threads, and the time of the work.
const JOINS: usize = 40;
const WORK: Duration = Duration::from_micros(300);

/// Returns the name of parameters in the costs, and their scheme.
pub fn name(params: &RingParams) -> String {
    let (scheme, id) = match params {
        RingParams::Bfv(params) => (<Bfv as Encoding>::NAME, params.id()),
        RingParams::Ckks(params) => (<Ckks as Encoding>::NAME, params.id()),
    };
    let number = id.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    format!("{scheme} {number:016x}")
}

/// Measures the operations of a circuit and all other unit costs of its parameters, but for the
/// memory of a process without keys; `None` for a scheme without a measurement. Operations that are
/// not measured are missing in the result.
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub fn measure(
    params: &RingParams,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
    report: &mut dyn FnMut(&str),
) -> Result<RingCosts, Error> {
    let name = name(params);
    report(&format!("unit costs of {name}"));
    match params {
        RingParams::Bfv(params) => measure_scheme(params, threads, name, operations),
        RingParams::Ckks(params) => {
            let mut costs = measure_scheme(params, threads, name, operations)?;
            if operations.iter().any(|(operation, _)| operation.is_bootstrap()) {
                report("bootstrapping keys and bootstrappings, about a minute");
                let (times, own) = measure_bootstraps::measure(params, threads, operations)?;
                costs.operations.extend(times);
                costs.bootstrapping = Some(own);
            }
            Ok(costs)
        }
    }
}

fn measure_scheme<S: Vectors>(
    params: &Params<S>,
    threads: usize,
    name: String,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<RingCosts, Error> {
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let matrices = matrices(params, operations)?;
    let rotations = rotations(&matrices);
    let (bytes, keygen_ns) =
        timed(KEY_REPEATS, || Ok(secret.evaluation_keys(&rotations, &mut rng)?.to_bytes()))?;
    let (keys, keys_ns) = timed(KEY_REPEATS, || EvaluationKeys::<S>::from_bytes(params, &bytes))?;
    let evaluator = Evaluator::new(keys);
    let (frame, encrypt_ns) = timed(REPEATS, || Ok(encrypted(&secret, &mut rng)?.to_bytes()))?;
    let (fresh, load_ns) = timed(REPEATS, || Ciphertext::from_bytes_fresh(params, &frame))?;
    let other = Ciphertext::from_bytes_fresh(params, &encrypted(&secret, &mut rng)?.to_bytes())?;
    let operations = Measured { operations, matrices: &matrices, operands: [&fresh, &other] };
    let operations = operations.on(&evaluator, threads, ROUNDS, lower_quartile)?;
    let result = evaluator.add(&fresh, &other)?;
    let (answer, answer_ns) = timed(REPEATS, || Ok(result.to_bytes()))?;
    let (_, decrypt_ns) =
        timed(REPEATS, || S::decode(&secret.decrypt(&Ciphertext::from_bytes(params, &answer)?)?))?;
    let count = (rotations.steps.len() + 1) as f64;
    Ok(RingCosts {
        params: name,
        threads,
        measured: now(),
        operations,
        join_ns: join_ns(threads)?,
        keygen_ns: keygen_ns / count,
        keys_ns: keys_ns / count,
        encrypt_ns,
        load_ns,
        answer_ns,
        decrypt_ns,
        ciphertext_bytes: (2 * params.chain().len() * params.degree() * 8) as u64,
        process_bytes: 0,
        bootstrapping: None,
    })
}

/// Returns the time to start work on all threads, of which all but the calling one sleep, and to
/// wait for its end, beyond the time of the work.
fn join_ns(threads: usize) -> Result<f64, Error> {
    if threads == 1 {
        return Ok(0.0);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build();
    let pool = pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    let work = || {
        let start = Instant::now();
        while start.elapsed() < WORK {
            std::hint::spin_loop();
        }
    };
    let ((), time) = timed(JOINS, || {
        pool.in_place_scope(|scope| {
            (1..threads).for_each(|_| scope.spawn(|_| work()));
            work();
        });
        Ok(())
    })?;
    Ok((time - WORK.as_nanos() as f64).max(0.0))
}

/// Measures operations again; returns their median times in nanoseconds by [`RingCosts::key`].
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub(crate) fn measure_again(
    params: &RingParams,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<BTreeMap<String, f64>, Error> {
    match params {
        RingParams::Bfv(params) => operations_again(params, threads, operations),
        RingParams::Ckks(params) => operations_again(params, threads, operations),
    }
}

fn operations_again<S: Vectors>(
    params: &Params<S>,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<BTreeMap<String, f64>, Error> {
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let matrices = matrices(params, operations)?;
    let keys = secret.evaluation_keys(&rotations(&matrices), &mut rng)?;
    let evaluator = Evaluator::new(keys);
    let [a, b] = [encrypted(&secret, &mut rng)?, encrypted(&secret, &mut rng)?];
    let measured = Measured { operations, matrices: &matrices, operands: [&a, &b] };
    measured.on(&evaluator, threads, ROUNDS_AGAIN, median)
}
