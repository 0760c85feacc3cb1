//! The record of a case.

use fathom_cases::effort::Series;
use fathom_cases::question::Division;
use fathom_cases::record::{
    Application, Bytes, Case, Derived, FailureProbability, Lane, Observed, Phases, Predicted,
    Security, Semantics, Status, TimeNs, Verify, round1,
};
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{KeyKind, NoiseStep};

use super::choice::ApplicationCase;
use super::measure::{Effort, Measured};

/// Returns the record of a case that was measured or that ended with a fault.
pub(super) fn record(
    case: &ApplicationCase,
    effort: &Effort,
    ended: Result<Measured, Fault>,
    predicted: Option<Predicted>,
) -> Case {
    let (measured, fault) = match ended {
        Ok(measured) => (measured, None),
        Err(fault) => (Measured::default(), Some(fault)),
    };
    let time_ns = TimeNs::of(&warm(&measured.computations));
    Case {
        kind: "case".into(),
        id: case.id(),
        lib: case.library.clone(),
        own: false,
        encodes: false,
        scheme: case.scheme.clone(),
        op: case.op(),
        question: Some(case.question()),
        division: Some(Division::Equal),
        scenario: time_ns.as_ref().map(|_| "latency".into()),
        lane: Lane {
            pack: if case.scheme == "tfhe" { "scalar" } else { "simd" }.into(),
            slots: 1,
            threads: 1,
            op_threads: case.threads,
            inputs: KeyKind::Sk,
        },
        semantics: semantics(case),
        params: None,
        security: measured.security_bits.map(security),
        verify: verify(&measured, fault.as_ref()),
        bytes: Bytes {
            ct_in: known(measured.messages.upload),
            ct_out: known(measured.messages.download),
            peak_rss: known(measured.server_peak_bytes),
            ..Bytes::default()
        },
        derived: Derived {
            ops_per_s: time_ns.as_ref().map(TimeNs::per_second),
            ..Derived::default()
        },
        provenance: "measured".into(),
        application: fault
            .is_none()
            .then(|| application(case, effort, &measured, time_ns.as_ref(), predicted)),
        time_ns,
    }
}

/// Returns the computations without the first, which fills caches; all if there is one only.
fn warm(all: &Series) -> Series {
    let skipped = usize::from(all.samples.len() > 1);
    Series {
        samples: all.samples[skipped.min(all.samples.len())..].to_vec(),
        iterations: 1,
        results: 1,
        ..Series::default()
    }
}

fn known(bytes: u64) -> Option<u64> {
    (bytes > 0).then_some(bytes)
}

fn semantics(case: &ApplicationCase) -> Semantics {
    let tolerance = fathom_workloads::find(&case.task.workload)
        .map_or(0.0, |workload| workload.spec().tolerance);
    let kind = if tolerance > 0.0 { "approximate" } else { "exact_integers" };
    Semantics { kind: kind.into(), p: None, keys: None, compact: None }
}

fn security(bits: f64) -> Security {
    Security {
        classical: Some(round1(bits)),
        quantum: None,
        level: [256, 192, 128].into_iter().find(|level| bits >= f64::from(*level)),
        model: "stated by the driver".into(),
        source: "the driver's parameters".into(),
        badge: "estimate".into(),
    }
}

fn verify(measured: &Measured, fault: Option<&Fault>) -> Verify {
    let (status, reason) = match fault {
        None if measured.wrong.is_some() => (Status::Wrong, measured.wrong.clone()),
        None => (Status::Ok, None),
        Some(fault) => (fault.into(), Some(fault.reason())),
    };
    let fail = u64::from(measured.wrong.is_some());
    let observed = Observed { fail, n: measured.checked };
    Verify {
        status,
        expected: status == Status::Ok,
        checked: measured.checked,
        mismatches: fail,
        reason,
        depth_reached: None,
        noise_budget_bits: NoiseStep::default(),
        bootstraps: measured.bootstraps,
        noise_variance: None,
        precision_bits: None,
        tolerance: None,
        p_fail_log2: measured
            .failure_log2
            .map(|predicted| FailureProbability { predicted, observed }),
    }
}

fn application(
    case: &ApplicationCase,
    effort: &Effort,
    measured: &Measured,
    time_ns: Option<&TimeNs>,
    predicted: Option<Predicted>,
) -> Application {
    let warm = time_ns.map_or(0, |time| time.median);
    Application {
        task: case.task.clone(),
        method: case.method.clone(),
        seeds: effort.seeds.clone(),
        parameters: measured.parameters.clone(),
        phases: Phases { compute_warm_ns: warm, ..measured.phases },
        messages: measured.messages,
        client_peak_bytes: measured.client_peak_bytes,
        server_peak_bytes: measured.server_peak_bytes,
        compute_cpu_ns: measured.compute_cpu_ns,
        predicted,
    }
}
