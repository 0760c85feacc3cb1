//! Rounds of cases that time calls of an operation.

use std::time::Duration;

use fathom_cases::effort::{Effort, LONG_CALL};
use fathom_drivers::ops::Op;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Args, Run, Timed};

use super::tally::Tally;
use super::workbench::{Batch, Workbench};

/// Makes fresh inputs, takes samples and checks every result.
///
/// # Errors
/// Any [`Fault`] of the driver.
pub(super) fn round(
    tally: &mut Tally,
    op: &Op,
    effort: &Effort,
    bench: &mut Workbench,
) -> Result<(), Fault> {
    let sets = op.input_sets(bench.threads);
    let batch = bench.make(op, sets)?;
    tally.note_input(batch.bytes);
    if let Some(calls) = op.calls_a_sample() {
        tally.series.iterations = calls.div_ceil(bench.threads);
    }
    let unknown = tally.series.iterations == 0;
    let long = if unknown { calibrate(tally, op, effort, bench, &batch)? } else { None };
    let iterations = tally.series.iterations;
    let warmup = if tally.call_is_long() { 0 } else { sets.div_ceil(bench.threads) };
    let request = Run {
        warmup,
        samples: tally.samples_a_round(effort),
        // A fixed number of calls has no time limit but that of a reply.
        budget_ns: effort.calls.is_none().then(|| effort.slice().as_nanos() as u64),
        ..request(iterations)
    };
    let timed = match long {
        Some(timed) => timed,
        None => bench.time(op, &batch, request)?,
    };
    tally.series.extend(&timed, iterations * bench.threads * op.results_a_call());
    // The size of a decryption's result is that of the chain's last product.
    let (bytes, theory) = match batch.product {
        Some(product) if timed.bytes_out == 0 => product,
        Some(_) | None => (timed.bytes_out, timed.theory_out),
    };
    tally.bytes.ct_out = Some(bytes).filter(|bytes| *bytes > 0);
    tally.bytes.ct_theory_out = theory;
    tally.noise = timed.noise_budget_bits;
    tally.bootstraps = timed.bootstraps;
    if let Some(variance) = timed.variance {
        tally.variance = Some(tally.variance.map_or(variance, |known| known.join(variance)));
    }
    tally.checked += bench.check(op, &batch, &timed.outputs)?;
    bench.clear(batch, &timed.outputs)
}

/// Determines the number of calls in a sample: 1 if the first call is long enough to be a sample,
/// which is returned, or much longer than the minimum duration; else from the shortest of three
/// single calls, each on its own inputs, and then from one longer sample.
fn calibrate(
    tally: &mut Tally,
    op: &Op,
    effort: &Effort,
    bench: &mut Workbench,
    batch: &Batch,
) -> Result<Option<Timed>, Fault> {
    tally.series.iterations = 1;
    let first = bench.time(op, batch, request(1))?;
    let call = Duration::from_nanos(first.samples_ns[0]);
    if call >= LONG_CALL {
        return Ok(Some(first));
    }
    bench.driver.forget(first.outputs.into_iter().flatten().collect())?;
    if call >= 20 * effort.sample {
        return Ok(None);
    }
    let mut iterations = 1;
    for samples in [3, 1] {
        let timed = bench.time(op, batch, Run { warmup: 1, samples, ..request(iterations) })?;
        let fastest = timed.samples_ns.iter().min().copied().unwrap_or(0);
        if bench.threads == 1 {
            let first = fastest / op.results_a_call() as u64;
            tally.series.first_call_ns.get_or_insert(first);
        }
        bench.driver.forget(timed.outputs.into_iter().flatten().collect())?;
        let call = Duration::from_nanos(fastest / iterations as u64);
        iterations = effort.iterations_for(call);
    }
    tally.series.iterations = iterations;
    Ok(None)
}

/// Returns the parts of a request that do not depend on the operation.
fn request(iterations: usize) -> Run {
    Run {
        session: 0,
        op: String::new(),
        args: Args::default(),
        inputs: Vec::new(),
        warmup: 0,
        iterations,
        samples: 1,
        budget_ns: None,
    }
}
