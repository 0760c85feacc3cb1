//! The engine behind the protocol, through the same client that the harness uses.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom_drivers::client::Driver;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{
    Args, Code, Encoding, Encrypt, KeyKind, Keygen, ParamsRequest, Run,
};

struct Session {
    driver: Driver,
    id: u64,
    t: i64,
}

fn open(scheme: &str, preset: &str, threads: usize) -> Session {
    let launch = Launch::engine(env!("CARGO_BIN_EXE_fathom"));
    let mut driver = Driver::start(&launch).unwrap();
    let params = ParamsRequest::Preset { preset: preset.into() };
    let prepared = driver.prepare(scheme, params, [threads, 1], Some(1)).unwrap();
    let session = prepared.session;
    let keys = Keygen { session, rotations: vec![1], row_swap: 0, reps: 2 };
    let keys = driver.keygen(keys).unwrap();
    assert_eq!((keys.samples_ns.len(), keys.rotate_samples_ns.len()), (2, 2));
    assert!(keys.bytes.pk > 0 && keys.bytes.relin > 0 && keys.bytes.galois > 0);
    Session { driver, id: session, t: prepared.params.plain_modulus as i64 }
}

impl Session {
    fn encrypt(&mut self, values: &[i64]) -> u64 {
        let request = Encrypt {
            session: self.id,
            values: values.to_vec().into(),
            mode: KeyKind::Sk,
            encoding: Encoding::Slots,
            level: None,
        };
        self.driver.encrypt(request).unwrap().ct
    }

    fn run(&self, op: &str, inputs: Vec<Vec<u64>>) -> Run {
        let (session, op, args) = (self.id, op.to_owned(), Args::default());
        Run { session, op, args, inputs, warmup: 0, iterations: 1, samples: 1, budget_ns: None }
    }

    fn first_values(&mut self, ct: u64, count: usize) -> Vec<i64> {
        let values = self.driver.decrypt(self.id, ct, Encoding::Slots).unwrap();
        values.integers().unwrap()[..count].iter().map(|v| v.rem_euclid(self.t)).collect()
    }
}

#[test]
fn products_are_right_and_their_noise_lies_within_the_bound() {
    for scheme in ["bfv", "bgv"] {
        let mut session = open(scheme, "e1", 1);
        let (x, y) = (session.encrypt(&[1, 2, -3]), session.encrypt(&[4, 5, 6]));
        let request = session.run("mul", vec![vec![x, y]]);
        let timed = session.driver.run(request).unwrap();
        let product = timed.outputs[0].unwrap();
        assert_eq!(session.first_values(product, 4), [4, 10, session.t - 18, 0]);
        let noise = timed.noise_budget_bits;
        let (before, after) = (noise.before.unwrap(), noise.after.unwrap());
        assert!(noise.predicted_after.unwrap() <= after && after < before, "{noise:?}");
        assert!(timed.bytes_out > 0 && timed.samples_ns[0] > 0);
    }
}

#[test]
fn multiplying_past_the_budget_is_refused_and_never_wrong() {
    for scheme in ["bfv", "bgv"] {
        let mut session = open(scheme, "e1d2", 1);
        let (mut x, mut expected) = (session.encrypt(&[1, 2, 3]), [1, 2, 3]);
        let mut level = None;
        for depth in 0..10 {
            let request = Encrypt {
                session: session.id,
                values: vec![4, 5, 6].into(),
                mode: KeyKind::Sk,
                encoding: Encoding::Slots,
                level,
            };
            let y = session.driver.encrypt(request).unwrap().ct;
            let request = session.run("mul_switch", vec![vec![x, y]]);
            match session.driver.run(request) {
                Ok(timed) => {
                    (x, level) = (timed.outputs[0].unwrap(), timed.level);
                    for (value, factor) in expected.iter_mut().zip([4, 5, 6]) {
                        *value = *value * factor % session.t;
                    }
                    assert_eq!(session.first_values(x, 3), expected, "{scheme} depth {depth}");
                }
                Err(Fault::Refused(refusal)) => {
                    assert_eq!(refusal.code, Code::NoiseExhausted, "{refusal}");
                    assert!(refusal.details["needed_bits"].as_f64().unwrap() > 0.0);
                    assert!(depth >= 2, "{scheme}: refused after {depth} products");
                    break;
                }
                Err(fault) => panic!("{fault}"),
            }
            assert!(depth < 9, "{scheme}: never refused");
        }
    }
}

#[test]
fn threads_work_on_inputs_of_their_own() {
    let mut session = open("bgv", "e1", 2);
    let cts: Vec<u64> = (1..=4).map(|v| session.encrypt(&[v])).collect();
    let sets = cts.iter().map(|&ct| vec![ct, ct]).collect();
    let request = Run { iterations: 2, samples: 3, ..session.run("mul", sets) };
    let timed = session.driver.run(request).unwrap();
    // A thread stops when another has its samples, and only those that both have are returned.
    assert!((1..=3).contains(&timed.samples_ns.len()), "{:?}", timed.samples_ns);
    for (output, value) in timed.outputs.iter().zip(1..) {
        assert_eq!(session.first_values(output.unwrap(), 1), [value * value]);
    }
}

