//! A table that a bootstrapping of another library applies to all values of a ciphertext.

use fathom_cases::program::Meter;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{Args, Code, KeyKind, Refusal};
use fathom_drivers::random::SplitMix64;

use super::shared::{MOST_SAMPLES, bytes};
use crate::measure::bootstrapping::{Bootstrapping, LOOKUP};
use crate::suites::bootstrap::tables::{every_integer, integers};

pub(super) fn run(meter: &mut Meter, launch: &Launch, set: &str) -> Result<(), Fault> {
    let mut peer = Bootstrapping::open(launch, &LOOKUP, set)?;
    let params = peer.params.clone();
    let size = params.plain_modulus as usize;
    if size == 0 || size > params.slots {
        let message = format!("tables of {size} entries are not 1 to {}", params.slots);
        return Err(Refusal::new(Code::Internal, message).into());
    }
    meter.params(params.clone());
    meter.inputs(KeyKind::Sk);
    let mut random = SplitMix64(meter.seed());
    let table = integers(&mut random, size, size);
    let operands = every_integer(&mut random, size, params.slots);
    let expected: Vec<i64> = operands.iter().map(|value| table[*value as usize]).collect();
    let input = peer.encrypt(operands.into())?;
    let samples = meter.calls().unwrap_or(MOST_SAMPLES);
    let budget = Some(meter.budget().as_nanos() as u64);
    let args = Args { coefficients: Some(table), ..Args::default() };
    let timed = peer.run(input.ct, args, [1, samples], budget)?;
    meter.add_run(&timed);
    let found = peer.decrypt(&timed)?;
    meter.check(found.integers()?.iter().copied(), expected);
    meter.values(params.slots);
    meter.bytes(bytes(&peer, input.bytes.packed, timed.bytes_out));
    peer.bye()
}
