//! Peers compared with the engine: correct, lying, hanging, crashing or flooding; listing,
//! installing and checking them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Run, fathom, fixture, folder, records};

/// Creates a folder of peers with one called `plain`: the fixture behind a script, with the given
/// installation steps.
fn shelf(name: &str, mischief: &str, steps: &str) -> PathBuf {
    let shelf = folder(name);
    add_peer(&shelf, "plain", &format!("exec '{}' {mischief}", fixture()), steps);
    shelf
}

fn add_peer(shelf: &Path, name: &str, script: &str, steps: &str) {
    let folder = shelf.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("run.sh"), script).unwrap();
    let manifest = format!(
        r#"name = "{name}"
title = "A fixture"
version = "1"
licence = "MIT"
homepage = "https://example.org"
schemes = ["bfv", "bgv"]
operations = ["mul"]
[[requires]]
program = "sh"
version_args = ["-c", "true"]
hint = "every system has it"
[install]
minutes = 0.1
steps = {steps}
[run]
command = ["sh", "run.sh"]
"#
    );
    std::fs::write(folder.join("peer.toml"), manifest).unwrap();
}

/// Runs products, sums and decryption on the engine and its peer.
fn bench(name: &str, mischief: &str) -> (Run, Vec<Value>, PathBuf) {
    let shelf = shelf(&format!("{name}-peers"), mischief, "[]");
    let out = folder(name);
    let run = fathom(&[
        "bench",
        "--verbose",
        "--allow-debug",
        "--peers",
        "plain",
        "--peers-folder",
        shelf.to_str().unwrap(),
        "--budget",
        "4s",
        "--filter",
        "bfv/e1/",
        "--ops",
        "mul,add,decrypt",
        "--reply-time",
        "5s",
        "--out",
        out.to_str().unwrap(),
    ]);
    let records = records(&out);
    (run, records, out)
}

fn of<'a>(records: &'a [Value], lib: &str, op: &str) -> &'a Value {
    let found = records.iter().find(|r| r["lib"]["name"] == lib && r["op"] == op);
    found.unwrap_or_else(|| panic!("{lib} has no {op}"))
}

#[test]
fn an_honest_peer_answers_the_same_questions_in_paired_rounds() {
    let (run, records, out) = bench("peer-honest", "honest");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for op in ["mul", "add", "decrypt"] {
        let (own, peer) = (of(&records, "fathom", op), of(&records, "plain", op));
        assert_eq!(own["question"], peer["question"]);
        assert_eq!(peer["id"], format!("plain/bfv/d1-t65537/{op}"));
        assert_eq!(
            (&own["verify"]["status"], &peer["verify"]["status"]),
            (&"ok".into(), &"ok".into())
        );
        for case in [own, peer] {
            let rounds = case["time_ns"]["rounds"].as_array().unwrap();
            assert!(rounds.len() >= 5, "{case}");
            let counted: u64 = rounds.iter().map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(counted, case["time_ns"]["n"].as_u64().unwrap());
        }
    }
    assert!(run.stdout.contains("equal security, equal semantics"), "{}", run.stdout);
    assert!(run.stdout.contains("plain has"), "its ring is insecure: {}", run.stdout);
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("bfv/d1-t65537/mul"));
}

#[test]
fn a_peer_that_misbehaves_loses_its_case_and_nothing_else_is_lost() {
    for (mischief, status, code) in [
        ("lie", "wrong", 3),
        ("hang", "failed", 1),
        ("crash", "failed", 1),
        ("flood", "failed", 1),
        ("nonsense", "failed", 1),
    ] {
        let (run, records, _) = bench(&format!("peer-{mischief}"), &format!("{mischief} mul"));
        assert_eq!(run.code, code, "{mischief}: {}", run.stderr);
        assert_eq!(of(&records, "plain", "mul")["verify"]["status"], status, "{mischief}");
        for (lib, op) in [("plain", "add"), ("plain", "decrypt"), ("fathom", "mul")] {
            assert_eq!(of(&records, lib, op)["verify"]["status"], "ok", "{mischief}: {lib} {op}");
        }
        let ranked = run.stdout.split("Division").nth(1).unwrap_or_default();
        assert!(!ranked.contains("d1-t65537/mul"), "{mischief}: {ranked}");
    }
}

