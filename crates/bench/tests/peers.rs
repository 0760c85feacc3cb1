//! Peers compared with the engine: correct, lying, hanging, crashing or flooding; listing,
//! installing and checking them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::{Path, PathBuf};

use crate::support::{Run, add_peer, fathom, fixture, folder, records};
use fathom_bench::peers::Manifest;
use serde_json::Value;

/// Creates a folder of peers with one called `plain`: the fixture behind a script, with the given
/// installation steps.
fn peers(name: &str, behavior: &str, steps: &str) -> PathBuf {
    let peers = folder(name);
    add_peer(&peers, "plain", &format!("exec '{}' {behavior}", fixture()), steps);
    peers
}

/// Runs products, sums and decryption on the engine and its peer.
fn bench(name: &str, behavior: &str) -> (Run, Vec<Value>, PathBuf) {
    let peers = peers(&format!("{name}-peers"), behavior, "[]");
    let out = folder(name);
    let run = fathom(&[
        "bench",
        "--verbose",
        "--allow-debug",
        "--peers",
        "plain",
        "--peers-folder",
        peers.to_str().unwrap(),
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
    for (behavior, status, code) in [
        ("lie", "wrong", 3),
        ("hang", "failed", 1),
        ("crash", "failed", 1),
        ("flood", "failed", 1),
        ("nonsense", "failed", 1),
    ] {
        let (run, records, _) = bench(&format!("peer-{behavior}"), &format!("{behavior} mul"));
        assert_eq!(run.code, code, "{behavior}: {}", run.stderr);
        assert_eq!(of(&records, "plain", "mul")["verify"]["status"], status, "{behavior}");
        for (lib, op) in [("plain", "add"), ("plain", "decrypt"), ("fathom", "mul")] {
            assert_eq!(of(&records, lib, op)["verify"]["status"], "ok", "{behavior}: {lib} {op}");
        }
        let ranked = run.stdout.split("Division").nth(1).unwrap_or_default();
        assert!(!ranked.contains("d1-t65537/mul"), "{behavior}: {ranked}");
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
    let reserved = peers("reserved-peers", "set hello /library/name '\"fathom\"'", "[]");
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
        ("ops", "hello /schemes/0/ops '[\"add\",\"add\"]'", "`add` twice"),
    ] {
        let peers = peers(&format!("limit-{name}-peers"), &format!("set {change}"), "[]");
        let run = fathom(&["peers", "--peers-folder", peers.to_str().unwrap(), "check", "plain"]);
        assert_eq!(run.code, 1, "{name}: {}", run.stdout);
        let failed: Vec<&str> = run.stdout.lines().filter(|line| line.contains("FAIL")).collect();
        assert!(failed.iter().any(|line| line.contains(reason)), "{name}: {failed:?}");
    }
}

#[test]
fn absent_and_unknown_peers_are_named() {
    let peers = peers("absent-peers", "honest", "[]");
    let manifest = peers.join("plain/peer.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("[\"sh\", \"run.sh\"]", "[\"bin/driver\"]")).unwrap();
    let folder = peers.to_str().unwrap();
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
    let peers = peers("install-peers", "honest", fails);
    add_peer(&peers, "zweiter", "exit 3", r#"[["sh", "-c", "echo done > made"]]"#);
    let folder = peers.to_str().unwrap();
    let run = fathom(&["peers", "--peers-folder", folder, "install", "all"]);
    assert_eq!(run.code, 1);
    for part in ["plain, step 2", "exit status: 9", "no room", "install.log", "peers install plain"]
    {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert!(peers.join("zweiter/made").exists(), "the second was not tried");
    assert!(run.stderr.contains("zweiter is installed and its driver does not answer"));
    let log = std::fs::read_to_string(peers.join("plain/install.log")).unwrap();
    assert!(log.contains("fetching") && log.contains("no room"), "{log}");
}

#[test]
fn installing_all_skips_peers_that_need_what_is_absent_and_installing_one_by_name_fails() {
    let peers = peers("needy-peers", "honest", r#"[["sh", "-c", "echo ready"]]"#);
    add_peer(&peers, "needy", "exit 3", r#"[["sh", "-c", "echo done > made"]]"#);
    let manifest = peers.join("needy/peer.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"true\"", "\"test -e library\"")).unwrap();
    let install =
        |name| fathom(&["peers", "--peers-folder", peers.to_str().unwrap(), "install", name]);
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
    assert!(!peers.join("needy/made").exists(), "a step was begun");
    std::fs::write(peers.join("needy/library"), "").unwrap();
    assert!(install("needy").stderr.contains("its driver does not answer"));
}

#[test]
fn installing_ends_with_a_driver_that_answers() {
    let peers = peers("installed-peers", "honest", r#"[["sh", "-c", "echo ready"]]"#);
    let folder = peers.to_str().unwrap();
    let run = fathom(&["peers", "--peers-folder", folder, "install", "plain"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("plain: installed"), "{}", run.stdout);
    let list = fathom(&["peers", "--peers-folder", folder, "list"]);
    assert!(list.stdout.contains("installed"), "{}", list.stdout);
}

#[test]
fn the_conformance_test_passes_the_honest_and_finds_the_liar() {
    let honest = peers("check-honest-peers", "honest", "[]");
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
    for behavior in ["lie", "crash"] {
        let peers = peers(&format!("check-{behavior}-peers"), &format!("{behavior} square"), "[]");
        let run = fathom(&["peers", "--peers-folder", peers.to_str().unwrap(), "check", "plain"]);
        assert_eq!(run.code, 1, "{behavior}: {}", run.stdout);
        let failed = run.stdout.lines().filter(|line| line.contains("FAIL"));
        assert!(failed.clone().count() > 0 && failed.clone().all(|line| line.contains("square")));
        assert!(run.stdout.contains("refuses an unknown verb"), "{}", run.stdout);
    }
}

/// A file in TOML.
fn toml_file(path: &Path) -> toml::Table {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse().unwrap()
}

/// Returns the dependencies of a manifest that a lock file must have, and those that it may have,
/// each with its requirement; a requirement of the workspace is looked up.
fn stated(manifest: &toml::Table, workspace: &toml::Table) -> (Vec<String>, Vec<String>) {
    let tables = ["dependencies", "build-dependencies"].map(|name| manifest.get(name));
    let tests = manifest.get("dev-dependencies").and_then(|table| table.as_table());
    let targets = manifest.get("target").and_then(|targets| targets.as_table());
    let targets = targets.into_iter().flatten().filter_map(|(_, t)| t.get("dependencies"));
    // A lock file has the test dependencies of its own package only.
    let mut may: Vec<String> = tests.into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let mut must = Vec::new();
    let tables = tables.into_iter().flatten().chain(targets).map(|table| table.as_table().unwrap());
    for (name, own) in tables.flatten() {
        let of = |key: &str| own.get(key).or_else(|| workspace.get(name)?.get(key));
        let optional = own.get("optional").is_some_and(|value| value.as_bool() == Some(true));
        let real = of("package").and_then(|real| real.as_str()).unwrap_or(name).to_owned();
        if optional { &mut may } else { &mut must }.push(real);
    }
    (must, may)
}

/// Returns the differences between a lock file and the manifests of the packages in this
/// repository that it holds.
fn stale(folder: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = toml_file(&root.join("Cargo.toml"));
    let workspace = workspace["workspace"]["dependencies"].as_table().unwrap();
    let lock = toml_file(&folder.join("Cargo.lock"));
    let packages = lock["package"].as_array().unwrap();
    let own = packages.iter().filter(|package| package.get("source").is_none());
    let mut faults = Vec::new();
    for package in own {
        let name = package["name"].as_str().unwrap();
        let crates = root.join("crates").join(name.trim_start_matches("fathom-"));
        let path = if crates.is_dir() && name.starts_with("fathom") { &crates } else { folder };
        let manifest = toml_file(&path.join("Cargo.toml"));
        let (must, may) = stated(&manifest, workspace);
        let locked = package.get("dependencies").and_then(|list| list.as_array());
        let locked = locked.into_iter().flatten().filter_map(|entry| entry.as_str());
        let locked: Vec<&str> = locked.filter_map(|entry| entry.split(' ').next()).collect();
        let missing = must.iter().filter(|dep| !locked.contains(&dep.as_str()));
        faults.extend(missing.map(|dep| format!("{name} needs {dep}")));
        let known = |dep: &str| must.iter().chain(&may).any(|stated| stated == dep);
        let extra = locked.iter().filter(|dep| !known(dep));
        faults.extend(extra.map(|dep| format!("{name} no longer needs {dep}")));
    }
    faults
}

#[test]
fn lock_files_of_peers_agree_with_the_manifests_of_this_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let peers = std::fs::read_dir(root.join("peers")).unwrap().flatten().map(|peer| peer.path());
    let locked: Vec<PathBuf> = peers.filter(|peer| peer.join("Cargo.lock").exists()).collect();
    assert!(locked.len() >= 3, "{locked:?}");
    for folder in &locked {
        let command = format!("`cargo update --workspace --offline` in {}", folder.display());
        assert_eq!(stale(folder), Vec::<String>::new(), "stale: {command}");
        // A peer with a lock file must be installed from it.
        let manifest = folder.join("peer.toml");
        if manifest.exists() {
            let steps = std::fs::read_to_string(&manifest).unwrap();
            assert!(steps.contains("--locked"), "{}", manifest.display());
        }
    }
    // The same check on a lock file that lacks a dependency and has one too many.
    let copy = folder("stale-peer");
    for file in ["Cargo.toml", "Cargo.lock"] {
        let text = std::fs::read_to_string(root.join("peers/fhe-rs").join(file)).unwrap();
        std::fs::write(copy.join(file), text.replace(" \"fathom-fhew\",\n", " \"quoted\",\n"))
            .unwrap();
    }
    assert_eq!(
        stale(&copy),
        ["fathom-drivers needs fathom-fhew", "fathom-drivers no longer needs quoted"]
    );
}

#[test]
fn schemes_that_no_library_has_are_unsupported_and_not_dropped() {
    let out = folder("no-scheme");
    let fixture = fixture();
    let run = fathom(&[
        "bench",
        "schemes",
        "--allow-debug",
        "--driver",
        &fixture,
        "--driver-arg",
        "honest",
        "--schemes",
        "ckks",
        "--ops",
        "add,mul",
        "--quick",
        "--budget",
        "2s",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(run.stderr.contains("has no scheme ckks"), "{}", run.stderr);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let cases = &records(&out)[1..];
    assert!(cases.len() >= 2, "{}", run.stderr);
    assert!(cases.iter().all(|case| case["verify"]["status"] == "unsupported"), "{cases:?}");
}

#[test]
fn every_gate_set_of_openfhe_runs_beside_a_set_of_the_engine() {
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/openfhe");
    let driver = std::fs::read_to_string(peer.join("src/fhew_session.cpp")).unwrap();
    let table = driver.split("PRESETS{{").nth(1).unwrap().split("}};").next().unwrap();
    let offered =
        table.lines().filter_map(|line| line.trim().strip_prefix("{\"")?.split('"').next());
    let manifest = toml_file(&peer.join("peer.toml"));
    let equal = manifest["presets"].as_table().unwrap();
    let equal = equal.values().filter_map(|name| name.as_str());
    let unequal = manifest["unequal_failure"].as_table().unwrap();
    let unequal = unequal.values().flat_map(|names| names.as_array().unwrap());
    let asked: Vec<&str> = equal.chain(unequal.filter_map(|name| name.as_str())).collect();
    let offered: Vec<&str> = offered.collect();
    assert_eq!(offered.len(), 4, "{offered:?}");
    assert!(offered.iter().all(|name| asked.contains(name)), "{offered:?} {asked:?}");
    assert!(asked.iter().all(|name| offered.contains(name)), "{offered:?} {asked:?}");
}

#[test]
fn every_set_that_a_peer_states_a_time_for_is_one_that_it_describes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers");
    let mut stated = 0;
    for peer in std::fs::read_dir(root).unwrap().flatten().map(|peer| peer.path()) {
        let Ok(manifest) = Manifest::read(&peer) else { continue };
        let readme = std::fs::read_to_string(peer.join("README.md")).unwrap();
        for set in manifest.bootstraps.keys() {
            assert!(readme.contains(&format!("`{set}`")), "{}: {set}", peer.display());
            stated += 1;
        }
    }
    assert!(stated >= 8, "{stated}");
}
