//! Rounds of cases that time key generation, in a session of their own, so that the other cases of
//! the driver keep their keys.

use fathom_cases::effort::Effort;
use fathom_drivers::ops::torus::{BlockOp, Gate};
use fathom_drivers::ops::{Measure, Op, Operand};
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Encoding, Handle, Keygen};

use super::tally::Tally;
use super::workbench::Workbench;
use crate::plan::suite::CaseSpec;
use crate::verify::{self, Values};

/// Generates keys in the session `own`, which is opened on first use, and checks them.
///
/// # Errors
/// Any [`Fault`] of the driver.
pub(super) fn round(
    tally: &mut Tally,
    spec: &CaseSpec,
    effort: &Effort,
    own: &mut Option<u64>,
    bench: &mut Workbench,
) -> Result<(), Fault> {
    let session = if let Some(session) = *own {
        session
    } else {
        let CaseSpec { scheme, request, .. } = spec;
        bench.driver.prepare(scheme, request.clone(), spec.lanes(), None)?.session
    };
    *own = Some(session);
    let shared = std::mem::replace(&mut bench.session, session);
    let result = in_session(tally, spec, effort, bench);
    bench.session = shared;
    result
}

fn in_session(
    tally: &mut Tally,
    spec: &CaseSpec,
    effort: &Effort,
    bench: &mut Workbench,
) -> Result<(), Fault> {
    let (steps, row_swap) = spec.op.rotation_keys(bench.params.slots, bench.params.rows());
    let first = tally.series.samples.is_empty();
    let keys = bench.driver.keygen(Keygen {
        session: bench.session,
        rotations: steps,
        row_swap: u8::from(row_swap),
        reps: if first { 1 } else { tally.samples_a_round(effort).min(20) },
    })?;
    let rotations = spec.op.measure() == Measure::RotationKeygen;
    let samples = if rotations { keys.rotate_samples_ns } else { keys.samples_ns };
    tally.series.samples.extend(samples.iter().map(|&ns| ns as f64));
    tally.series.iterations = 1;
    if rotations {
        tally.bytes.galois = Some(keys.bytes.galois);
    }
    let (handle, values, bytes) = bench.encrypt_random(spec.inputs, None)?;
    tally.note_input(Some(bytes));
    if bench.params.kind().bootstraps() {
        // Bits without room for carries have gates and no lookups of their own.
        let gates = bench.params.torus.as_ref().is_some_and(|torus| torus.carry_bits == 0);
        let op = if gates { Op::from(Gate::Nand) } else { Op::from(BlockOp::KsPbs) };
        check(tally, &op, handle, &values, bench)
    } else if let Some(op) = Op::parse("rotate_sum").filter(|_| rotations) {
        check(tally, &op, handle, &values, bench)
    } else {
        tally.checked += bench.compare(handle, &values.into(), Encoding::Slots)?;
        Ok(())
    }
}

/// Checks the keys by one operation, whose operands are all the same ciphertext.
fn check(
    tally: &mut Tally,
    op: &Op,
    handle: Handle,
    values: &Values,
    bench: &mut Workbench,
) -> Result<(), Fault> {
    let operands = op.operands().len();
    debug_assert!(op.operands().iter().all(|operand| *operand == Operand::Fresh));
    let (outputs, _) = bench.apply(op.name(), vec![vec![handle; operands]; bench.threads])?;
    let expected =
        verify::expected(op, &vec![values.clone(); operands], bench.params.plain_modulus);
    tally.checked += bench.compare(outputs[0], &expected, op.encoding())?;
    Ok(())
}
