//! The record of a program.

use fathom::Error;
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Encoding, NoiseStep, ParamsInfo};
use fathom_drivers::refusal::refusal;

use super::Program;
use super::meter::Meter;
use crate::question::Division;
use crate::record::{Case, Derived, Lane, Semantics, Status, TimeNs, Verify, assess, round1};

impl Program {
    /// Returns the record of the program after its work.
    pub fn record(&self, meter: &Meter, ended: &Result<(), Error>) -> Case {
        let time_ns = TimeNs::of(&meter.series);
        let scenario = if self.threads > 1 { "batch" } else { "latency" };
        let params = meter.params.as_ref();
        let slots = params.map_or(meter.values.unwrap_or(1), |params| params.slots.max(1));
        Case {
            kind: "case".into(),
            id: self.id(),
            lib: self.library.clone(),
            own: false,
            encodes: false,
            scheme: self.scheme.into(),
            op: self.op.clone(),
            question: Some(self.question()),
            division: Some(Division::Equal),
            scenario: time_ns.as_ref().map(|_| scenario.into()),
            lane: Lane {
                pack: if self.is_encrypted() { "simd" } else { "scalar" }.into(),
                slots,
                threads: self.threads,
                op_threads: 1,
                inputs: meter.inputs,
            },
            semantics: self.semantics(params),
            security: params.and_then(assess),
            verify: verdict(meter, ended),
            derived: Derived {
                ns_per_slot: meter.values.zip(time_ns.as_ref()).map(per_value),
                ops_per_s: time_ns.as_ref().map(TimeNs::per_second),
                roofline: meter.roofline,
                refresh: meter.refresh.clone(),
            },
            params: params.cloned(),
            time_ns,
            bytes: meter.bytes,
            provenance: "measured".into(),
            application: None,
        }
    }

    fn semantics(&self, params: Option<&ParamsInfo>) -> Semantics {
        if self.is_encrypted() {
            return Semantics::of(Encoding::Slots, params);
        }
        Semantics { kind: "not encrypted".into(), p: None, keys: None, compact: None }
    }
}

/// Returns the median divided by the number of values of a ciphertext.
fn per_value((values, time): (usize, &TimeNs)) -> f64 {
    time.median as f64 / values.max(1) as f64
}

fn verdict(meter: &Meter, ended: &Result<(), Error>) -> Verify {
    let refused = ended.as_ref().err().map(|error| Fault::Refused(refusal(error.clone())));
    let (status, reason) = match refused.as_ref().or(meter.fault.as_ref()) {
        _ if meter.mismatches > 0 => (Status::Wrong, None),
        Some(fault) => (fault.into(), Some(fault.reason())),
        None if meter.skipped.is_some() => (Status::Unsupported, meter.skipped.clone()),
        None if meter.checked > 0 => (Status::Ok, None),
        None => (Status::Failed, Some("no result was checked".to_owned())),
    };
    let exhausted = status == Status::NoiseExhausted;
    Verify {
        status,
        expected: if exhausted { meter.refusal_expected } else { status == Status::Ok },
        checked: meter.checked,
        mismatches: meter.mismatches,
        reason: reason.or_else(|| meter.remark.clone()),
        depth_reached: meter.depth_reached,
        noise_budget_bits: NoiseStep {
            before: meter.noise.before.map(round1),
            after: meter.noise.after.map(round1),
            predicted_after: meter.noise.predicted_after.map(round1),
        },
        bootstraps: None,
        noise_variance: None,
        precision_bits: meter.nearness.map(|found| round1(-found.error.log2())),
        tolerance: meter.nearness.map(|found| found.tolerance),
        p_fail_log2: None,
    }
}
