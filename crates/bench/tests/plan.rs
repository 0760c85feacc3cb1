//! `fathom plan` as users call it, with unit costs that nobody measured.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{Run, command, folder};
use fathom::tfhe::Params;
use fathom_bench::planner::cache;
use fathom_planner::{LayerCurve, TfheCosts, UnitCosts};
use serde_json::Value;

/// Writes unit costs: a bootstrap takes a millisecond on one thread, whatever the layer is.
fn known_costs(caches: &Path) {
    let mut costs = UnitCosts::new(cache::here());
    costs.insert_tfhe(TfheCosts {
        params: Params::INTEGERS.into(),
        measured: "2026-01-01T00:00:00Z".into(),
        layers: LayerCurve::new(1, BTreeMap::from([(1, 1e6), (32, 32e6)])).unwrap(),
        keygen_ns: 1e9,
        keys_ns: 1e8,
        encrypt_ns: 1e4,
        load_ns: 1e4,
        answer_ns: 1e3,
        decrypt_ns: 1e3,
        key_bytes: 20_000_000,
        decoded_key_bytes: 40_000_000,
        expanded_key_bytes: 100_000_000,
        upload_bytes: 200,
        upload_block_bytes: 4,
        result_value_bytes: 100,
        result_block_bytes: 8000,
        block_bytes: 8000,
        process_bytes: 10_000_000,
    });
    cache::write(&costs, &caches.join("fathom")).unwrap();
}

fn plan(caches: &Path, arguments: &[&str]) -> Run {
    let all = [&["plan"], arguments, &["--threads", "1", "--allow-debug"]].concat();
    let output = command(&all).env("XDG_CACHE_HOME", caches).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn predicted(caches: &Path, size: &str) -> Value {
    let run = plan(caches, &["shortest-paths", "--size", size, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let plan: Value = serde_json::from_str(&run.stdout).unwrap();
    let chosen = plan["chosen"].as_u64().unwrap() as usize;
    plan["candidates"][chosen]["verdict"]["prediction"].clone()
}

#[test]
fn costs_of_the_machine_and_counts_of_the_simulation_make_the_prediction() {
    let caches = folder("plan-costs");
    known_costs(&caches);
    let small = predicted(&caches, "n8");
    let bootstraps = small["bootstraps"][0].as_f64().unwrap();
    let slowdown = small["slowdown"].as_f64().unwrap();
    assert!(slowdown > 1.0, "a bootstrap takes more than a millisecond: {slowdown}");
    let expected = slowdown * bootstraps * 1e6;
    assert!((small["compute_ns"].as_f64().unwrap() / expected - 1.0).abs() < 1e-9);
    assert_eq!(small["upload_bytes"], 200 + 8 * 8 * 4 * 4);
    assert_eq!(small["download_bytes"], 8 * 8 * (100 + 4 * 8000));
    // Graphs that are too large to run: the cost grows as the third power of the nodes.
    let large = [predicted(&caches, "n64"), predicted(&caches, "large")];
    let counts = large.map(|prediction| prediction["bootstraps"][0].as_f64().unwrap());
    let pairs = |nodes: f64| nodes * (nodes - 1.0) * (nodes - 2.0);
    for (count, nodes) in counts.iter().zip([64.0, 128.0]) {
        let ratio = count / bootstraps / (pairs(nodes) / pairs(8.0));
        assert!((ratio - 1.0).abs() < 0.01, "{nodes} nodes: {ratio}");
    }
}

#[test]
fn limits_exclude_with_the_numbers_and_the_text_says_what_breaks_first() {
    let caches = folder("plan-limits");
    known_costs(&caches);
    let within = plan(&caches, &["sort", "--size", "tiny", "--max-time", "3600"]);
    assert_eq!(within.code, 0, "{}", within.stderr);
    for text in ["predicted for 1 thread, not measured", "choice", "why", "machine", "breaks first"]
    {
        assert!(within.stdout.contains(text), "{text} in {}", within.stdout);
    }
    let excluded = plan(&caches, &["sort", "--size", "tiny", "--max-upload", "1MiB"]);
    assert_eq!(excluded.code, 1, "{}", excluded.stderr);
    assert!(excluded.stdout.contains("excluded by upload"), "{}", excluded.stdout);
    for (arguments, text) in [
        (["no-such-program", "--size", "tiny"], "arith-compare"),
        (["sort", "--size", "huge"], "tiny, small"),
        (["sort", "--max-time", "soon"], "number"),
    ] {
        let run = plan(&caches, &arguments);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(text), "{}", run.stderr);
    }
}