#[test]
fn bad_requests_are_refused_with_their_code_and_the_driver_lives_on() {
    let mut session = open("bfv", "e1", 1);
    let x = session.encrypt(&[7]);
    let mut refused = |request: Run| match session.driver.run(request) {
        Err(Fault::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    };
    let id = session.id;
    let run = |op: &str, inputs| {
        let (session, op, args) = (id, op.to_owned(), Args::default());
        Run { session, op, args, inputs, warmup: 0, iterations: 1, samples: 1, budget_ns: None }
    };
    assert_eq!(refused(run("frobnicate", vec![vec![x]])), Code::Unsupported);
    assert_eq!(refused(run("mul", vec![vec![x]])), Code::BadRequest);
    assert_eq!(refused(run("mul", vec![vec![x, 999]])), Code::BadRequest);
    assert_eq!(refused(run("mul", Vec::new())), Code::BadRequest);
    assert_eq!(refused(Run { session: 77, ..run("square", vec![vec![x]]) }), Code::BadRequest);
    assert_eq!(refused(run("rotate", vec![vec![x]])), Code::BadRequest);
    assert_eq!(session.first_values(x, 1), [7]);
    session.driver.forget(vec![x]).unwrap();
    assert!(session.driver.decrypt(session.id, x, Encoding::Slots).is_err());
}

#[test]
fn unknown_schemes_and_parameters_are_unsupported() {
    let launch = Launch::engine(env!("CARGO_BIN_EXE_fathom"));
    let mut driver = Driver::start(&launch).unwrap();
    for (scheme, preset) in [("ckks", "e1"), ("bfv", "e9")] {
        let params = ParamsRequest::Preset { preset: preset.into() };
        let fault = driver.prepare(scheme, params, [1, 1], None).unwrap_err();
        assert_eq!(fault.code(), "unsupported");
    }
}

#[test]
fn nine65_writes_the_json_of_its_document_with_verified_chains() {
    let folder = crate::support::folder("nine65");
    let file = folder.join("bench.json");
    let run = crate::support::fathom(&[
        "bench",
        "nine65",
        "--config",
        "standard_128",
        "--max-depth",
        "12",
        "--output",
        file.to_str().unwrap(),
        "--out",
        folder.to_str().unwrap(),
        "--filter",
        "nine65-128(-sized)?/(neg|depth_chain_12|neural_network)$",
        "--budget",
        "2s",
        "--peers",
        "none",
        "--allow-debug",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.as_bytes().starts_with(fathom_documents::nine65::DOCUMENT_START));
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    for key in
        ["metadata", "keygen_us", "operations", "depth_chain", "scale_tests", "speedometer_summary"]
    {
        assert!(keys.iter().any(|found| *found == key), "{key}: {keys:?}");
    }
    let metadata = &document["metadata"];
    assert_eq!((&metadata["config"], &metadata["n"]), (&"secure_128".into(), &4096.into()));
    assert!(document["operations"]["negate_us"].as_f64().unwrap() > 0.0);
    let chain = &document["depth_chain"];
    assert_eq!(chain["init_expression"], "8 \u{d7} 8");
    assert_eq!((&chain["correct"], &chain["final_depth"]), (&true.into(), &12.into()));
    assert_eq!(chain["decrypted_result"], chain["expected_result"]);
    assert_eq!(chain["entries"].as_array().unwrap().len(), 12);
    assert_eq!(document["scale_tests"]["neural_network"]["correct"], true);
    assert_eq!(document["speedometer_summary"]["max_depth_achieved"], 12);
}

#[test]
fn json_on_stdout_is_alone_and_a_fixed_number_of_calls_is_made() {
    let folder = crate::support::folder("nine65-stdout");
    let run = crate::support::fathom(&[
        "bench",
        "nine65",
        "--config",
        "secure_128",
        "--filter",
        "nine65-128/(neg|add)$",
        "-o",
        "-",
        "--out",
        folder.to_str().unwrap(),
        "--peers",
        "none",
        "--allow-debug",
        "--iterations",
        "7",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(document["operations"]["negate_us"].as_f64().unwrap() > 0.0);
    assert!(run.stderr.contains("nine65-128"), "the verdict is on stderr: {}", run.stderr);
    for case in &crate::support::records(&folder)[1..] {
        let [n, iterations] = ["n", "iterations"].map(|field| &case["time_ns"][field]);
        let [n, iterations] = [n, iterations].map(|value| value.as_u64().unwrap());
        assert!(n * iterations >= 7 && (n - 1) * iterations < 7, "{n} samples of {iterations}");
    }
}