#[test]
fn l1_l2_a_peer_that_says_absurd_things_loses_its_cases_and_the_engine_keeps_its_own() {
    for (name, change, reason) in [
        ("slots", "prepare /params/slots 1000000000000", "`params.slots` is 1000000000000"),
        ("log-qp", "prepare /params/log_qp 1e300", "`params.log_qp` is 1000000"),
        ("times", "run /samples_ns [1000000000000]", "by the testbed's clock"),
        ("cpu", "run /cpu_ns 1000000000000000", "`run: cpu_ns` is 1000000000000000 ns"),
        ("noise", "run /noise_budget_bits/after -1e308", "noise budget in bits"),
    ] {
        let (run, records, _) = bench(&format!("absurd-{name}"), &format!("set {change}"));
        assert_eq!(run.code, 1, "{name}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{name}: {}", run.stderr);
        let case = of(&records, "plain", "mul");
        assert_eq!(case["verify"]["status"], "failed", "{name}");
        let said = case["verify"]["reason"].as_str().unwrap();
        assert!(said.contains("protocol violation") && said.contains(reason), "{name}: {said}");
        for op in ["mul", "add", "decrypt"] {
            assert_eq!(of(&records, "fathom", op)["verify"]["status"], "ok", "{name}: {op}");
        }
        if change.starts_with("run") {
            assert_eq!(of(&records, "plain", "add")["verify"]["status"], "ok", "{name}");
        }
    }
}

#[test]
fn l2_a_peer_cannot_call_itself_like_the_engine() {
    let reserved = shelf("reserved-peers", "set hello /library/name '\"fathom\"'", "[]");
    let folder = reserved.to_str().unwrap();
    let run = fathom(&["peers", "--peers-folder", folder, "check", "plain"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("reserved for the engine"), "{}", run.stdout);
    let fixture = fixture();
    let alone = ["bench", "--allow-debug", "--driver", &fixture, "--driver-arg", "set"];
    let change = ["hello", "/library/name", "\"fathom\""];
    let change = change.iter().flat_map(|part| ["--driver-arg", part]);
    let run = fathom(&alone.into_iter().chain(change).collect::<Vec<_>>());
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains("reserved for the engine"), "{}", run.stderr);
}

#[test]
fn the_conformance_test_names_the_limit_that_a_driver_breaks() {
    for (name, change, reason) in [
        ("slots", "prepare /params/slots 0", "`params.slots` is 0; allowed: 1 to 131072"),
        ("times", "run /samples_ns [0]", "`run: samples_ns[]` is 0"),
        ("sizes", "keygen /bytes/pk 18446744073709551615", "`each size in bytes`"),
        ("ops", "capabilities /schemes/0/ops '[\"add\",\"add\"]'", "`add` twice"),
    ] {
        let shelf = shelf(&format!("limit-{name}-peers"), &format!("set {change}"), "[]");
        let run = fathom(&["peers", "--peers-folder", shelf.to_str().unwrap(), "check", "plain"]);
        assert_eq!(run.code, 1, "{name}: {}", run.stdout);
        let failed: Vec<&str> = run.stdout.lines().filter(|line| line.contains("FAIL")).collect();
        assert!(failed.iter().any(|line| line.contains(reason)), "{name}: {failed:?}");
    }
}

#[test]
fn absent_and_unknown_peers_are_named() {
    let shelf = shelf("absent-peers", "honest", "[]");
    let manifest = shelf.join("plain/peer.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("[\"sh\", \"run.sh\"]", "[\"bin/driver\"]")).unwrap();
    let folder = shelf.to_str().unwrap();
    let list = fathom(&["peers", "--peers-folder", folder, "list"]);
    assert_eq!(list.code, 0);
    assert!(list.stdout.contains("fathom peers install plain"), "{}", list.stdout);
    let bench =
        |peer| fathom(&["bench", "--allow-debug", "--peers", peer, "--peers-folder", folder]);
    let absent = bench("plain");
    assert_eq!(absent.code, 2);
    assert!(absent.stderr.contains("fathom peers install plain"), "{}", absent.stderr);
    let unknown = bench("palin");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("there are: plain"), "{}", unknown.stderr);
}

