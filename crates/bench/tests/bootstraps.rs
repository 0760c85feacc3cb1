//! Bootstrappings of peers: measured, compared, judged and shown beside those of the engine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::PathBuf;

use crate::support::{Run, add_peer, bootstrap_fixture, fathom, folder, records};
use serde_json::{Value, json};

/// Creates a folder of peers with one that bootstraps in the clear, off by `error` in every part.
fn peers(name: &str, error: f64) -> PathBuf {
    let peers = folder(name);
    let script = format!("exec '{}' {error}", bootstrap_fixture());
    add_peer(&peers, "clear", &script, "[]");
    peers
}

fn bench(name: &str, error: f64, more: &[&str]) -> (Run, PathBuf) {
    bench_of("^clear/.*/bootstrap$", name, error, more)
}

fn bench_of(filter: &str, name: &str, error: f64, more: &[&str]) -> (Run, PathBuf) {
    let (peers, out) = (peers(&format!("{name}-peers"), error), folder(name));
    let folders = ["--peers-folder", peers.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let fixed = ["bench", "bootstrap", "--allow-debug", "--verbose", "--peers", "clear"];
    let chosen = ["--filter", filter, "--iterations", "2"];
    (fathom(&[&fixed[..], &chosen, &folders, more].concat()), out)
}

#[test]
fn the_bootstrapping_of_a_peer_has_the_figures_of_the_engine() {
    let (run, out) = bench("bootstrap-right", 2f64.powi(-11), &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let records = records(&out);
    assert_eq!(records.len(), 2, "the context and one case");
    let case = &records[1];
    assert_eq!(case["id"], "clear/ckks/small/bootstrap");
    assert_eq!(
        (&case["verify"]["status"], &case["verify"]["checked"]),
        (&json!("ok"), &json!(4096))
    );
    assert_eq!((&case["time_ns"]["n"], &case["lib"]["name"]), (&json!(2), &json!("clear")));
    assert_eq!(case["bytes"]["bootstrapping"], 1000);
    let refresh = &case["derived"]["refresh"];
    assert_eq!((&refresh["levels"], &refresh["usable_bits"]), (&json!(3.0), &json!(60.0)));
    assert_eq!(
        (&refresh["ones_error_log2"], &refresh["error_bound_log2"]),
        (&json!(-10.5), &Value::Null)
    );
    let granted: Vec<&Value> =
        refresh["keys"].as_array().unwrap().iter().map(|keys| &keys["granted"]).collect();
    assert_eq!(granted, [&json!(false), &json!(true)], "120 and 100 bits at degree 4096");
    assert!(run.stdout.contains("at 120 bits (128 not granted)"), "{}", run.stdout);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<h2>Bootstrapping of CKKS</h2>"));
}

#[test]
fn a_peer_that_loses_the_message_is_wrong() {
    let (run, out) = bench("bootstrap-wrong", 0.01, &[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let case = &records(&out)[1];
    let verify = &case["verify"];
    assert_eq!((&verify["status"], &verify["mismatches"]), (&json!("wrong"), &json!(2048)));
}

#[test]
fn the_table_of_a_peer_is_decrypted_and_checked() {
    for (name, error, wrong) in [("table-right", 2f64.powi(-11), 0), ("table-wrong", 0.01, 4096)] {
        let (run, out) = bench_of("^clear/.*/table$", name, error, &[]);
        assert_eq!(run.code, if wrong == 0 { 0 } else { 3 }, "{}", run.stderr);
        let case = &records(&out)[1];
        assert_eq!(case["id"], "clear/ckks/nibbles/table");
        assert_eq!((&case["time_ns"]["n"], &case["lane"]["slots"]), (&json!(2), &json!(4096)));
        let verify = &case["verify"];
        assert_eq!((&verify["checked"], &verify["mismatches"]), (&json!(4096), &json!(wrong)));
    }
}

#[test]
fn a_dry_run_lists_the_sets_of_a_peer_and_measures_none() {
    let (run, out) = bench_of("^clear/", "bootstrap-dry", 0.0, &["--dry-run"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for id in ["clear/ckks/small/bootstrap", "clear/ckks/nibbles/table"] {
        assert!(run.stdout.contains(id), "{id}: {}", run.stdout);
    }
    assert!(!out.join("results.jsonl").exists());
    assert!(run.stderr.contains("2 have no known time"), "{}", run.stderr);
}

#[test]
fn a_dry_run_counts_the_keys_and_calls_that_a_peer_states() {
    let peers = peers("bootstrap-stated-peers", 0.0);
    let manifest = peers.join("clear/peer.toml");
    let stated = "[bootstraps]\nsmall = { keys_s = 120, call_s = 32 }\n";
    let text = std::fs::read_to_string(&manifest).unwrap() + stated;
    std::fs::write(manifest, text).unwrap();
    let line = ["bench", "bootstrap", "--dry-run", "--format", "csv", "--peers", "clear"];
    let more = ["--duration", "6", "--filter", "^(clear/|fathom/ckks/boot-c/)", "--peers-folder"];
    let run = fathom(&[&line[..], &more, &[peers.to_str().unwrap()]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let seconds = |id: &str| -> Option<f64> {
        let line = run.stdout.lines().find_map(|line| line.strip_prefix(id)).unwrap();
        line.strip_prefix(",,").unwrap().parse().ok()
    };
    // The keys, a call that is not timed, one that is, longer than its share, and one more.
    assert_eq!(seconds("clear/ckks/small/bootstrap"), Some(120.0 + 3.0 * 32.0));
    assert_eq!(seconds("clear/ckks/nibbles/table"), None);
    let [first, second] =
        ["bootstrap", "table4"].map(|op| seconds(&format!("fathom/ckks/boot-c/{op}")).unwrap());
    assert!(first > second && second > 1.0, "the first makes the keys: {first}, {second}");
    assert!(run.stderr.contains("an estimate"), "{}", run.stderr);
}

#[test]
fn a_quick_run_bootstraps_no_peer() {
    let (run, _) = bench("bootstrap-quick", 0.0, &["--quick"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("no case of bootstrap is left"), "{}", run.stderr);
}

#[test]
fn the_conformance_test_bootstraps() {
    let peers = peers("bootstrap-check", 2f64.powi(-12));
    let run = fathom(&["peers", "--peers-folder", peers.to_str().unwrap(), "check", "clear"]);
    let line = run.stdout.lines().find(|line| line.contains("ckks/small bootstrap")).unwrap();
    assert!(line.contains("ok") && line.contains("3 levels, 11.5 bits"), "{line}");
    let line = run.stdout.lines().find(|line| line.contains("ckks_table/nibbles table")).unwrap();
    assert!(line.contains("ok") && line.contains("4096 values"), "{line}");
}
