//! One bootstrapping of another library: its time, and what it leaves.

use fathom_cases::program::Meter;
use fathom_cases::record::{KeySecurity, Refresh};
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{Args, KeyKind};

use super::shared::{MOST_SAMPLES, bytes};
use crate::measure::bootstrapping::{Bootstrapping, REFRESH, complex, pairs};
use crate::suites::bootstrap::messages::messages;
use crate::verify::TOLERANCE;

/// Largest error of a slot of a peer that still holds its message, where every slot is 1. The
/// record states how large it is; a result beyond this is wrong.
const ONES_TOLERANCE: f64 = 0.0625;

pub(super) fn run(meter: &mut Meter, launch: &Launch, set: &str) -> Result<(), Fault> {
    let mut peer = Bootstrapping::open(launch, &REFRESH, set)?;
    let params = peer.params.clone();
    meter.params(params.clone());
    meter.inputs(KeyKind::Sk);
    let slots = params.slots;
    let [uniform, ones] = messages(meter.seed(), slots);
    let input = peer.encrypt(pairs(&uniform))?;
    let samples = meter.calls().unwrap_or(MOST_SAMPLES);
    let budget = Some(meter.budget().as_nanos() as u64);
    let timed = peer.run(input.ct, Args::default(), [1, samples], budget)?;
    meter.add_run(&timed);
    let of_uniform = meter.check_near(&complex(&peer.decrypt(&timed)?), &uniform, TOLERANCE);
    let input_of_ones = peer.encrypt(pairs(&ones))?.ct;
    let result_of_ones = peer.run(input_of_ones, Args::default(), [0, 1], None)?;
    let found_ones = complex(&peer.decrypt(&result_of_ones)?);
    let of_ones = meter.check_near(&found_ones, &ones, ONES_TOLERANCE);
    let keys = peer.keys.published.iter().map(|keys| KeySecurity::of(&params, keys)).collect();
    let levels = f64::from(timed.level.unwrap_or(0));
    let seconds = meter.median_ns().unwrap_or(f64::INFINITY) / 1e9;
    meter.values(slots);
    meter.refresh(Refresh::new(
        [levels, params.scale_bits.unwrap_or(0.0)],
        [slots as f64, seconds],
        [of_uniform, of_ones],
        keys,
    ));
    meter.bytes(bytes(&peer, input.bytes.packed, timed.bytes_out));
    peer.bye()
}