#[test]
fn a_failing_step_says_which_and_what_to_do_and_the_others_go_on() {
    let fails = r#"[["sh", "-c", "echo fetching"], ["sh", "-c", "echo no room >&2; exit 9"]]"#;
    let shelf = shelf("install-peers", "honest", fails);
    add_peer(&shelf, "zweiter", "exit 3", r#"[["sh", "-c", "echo done > made"]]"#);
    let folder = shelf.to_str().unwrap();
    let run = fathom(&["peers", "--peers-folder", folder, "install", "all"]);
    assert_eq!(run.code, 1);
    for part in ["plain, step 2", "exit status: 9", "no room", "install.log", "peers install plain"]
    {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert!(shelf.join("zweiter/made").exists(), "the second was not tried");
    assert!(run.stderr.contains("zweiter is installed and its driver does not answer"));
    let log = std::fs::read_to_string(shelf.join("plain/install.log")).unwrap();
    assert!(log.contains("fetching") && log.contains("no room"), "{log}");
}

#[test]
fn installing_all_skips_peers_that_need_what_is_absent_and_installing_one_by_name_fails() {
    let shelf = shelf("needy-peers", "honest", r#"[["sh", "-c", "echo ready"]]"#);
    add_peer(&shelf, "needy", "exit 3", r#"[["sh", "-c", "echo done > made"]]"#);
    let manifest = shelf.join("needy/peer.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"true\"", "\"test -e library\"")).unwrap();
    let install =
        |name| fathom(&["peers", "--peers-folder", shelf.to_str().unwrap(), "install", name]);
    let all = install("all");
    assert_eq!(all.code, 0, "{}", all.stderr);
    assert!(all.stdout.contains("needy: skipped") && all.stdout.contains("plain: installed"));
    let named = install("needy");
    assert_eq!(named.code, 1);
    assert!(named.stdout.contains("needy: not installed"), "{}", named.stdout);
    for run in [all, named] {
        let reason = "needy needs that `sh -c test -e library` succeeds: every system has it";
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
    assert!(!shelf.join("needy/made").exists(), "a step was begun");
    std::fs::write(shelf.join("needy/library"), "").unwrap();
    assert!(install("needy").stderr.contains("its driver does not answer"));
}

#[test]
fn installing_ends_with_a_driver_that_answers() {
    let shelf = shelf("installed-peers", "honest", r#"[["sh", "-c", "echo ready"]]"#);
    let folder = shelf.to_str().unwrap();
    let run = fathom(&["peers", "--peers-folder", folder, "install", "plain"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("plain: installed"), "{}", run.stdout);
    let list = fathom(&["peers", "--peers-folder", folder, "list"]);
    assert!(list.stdout.contains("installed"), "{}", list.stdout);
}

#[test]
fn the_conformance_test_passes_the_honest_and_finds_the_liar() {
    let honest = shelf("check-honest-peers", "honest", "[]");
    let run = fathom(&["peers", "--peers-folder", honest.to_str().unwrap(), "check", "plain"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    for line in [
        "limits: every reply within",
        "hello",
        "bfv/d1-t65537 mul",
        "refuses an unknown verb",
        "bye",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    for mischief in ["lie", "crash"] {
        let shelf = shelf(&format!("check-{mischief}-peers"), &format!("{mischief} square"), "[]");
        let run = fathom(&["peers", "--peers-folder", shelf.to_str().unwrap(), "check", "plain"]);
        assert_eq!(run.code, 1, "{mischief}: {}", run.stdout);
        let failed = run.stdout.lines().filter(|line| line.contains("FAIL"));
        assert!(failed.clone().count() > 0 && failed.clone().all(|line| line.contains("square")));
        assert!(run.stdout.contains("refuses an unknown verb"), "{}", run.stdout);
    }
}
