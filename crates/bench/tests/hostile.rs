//! Drivers that answer with absurd values: nothing panics, no memory is allocated for them, no such
//! value is recorded as correct, and the measurements of others are kept.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fathom_drivers::client::Driver;
use fathom_drivers::limits::LIMITS;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{
    Args, Encoding, Encrypt, KeyKind, Keygen, ParamsRequest, Run, Timed,
};

use crate::support::fixture;

/// Returns a fixture that answers correctly except in the named fields.
fn altered(changes: &[(&str, &str, &str)]) -> Launch {
    let mut arguments = vec!["set".to_owned()];
    for (verb, pointer, text) in changes {
        let text = if text.len() > 1000 { by_file(text) } else { (*text).to_owned() };
        arguments.extend([(*verb).to_owned(), (*pointer).to_owned(), text]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Launch::new(fixture(), &arguments)
}

/// Stores a text that is too long for a command line in a file and returns its name.
fn by_file(text: &str) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{number}"));
    std::fs::write(&file, text).unwrap();
    format!("@{}", file.display())
}

/// Requests parameters, keys, two ciphertexts, their product and its values: every verb of a case.
fn converse(launch: &Launch) -> Result<Timed, Fault> {
    let mut driver = Driver::start(launch)?;
    let params = ParamsRequest::Preset { preset: "e1".into() };
    let session = driver.prepare("bfv", params, [1, 1], None)?.session;
    driver.keygen(Keygen { session, rotations: vec![1], row_swap: 0, reps: 1 })?;
    let (values, mode, encoding) = (vec![2, 3].into(), KeyKind::Sk, Encoding::Slots);
    let request = Encrypt { session, values, mode, encoding, level: None };
    let x = driver.encrypt(request.clone())?.ct;
    let y = driver.encrypt(request)?.ct;
    let plaintext = driver.plaintext(session, vec![5].into(), encoding)?;
    let (op, args, inputs) = ("mul".into(), Args::default(), vec![vec![x, y]]);
    let (warmup, iterations, samples, budget_ns) = (0, 2, 1, None);
    let run = Run { session, op, args, inputs, warmup, iterations, samples, budget_ns };
    let timed = driver.run(run)?;
    let product = timed.outputs[0].unwrap_or_default();
    driver.decrypt(session, product, encoding)?;
    driver.forget(vec![x, y, plaintext])?;
    Ok(timed)
}

fn assert_refused(changes: &[(&str, &str, &str)]) {
    let short = |text: &str| text.chars().take(60).collect::<String>();
    let named: Vec<_> = changes.iter().map(|(v, p, text)| (v, p, short(text))).collect();
    match converse(&altered(changes)) {
        Err(fault @ (Fault::Violation(_) | Fault::Nonsense { .. })) => {
            let text = fault.to_string();
            assert!(text.len() < 1000, "{named:?}: a fault of {} bytes", text.len());
            assert!(!text.contains('\u{1b}'), "{named:?} steers the terminal");
        }
        other => panic!("{named:?}: {other:?}"),
    }
}

#[test]
fn an_honest_driver_is_within_every_limit() {
    let timed = converse(&Launch::new(fixture(), &["honest"])).unwrap();
    assert_eq!((timed.samples_ns.len(), timed.outputs.len()), (1, 1));
}

/// Texts that are not a valid number in a reply.
const ABSURD: [&str; 12] = [
    "-1",
    "-1e308",
    "1e300",
    "1e999",
    "NaN",
    "Infinity",
    "18446744073709551616",
    "\"7\"",
    "[]",
    "{}",
    "true",
    "",
];

#[test]
fn l2_absurd_numbers_are_refused_in_every_field() {
    let fields = [
        ("prepare", "/session"),
        ("prepare", "/params/n"),
        ("prepare", "/params/slots"),
        ("prepare", "/params/log_q"),
        ("prepare", "/params/log_qp"),
        ("prepare", "/params/plain_modulus"),
        ("prepare", "/params/levels"),
        ("prepare", "/params/depth"),
        ("prepare", "/params/sigma"),
        ("keygen", "/samples_ns"),
        ("keygen", "/samples_ns/0"),
        ("keygen", "/rotate_samples_ns/0"),
        ("keygen", "/bytes/sk"),
        ("keygen", "/bytes/relin"),
        ("encrypt", "/ct"),
        ("encrypt", "/bytes/packed"),
        ("encrypt", "/bytes/theory"),
        ("run", "/samples_ns"),
        ("run", "/samples_ns/0"),
        ("run", "/iterations"),
        ("run", "/bytes_out"),
        ("plaintext", "/pt"),
    ];
    for (verb, pointer) in fields {
        for text in ABSURD {
            // For one repetition, an empty list of times is reported by its own rule.
            assert_refused(&[(verb, pointer, text)]);
        }
    }
    let optional = [
        ("encrypt", "/noise_budget_bits"),
        ("run", "/noise_budget_bits/before"),
        ("run", "/noise_budget_bits/after"),
        ("run", "/noise_budget_bits/predicted_after"),
    ];
    for (verb, pointer) in optional {
        for text in ABSURD.iter().filter(|text| **text != "-1") {
            assert_refused(&[(verb, pointer, text)]);
        }
    }
}

#[test]
fn l1_and_l2_parameters_outside_the_limits_are_refused() {
    let long = format!("\"{}\"", "x".repeat(1 << 20));
    let names =
        format!("[{}]", (0..5000).map(|k| format!("\"p{k}\"")).collect::<Vec<_>>().join(","));
    let cases = [
        ("hello", "/library/name", "\"fathom\""),
        ("hello", "/library/name", "\"\""),
        ("hello", "/library/name", "\"a/b\""),
        ("hello", "/library/name", "\"A\""),
        ("hello", "/library/name", "\"a,b\""),
        ("hello", "/library/name", "\"a\\u001b[2J\""),
        ("hello", "/library/version", long.as_str()),
        ("hello", "/library/build", "\"\\u001b[2J\""),
        ("hello", "/protocol", "\"fathom.driver/1\""),
        ("hello", "/id", "7"),
        ("hello", "/id", "\"1\""),
        ("hello", "/ok", "\"true\""),
        ("hello", "/ok", "null"),
        ("hello", "/schemes/0/scheme", "\"a b\""),
        ("hello", "/schemes/0/params", names.as_str()),
        ("hello", "/schemes/0/params", "[\"e1\",\"e1\"]"),
        ("hello", "/schemes/0/ops", "[\"a\\nb\"]"),
        ("prepare", "/params/slots", "1000000000000"),
        ("prepare", "/params/slots", "0"),
        ("prepare", "/params/slots", "8192"),
        ("prepare", "/params/n", "1000000000000"),
        ("prepare", "/params/log_q", "0"),
        ("prepare", "/params/log_qp", "3.5"),
        ("prepare", "/params/plain_modulus", "1"),
        ("prepare", "/params/plain_modulus", "18446744073709551615"),
        ("prepare", "/params/scale_bits", "40"),
        ("prepare", "/params/levels", "4294967295"),
        ("prepare", "/params/p_fail_log2", "1"),
        ("prepare", "/params/p_fail_log2", "-1e308"),
        ("prepare", "/params/explanation", long.as_str()),
        ("prepare", "/params/name", "\"a,b\""),
        ("prepare", "/params/secret", "\"sparse_ternary:0\""),
        ("prepare", "/params/secret", "\"sparse_ternary:99999999999\""),
    ];
    for case in cases {
        assert_refused(&[case]);
    }
}

#[test]
fn l1_and_l2_results_outside_the_limits_are_refused() {
    let many = format!("[{}]", vec!["1"; 200_000].join(","));
    let cases = [
        ("keygen", "/samples_ns", "[]"),
        ("keygen", "/samples_ns", "[1,1]"),
        ("keygen", "/samples_ns", "[18446744073709551615]"),
        ("keygen", "/samples_ns", "[1000000000000000]"),
        ("keygen", "/bytes/pk", "18446744073709551615"),
        ("encrypt", "/ct", "9"),
        ("encrypt", "/noise_budget_bits", "100000"),
        ("encrypt", "/noise_budget_bits", "1000"),
        ("run", "/samples_ns", "[0]"),
        ("run", "/samples_ns", "[]"),
        ("run", "/samples_ns", "[1,1]"),
        ("run", "/samples_ns", "[18446744073709551615]"),
        ("run", "/samples_ns", "[1000000000000]"),
        ("run", "/samples_ns", many.as_str()),
        ("run", "/iterations", "3"),
        ("run", "/cpu_ns", "1000000000000000"),
        ("run", "/involuntary_switches", "18446744073709551615"),
        ("run", "/outputs", "[]"),
        ("run", "/outputs", "[1000,1001]"),
        ("run", "/outputs", "[null]"),
        ("run", "/level", "4294967295"),
        ("run", "/bootstraps", "{\"count\":1e300,\"layers\":1}"),
        ("run", "/bootstraps", "{\"count\":-1,\"layers\":1}"),
        ("run", "/variance", "{\"n\":0,\"measured\":0.1,\"model\":0.1}"),
        ("run", "/variance", "{\"n\":1,\"measured\":-0.1,\"model\":0.1}"),
        ("run", "/variance", "{\"n\":1,\"measured\":0.1,\"model\":1e300}"),
        ("decrypt", "/values", many.as_str()),
        ("decrypt", "/values", "[1e999]"),
        ("decrypt", "/values", "[\"one\"]"),
        ("decrypt", "/values", "{}"),
    ];
    for case in cases {
        assert_refused(&[case]);
    }
}

#[test]
fn l2_torus_keys_outside_the_limits_are_refused() {
    let torus = |lwe: &str| {
        let glwe = r#"{"dimension":1024,"log_q":32,"secret":"binary","deviation_log2":-25}"#;
        format!(r#"{{"family":"U","message_bits":2,"carry_bits":2,"lwe":{lwe},"glwe":{glwe}}}"#)
    };
    for lwe in [
        r#"{"dimension":1000000000000,"log_q":32,"secret":"binary","deviation_log2":-15}"#,
        r#"{"dimension":600,"log_q":1e300,"secret":"binary","deviation_log2":-15}"#,
        r#"{"dimension":600,"log_q":32,"secret":"block_binary:0","deviation_log2":-15}"#,
        r#"{"dimension":600,"log_q":32,"secret":"binary","deviation_log2":5}"#,
    ] {
        assert_refused(&[("prepare", "/params/torus", &torus(lwe))]);
    }
}

#[test]
fn l2_whole_replies_that_are_none_are_refused() {
    let deep = "[".repeat(100_000);
    let wide = format!("[{}]", vec!["[]"; 1_000_000].join(","));
    for reply in [
        "",
        "null",
        "[]",
        "7",
        "{}",
        "{\"id\":1,\"id\":1,\"ok\":true}",
        "\u{1}",
        &deep,
        &wide,
        "{\"id\":1,\"ok\":false}",
        "{\"id\":1,\"ok\":false,\"error\":{\"code\":\"x\",\"message\":\"\"}}",
    ] {
        assert_refused(&[("hello", "", reply)]);
    }
    let refusal = format!(
        "{{\"id\":1,\"ok\":false,\"error\":{{\"code\":\"internal\",\"message\":\"{}\"}}}}",
        "x".repeat(1 << 20)
    );
    assert_refused(&[("hello", "", &refusal)]);
    let colors = r#"{"id":1,"ok":false,"error":{"code":"internal","message":"\u001b[2Jno"}}"#;
    let refused = converse(&altered(&[("hello", "", colors)])).unwrap_err();
    assert_eq!(refused.to_string(), "internal: .[2Jno");
}

#[test]
fn handles_and_sessions_that_are_named_twice_are_refused() {
    let same_output = [("run", "/outputs", "[2]")];
    let fault = converse(&altered(&same_output)).unwrap_err().to_string();
    assert!(fault.contains("names another item"), "{fault}");
    let mut driver = Driver::start(&altered(&[("prepare", "/session", "5")])).unwrap();
    let mut prepare = || {
        let params = ParamsRequest::Preset { preset: "e1".into() };
        driver.prepare("bfv", params, [1, 1], None)
    };
    assert!(prepare().is_ok());
    assert!(prepare().unwrap_err().to_string().contains("5, which is open"));
}

/// Asks a driver for parameters and then for keys; returns the fault and the time until it was
/// known.
fn patience(behavior: &[&str]) -> (Fault, Duration) {
    let mut launch = Launch::new(fixture(), behavior);
    launch.reply_time = Duration::from_secs(1);
    let start = Instant::now();
    let fault = converse(&launch).unwrap_err();
    (fault, start.elapsed())
}

#[test]
fn l1_lines_that_nobody_asked_for_are_refused_and_never_pile_up() {
    let (fault, _) = patience(&["early"]);
    let late = fault.to_string().contains("expected the reply to request 2");
    assert!(late || fault.to_string().contains("no request asked for"), "{fault}");
    let (fault, _) = patience(&["chatter", "mul"]);
    assert!(matches!(fault, Fault::Nonsense { .. }), "{fault}");
}

#[test]
fn l1_a_driver_that_reads_nothing_or_breaks_off_is_stopped_in_time() {
    let (fault, _) = patience(&["break", "mul"]);
    assert!(matches!(fault, Fault::Crashed { .. }), "{fault}");
    let (fault, time) = patience(&["orphan", "mul"]);
    assert!(matches!(fault, Fault::Hung { .. }) && time < Duration::from_secs(10), "{fault}");
    let mut launch = Launch::new(fixture(), &["deaf"]);
    launch.reply_time = Duration::from_secs(1);
    let mut driver = Driver::start(&launch).unwrap();
    let params = ParamsRequest::Preset { preset: "e1".into() };
    let session = driver.prepare("bfv", params, [1, 1], None).unwrap().session;
    let start = Instant::now();
    // More than the buffer of a pipe holds.
    let values = vec![1_i64; 100_000].into();
    let fault = driver.plaintext(session, values, Encoding::Slots).unwrap_err();
    assert!(matches!(fault, Fault::Hung { .. }), "{fault}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_protocol_states_every_limit_and_no_other() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/driver-protocol.md");
    let text = std::fs::read_to_string(document).unwrap();
    let (_, section) = text.split_once("\n## Limits\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let limits = LIMITS.iter().map(|limit| format!("| `{}` | {} |", limit.field, limit.range));
    assert_eq!(rows, limits.collect::<Vec<_>>());
    for relation in ["at least `log_q`", "1 % and 1 ms", "1 % and 100 ms", "names no other"] {
        assert!(section.contains(relation), "{relation}");
    }
}
