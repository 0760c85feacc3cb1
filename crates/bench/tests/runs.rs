//! Whole runs against a driver that behaves, lies, hangs, crashes, or sends too much or malformed
//! output.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::support::{Run, cases_of, command, fathom, fixture, folder, records};
use serde_json::Value;

/// Runs the rows of `quick` whose schemes the fixture has, or a part of them, and returns the run
/// and its folder.
fn bench(name: &str, mischief: &[&str], more: &[&str]) -> (Run, PathBuf) {
    let (folder, fixture) = (folder(name), fixture());
    let mut arguments =
        vec!["bench", "--allow-debug", "--verbose", "--peers", "none", "--budget", "2s"];
    arguments.extend(["--out", folder.to_str().unwrap(), "--driver", &fixture]);
    arguments.extend(["--schemes", "bfv,bgv"]);
    for argument in mischief {
        arguments.extend(["--driver-arg", argument]);
    }
    arguments.extend(more);
    (fathom(&arguments), folder)
}

fn assert_valid(records: &[Value]) {
    let schema: Value = serde_json::from_str(fathom_cases::record::JSON_SCHEMA).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for record in records {
        let errors: Vec<String> = schema.iter_errors(record).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{record}: {errors:?}");
    }
    assert_eq!(records[0]["kind"], "context");
}

#[test]
fn an_honest_library_gets_verified_records_a_table_and_a_report() {
    let (run, folder) = bench("honest", &["honest"], &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let records = records(&folder);
    assert_valid(&records);
    assert!(records.len() > 40);
    for case in &records[1..] {
        let verify = &case["verify"];
        assert_eq!(verify["expected"], true, "{case}");
        assert!(verify["checked"].as_u64().unwrap() >= 64, "{case}");
        let past = case["op"] == "chain_past_budget";
        assert_eq!(verify["status"], if past { "noise_exhausted" } else { "ok" });
        if let Some(n) = case["time_ns"]["n"].as_u64() {
            let flags = case["time_ns"]["flags"].as_array().unwrap();
            assert!(n >= 10 || flags.contains(&"few_samples".into()), "{case}");
            assert_eq!(case["time_ns"]["samples"].as_array().unwrap().len() as u64, n);
        }
    }
    assert!(!run.stdout.contains('\u{1b}'));
    assert!(run.stdout.contains("plain/bfv/e1/mul") && run.stdout.contains("refused as expected"));
    let csv = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    assert!(csv.starts_with("scheme,mode,op,mean,stddev,unit,n\n"));
    assert!(csv.contains("\nbfv,shallow,mul,") && csv.contains(",ct_size_bytes,"));
    let report = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(report.contains("plain/bfv/e1/mul"));
}

#[test]
fn a_run_compared_with_itself_does_not_differ() {
    let (_, folder) = bench("self", &["honest"], &["--ops", "mul,add"]);
    let folder = folder.to_str().unwrap();
    let same = fathom(&["compare", folder, folder, "--fail-if", "1%"]);
    assert_eq!(same.code, 0, "{}{}", same.stdout, same.stderr);
    assert!(same.stdout.contains("No difference above the noise floor"), "{}", same.stdout);
}

#[test]
fn runs_without_a_common_case_are_not_compared() {
    let (_, products) = bench("products", &["honest"], &["--ops", "mul"]);
    let (_, sums) = bench("sums", &["honest"], &["--ops", "add"]);
    let run = fathom(&["compare", products.to_str().unwrap(), sums.to_str().unwrap()]);
    assert_eq!(run.code, 5, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("no case with verified times in both"), "{}", run.stderr);
    assert!(!run.stdout.contains("No difference"), "{}", run.stdout);
}

#[test]
fn a_slower_run_is_a_regression() {
    let (_, folder) = bench("slower", &["honest"], &["--ops", "mul"]);
    let original = folder.join("results.jsonl");
    let slower = folder.join("slower.jsonl");
    let text = std::fs::read_to_string(&original).unwrap();
    // The noise of the machine that runs the test is left out.
    let times = |factor: u64| {
        let lines = text.lines().map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record["noise_floor_rel"] = 0.01.into();
            for sample in record["time_ns"]["samples"].as_array_mut().into_iter().flatten() {
                *sample = (sample.as_u64().unwrap() * factor).into();
            }
            format!("{record}\n")
        });
        lines.collect::<String>()
    };
    std::fs::write(&original, times(1)).unwrap();
    std::fs::write(&slower, times(3)).unwrap();
    let files = [original.to_str().unwrap(), slower.to_str().unwrap()];
    let worse = fathom(&["compare", files[0], files[1], "--fail-if", "50%"]);
    assert_eq!(worse.code, 1, "{}", worse.stdout);
    assert!(worse.stdout.contains("regression: plain/bfv/e1/mul"), "{}", worse.stdout);
    assert_eq!(fathom(&["compare", files[1], files[0], "--fail-if", "50%"]).code, 0);
}

