//! Whole batches: latency, time per user, with attestation, and on several threads.

use std::time::Instant;

use fathom::{Error, SecretRng};
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use rayon::prelude::*;

use super::attestation::Attestation;
use super::matching::{Matcher, Place};
use crate::options::Options;
use crate::pinned;

/// Batches of a thread in one sample.
const BATCHES: usize = 4;

/// Returns the batches at a place.
pub(super) fn programs(place: Place, options: &Options) -> Vec<Program> {
    let of = |op: &str, text: &str, work: fn(Place, &mut Meter) -> Result<(), Error>| {
        let op = format!("{op}{}", place.ending());
        Program::new("bfv", place.set, op, text, move |meter| work(place, meter))
    };
    let mut programs = vec![
        of(
            "batch",
            "encoding, encryption, inner products, decryption and decoding of a batch",
            latency,
        ),
        of("batch_user", "the same, time per user", per_user),
        of(
            "pipeline",
            "the batch, then its attestation: SHA3-256, ML-DSA-65 signature and its verification",
            pipeline,
        ),
    ];
    if matches!(place.set, "h0" | "h1") {
        return programs;
    }
    for threads in options.lanes() {
        for pool in [false, true] {
            let op = if pool { "batch_pool" } else { "batch_pinned" };
            let text = if pool {
                "batches on a pool of threads, time per batch over all"
            } else {
                "batches on threads that stay on one processor each, time per batch over all"
            };
            let work = move |meter: &mut Meter| scaling(place, meter, threads, pool);
            let op = format!("{op}{}", place.ending());
            programs.push(Program::new("bfv", place.set, op, text, work).on_threads(threads));
        }
    }
    programs
}

fn latency(place: Place, meter: &mut Meter) -> Result<(), Error> {
    timed(place, meter, |_| 1)
}

fn per_user(place: Place, meter: &mut Meter) -> Result<(), Error> {
    timed(place, meter, Matcher::users)
}

fn timed(place: Place, meter: &mut Meter, results: fn(&Matcher) -> usize) -> Result<(), Error> {
    let (own, mut rng) = (Matcher::new(place, meter)?, SecretRng::from_os()?);
    let scores = meter.time(results(&own), || own.batch(&mut rng));
    let scores = own.expecting(scores, meter)?;
    own.check(&scores, meter);
    Ok(())
}

fn pipeline(place: Place, meter: &mut Meter) -> Result<(), Error> {
    let (own, mut rng) = (Matcher::new(place, meter)?, SecretRng::from_os()?);
    let attestation = Attestation::new(&mut rng);
    let whole = || {
        let scores = own.batch(&mut rng)?;
        let verified = attestation.attests(&scores);
        Ok((scores, verified))
    };
    let found = meter.time(1, whole);
    let (scores, verified) = own.expecting(found, meter)?;
    own.check(&scores, meter);
    meter.check([verified], [true]);
    meter.remark("attestation of the scores, not a proof of the computation");
    Ok(())
}

/// Times batches on several threads, which share keys and nothing else.
fn scaling(place: Place, meter: &mut Meter, threads: usize, pool: bool) -> Result<(), Error> {
    let own = Matcher::new(place, meter)?;
    meter.results_a_sample(threads * BATCHES);
    let workers = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let workers = workers.map_err(|e| Error::Threads { threads, reason: e.to_string() })?;
    let batches = |_: usize| -> Result<Vec<Vec<i64>>, Error> {
        let mut rng = SecretRng::from_os()?;
        (0..BATCHES).map(|_| own.batch(&mut rng)).collect()
    };
    let begin = Instant::now();
    loop {
        let (elapsed, results) = if pool {
            let start = Instant::now();
            let one = |_| own.batch(&mut SecretRng::from_os()?);
            let all = || (0..threads * BATCHES).into_par_iter().map(one).collect();
            let all: Result<Vec<Vec<i64>>, Error> = workers.install(all);
            (start.elapsed(), vec![all])
        } else {
            pinned::run(threads, batches)
        };
        for result in results {
            for scores in own.expecting(result, meter)? {
                own.check(&scores, meter);
            }
        }
        meter.sample(elapsed);
        if meter.is_enough(begin.elapsed()) {
            return Ok(());
        }
    }
}
