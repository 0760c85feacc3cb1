//! Every program runs in a small form, and every program compares its results.

use std::collections::HashSet;
use std::time::Duration;

use fathom::Error;
use fathom::ckks::Complex64;
use fathom_cases::record::{Case, Status};

use super::{Meter, Options, Outcome, Program, programs, run_one};

/// The suites whose programs run in tests.
const SUITES: [&str; 3] = ["nine65", "h33", "kernels"];

/// A suite whose programs need gigabytes: tests run what they judge their results with.
const LARGE: &str = "bootstrap";

fn small() -> Options {
    Options { quick: true, threads: vec![1, 2], ..Options::default() }
}

fn meter() -> Meter {
    Meter::new(Duration::from_millis(1), 7)
}

fn all() -> Vec<Program> {
    SUITES.iter().flat_map(|suite| programs(suite, &small())).collect()
}

#[test]
fn ids_are_unique_and_have_the_form_of_the_schema() {
    let form = regex::Regex::new("^fathom/[^/ ]+/[^/ ]+/[^/ ?]+(\\?threads=[0-9]+)?$").unwrap();
    for options in [small(), Options::default()] {
        for suite in SUITES.into_iter().chain([LARGE]) {
            let ids: Vec<String> = programs(suite, &options).iter().map(Program::id).collect();
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{suite}");
            assert!(ids.iter().all(|id| form.is_match(id)), "{ids:?}");
        }
    }
}

#[test]
fn every_program_ends_verified_or_refused_for_its_noise_and_notices_a_wrong_result() {
    for program in all() {
        let Outcome { case, .. } = run_one(&program, meter());
        let verify = &case.verify;
        assert!(verify.expected, "{}: {verify:?}", case.id);
        let refused = verify.status == Status::NoiseExhausted;
        assert!(refused || verify.status == Status::Ok, "{}: {verify:?}", case.id);
        assert!(refused || verify.checked > 0, "{}", case.id);
        assert!(refused || case.time_ns.is_some(), "{}", case.id);
        let encrypted = case.semantics.kind != "not encrypted";
        assert_eq!(encrypted, program.is_encrypted(), "{}", case.id);
        if verify.checked > 0 {
            let mutated = run_one(&program, meter().mutating()).case.verify;
            assert_eq!(mutated.status, Status::Wrong, "{}: {mutated:?}", case.id);
        }
    }
}

/// Compares two slots, of which the second is off by `error`, with the tolerance of one thousandth.
fn near(error: f64, meter: Meter) -> Case {
    let program = Program::new("ckks", "x", "y", "z", move |meter| {
        let expected = [Complex64::ONE, Complex64::new(0.0, -1.0)];
        let found = [expected[0], expected[1] + Complex64::new(error, 0.0)];
        meter.once(|| Ok::<_, Error>(()))?;
        meter.values(4);
        meter.check_near(&found, &expected, 1e-3);
        Ok(())
    });
    run_one(&program, meter).case
}

#[test]
fn an_approximate_result_is_right_up_to_its_bound() {
    let case = near(2f64.powi(-12), meter());
    assert_eq!((case.verify.status, case.verify.checked), (Status::Ok, 2));
    assert_eq!((case.verify.precision_bits, case.verify.tolerance), (Some(12.0), Some(1e-3)));
    let time = case.time_ns.unwrap();
    assert_eq!(case.derived.ns_per_slot, Some(time.median as f64 / 4.0));
    for wrong in [near(2e-3, meter()), near(f64::NAN, meter()), near(0.0, meter().mutating())] {
        assert_eq!((wrong.verify.status, wrong.verify.mismatches), (Status::Wrong, 1));
    }
}

#[test]
fn a_program_without_its_memory_is_unsupported_with_the_reason() {
    let program = Program::infallible("ckks", "x", "y", "z", |meter| meter.skip("too small"));
    let verify = run_one(&program, meter()).case.verify;
    assert_eq!((verify.status, verify.reason.as_deref()), (Status::Unsupported, Some("too small")));
}

#[test]
fn a_quick_run_bootstraps_the_smallest_set_alone() {
    let quick = programs(LARGE, &small());
    let ops: Vec<&str> = quick.iter().map(|program| &*program.op).collect();
    assert_eq!(ops, ["bootstrap", "table4", "table4_x4"]);
    assert!(quick.iter().all(|program| program.params == "boot-c"));
    let full: HashSet<String> = programs(LARGE, &Options::default())
        .iter()
        .map(|program| format!("{} {}", program.params, program.op))
        .collect();
    for wanted in ["boot-a bootstrap", "boot-b bootstrap", "boot-t table8_x4", "boot-t sign_slots"]
    {
        assert!(full.contains(wanted), "{wanted}");
    }
}
