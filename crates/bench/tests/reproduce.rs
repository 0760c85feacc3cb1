//! `fathom reproduce`: a published document, run and printed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom_documents::beside::Outcome;
use fathom_documents::{documents, outcomes, record};
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
    assert!(
        run.stdout.contains("total: fathom") || run.stdout.contains(": fathom"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains(" ms*, n ") && !run.stdout.contains("NaN"), "{}", run.stdout);
    let bench: Value = serde_json::from_str(&written("bench.json")).unwrap();
    // The document's main program: its keys, without nulls.
    assert!(bench["depth_chain"]["entries"].as_array().is_some_and(|entries| !entries.is_empty()));
    let tests = bench["scale_tests"].as_object().unwrap();
    assert!(tests.len() == 4 && tests.values().all(|test| test["total_ops"].is_number()));
    assert!(bench["keygen_us"].is_number() && bench.get("depth_chain_refreshed").is_none());
    assert!(bench["operations"].as_object().unwrap().values().all(Value::is_number), "{bench}");
    assert!(bench["operations"]["mul_us"].as_f64().unwrap() > 0.0);
}

/// A record of the measured line of a run, under the id of another case.
fn line_of(id: &str) -> String {
    let run = include_str!("../../../records/quick-2026-11-20.jsonl");
    let mut lines = run.lines();
    let context = lines.next().unwrap();
    let mut case: Value =
        serde_json::from_str(lines.find(|line| line.contains("\"op\":\"mul\"")).unwrap()).unwrap();
    case["id"] = id.into();
    format!("{context}\n{case}\n")
}

#[test]
fn a_record_is_continued_with_what_it_lacks_and_never_begun_twice() {
    let folder = folder("record-004");
    let document = documents::find("004").unwrap();
    let id = "fathom/bfv/nine65-128/add";
    let packed = record::compress(line_of(id).as_bytes()).unwrap();
    std::fs::write(record::file(&folder, &document), packed).unwrap();
    let at = folder.to_str().unwrap();
    let command = ["reproduce", "004", "--record", at, "--allow-debug"];
    let begun = fathom(&command);
    assert!(begun.code == 2 && begun.stderr.contains("--continue"), "{}", begun.stderr);
    let with = |more: &[&str]| fathom(&[&command[..], &["--continue"], more].concat());
    let lacks = |run: &crate::support::Run, id: &str| {
        run.stdout.lines().any(|line| line.split("  ").next() == Some(id))
    };
    let listed = with(&["--dry-run"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(
        !lacks(&listed, id) && lacks(&listed, "fathom/bfv/nine65-128/sub"),
        "{}",
        listed.stdout
    );
    assert!(lacks(&with(&["--dry-run", "--again", "nine65-128/add$"]), id));
    // A sitting that was killed, in the middle of a line.
    let part = folder.join("004.part");
    std::fs::create_dir(&part).unwrap();
    let other = "fathom/bfv/nine65-128/sub";
    let half = format!("{}{{\"kind\":\"case\",\"id\"", line_of(other));
    std::fs::write(part.join("results.jsonl"), half).unwrap();
    let ended = with(&["--budget", "1ms"]);
    assert!(ended.stdout.contains("2 cases of 2 sittings"), "{} {}", ended.stdout, ended.stderr);
    assert!(ended.code == 1 && !part.exists(), "{}", ended.stderr);
    assert!(!lacks(&with(&["--dry-run"]), other));
}

#[test]
fn a_dry_run_lists_the_rows_of_a_document_and_writes_nothing() {
    let folder = folder("reproduce-002");
    let out = folder.join("run");
    let line = ["reproduce", "002", "--quick", "--budget", "100ms", "--allow-debug", "--dry-run"];
    let run = fathom(&[&line[..], &["--out", out.to_str().unwrap()]].concat());
    assert!(run.code == 0 && !out.exists(), "{}", run.stderr);
    assert!(run.stdout.contains("fathom/tfhe/u_2_2_128/"), "{}", run.stdout);
}

#[test]
fn shells_get_completions_of_every_command() {
    let run = fathom(&["completions", "bash"]);
    assert!(run.code == 0 && run.stdout.contains("reproduce"), "{}", run.stderr);
    assert_eq!(fathom(&["completions", "tcsh"]).code, 2);
}

#[test]
fn what_is_no_document_is_refused_with_those_there_are() {
    let run = fathom(&["reproduce", "005"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("000 (PVAC-HFHE beside OpenFHE)"), "{}", run.stderr);
}
