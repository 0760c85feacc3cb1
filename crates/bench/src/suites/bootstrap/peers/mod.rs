//! Bootstrappings of other libraries, through the driver protocol.

use super::messages::messages;
use crate::drivers::process::{Fault, Launch};
use crate::drivers::protocol::KeyKind;
use crate::measure::bootstrapping::{self, Bootstrapping};
use crate::ops::BOOTSTRAP;
use crate::plan::libraries::Known;
use crate::record::{Bytes, KeySecurity, Refresh};
use crate::suites::meter::Meter;
use crate::suites::program::Program;
use crate::verify::TOLERANCE;

/// Largest error of a slot of a peer that still holds its message, where every slot is 1. The
/// record states how large it is; a result beyond this is wrong.
const ONES_TOLERANCE: f64 = 0.0625;
/// Largest number of samples, which the time for the program limits in practice.
const MOST_SAMPLES: usize = 100;

/// Returns a program for every set that a library can bootstrap.
pub fn programs(library: &Known) -> Vec<Program> {
    let program = |set: &String| {
        let (launch, name) = (library.entrant.launch.clone(), set.clone());
        let meaning = "one bootstrapping of complex slots, from the last level to the top one";
        let work = move |meter: &mut Meter| {
            if let Err(fault) = run(meter, &launch, &name) {
                meter.fault(fault);
            }
        };
        let program =
            Program::infallible(bootstrapping::SCHEME, set.clone(), BOOTSTRAP, meaning, work);
        program.of_library(library.info.clone())
    };
    bootstrapping::sets(&library.schemes).iter().map(program).collect()
}

fn run(meter: &mut Meter, launch: &Launch, set: &str) -> Result<(), Fault> {
    let mut peer = Bootstrapping::open(launch, set)?;
    let params = peer.params.clone();
    meter.params(params.clone());
    meter.inputs(KeyKind::Sk);
    let slots = params.slots;
    let [uniform, ones] = messages(meter.seed(), slots);
    let input = peer.encrypt(&uniform)?;
    let samples = meter.calls().unwrap_or(MOST_SAMPLES);
    let timed = peer.run(input.ct, 1, samples, Some(meter.budget().as_nanos() as u64))?;
    meter.series.extend(&timed, 1);
    let of_uniform = meter.check_near(&peer.decrypt(&timed)?, &uniform, TOLERANCE);
    let input_of_ones = peer.encrypt(&ones)?.ct;
    let result_of_ones = peer.run(input_of_ones, 0, 1, None)?;
    let of_ones = meter.check_near(&peer.decrypt(&result_of_ones)?, &ones, ONES_TOLERANCE);
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
    let bytes = peer.keys.bytes;
    let known = |bytes: u64| Some(bytes).filter(|bytes| *bytes > 0);
    meter.bytes(Bytes {
        ct_in: known(input.bytes.packed),
        ct_out: known(timed.bytes_out),
        sk: known(bytes.sk),
        bootstrapping: known(bytes.bootstrapping),
        bootstrapping_memory: known(bytes.bootstrapping_memory),
        peak_rss: known(peer.peak_rss()),
        ..Bytes::default()
    });
    peer.bye()
}
