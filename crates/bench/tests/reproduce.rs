//! `fathom reproduce`: a published document, run and printed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom_documents::beside::Outcome;
use fathom_documents::{documents, outcomes};
use serde_json::Value;

use crate::support::{fathom, folder};

#[test]
fn document_004_is_run_printed_and_judged() {
    let folder = folder("reproduce-004");
    let out = folder.join("run");
    let arguments = ["reproduce", "004", "--quick", "--budget", "3s", "--allow-debug", "--out"];
    let run = fathom(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let written = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    for title in ["Performance baselines", "Depth chain performance", "RNS 4-lane"] {
        assert!(run.stdout.contains(title) && written("tables.md").contains(title), "{title}");
    }
    // The printed product takes 152.13 ms, and a chain of 50 exceeds the noise limit.
    assert!(run.stdout.contains("152.1 ms") && run.stdout.contains("refused"), "{}", run.stdout);
    assert!(run.stdout.contains("where the document prints 2048"), "{}", run.stdout);
    assert!(run.stdout.contains("Its claims: 2 sum_mismatch"), "{}", run.stdout);
    let outcomes = outcomes::read(&written("outcomes.csv")).unwrap();
    assert_eq!(outcomes.len(), documents::find("004").unwrap().rows().len());
    let count = |wanted| outcomes.iter().filter(|row| row.outcome == wanted).count();
    let found = [Outcome::Verified, Outcome::StandsIn, Outcome::Refused].map(count);
    assert_eq!(found, [4, 8, 2], "{outcomes:#?}");
    assert!(written("all.csv").contains("bfv,nine65-128,mul,"), "{}", written("all.csv"));
    let bench: Value = serde_json::from_str(&written("bench.json")).unwrap();
    assert!(bench["operations"]["mul_us"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_is_no_document_is_refused_with_those_there_are() {
    let run = fathom(&["reproduce", "005"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("000 (PVAC-HFHE beside OpenFHE)"), "{}", run.stderr);
}
