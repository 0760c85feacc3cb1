//! Every program runs in a small form, and every program compares its results.

use std::collections::HashSet;
use std::time::Duration;

use super::{Meter, Options, Outcome, Program, programs, run_one};
use crate::record::Status;

/// The suites that have programs.
const SUITES: [&str; 3] = ["nine65", "h33", "kernels"];

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
        for suite in SUITES {
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
