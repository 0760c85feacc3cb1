//! The record of a case, from what its rounds have found.

use fathom_cases::record::{
    Case, Derived, FailureProbability, Lane, NoiseVariance, Observed, Semantics, Status, TimeNs,
    Verify, assess, round1,
};
use fathom_drivers::ops::{Measure, Op, SchemeKind};
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{Bootstraps, Encoding, NoiseStep, ParamsInfo};

use super::case_run::CaseRun;
use super::untimed::LONGEST_CHAIN;
use super::workbench::Workbench;
use crate::plan::libraries::Known;
use crate::plan::suite::CaseSpec;
use crate::verify;

impl CaseRun {
    /// Returns the record of the case on a library.
    pub fn record(&self, library: &Known, bench: Option<&Workbench>) -> Case {
        let CaseSpec { scheme, op, threads, .. } = &self.spec;
        let params = bench.map(|bench| bench.params.clone());
        let time_ns = TimeNs::of(&self.tally.series);
        let timed = time_ns.is_some();
        let slots = params.as_ref().map_or(0, |params| self.values_of(params));
        let mut bytes = self.tally.bytes;
        if let Some(bench) = bench {
            let keys = bench.keys;
            bytes.sk = Some(keys.sk);
            if bench.params.kind().bootstraps() {
                bytes.bootstrapping = Some(keys.bootstrapping).filter(|bytes| *bytes > 0);
                let memory = Some(keys.bootstrapping_memory);
                bytes.bootstrapping_memory = memory.filter(|bytes| *bytes > 0);
            } else {
                (bytes.pk, bytes.relin) = (Some(keys.pk), Some(keys.relin));
                bytes.galois = bytes.galois.or(Some(keys.galois));
            }
            bytes.peak_rss = Some(bench.driver.peak_rss()).filter(|bytes| *bytes > 0);
        }
        let scenario = if *threads > 1 { "batch" } else { "latency" };
        Case {
            kind: "case".into(),
            id: self.spec.id(&library.info.name),
            lib: library.info.clone(),
            own: library.is_own(),
            encodes: library.encodes(),
            scheme: scheme.clone(),
            op: op.name().into(),
            scenario: timed.then(|| scenario.into()),
            question: Some(self.spec.question()),
            division: Some(self.spec.division),
            lane: Lane {
                pack: pack(op, params.as_ref()).into(),
                slots,
                threads: *threads,
                op_threads: self.spec.op_threads,
                inputs: self.spec.inputs,
            },
            semantics: Semantics::of(op.encoding(), params.as_ref()),
            security: params.as_ref().and_then(assess),
            verify: self.verdict(params.as_ref()),
            derived: derived(time_ns.as_ref(), slots, op),
            params,
            time_ns,
            bytes,
            provenance: "measured".into(),
            application: None,
        }
    }

    fn values_of(&self, params: &ParamsInfo) -> usize {
        let packed = self.spec.op.encoding() == Encoding::Coefficients;
        if packed { params.n } else { params.slots }
    }

    fn verdict(&self, params: Option<&ParamsInfo>) -> Verify {
        let past_budget = self.spec.op.measure() == Measure::PastBudget;
        let status = match &self.fault {
            _ if self.tally.checked.mismatches > 0 => Status::Wrong,
            None if self.tally.checked.values > 0 => Status::Ok,
            Some(fault) => fault.into(),
            None => Status::Failed,
        };
        let remark = match status {
            Status::Failed => Some("no result was checked".to_owned()),
            Status::Ok if past_budget => {
                Some(format!("no refusal within {LONGEST_CHAIN} products, all correct"))
            }
            Status::Ok
            | Status::Wrong
            | Status::NoiseExhausted
            | Status::Unsupported
            | Status::Unverified => None,
        };
        let wanted = if past_budget { Status::NoiseExhausted } else { Status::Ok };
        Verify {
            status,
            // Which of the sets of a group refuse an operation depends on their noise.
            expected: status == wanted || self.spec.refused && status == Status::NoiseExhausted,
            checked: self.tally.checked.values,
            mismatches: self.tally.checked.mismatches,
            reason: self.fault.as_ref().map(Fault::reason).or(remark),
            depth_reached: self.tally.depth_reached,
            noise_budget_bits: NoiseStep {
                before: self.tally.noise.before.map(round1),
                after: self.tally.noise.after.map(round1),
                predicted_after: self.tally.noise.predicted_after.map(round1),
            },
            bootstraps: self.tally.bootstraps.map(|Bootstraps { count, layers }| Bootstraps {
                count: round1(count),
                layers: round1(layers),
            }),
            noise_variance: self.tally.variance.map(NoiseVariance::of),
            precision_bits: self.tally.checked.precision_bits.map(round1),
            tolerance: params
                .filter(|params| params.kind().is_approximate())
                .map(|_| verify::TOLERANCE),
            p_fail_log2: params.and_then(|params| params.p_fail_log2).map(|each| {
                // Union bound: the probability that any bootstrap fails is at most the sum.
                let bootstraps = self.tally.bootstraps.map_or(1.0, |found| found.count.max(1.0));
                let observed =
                    Observed { fail: self.tally.checked.mismatches, n: self.tally.checked.values };
                FailureProbability { predicted: round1(each + bootstraps.log2()), observed }
            }),
        }
    }
}

/// Returns the layout of the values in a ciphertext.
fn pack(op: &Op, params: Option<&ParamsInfo>) -> &'static str {
    let kind = params.map(ParamsInfo::kind);
    if op.encoding() == Encoding::Coefficients {
        "coefficients"
    } else {
        kind.map_or("simd", SchemeKind::pack)
    }
}

fn derived(time: Option<&TimeNs>, slots: usize, op: &Op) -> Derived {
    let Some(time) = time.filter(|time| time.median > 0) else { return Derived::default() };
    let per_value = op.has_lanes() && slots > 1 && op.encoding() == Encoding::Slots;
    let per_slot = (time.median as f64 / slots as f64 * 1e3).round() / 1e3;
    Derived {
        ns_per_slot: per_value.then_some(per_slot),
        ops_per_s: Some(time.per_second()),
        ..Derived::default()
    }
}
