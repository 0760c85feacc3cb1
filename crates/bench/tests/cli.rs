//! The `fathom` command as users and scripts call it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::Path;

use crate::support::{Run, command, fathom, folder, published_table, records};

#[test]
fn a_dry_run_lists_the_cases_in_every_format_and_runs_nothing() {
    let table = fathom(&["bench", "--dry-run"]);
    assert_eq!(table.code, 0);
    assert!(table.stdout.lines().filter(|line| line.contains("fathom/")).count() >= 40);
    let json = fathom(&["bench", "quick", "--dry-run", "--format", "json"]);
    for line in json.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["id"].as_str().unwrap().starts_with("fathom/"));
        assert!(line["at_most_ns"].as_u64().unwrap() > 0);
    }
    let csv =
        fathom(&["bench", "--dry-run", "--format", "csv", "--ops", "mul", "--schemes", "bgv"]);
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert_eq!(lines[0], "id,at_most_s,about_s");
    assert!(lines[1..].iter().all(|l| l.starts_with("fathom/bgv/") && l.contains("/mul,")));
    assert!(csv.stderr.contains("an estimate"), "{}", csv.stderr);
    let md = fathom(&["bench", "schemes", "--dry-run", "--format", "md"]);
    assert!(md.stdout.lines().nth(1).unwrap().starts_with("|-"));
}

