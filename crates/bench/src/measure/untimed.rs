//! Cases without samples: serialised sizes, and chains of products up to the noise limit.

use fathom_drivers::ops::Op;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Encoding, KeyKind};

use super::tally::Tally;
use super::workbench::Workbench;
use crate::verify;

/// Number of products after which a chain ends if the library never refuses.
pub(super) const LONGEST_CHAIN: usize = 40;

/// Measures the sizes of fresh ciphertexts under every key that encrypts.
///
/// # Errors
/// Any [`Fault`] of the driver.
pub(super) fn sizes(tally: &mut Tally, bench: &mut Workbench) -> Result<(), Fault> {
    let has = |op: &str| bench.operations.iter().any(|own| own == op);
    let public = bench.params.has_public_key() && has("encrypt_pk");
    let secret = has("encrypt_sk") || !public;
    let modes = [(KeyKind::Sk, secret), (KeyKind::Pk, public)];
    for (mode, _) in modes.into_iter().filter(|(_, wanted)| *wanted) {
        let (handle, values, bytes) = bench.encrypt_random(mode, None)?;
        tally.note_input(Some(bytes));
        tally.checked += bench.compare(handle, &values.into(), Encoding::Slots)?;
        bench.driver.forget(vec![handle])?;
    }
    Ok(())
}

/// Multiplies until the library refuses; checks every product before that.
///
/// # Errors
/// Any [`Fault`] of the driver; the refusal that the case waits for is one.
pub(super) fn chain(
    tally: &mut Tally,
    op: &Op,
    inputs: KeyKind,
    bench: &mut Workbench,
) -> Result<(), Fault> {
    let t = bench.params.plain_modulus;
    let (mut x, mut product, bytes) = bench.encrypt_random(inputs, None)?;
    tally.note_input(Some(bytes));
    let mut level = None;
    for depth in 0..LONGEST_CHAIN {
        tally.depth_reached = Some(depth);
        let (y, factor, _) = bench.encrypt_random(inputs, level)?;
        let (outputs, timed) = bench.apply("mul_switch", vec![vec![x, y]; bench.threads])?;
        let expected = verify::expected(op, &[product, factor], t);
        tally.noise = timed.noise_budget_bits;
        tally.checked += bench.compare(outputs[0], &expected, Encoding::Slots)?;
        product = expected.values;
        if tally.checked.mismatches > 0 {
            return Ok(());
        }
        bench.driver.forget(vec![x, y])?;
        (x, level) = (outputs[0], timed.level);
    }
    Ok(())
}