#[test]
fn a_wrong_result_ends_with_3_and_is_never_a_figure() {
    let (run, folder) = bench("lie", &["lie", "mul"], &["--ops", "mul,add"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let records = records(&folder);
    assert_valid(&records);
    for case in cases_of(&records, "mul") {
        assert_eq!(case["verify"]["status"], "wrong");
        assert!(case["verify"]["mismatches"].as_u64().unwrap() > 0);
    }
    assert!(cases_of(&records, "add").iter().all(|case| case["verify"]["status"] == "ok"));
    let csv = std::fs::read_to_string(folder.join("all.csv")).unwrap();
    assert!(csv.contains(",add,") && !csv.contains(",mul,"), "{csv}");
}

#[test]
fn a_wrong_intermediate_result_of_the_endless_chain_is_seen() {
    let (run, folder) = bench("chain", &["lie", "mul_switch"], &["--ops", "chain_past_budget"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let records = records(&folder);
    assert!(
        cases_of(&records, "chain_past_budget").iter().all(|c| c["verify"]["status"] == "wrong")
    );
}

#[test]
fn a_driver_that_misbehaves_fails_its_case_and_no_other() {
    for (mischief, code) in
        [("crash", "ended"), ("hang", "no reply"), ("flood", "bytes"), ("nonsense", "no sense")]
    {
        let more = ["--ops", "mul,add,decrypt", "--reply-time", "1s"];
        let (run, folder) = bench(mischief, &[mischief, "mul"], &more);
        assert_eq!(run.code, 1, "{mischief}: {}", run.stderr);
        let records = records(&folder);
        assert_valid(&records);
        let failed = cases_of(&records, "mul");
        assert!(!failed.is_empty());
        for case in failed {
            assert_eq!(case["verify"]["status"], "failed", "{mischief}");
            assert!(case["verify"]["reason"].as_str().unwrap().contains(code), "{case}");
        }
        for op in ["add", "decrypt"] {
            let kept = cases_of(&records, op);
            assert!(kept.iter().all(|case| case["verify"]["status"] == "ok"), "{mischief}: {op}");
        }
        if mischief == "crash" {
            assert!(run.stderr.contains("the fixture crashes as told"), "{}", run.stderr);
        }
    }
}

#[test]
fn ctrl_c_keeps_what_is_done_and_still_writes_the_report() {
    let (folder, fixture) = (folder("interrupt"), fixture());
    let arguments = ["bench", "--allow-debug", "--budget", "120s", "--driver", &fixture];
    let mut child = command(&arguments)
        .args(["--out", folder.to_str().unwrap()])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_for_cases(&folder, 4);
    let signal = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signal.success());
    let asked = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(asked.elapsed() < Duration::from_secs(30));
    let records = records(&folder);
    assert_valid(&records);
    let count = records.len() - 1;
    assert!((4..46).contains(&count), "{count} cases");
    assert!(folder.join("report.html").exists());
}

/// Waits until the result file holds `count` cases.
fn wait_for_cases(folder: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while Instant::now() < deadline {
        let text = std::fs::read_to_string(folder.join("results.jsonl")).unwrap_or_default();
        if text.lines().count() > count {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no {count} cases within a minute");
}
