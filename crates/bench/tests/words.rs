//! Error messages of `fathom` for unusable input: they name the problem, the numbers and the
//! remedy, with a documented exit code, nothing on stdout, and never a panic.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fathom_documents::{coverage, pages};

use crate::support::{fathom, folder};

/// Arguments, exit code, and the parts that stderr must contain.
type Said<'a> = (&'a [&'a str], i32, &'a [&'a str]);

fn assert_said(table: &[Said<'_>]) {
    for (arguments, code, parts) in table {
        let run = fathom(arguments);
        assert_eq!(run.code, *code, "{arguments:?}: {}", run.stderr);
        for part in *parts {
            assert!(run.stderr.contains(part), "{arguments:?}: no `{part}` in {}", run.stderr);
        }
        assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let ring = ["security", "--degree", "4096", "--log-q", "100"];
    let with = |more: &[&'static str]| [&ring[..], more].concat();
    let (sigma, infinite) = (with(&["--sigma", "1e300"]), with(&["--sigma", "inf"]));
    let (none, heavy) =
        (with(&["--secret", "sparse_ternary:0"]), with(&["--secret", "sparse_ternary:9999"]));
    let (level, secret) = (with(&["--level", "129"]), with(&["--secret", "lattice"]));
    let lwe = |dimension, log_q, noise| {
        ["security", "--lwe", dimension, "--log-q", log_q, "--log-noise", noise]
    };
    assert_said(&[
        (&sigma, 2, &["--sigma is 1000", "a quarter of the modulus, 2^98"]),
        (&infinite, 2, &["--sigma is inf", "a quarter of the modulus, 2^98"]),
        (&none, 2, &["sparse_ternary:0", "weight from 1 to 4096"]),
        (&heavy, 2, &["sparse_ternary:9999", "weight from 1 to 4096"]),
        (&level, 2, &["129", "use 128, 192 or 256"]),
        (&secret, 2, &["`lattice`", "sparse_ternary:<weight>", "block_binary:<length>"]),
        (&["security", "--degree", "0", "--log-q", "9"], 2, &["--degree is 0", "64 to 1048576"]),
        (&["security", "--degree", "4096", "--log-q", "nan"], 2, &["--log-q is NaN", "100000"]),
        (&lwe("99999999", "32", "-10"), 2, &["--lwe is 99999999", "2 to 32768"]),
        (&lwe("600", "1e9", "-10"), 2, &["--log-q is 1000000000", "2 to 512"]),
        (&lwe("600", "32", "5"), 2, &["--log-noise is 5", "-32 to -2"]),
        (&lwe("600", "32", "nan"), 2, &["--log-noise is NaN"]),
        (&["bench", "--budget", "0"], 2, &["'0'", "more than 0"]),
        (&["bench", "--budget", "9999h"], 2, &["less than 10000000 s"]),
        (&["bench", "--budget", "5 parsecs"], 2, &["a number with ms, s, m or h"]),
        (&["bench", "--threads", "0"], 2, &["from 1 to 1024"]),
        (&["bench", "--threads", "99999"], 2, &["from 1 to 1024"]),
        (&["bench", "--op-threads", "99999"], 2, &["from 1 to 1024"]),
        (&["bench", "--widths", "7"], 2, &["[2, 4, 6, 8, 10, 12, 14, 16, 32, 64, 128, 256]"]),
        (&["bench", "--seed", "-1"], 2, &["-1"]),
        (&["compare", "a", "b", "--fail-if", "inf"], 2, &["such as 5% or 0.05"]),
        (&["compare", "a", "b", "--fail-if", "nan"], 2, &["such as 5% or 0.05"]),
        (&["compare", "a", "b", "--fail-if", "much"], 2, &["`much`", "such as 5% or 0.05"]),
        (&["params", "bfv", "--depth", "3", "--bits", "99"], 2, &["99 bits", "1 to 40"]),
        (&["params", "bfv", "--depth", "3", "--bits", "0"], 2, &["0 bits", "1 to 40"]),
        (&["params", "bfv", "--depth", "64"], 2, &["64 is more than 63", "split"]),
        (&["params", "bfv", "--depth", "99999999999"], 2, &["99999999999"]),
        (&["params", "bfv", "--depth", "3", "--security", "0"], 2, &["use 128, 192 or 256"]),
        (&["params", "bfv", "--bits", "3"], 2, &["--depth"]),
    ]);
}

#[test]
fn unknown_names_are_named_with_those_there_are() {
    assert_said(&[
        (&["bench", "slow"], 2, &["`slow`", "quick", "schemes"]),
        (&["bench", "--dry-run", "--schemes", "bvf"], 2, &["`bvf`", "bfv", "tfhe"]),
        (&["bench", "--dry-run", "--ops", "mul,mull"], 2, &["`mull`", "fathom list ops"]),
        (&["bench", "--dry-run", "--filter", "("], 2, &["unclosed group"]),
        (&["bench", "--dry-run", "--filter", "^x$"], 4, &["no case of quick", "--dry-run"]),
        (&["bench", "--dry-run", "--divisions", "long"], 2, &["equal", "ring"]),
        (&["bench", "--dry-run", "--tier", "h33"], 2, &["--tier", "the suite h33"]),
        (&["bench", "h33", "--dry-run", "--tier", "h7"], 2, &["`h7`", "h-256"]),
        (&["bench", "nine65", "--config", "secure_64"], 2, &["secure_128_deep", "high_192"]),
        (&["bench", "nine65", "--max-depth", "0"], 2, &["at least 1"]),
        (&["bench", "--format", "xml"], 2, &["table", "json", "csv", "md"]),
        (&["bench", "--allow-debug", "--peers", "none,seal"], 2, &["`none` is no name"]),
        (&["bench", "--allow-debug", "--peers", ""], 2, &["`` is no name"]),
        (&["params", "bvf"], 2, &["`bvf`", "bfv", "tfhe"]),
        (&["params", "tfhe", "--depth", "2"], 2, &["tfhe", "presets only"]),
        (&["list", "things"], 2, &["schemes", "suites", "ops"]),
        (&["explain", "gibberish"], 2, &["`gibberish`", "noise_exhausted"]),
        (&["explain", ""], 2, &["``"]),
        (&["peers", "check", "palin"], 2, &["no peer `palin`", "there are:"]),
        (&["peers", "install", "palin"], 2, &["no peer `palin`", "there are:"]),
        (&["peers", "check"], 2, &["<NAME>"]),
        (&["doctor", "now"], 2, &["'now'"]),
    ]);
}

#[test]
fn m4_a_depth_without_slots_takes_a_modulus_that_has_them_or_says_what_would_do() {
    let run = fathom(&["params", "bfv", "--depth", "25", "--bits", "16"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("786433") && run.stdout.contains("65536 slots"), "{}", run.stdout);
    assert_said(&[(
        &["params", "bgv", "--depth", "44", "--bits", "16"],
        2,
        &["65537 has no slots at degree 65536", "lower the depth to 22"],
    )]);
}

fn written(folder: &Path, name: &str, text: &[u8]) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn files_that_cannot_be_used_are_named_with_what_is_wrong() {
    let folder = folder("words");
    let path = folder.to_str().unwrap();
    let file = |name: &str, text: &[u8]| written(&folder, name, text);
    let (empty, other) = (file("empty", b""), file("other", b"{\"kind\":\"weather\"}\n"));
    let (bad, binary) = (file("bad", b"not json\n"), file("binary", b"\xff\xfe\x00"));
    let missing = folder.join("missing").to_str().unwrap().to_owned();
    let page = folder.join("page.html").to_str().unwrap().to_owned();
    let report = |file: &str| ["report", file, "-o", &page].map(str::to_owned);
    let compare = |file: &str| ["compare", file, file].map(str::to_owned);
    for (file, parts) in [
        (&empty, &["empty", "holds no case"][..]),
        (&other, &["other", "holds no case"]),
        (&bad, &["bad", "line 1"]),
        (&binary, &["binary", "not a text file"]),
        (&missing, &["missing", "No such file", "fathom bench --out"]),
    ] {
        let arguments = report(file);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_said(&[(&arguments, 2, parts)]);
        let nothing = parts.contains(&"holds no case");
        let arguments = compare(file);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_said(&[(&arguments, if nothing { 4 } else { 2 }, parts)]);
    }
    assert_said(&[
        (&["report", path], 2, &["results.jsonl", "No such file"]),
        (&["compare", path, path], 2, &["results.jsonl", "No such file"]),
        (&["check-claims", path], 2, &[path, "directory", "name a file"]),
        (&["check-claims", &missing], 2, &["missing", "No such file"]),
        (&["check-claims", &binary], 2, &["not a text file"]),
        (&["check-claims", &empty], 2, &["the first line must be `scheme,mode,op"]),
        (&["peers", "--peers-folder", &missing, "list"], 2, &["missing is no folder"]),
        (&["peers", "--peers-folder", &bad, "list"], 2, &["bad is no folder"]),
        (&["bench", "--allow-debug", "--out", &bad], 4, &["bad cannot hold", "another --out"]),
        (&["bench", "--allow-debug", "--driver", path], 4, &["did not start", path]),
        (&["bench", "--allow-debug", "--driver", "/bin/true"], 4, &["ended without a reply"]),
        (&["params", "--driver", "/bin/true"], 4, &["ended without a reply"]),
    ]);
    let header = "scheme,mode,op,mean,stddev,unit,n\n";
    let table = |name: &str, row: &str| file(name, format!("{header}{row}").as_bytes());
    let rows = [
        ("no-rows", "", 4, "no row under the header"),
        ("few", "a,b,mul,1\n", 2, "4 fields instead of 7"),
        ("nan", "a,b,mul,nan,0.1,ms,5\n", 2, "line 2: `nan` is not a number"),
        ("infinite", "a,b,mul,1e999,0.1,ms,5\n", 2, "`1e999` is not a number"),
        ("negative", "a,b,mul,1,-0.1,ms,5\n", 2, "`-0.1` is not a number"),
        ("zero", "a,b,mul,1,0.1,ms,0\n", 2, "`0` is not a number of samples"),
        ("huge", "a,b,mul,1,0.1,ms,99999999999999999999999\n", 2, "not a number of samples"),
    ];
    for (name, row, code, part) in rows {
        assert_said(&[(&["check-claims", &table(name, row)], code, &[name, part])]);
    }
}

#[test]
fn the_earlier_name_of_a_scheme_is_read_with_a_word() {
    let word = "the scheme `exact` is now `wide`";
    for arguments in [
        &["bench", "--dry-run", "--peers", "none", "--schemes", "exact"][..],
        &["bench", "--dry-run", "--peers", "none", "--filter", "^fathom/exact/e4/"],
        &["params", "exact"],
    ] {
        let run = fathom(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.contains("wide") && !run.stdout.contains("exact/"), "{}", run.stdout);
    }
    // A run of an earlier version beside the same run of today.
    let folder = folder("earlier-name");
    let record = include_str!("../../../records/quick-2026-11-20.jsonl");
    let named = |name: &str, scheme: &str| {
        let path = folder.join(name);
        let text = record.replace("\"bgv\"", &format!("\"{scheme}\""));
        let text = text.replace("fathom/bgv/", &format!("fathom/{scheme}/"));
        std::fs::write(&path, text.replace("\"bgv/", &format!("\"{scheme}/"))).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (old, new) = (named("old.jsonl", "exact"), named("new.jsonl", "wide"));
    let compared = fathom(&["compare", &old, &new]);
    assert!(compared.stdout.contains("fathom/wide/e1/mul"), "{}", compared.stdout);
    assert!(!compared.stdout.contains("in one run only"), "{}", compared.stdout);
    assert!(compared.stderr.contains("`exact`, is now `wide`"), "{}", compared.stderr);
    let csv = |file: &str| fathom(&["export", file, "--format", "csv"]).stdout;
    assert!(csv(&old) == csv(&new) && csv(&old).contains("\nwide,"));
    let page = folder.join("page.html");
    let report = fathom(&["report", &old, "-o", page.to_str().unwrap()]);
    assert!(report.code == 0 && report.stderr.contains("is now `wide`"), "{}", report.stderr);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("fathom/wide/e1/mul") && !page.contains("fathom/exact/"));
    // A table of an earlier version.
    let table = folder.join("all.csv");
    std::fs::write(&table, csv(&new).replace("\nwide,", "\nexact,")).unwrap();
    for arguments in [["check-claims", "--verbose"], ["import", "--format=all-csv"]] {
        let run = fathom(&[&arguments[..], &[table.to_str().unwrap()]].concat());
        assert!(run.stderr.contains(word), "{arguments:?}: {}", run.stderr);
        assert!(!run.stdout.contains("exact,"), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn coverage_of_the_published_tables_is_complete_and_its_page_is_current() {
    let mut suites: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let listed = |suite: &str| -> BTreeSet<String> {
        let run = fathom(&["bench", suite, "--full", "--dry-run", "--format", "csv"]);
        assert_eq!(run.code, 0, "{suite}: {}", run.stderr);
        let ids =
            run.stdout.lines().filter_map(|line| line.split_once(',')?.0.strip_prefix("fathom/"));
        ids.map(|id| coverage::stem(id).to_owned()).collect()
    };
    for suite in coverage::suites() {
        suites.insert(suite.to_owned(), listed(suite));
    }
    let known = |suite: &str, case: &str| suites.get(suite).is_some_and(|ids| ids.contains(case));
    assert_eq!(coverage::faults(known), Vec::<String>::new());
    assert!(coverage::faults(|_, case| case != "bfv/e2/mul").len() == 1, "a lost case is seen");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, text) in pages::all(&root.join("records")).unwrap() {
        let path = root.join("docs").join(&name);
        if std::env::var_os("FATHOM_WRITE_COVERAGE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "docs/{name} is out of date: {}", pages::COMMAND);
    }
}

#[test]
fn the_protocol_document_describes_every_operation_with_its_arguments() {
    use fathom_drivers::ops::{Arguments, ROWS, Request};
    let pages = [
        include_str!("../../../docs/driver-protocol.md"),
        include_str!("../../../docs/ring-verbs.md"),
    ];
    for row in ROWS.iter() {
        let name = match row.request {
            Request::Nothing => continue,
            Request::Own => row.name,
            Request::Named(name) => name,
        };
        let line = pages.iter().flat_map(|page| page.lines()).find(|line| {
            let first = line.strip_prefix("| ").and_then(|rest| rest.split(" | ").next());
            first.is_some_and(|first| first.contains(&format!("`{name}`")))
        });
        let line = line.unwrap_or_else(|| panic!("{name} is not in the table"));
        let argument = match row.arguments {
            Arguments::None => continue,
            Arguments::Steps => "args.steps",
            Arguments::Terms => "args.terms",
            Arguments::Coefficients => "args.coefficients",
        };
        assert!(line.contains(argument), "{name}: {line}");
    }
}