#[test]
fn exit_codes_say_what_went_wrong() {
    let cases: [(&[&str], i32, &str); 9] = [
        (&["bench", "no-such-suite", "--dry-run"], 2, "quick, schemes"),
        (&["bench", "--filter", "(", "--dry-run"], 2, "regex"),
        (&["bench", "--filter", "^nothing$", "--dry-run"], 4, "no case"),
        (&["bench", "--peers", "no-such-peer", "--allow-debug"], 2, "no peer `no-such-peer`"),
        (&["bench", "--driver", "/no/such/program", "--allow-debug"], 4, "/no/such/program"),
        (&["report", "/no/such/file"], 2, "/no/such/file"),
        (&["compare", "/no/a", "/no/b"], 2, "/no/a"),
        (&["explain", "gibberish"], 2, "gibberish"),
        (&["frobnicate"], 2, "frobnicate"),
    ];
    for (arguments, code, text) in cases {
        let run = fathom(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(text), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn options_of_document_000_work_with_one_dash() {
    let count = |arguments: &[&str]| {
        let run =
            fathom(&[arguments, &["--dry-run", "--format", "csv", "--peers", "none"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        run.stdout.lines().count()
    };
    // The script of the document means its own cases.
    assert_eq!(count(&["bench", "-all"]), count(&["bench", "schemes"]));
    assert_eq!(count(&["bench", "-scheme", "bgv"]), count(&["bench", "--schemes", "bgv"]));
    assert!(count(&["bench", "-scheme", "bgv"]) < count(&["bench"]));
    let compared = fathom(&["bench", "-compare", "--dry-run"]);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
}

#[test]
fn options_that_do_nothing_are_refused_with_the_reason() {
    for (arguments, part) in [
        (&["bench", "applications", "--threads", "2"][..], "--op-threads"),
        (&["bench", "applications", "--budget", "9s"], "as many seeds"),
        (&["bench", "kernels", "--op-threads", "2"], "choose the threads"),
        (&["bench", "kernels", "--driver", "/bin/true"], "in this process"),
        (&["bench", "schemes", "--duration", "9s"], "--budget"),
        (&["bench", "schemes", "--a", "3"], "fathom bench nine65"),
        (&["bench", "schemes", "-o", "x.json"], "fathom bench nine65"),
        (&["bench", "nine65", "-o", "-", "--format", "csv"], "--format"),
    ] {
        let run = fathom(&[arguments, &["--dry-run"]].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_dry_run_counts_the_time_of_each_program_and_lane() {
    let seconds = |more: &[&str]| -> u64 {
        let arguments = ["bench", "h33", "--throughput", "--tier", "h33", "--dry-run"];
        let run = fathom(&[&arguments, more].concat());
        let line = run.stderr.lines().find(|line| line.contains("about")).unwrap().to_owned();
        let (_, rest) = line.split_once("about ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    let once = seconds(&["--duration", "30", "--threads", "1"]);
    assert!(once > 0 && once.is_multiple_of(30), "{once}");
    assert_eq!(seconds(&["--duration", "60", "--threads", "1"]), 2 * once);
    let both = seconds(&["--duration", "30", "--threads", "1,2"]);
    assert!(both > once && both.is_multiple_of(30), "{both}");
}

#[test]
fn a_dry_run_makes_no_key_and_takes_the_times_of_earlier_runs() {
    let home = folder("dry-run-home");
    let dry_run = |arguments: &[&str]| {
        let mut run = command(&["bench", "--dry-run", "--peers", "none"]);
        run.args(arguments).current_dir(&home).env("XDG_CACHE_HOME", home.join("cache"));
        let run = run.output().unwrap();
        let [stdout, stderr] =
            [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(run.status.code(), Some(0), "{arguments:?}: {stderr}");
        (stdout, stderr)
    };
    let (_, said) = dry_run(&["--all"]);
    assert!(said.contains("an estimate"), "{said}");
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0, "unit costs would be kept");
    let transfer = ["applications", "--filter", "tfhe/tiny/transfer-transfer$", "--format", "csv"];
    let (listed, said) = dry_run(&transfer);
    assert_eq!(listed.lines().nth(1), Some("fathom/tfhe/tiny/transfer-transfer,,"));
    assert!(said.contains("1 have no known time") && said.contains("fathom plan"), "{said}");
    let results = home.join("results/earlier");
    let run = fathom(
        &[
            &["bench", "applications", "--allow-debug", "--peers", "none", "--iterations", "1"][..],
            &["--filter", transfer[2], "--out", results.to_str().unwrap()],
        ]
        .concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let phases = &records(&results)[1]["application"]["phases"];
    let (listed, said) = dry_run(&transfer);
    let (_, about) = listed.lines().nth(1).unwrap().rsplit_once(',').unwrap();
    let keys = phases["keygen_ns"].as_f64().unwrap() / 1e9;
    assert!(about.parse::<f64>().unwrap() > keys, "{listed}: {phases}");
    assert!(!said.contains("no known time"), "{said}");
}

#[test]
fn a_server_without_threads_is_refused() {
    let run = fathom(&["run", "sort", "--threads", "0", "--allow-debug"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("from 1 to 1024"), "{}", run.stderr);
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_refuses_to_measure() {
    let run = fathom(&["bench"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--allow-debug"), "{}", run.stderr);
}

#[test]
fn the_published_table_raises_exactly_the_known_doubts() {
    let run = fathom(&["check-claims", published_table().to_str().unwrap()]);
    assert_eq!(run.code, 1);
    let last = run.stdout.lines().last().unwrap();
    assert_eq!(last, "107 rows: 3 cached_work, 4 derived, 8 estimated, 4 unstable, 34 single_shot");
    let run = fathom(&["check-claims", "--verbose", published_table().to_str().unwrap()]);
    let with = |code: &str| run.stdout.lines().filter(|l| l.starts_with(code)).collect::<Vec<_>>();
    assert!(with("cached_work ").iter().all(|l| l.contains("keygen") && l.contains("= 2.000")));
    let unstable = with("unstable ");
    assert_eq!(unstable.iter().filter(|l| l.contains("/mul:")).count(), 3);
    assert_eq!(unstable.iter().filter(|l| l.contains("encrypt")).count(), 1);
}

#[test]
fn a_shipped_document_is_checked_by_its_number_beside_results() {
    let run = fathom(&["check-claims", "--document", "001"]);
    assert_eq!(run.code, 1);
    for part in ["size_mismatch", "line 47 of the document", "settled by", "too_deep"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let run = fathom(&["check-claims", "--document", "005"]);
    assert!(run.code == 2 && run.stderr.contains("004 (NINE65)"), "{}", run.stderr);
}

#[test]
fn claims_stand_beside_the_cases_that_measure_the_same() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records");
    let results = records.join("quick-2026-11-20.jsonl");
    let beside = ["--document", "000", "--beside", results.to_str().unwrap(), "--verbose"];
    let run = fathom(&[&["check-claims"][..], &beside].concat());
    assert_eq!(run.code, 1);
    let lines = run.stdout.lines().map(str::trim_start);
    let line = |claim: &str| lines.clone().find(|line| line.starts_with(claim)).unwrap();
    let mul = line("bfv/scalar/mul ");
    for part in ["18.2788 ms", "stands in", "fathom/bfv/e2/mul", "the document has 8"] {
        assert!(mul.contains(part), "{part}: {mul}");
    }
    let size = line("bfv/shallow/ct_size_est_bytes ");
    for part in [" bytes", "stands in", "N = 4096, where the document prints 8192"] {
        assert!(size.contains(part), "{part}: {size}");
    }
    let absent = line("pvac/scalar/mul ");
    assert!(absent.contains("not in these results"), "{absent}");
    // The testbed's own results are judged by the same rules, and raise no doubt.
    let own = fathom(&["check-claims", results.to_str().unwrap()]);
    assert_eq!(own.code, 0, "{}", own.stdout);
    assert!(own.stdout.contains("rows: no doubt"), "{}", own.stdout);
}

#[test]
fn a_table_without_doubts_is_accepted() {
    let folder = folder("claims");
    let file = folder.join("table.csv");
    std::fs::write(&file, "scheme,mode,op,mean,stddev,unit,n\na,b,mul,1.5,0.1,ms,50\n").unwrap();
    assert_eq!(fathom(&["check-claims", file.to_str().unwrap()]).code, 0);
}

#[test]
fn security_is_judged_with_its_model_and_can_fail_a_script() {
    let good = fathom(&["security", "--degree", "4096", "--log-q", "106", "--level", "128"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert!(good.stdout.contains("128 bits") && good.stdout.contains("MATZOV"));
    let weak = fathom(&["security", "--degree", "4096", "--log-q", "120", "--level", "128"]);
    assert_eq!(weak.code, 1);
    for wrong in [&["--secret", "binary"][..], &["--level", "100"], &["--sigma", "-1"]] {
        let arguments = [&["security", "--degree", "4096", "--log-q", "106"], wrong].concat();
        assert_eq!(fathom(&arguments).code, 2, "{wrong:?}");
    }
}

#[test]
fn keys_of_torus_schemes_are_judged_by_every_attack() {
    let arguments = ["security", "--lwe", "640", "--log-q", "32", "--log-noise", "-13.3"];
    let binary = [&arguments[..], &["--secret", "binary", "--level", "128"]].concat();
    let good = fathom(&binary);
    assert_eq!(good.code, 0, "{}{}", good.stdout, good.stderr);
    for text in ["MATZOV", "dual hybrid", "optimistic MITM"] {
        assert!(good.stdout.contains(text), "{}", good.stdout);
    }
    let blocks = [&arguments[..], &["--secret", "block_binary:3", "--level", "128"]].concat();
    let weak = fathom(&blocks);
    assert_eq!(weak.code, 1);
    assert!(weak.stdout.contains("falls to the attack block-aware"), "{}", weak.stdout);
    for wrong in [&["--secret", "sparse_ternary:64"][..], &["--secret", "block_binary:1"]] {
        assert_eq!(fathom(&[&arguments[..], wrong].concat()).code, 2, "{wrong:?}");
    }
    assert_eq!(fathom(&["security", "--log-q", "32"]).code, 2);
    assert_eq!(fathom(&["security", "--log-q", "32", "--lwe", "640"]).code, 2);
}

#[test]
fn rotations_of_a_ring_are_attacks_of_their_own_and_cost_no_more() {
    let key = ["security", "--lwe", "640", "--log-q", "32", "--log-noise", "-13.3"];
    let secret = ["--secret", "block_binary:3"];
    let plain = fathom(&[&key[..], &secret].concat());
    let ring = fathom(&[&key[..], &secret, &["--ring-degree", "64"]].concat());
    assert_eq!((plain.code, ring.code), (0, 0), "{}{}", plain.stderr, ring.stderr);
    assert!(!plain.stdout.contains("rotated"), "{}", plain.stdout);
    let bits = |attack: &str| -> f64 {
        let line = ring.stdout.lines().find(|line| line.starts_with(attack)).unwrap();
        line[attack.len()..].split_whitespace().next().unwrap().parse().unwrap()
    };
    for (rotated, alone) in [
        ("rotated hybrid, Babai", "primal hybrid, Babai"),
        ("rotated hybrid, optimistic MITM", "primal hybrid, optimistic MITM"),
        ("block-aware rotated optimistic MITM", "block-aware optimistic MITM"),
    ] {
        assert!(bits(rotated) <= bits(alone), "{}", ring.stdout);
    }
}

#[test]
fn lists_and_explanations_come_on_stdout() {
    let expectations: [(&[&str], &str); 10] = [
        (&["list", "suites"], "schemes"),
        (&["list", "ops"], "chain_past_budget"),
        (&["list", "schemes"], "bgv"),
        (&["list", "params"], "e5-256"),
        (&["list", "peers"], "lattigo"),
        (&["params", "bfv"], "e1-192"),
        (&["params", "bgv", "--depth", "2", "--bits", "19", "--security", "192"], "557057"),
        (&["params", "ckks", "--depth", "10", "--bits", "21"], "keep 21 bits behind the point"),
        (&["explain", "drift"], "samples show"),
        (&["doctor"], "processor"),
    ];
    for (arguments, text) in expectations {
        let run = fathom(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.contains(text), "{arguments:?}: {}", run.stdout);
        assert!(!run.stdout.contains('\u{1b}'), "{arguments:?} writes colours into a pipe");
    }
}

#[test]
fn every_preset_of_the_engine_meets_the_level_that_its_name_promises() {
    let run: Run = fathom(&["params", "bgv"]);
    let rows: Vec<Vec<&str>> = run
        .stdout
        .lines()
        .filter(|line| line.trim_start().starts_with("bgv"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(rows.len() >= 11, "{}", run.stdout);
    for row in rows {
        let promised = row[1].rsplit('-').next().and_then(|level| level.parse::<f64>().ok());
        let classical: f64 = row[7].parse().unwrap();
        assert!(classical >= promised.unwrap_or(128.0), "{row:?}");
    }
}
